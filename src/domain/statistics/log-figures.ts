import { byWitness, WITNESSES, type Witness } from "../awards/award.ts";
import { compareBands } from "../radio/band.ts";
import { DAY, HOURS_A_DAY } from "../../kernel/clock.ts";
import type { Place } from "../radio/maidenhead.ts";
import { byService, type Service, SERVICES } from "../jobs/source.ts";

/** The figures of the statistics page; each is a document of its own. */
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

export const FIGURE_TITLES: Record<FigureName | "shares", string> = {
  calendar: "Activity by week",
  hours: "Bands by hour (UTC)",
  bands: "Bands by year",
  shares: "QSOs by band",
  modes: "Modes by year",
  curve: "Worked and confirmed over time",
  confirmations: "How fast contacts are confirmed",
  furthest: "Longest distance by band",
  map: "Most worked entities",
};

/** Contacts counted by two properties. */
export interface CountsFigure {
  columns: string[];
  rows: { name: string; counts: number[] }[];
}

/** Totals at the end of each month. */
export interface CurveFigure {
  months: string[];
  lines: { name: CurveName; worked: number[]; confirmed: number[] }[];
}
export const CURVE_NAMES = ["entities", "states", "zones", "grids"] as const;
export type CurveName = (typeof CURVE_NAMES)[number];

/** Days between contact and confirmation; null if no day is known. */
export type Delays = Record<`${Service}Days`, number | null>;

/** How many contacts each witness confirmed, and the median number of days it took. */
export interface ConfirmationRow extends Record<Witness, number>, Delays {
  of: "all" | "band" | "year";
  name: string;
  total: number;
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
  /** The contacts of each band; confirmed by anyone. */
  shares: { band: string; total: number; confirmed: number }[];
}

/** Builds rows and columns from single counts; missing ones are 0. */
const buildCounts = (
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

export const WEEKS_A_YEAR = 53;
export const FULL_WEEKS_A_YEAR = 52;
const WEEKS = Array.from({ length: WEEKS_A_YEAR }, (_, at) => String(at + 1));
const HOURS = Array.from({ length: HOURS_A_DAY }, (_, at) => String(at).padStart(2, "0"));

/** The week of the year for a time since 1 January. */
export const getWeek = (sinceNewYear: number): number => Math.floor(sinceNewYear / (7 * DAY));

/** Years by weeks. */
export const buildCalendar = (years: ReadonlyMap<number, readonly number[]>): CountsFigure => ({
  columns: WEEKS,
  rows: [...years].sort(([a], [b]) => b - a).map(([year, counts]) => ({ name: String(year), counts: [...counts] })),
});

/** Bands by hours of the day (UTC). */
export const buildHours = (bands: readonly (readonly [band: string, byHour: readonly number[]])[]): CountsFigure => ({
  columns: HOURS,
  rows: bands.map(([name, counts]) => ({ name, counts: [...counts] })).sort((a, b) => compareBands(a.name, b.name)),
});

/** Contacts with the same year, band and mode. An unknown mode is null. */
export interface YearCell extends Record<Witness, number> {
  year: number;
  band: string | null;
  mode: string | null;
  contacts: number;
  /** Confirmed by anyone. */
  confirmed: number;
}

const listYears = (cells: readonly YearCell[]): string[] => {
  const years = cells.map(({ year }) => year);
  if (years.length === 0) return [];
  const first = Math.min(...years);
  return Array.from({ length: Math.max(...years) - first + 1 }, (_, at) => String(first + at));
};

/** Bands and modes per year. */
export const buildCountsByYear = (cells: readonly YearCell[]): Pick<Figures, "bands" | "modes"> => {
  const years = listYears(cells);
  const over = (what: "band" | "mode", order: (a: string, b: string) => number) =>
    buildCounts(
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
    modes: { ...modes, rows: modes.rows.sort((a, b) => sum(b) - sum(a)) },
  };
};

/** The contacts of each band. */
export const buildShares = (cells: readonly YearCell[]): Figures["shares"] =>
  [...Map.groupBy(cells, ({ band }) => band)]
    .flatMap(([band, group]) =>
      band === null
        ? []
        : [
            {
              band,
              total: group.reduce((sum, { contacts }) => sum + contacts, 0),
              confirmed: group.reduce((sum, { confirmed }) => sum + confirmed, 0),
            },
          ],
    )
    .sort((a, b) => compareBands(a.band, b.band));

/** When something was first worked and first confirmed. */
export type FirstTimes = readonly (readonly [key: string, workedAt: number, confirmedAt: number | null])[];

export const buildCurve = (firsts: Readonly<Record<CurveName, FirstTimes>>): CurveFigure => {
  const every = CURVE_NAMES.flatMap((name) => firsts[name]);
  if (every.length === 0) return { months: [], lines: [] };
  const begin = getMonth(every.reduce((earliest, [, workedAt]) => Math.min(earliest, workedAt), Infinity));
  const end = getMonth(
    every.reduce((latest, [, workedAt, confirmedAt]) => Math.max(latest, confirmedAt ?? workedAt), -Infinity),
  );
  const months = Array.from({ length: end - begin + 1 }, (_, at) => nameOfMonth(begin + at));
  const cumulated = (times: readonly (number | null)[]): number[] => {
    const fresh = months.map(() => 0);
    for (const at of times) if (at !== null) fresh[getMonth(at) - begin]! += 1;
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

const getMonth = (at: number): number => {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

const nameOfMonth = (month: number): string =>
  new Date(Date.UTC(Math.floor(month / 12), month % 12, 1)).toISOString().slice(0, 7);

/** How many confirmations of a service came after this many days. */
export interface Delay {
  service: Service;
  year: number;
  band: string | null;
  days: number;
  contacts: number;
}

/** The confirmations of all contacts, of each band, and of each year. */
export const buildConfirmations = (cells: readonly YearCell[], delays: readonly Delay[]): ConfirmationRow[] => {
  const rows = new Map<string, SummedRow>();
  const listRows = (year: number, band: string | null): SummedRow[] => [
    getRow(rows, "all", "all"),
    ...(band === null ? [] : [getRow(rows, "band", band)]),
    getRow(rows, "year", String(year)),
  ];
  for (const cell of cells) {
    for (const row of listRows(cell.year, cell.band)) {
      row.total += cell.contacts;
      for (const witness of WITNESSES) row[witness] += cell[witness];
    }
  }
  for (const { service, year, band, days, contacts } of delays) {
    for (const { delays: counts } of listRows(year, band))
      counts[service].set(days, (counts[service].get(days) ?? 0) + contacts);
  }
  const kinds = Map.groupBy(rows.values(), ({ of }) => of);
  return [
    getRow(rows, "all", "all"),
    ...(kinds.get("band") ?? []).sort((a, b) => compareBands(a.name, b.name)),
    ...(kinds.get("year") ?? []).sort((a, b) => Number(b.name) - Number(a.name)),
  ].map(({ delays, ...row }) => ({
    ...row,
    ...(Object.fromEntries(SERVICES.map((service) => [`${service}Days`, computeMedian(delays[service])])) as Delays),
  }));
};

interface SummedRow extends Omit<ConfirmationRow, keyof Delays> {
  delays: Record<Service, Map<number, number>>;
}

const getRow = (rows: Map<string, SummedRow>, of: ConfirmationRow["of"], name: string): SummedRow => {
  const key = `${of} ${name}`;
  let row = rows.get(key);
  if (!row) {
    row = { of, name, total: 0, ...byWitness(() => 0), delays: byService(() => new Map()) };
    rows.set(key, row);
  }
  return row;
};

const computeMedian = (delays: ReadonlyMap<number, number>): number | null => {
  const inOrder = [...delays].sort(([a], [b]) => a - b);
  const half = inOrder.reduce((sum, [, contacts]) => sum + contacts, 0) / 2;
  let soFar = 0;
  for (const [days, contacts] of inOrder) if ((soFar += contacts) >= half) return days;
  return null;
};

export const sortByBand = (rows: readonly FurthestRow[]): FurthestRow[] =>
  rows.toSorted((a, b) => compareBands(a.band, b.band));
