import {
  calendarOf,
  confirmationsOf,
  countsByYear,
  curveOf,
  CURVE_NAMES,
  hoursOf,
  inOrderOfBands,
  type CurveName,
  type Delay,
  type Figures,
  type YearCell,
} from "./log-figures.ts";
import { gridCentre } from "./maidenhead.ts";
import type { Furthest, YearFigures } from "./year-figures.ts";

type First = [key: string, workedAt: number, confirmedAt: number | null];

/** Who was worked, as the row of a furthest contact names them. */
export interface Partner {
  call: string;
  gridsquare: string;
}

const addTo = <Key>(sums: Map<Key, number[]>, key: Key, counts: readonly number[]): void => {
  const sum = sums.get(key);
  if (sum === undefined) sums.set(key, [...counts]);
  else for (const [at, count] of counts.entries()) sum[at]! += count;
};

/** Adds years up to what the figures show. */
export class FigureTally {
  readonly #weeks = new Map<number, number[]>();
  readonly #hours = new Map<string, number[]>();
  readonly #cells: YearCell[] = [];
  readonly #delays: Delay[] = [];
  readonly #firsts = Object.fromEntries(CURVE_NAMES.map((name) => [name, new Map()])) as Record<
    CurveName,
    Map<string, First>
  >;
  readonly #furthest = new Map<string, Furthest>();
  readonly #entities = new Map<number, number[]>();
  readonly #homes = new Map<string, number[]>();

  add({ year, weeks, hours, cells, delays, firsts, furthest, entities, homes }: YearFigures): void {
    if (weeks.some((contacts) => contacts > 0)) addTo(this.#weeks, year, weeks);
    for (const [band, counts] of hours) addTo(this.#hours, band, counts);
    for (const [band, mode, [contacts, first, second, card]] of cells)
      this.#cells.push({ year, band, mode, contacts, first, second, card });
    for (const [service, band, days, contacts] of delays) this.#delays.push({ service, year, band, days, contacts });
    for (const name of CURVE_NAMES) for (const first of firsts[name]) this.#addFirst(name, first);
    for (const row of furthest) this.#addFurthest(row);
    for (const [dxcc, ...counts] of entities) addTo(this.#entities, dxcc, counts);
    for (const [grid, contacts] of homes) addTo(this.#homes, grid, [contacts]);
  }

  get furthestIds(): number[] {
    return [...this.#furthest.values()].map(({ qsoId }) => qsoId);
  }

  /** The furthest contacts with whom they were made. */
  figures(partners: ReadonlyMap<number, Partner>): Figures {
    const home = [...this.#homes].sort(([a, [some]], [b, [others]]) => others! - some! || (a < b ? -1 : 1))[0]?.[0];
    const place = home === undefined ? null : gridCentre(home);
    const firsts = CURVE_NAMES.map((name) => [name, [...this.#firsts[name].values()]]);
    return {
      calendar: calendarOf(this.#weeks),
      hours: hoursOf([...this.#hours]),
      ...countsByYear(this.#cells),
      curve: curveOf(Object.fromEntries(firsts) as Record<CurveName, First[]>),
      confirmations: { rows: confirmationsOf(this.#cells, this.#delays) },
      furthest: {
        rows: inOrderOfBands([...this.#furthest.values()].map((row) => ({ ...row, ...partners.get(row.qsoId)! }))),
      },
      map: {
        home: home === undefined || place === null ? null : { ...place, grid: home },
        entities: [...this.#entities]
          .map(([dxcc, [total, confirmed]]) => ({ dxcc, total: total!, confirmed: confirmed! }))
          .sort((a, b) => a.dxcc - b.dxcc),
      },
    };
  }

  #addFirst(name: CurveName, [key, workedAt, confirmedAt]: Readonly<First>): void {
    const known = this.#firsts[name].get(key);
    if (!known) return void this.#firsts[name].set(key, [key, workedAt, confirmedAt]);
    if (workedAt < known[1]) known[1] = workedAt;
    if (confirmedAt !== null && confirmedAt < (known[2] ?? Infinity)) known[2] = confirmedAt;
  }

  /** Of contacts that went as far as each other, the one that has been there longest. */
  #addFurthest(row: Furthest): void {
    const known = this.#furthest.get(row.band);
    if (known && (row.km < known.km || (row.km === known.km && row.qsoId > known.qsoId))) return;
    this.#furthest.set(row.band, row);
  }
}
