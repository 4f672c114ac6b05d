import { compareBands } from "./band.ts";
import { DAY } from "./clock.ts";
import { distanceKm, gridCentre, type Place } from "./maidenhead.ts";
import { effectiveMode, type ModeGroup } from "./mode.ts";

/** What the page of statistics shows, each a document of its own. */
export const FIGURE_NAMES = [
  "calendar",
  "hours",
  "bands",
  "modes",
  "curve",
  "confirmations",
  "furthest",
  "map",
] as const;
export type FigureName = (typeof FIGURE_NAMES)[number];

/** Contacts counted by two things at once. */
export interface CountsFigure {
  columns: string[];
  rows: { name: string; counts: number[] }[];
}

/** How many there were at the end of each month. */
export interface CurveFigure {
  months: string[];
  lines: { name: CurveName; worked: number[]; confirmed: number[] }[];
}
export const CURVE_NAMES = ["entities", "states", "zones", "grids"] as const;
export type CurveName = (typeof CURVE_NAMES)[number];

export interface ConfirmationRow {
  of: "all" | "band" | "year";
  name: string;
  total: number;
  first: number;
  second: number;
  card: number;
  /** The middle of the days between contact and confirmation; null where no day is known. */
  firstDays: number | null;
  secondDays: number | null;
}

export interface FurthestRow {
  band: string;
  km: number;
  qsoId: number;
  call: string;
  gridsquare: string;
}

export interface MapFigure {
  home: (Place & { grid: string }) | null;
  entities: { dxcc: number; total: number; confirmed: number }[];
}

export interface Figures extends Record<"calendar" | "hours" | "bands" | "modes", CountsFigure> {
  curve: CurveFigure;
  confirmations: { rows: ConfirmationRow[] };
  furthest: { rows: FurthestRow[] };
  map: MapFigure;
}

/** Rows and columns from single counts; what is not there is nought. */
const countsOf = (
  cells: readonly { row: string; column: string; contacts: number }[],
  columns: readonly string[],
  order: (a: string, b: string) => number,
): CountsFigure => {
  const places = new Map(columns.map((name, at) => [name, at]));
  const rows = new Map<string, number[]>();
  for (const { row, column, contacts } of cells) {
    const counts = rows.get(row) ?? columns.map(() => 0);
    const at = places.get(column);
    if (at !== undefined) counts[at]! += contacts;
    rows.set(row, counts);
  }
  return {
    columns: [...columns],
    rows: [...rows].map(([name, counts]) => ({ name, counts })).sort((a, b) => order(a.name, b.name)),
  };
};

const WEEKS = Array.from({ length: 53 }, (_, at) => String(at + 1));
const HOURS = Array.from({ length: 24 }, (_, at) => String(at).padStart(2, "0"));

/** Which week of its year a day is in, beginning with the first of January. */
export const weekOf = (day: number): { year: string; week: string } => {
  const date = new Date(day * DAY);
  const year = date.getUTCFullYear();
  return { year: String(year), week: String(Math.floor((day - Date.UTC(year, 0, 1) / DAY) / 7) + 1) };
};

/** Years by weeks. */
export const calendarOf = (days: readonly { day: number; contacts: number }[]): CountsFigure =>
  countsOf(
    days.map(({ day, contacts }) => {
      const { year, week } = weekOf(day);
      return { row: year, column: week, contacts };
    }),
    WEEKS,
    (a, b) => Number(b) - Number(a),
  );

/** Bands by hours of the day, UTC. */
export const hoursOf = (cells: readonly { hour: number; band: string; contacts: number }[]): CountsFigure =>
  countsOf(
    cells.map(({ hour, band, contacts }) => ({ row: band, column: HOURS[hour]!, contacts })),
    HOURS,
    compareBands,
  );

interface YearCell {
  year: number;
  band: string | null;
  mode: string | null;
  submode: string | null;
  modeGroup: ModeGroup | null;
  contacts: number;
}

const yearsOf = (cells: readonly YearCell[]): string[] => {
  const years = cells.map(({ year }) => year);
  if (years.length === 0) return [];
  const first = Math.min(...years);
  return Array.from({ length: Math.max(...years) - first + 1 }, (_, at) => String(first + at));
};

export const bandsOf = (cells: readonly YearCell[]): CountsFigure =>
  countsOf(
    cells.flatMap(({ year, band, contacts }) => (band === null ? [] : [{ row: band, column: String(year), contacts }])),
    yearsOf(cells),
    compareBands,
  );

const MOST_MODES = 12;

export const modesOf = (cells: readonly YearCell[]): CountsFigure => {
  const all = countsOf(
    cells.flatMap(({ year, mode, submode, modeGroup, contacts }) =>
      modeGroup === null
        ? []
        : [{ row: effectiveMode({ mode, submode, group: modeGroup }), column: String(year), contacts }],
    ),
    yearsOf(cells),
    () => 0,
  );
  const sum = ({ counts }: { counts: number[] }) => counts.reduce((total, count) => total + count, 0);
  return { ...all, rows: all.rows.sort((a, b) => sum(b) - sum(a)).slice(0, MOST_MODES) };
};

/** The first time that something counted. */
export interface FirstTime {
  key: string;
  workedAt: number;
  confirmedAt: number | null;
}

const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

export const curveOf = (firsts: Readonly<Record<CurveName, readonly FirstTime[]>>): CurveFigure => {
  const moments = CURVE_NAMES.flatMap((name) => firsts[name].map(({ workedAt }) => workedAt));
  if (moments.length === 0) return { months: [], lines: [] };
  const latest = CURVE_NAMES.flatMap((name) => firsts[name].map((one) => one.confirmedAt ?? one.workedAt));
  const months = monthsBetween(Math.min(...moments), Math.max(...latest));
  const cumulated = (times: readonly (number | null)[]): number[] => {
    const fresh = Map.groupBy(
      times.filter((at) => at !== null),
      monthOf,
    );
    let sum = 0;
    return months.map((month) => (sum += fresh.get(month)?.length ?? 0));
  };
  return {
    months,
    lines: CURVE_NAMES.filter((name) => firsts[name].length > 0).map((name) => ({
      name,
      worked: cumulated(firsts[name].map(({ workedAt }) => workedAt)),
      confirmed: cumulated(firsts[name].map(({ confirmedAt }) => confirmedAt)),
    })),
  };
};

const monthsBetween = (from: number, to: number): string[] => {
  const months: string[] = [];
  const first = new Date(from);
  for (let at = 0; ; at++) {
    const month = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + at, 1);
    if (month > to) return months;
    months.push(monthOf(month));
  }
};

/** The squares of several grids that a contact counts for, each for itself. */
export const bySquare = (firsts: readonly FirstTime[]): FirstTime[] => {
  const squares = new Map<string, FirstTime>();
  for (const { key: grids, workedAt, confirmedAt } of firsts) {
    for (const key of grids.split(",")) {
      const known = squares.get(key);
      squares.set(key, {
        key,
        workedAt: Math.min(known?.workedAt ?? Infinity, workedAt),
        confirmedAt: earlierOf(known?.confirmedAt ?? null, confirmedAt),
      });
    }
  }
  return [...squares.values()];
};

const earlierOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

export interface ConfirmedGroup {
  band: string | null;
  year: number;
  contacts: number;
  first: number;
  second: number;
  card: number;
}

/** How long a service took, in days, for so many contacts. */
export interface Delay {
  service: "first" | "second";
  band: string | null;
  year: number;
  days: number;
  contacts: number;
}

export const confirmationsOf = (groups: readonly ConfirmedGroup[], delays: readonly Delay[]): ConfirmationRow[] => {
  const row = (
    of: ConfirmationRow["of"],
    name: string,
    isMeant: (one: { band: string | null; year: number }) => boolean,
  ): ConfirmationRow => {
    const meant = groups.filter(isMeant);
    const sum = (count: (group: ConfirmedGroup) => number) => meant.reduce((all, group) => all + count(group), 0);
    const daysOf = (service: Delay["service"]) =>
      medianOf(delays.filter((delay) => delay.service === service && isMeant(delay)));
    return {
      of,
      name,
      total: sum(({ contacts }) => contacts),
      first: sum(({ first }) => first),
      second: sum(({ second }) => second),
      card: sum(({ card }) => card),
      firstDays: daysOf("first"),
      secondDays: daysOf("second"),
    };
  };
  const bands = [...new Set(groups.flatMap(({ band }) => (band === null ? [] : [band])))].sort(compareBands);
  const years = [...new Set(groups.map(({ year }) => year))].sort((a, b) => b - a);
  return [
    row("all", "all", () => true),
    ...bands.map((name) => row("band", name, ({ band }) => band === name)),
    ...years.map((name) => row("year", String(name), ({ year }) => year === name)),
  ];
};

const medianOf = (delays: readonly Delay[]): number | null => {
  const inOrder = delays.toSorted((a, b) => a.days - b.days);
  const half = inOrder.reduce((sum, { contacts }) => sum + contacts, 0) / 2;
  let sofar = 0;
  for (const { days, contacts } of inOrder) if ((sofar += contacts) >= half) return days;
  return null;
};

export interface GridContact {
  band: string;
  gridsquare: string;
  ownGrid: string;
  qsoId: number;
}

/** The contact of each band that went furthest. */
export const furthestOf = (contacts: readonly GridContact[]): Omit<FurthestRow, "call">[] => {
  const furthest = new Map<string, Omit<FurthestRow, "call">>();
  for (const { band, gridsquare, ownGrid, qsoId } of contacts) {
    const [from, to] = [gridCentre(ownGrid), gridCentre(gridsquare)];
    if (!from || !to) continue;
    const km = Math.round(distanceKm(from, to));
    if (km > (furthest.get(band)?.km ?? -1)) furthest.set(band, { band, km, qsoId, gridsquare });
  }
  return [...furthest.values()].sort((a, b) => compareBands(a.band, b.band));
};
