import { hourOf, HOURS_A_DAY } from "./clock.ts";
import { WEEKS_A_YEAR, weekOf, type CurveName, type FirstTimes } from "./log-figures.ts";
import type { Service } from "./source.ts";
import type { Coded } from "./packed-codes.ts";
import { SAID, type YearContacts } from "./year-contacts.ts";

/** How many contacts there are, and whom they are confirmed by. */
export type Cell = [contacts: number, first: number, second: number, card: number];

/** The contact that went furthest on a band. */
export interface Furthest {
  band: string;
  km: number;
  qsoId: number;
}

/** What chosen contacts of a year come to. */
export interface YearFigures {
  year: number;
  weeks: readonly number[];
  hours: [band: string, byHour: number[]][];
  cells: [band: string | null, mode: string | null, cell: Cell][];
  delays: [service: Service, band: string | null, days: number, contacts: number][];
  firsts: Record<CurveName, FirstTimes>;
  furthest: Furthest[];
  entities: [dxcc: number, total: number, confirmed: number][];
  homes: [grid: string, contacts: number][];
}

export const countYear = (year: number, contacts: YearContacts): YearFigures => ({
  year,
  ...timesOf(year, contacts),
  cells: cellsOf(contacts),
  delays: [
    ...delaysOf("first", contacts.firstDays, contacts.band),
    ...delaysOf("second", contacts.secondDays, contacts.band),
  ],
  firsts: {
    entities: firstsOf(contacts.entity, contacts),
    states: firstsOf(contacts.state, contacts),
    zones: firstsOf(contacts.zone, contacts),
    grids: firstsOf(contacts.grids, contacts),
  },
  furthest: furthestOf(contacts),
  entities: entitiesOf(contacts),
  homes: homesOf(contacts.home),
});

// Loops over numbers, because there are a dozen for each contact: an iterator or a closure in them is many times slower.

/** Pairs of a value and what was found out about it, save where nothing is said. */
const said = <Value extends string | number, Found>(values: readonly (Value | null)[], found: readonly Found[]) =>
  values.flatMap((value, code): [Value, Found][] => {
    const about = found[code];
    return value === null || about === undefined ? [] : [[value, about]];
  });

const timesOf = (year: number, { startedAt, band }: YearContacts): Pick<YearFigures, "weeks" | "hours"> => {
  const weeks = Array<number>(WEEKS_A_YEAR).fill(0);
  const hours: number[][] = [];
  const newYear = Date.UTC(year, 0, 1);
  for (let row = 0; row < startedAt.length; row++) {
    const at = startedAt[row]!;
    weeks[weekOf(at - newYear)]! += 1;
    const ofBand = (hours[band.of[row]!] ??= Array<number>(HOURS_A_DAY).fill(0));
    ofBand[hourOf(at)]! += 1;
  }
  return { weeks, hours: said(band.values, hours) };
};

const cellsOf = ({ band, mode, confirmed }: YearContacts): YearFigures["cells"] => {
  const cells: Cell[] = [];
  const modes = mode.values.length;
  for (let row = 0; row < confirmed.length; row++) {
    const cell = (cells[band.of[row]! * modes + mode.of[row]!] ??= [0, 0, 0, 0]);
    const by = confirmed[row]!;
    cell[0] += 1;
    if (by & SAID.first) cell[1] += 1;
    if (by & SAID.second) cell[2] += 1;
    if (by & SAID.card) cell[3] += 1;
  }
  const named: YearFigures["cells"] = [];
  // Where there is no contact of a band and a mode there is no cell, and forEach passes over it.
  cells.forEach((cell, key) => named.push([band.values[Math.floor(key / modes)]!, mode.values[key % modes]!, cell]));
  return named;
};

const delaysOf = (service: Service, { values, of }: Coded<number>, band: Coded<string>): YearFigures["delays"] => {
  const counts = new Map<number, number>();
  const unknown = values.indexOf(null);
  for (let row = 0; row < of.length; row++) {
    const days = of[row]!;
    if (days === unknown) continue;
    const key = band.of[row]! * values.length + days;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, contacts]) => [
    service,
    band.values[Math.floor(key / values.length)]!,
    values[key % values.length]!,
    contacts,
  ]);
};

/** Several squares may stand for one contact, and count each. */
const firstsOf = ({ values, of }: Coded<string | number>, { startedAt, confirmed }: YearContacts): FirstTimes => {
  const worked = new Float64Array(values.length).fill(Infinity);
  const proved = new Float64Array(values.length).fill(Infinity);
  for (let row = 0; row < of.length; row++) {
    const code = of[row]!;
    const at = startedAt[row]!;
    if (at < worked[code]!) worked[code] = at;
    if (confirmed[row] !== 0 && at < proved[code]!) proved[code] = at;
  }
  const firsts: [key: string, workedAt: number, confirmedAt: number | null][] = [];
  for (const [code, value] of values.entries()) {
    if (value === null || worked[code] === Infinity) continue;
    const provedAt = proved[code] === Infinity ? null : proved[code]!;
    const key = String(value);
    if (!key.includes(",")) firsts.push([key, worked[code]!, provedAt]);
    else for (const one of key.split(",")) firsts.push([one, worked[code]!, provedAt]);
  }
  return firsts;
};

const furthestOf = ({ ids, band, km }: YearContacts): Furthest[] => {
  const best: number[] = [];
  const far = km.values.map((distance) => distance ?? -1);
  for (let row = 0; row < ids.length; row++) {
    const distance = far[km.of[row]!]!;
    if (distance < 0) continue;
    const code = band.of[row]!;
    const known = best[code];
    const before = known === undefined ? -1 : far[km.of[known]!]!;
    if (distance > before || (distance === before && ids[row]! < ids[known!]!)) best[code] = row;
  }
  return said(band.values, best).map(([name, row]) => ({ band: name, km: far[km.of[row]!]!, qsoId: ids[row]! }));
};

const entitiesOf = ({ dxcc: { values, of }, confirmed }: YearContacts): YearFigures["entities"] => {
  const [total, proved] = [new Uint32Array(values.length), new Uint32Array(values.length)];
  for (let row = 0; row < of.length; row++) {
    total[of[row]!]! += 1;
    if (confirmed[row] !== 0) proved[of[row]!]! += 1;
  }
  return values.flatMap((entity, code): YearFigures["entities"] =>
    entity === null || total[code] === 0 ? [] : [[entity, total[code]!, proved[code]!]],
  );
};

const homesOf = ({ values, of }: Coded<string>): YearFigures["homes"] => {
  const counts = new Uint32Array(values.length);
  for (let row = 0; row < of.length; row++) counts[of[row]!]! += 1;
  return values.flatMap((grid, code): YearFigures["homes"] =>
    grid === null || counts[code] === 0 ? [] : [[grid, counts[code]!]],
  );
};
