import { compareBands } from "./band.ts";
import { DAY } from "./clock.ts";
import type { Place } from "./maidenhead.ts";
import type { Service } from "./source.ts";

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
export const calendarOf = (days: readonly (readonly [day: number, contacts: number])[]): CountsFigure =>
  countsOf(
    days.map(([day, contacts]) => {
      const { year, week } = weekOf(day);
      return { row: year, column: week, contacts };
    }),
    WEEKS,
    (a, b) => Number(b) - Number(a),
  );

/** Bands by hours of the day, UTC. */
export const hoursOf = (bands: readonly (readonly [band: string, byHour: readonly number[]])[]): CountsFigure => ({
  columns: HOURS,
  rows: bands.map(([name, counts]) => ({ name, counts: [...counts] })).sort((a, b) => compareBands(a.name, b.name)),
});

/** Contacts alike in year, band and mode; a mode that nobody knows is none. */
export interface YearCell {
  year: number;
  band: string | null;
  mode: string | null;
  contacts: number;
  first: number;
  second: number;
  card: number;
}

const yearsOf = (cells: readonly YearCell[]): string[] => {
  const years = cells.map(({ year }) => year);
  if (years.length === 0) return [];
  const first = Math.min(...years);
  return Array.from({ length: Math.max(...years) - first + 1 }, (_, at) => String(first + at));
};

const MOST_MODES = 12;

/** Bands and modes over the years. */
export const countsByYear = (cells: readonly YearCell[]): Pick<Figures, "bands" | "modes"> => {
  const years = yearsOf(cells);
  const over = (what: "band" | "mode", order: (a: string, b: string) => number) =>
    countsOf(
      cells.flatMap(({ year, contacts, [what]: row }) =>
        row === null ? [] : [{ row, column: String(year), contacts }],
      ),
      years,
      order,
    );
  const modes = over("mode", (a, b) => (a < b ? -1 : 1));
  const sum = ({ counts }: { counts: number[] }) => counts.reduce((total, count) => total + count, 0);
  return {
    bands: over("band", compareBands),
    modes: { ...modes, rows: modes.rows.sort((a, b) => sum(b) - sum(a)).slice(0, MOST_MODES) },
  };
};

/** The first times that something counted, worked and confirmed. */
export type FirstTimes = readonly (readonly [key: string, workedAt: number, confirmedAt: number | null])[];

export const curveOf = (firsts: Readonly<Record<CurveName, FirstTimes>>): CurveFigure => {
  const every = CURVE_NAMES.flatMap((name) => firsts[name]);
  if (every.length === 0) return { months: [], lines: [] };
  const begin = every.reduce((earliest, [, workedAt]) => Math.min(earliest, workedAt), Infinity);
  const end = every.reduce((latest, [, workedAt, confirmedAt]) => Math.max(latest, confirmedAt ?? workedAt), -Infinity);
  const months = Array.from({ length: monthsFromTo(begin, end) + 1 }, (_, at) => monthAfter(begin, at));
  const cumulated = (times: readonly (number | null)[]): number[] => {
    const fresh = months.map(() => 0);
    for (const at of times) if (at !== null) fresh[monthsFromTo(begin, at)]! += 1;
    let sum = 0;
    return fresh.map((count) => (sum += count));
  };
  return {
    months,
    lines: CURVE_NAMES.filter((name) => firsts[name].length > 0).map((name) => ({
      name,
      worked: cumulated(firsts[name].map(([, workedAt]) => workedAt)),
      confirmed: cumulated(firsts[name].map(([, , confirmedAt]) => confirmedAt)),
    })),
  };
};

const monthsFromTo = (from: number, to: number): number => {
  const [first, last] = [new Date(from), new Date(to)];
  return (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth();
};

const monthAfter = (from: number, months: number): string => {
  const first = new Date(from);
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + months, 1)).toISOString().slice(0, 7);
};

/** How long a service took: on so many days after the contact so many confirmations came. */
type Delays = readonly (readonly [
  service: Service,
  year: number,
  band: string | null,
  days: readonly (readonly [days: number, contacts: number])[],
])[];

/** The confirmations of all contacts, of each band, and of each year. */
export const confirmationsOf = (cells: readonly YearCell[], delays: Delays): ConfirmationRow[] => {
  const rows = new Map<string, SummedRow>();
  const rowsOf = (year: number, band: string | null): SummedRow[] => [
    rowOf(rows, "all", "all"),
    ...(band === null ? [] : [rowOf(rows, "band", band)]),
    rowOf(rows, "year", String(year)),
  ];
  for (const { year, band, contacts, first, second, card } of cells) {
    for (const row of rowsOf(year, band)) {
      row.total += contacts;
      row.first += first;
      row.second += second;
      row.card += card;
    }
  }
  for (const [service, year, band, some] of delays) {
    for (const { delays: counts } of rowsOf(year, band))
      for (const [days, contacts] of some) counts[service].set(days, (counts[service].get(days) ?? 0) + contacts);
  }
  const kinds = Map.groupBy(rows.values(), ({ of }) => of);
  return [
    rowOf(rows, "all", "all"),
    ...(kinds.get("band") ?? []).sort((a, b) => compareBands(a.name, b.name)),
    ...(kinds.get("year") ?? []).sort((a, b) => Number(b.name) - Number(a.name)),
  ].map(({ delays: { first, second }, ...row }) => ({
    ...row,
    firstDays: medianOf(first),
    secondDays: medianOf(second),
  }));
};

interface SummedRow extends Omit<ConfirmationRow, "firstDays" | "secondDays"> {
  delays: Record<Service, Map<number, number>>;
}

const rowOf = (rows: Map<string, SummedRow>, of: ConfirmationRow["of"], name: string): SummedRow => {
  const key = `${of} ${name}`;
  let row = rows.get(key);
  if (!row) {
    row = { of, name, total: 0, first: 0, second: 0, card: 0, delays: { first: new Map(), second: new Map() } };
    rows.set(key, row);
  }
  return row;
};

const medianOf = (delays: ReadonlyMap<number, number>): number | null => {
  const inOrder = [...delays].sort(([a], [b]) => a - b);
  const half = inOrder.reduce((sum, [, contacts]) => sum + contacts, 0) / 2;
  let sofar = 0;
  for (const [days, contacts] of inOrder) if ((sofar += contacts) >= half) return days;
  return null;
};

export const inOrderOfBands = (rows: readonly FurthestRow[]): FurthestRow[] =>
  rows.toSorted((a, b) => compareBands(a.band, b.band));
