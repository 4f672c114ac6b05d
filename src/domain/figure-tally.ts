import { DAY, HOUR } from "./clock.ts";
import {
  calendarOf,
  confirmationsOf,
  countsByYear,
  curveOf,
  CURVE_NAMES,
  hoursOf,
  inOrderOfBands,
  type CurveName,
  type Figures,
  type FirstTimes,
  type FurthestRow,
} from "./log-figures.ts";
import { distanceKm, gridCentre, type Place } from "./maidenhead.ts";
import { effectiveMode, type ModeGroup } from "./mode.ts";
import { SERVICES, type Service } from "./source.ts";

/** What the figures read of a contact. */
export interface FiguredContact {
  id: number;
  call: string;
  startedAt: number;
  year: number;
  band: string | null;
  mode: string | null;
  submode: string | null;
  modeGroup: ModeGroup | null;
  dxcc: number | null;
  gridsquare: string | null;
  ownGrid: string | null;
  awardEntity: number | null;
  awardState: string | null;
  awardZone: number | null;
  awardGrids: string | null;
  /** 0 or 1. */
  first: number;
  second: number;
  card: number;
  firstAt: number | null;
  secondAt: number | null;
}

/** How many contacts there are, and whom they are confirmed by. */
export type Cell = [contacts: number, first: number, second: number, card: number];

/** What some contacts come to, as plain data: parts of a log add up to the figures of the whole. */
export interface FigurePart {
  days: [day: number, contacts: number][];
  hours: [band: string, byHour: number[]][];
  cells: [year: number, band: string | null, mode: string | null, ...Cell][];
  delays: [service: Service, year: number, band: string | null, days: [days: number, contacts: number][]][];
  firsts: Record<CurveName, FirstTimes>;
  furthest: FurthestRow[];
  entities: [dxcc: number, total: number, confirmed: number][];
  homes: [grid: string, contacts: number][];
}

/** The value of a key, made where there is none. */
const within = <Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value => {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
};

type First = [key: string, workedAt: number, confirmedAt: number | null];
type ByBand<Value> = Map<string | null, Value>;
const HOURS_A_DAY = 24;

const newMap = <Key, Value>(): Map<Key, Value> => new Map();
const noHours = (): number[] => Array<number>(HOURS_A_DAY).fill(0);
const noContacts = (): Cell => [0, 0, 0, 0];
const noneOfBoth = (): [number, number] => [0, 0];

/** Adds up what the figures show, contact by contact or part by part. */
export class FigureTally {
  readonly #days = new Map<number, number>();
  readonly #hours = new Map<string, number[]>();
  readonly #cells = new Map<number, ByBand<Map<string | null, Cell>>>();
  readonly #delays: Record<Service, Map<number, ByBand<Map<number, number>>>> = {
    first: new Map(),
    second: new Map(),
  };
  readonly #firsts = Object.fromEntries(CURVE_NAMES.map((name) => [name, new Map()])) as Record<
    CurveName,
    Map<string, First>
  >;
  readonly #furthest = new Map<string, FurthestRow>();
  readonly #entities = new Map<number, [total: number, confirmed: number]>();
  readonly #homes = new Map<string, number>();
  readonly #places = new Map<string, Place | null>();
  readonly #modes = new Map<string, string | null>();

  add(contact: FiguredContact): void {
    const { startedAt, year, band, dxcc, ownGrid, first, second, card } = contact;
    const day = Math.floor(startedAt / DAY);
    this.#addDay(day, 1);
    if (band !== null) this.#addHour(band, Math.floor((startedAt - day * DAY) / HOUR), 1);
    this.#addCell(year, band, this.#modeOf(contact), [1, first, second, card]);
    for (const service of SERVICES) {
      const at = contact[`${service}At`];
      if (contact[service] === 1 && at !== null && at >= startedAt)
        this.#addDelay(service, year, band, Math.floor((at - startedAt) / DAY), 1);
    }
    const isConfirmed = first + second + card > 0;
    this.#addFirsts(contact, isConfirmed ? startedAt : null);
    if (dxcc !== null) this.#addEntity(dxcc, 1, Number(isConfirmed));
    if (ownGrid !== null) this.#addHome(ownGrid, 1);
    this.#addDistance(contact);
  }

  addPart(part: FigurePart): void {
    for (const [day, contacts] of part.days) this.#addDay(day, contacts);
    for (const [band, counts] of part.hours)
      for (const [hour, contacts] of counts.entries()) this.#addHour(band, hour, contacts);
    for (const [year, band, mode, ...cell] of part.cells) this.#addCell(year, band, mode, cell);
    for (const [service, year, band, delays] of part.delays)
      for (const [days, contacts] of delays) this.#addDelay(service, year, band, days, contacts);
    for (const name of CURVE_NAMES) for (const first of part.firsts[name]) this.#addFirst(name, ...first);
    for (const row of part.furthest) this.#addFurthest(row);
    for (const [dxcc, total, confirmed] of part.entities) this.#addEntity(dxcc, total, confirmed);
    for (const [grid, contacts] of part.homes) this.#addHome(grid, contacts);
  }

  get part(): FigurePart {
    return {
      days: [...this.#days],
      hours: [...this.#hours],
      cells: this.#everyCell(),
      delays: SERVICES.flatMap((service) =>
        [...this.#delays[service]].flatMap(([year, bands]) =>
          [...bands].map(([band, days]): FigurePart["delays"][number] => [service, year, band, [...days]]),
        ),
      ),
      firsts: this.#everyFirst(),
      furthest: [...this.#furthest.values()],
      entities: [...this.#entities].map(([dxcc, counts]) => [dxcc, ...counts]),
      homes: [...this.#homes],
    };
  }

  get figures(): Figures {
    const { days, hours, delays, firsts, furthest, entities } = this.part;
    const cells = this.#everyCell().map(([year, band, mode, ...[contacts, first, second, card]]) => ({
      year,
      band,
      mode,
      contacts,
      first,
      second,
      card,
    }));
    const home = [...this.#homes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
    const place = home === undefined ? null : gridCentre(home);
    return {
      calendar: calendarOf(days),
      hours: hoursOf(hours),
      ...countsByYear(cells),
      curve: curveOf(firsts),
      confirmations: { rows: confirmationsOf(cells, delays) },
      furthest: { rows: inOrderOfBands(furthest) },
      map: {
        home: home === undefined || place === null ? null : { ...place, grid: home },
        entities: entities
          .map(([dxcc, total, confirmed]) => ({ dxcc, total, confirmed }))
          .sort((a, b) => a.dxcc - b.dxcc),
      },
    };
  }

  #everyCell(): FigurePart["cells"] {
    return [...this.#cells].flatMap(([year, bands]) =>
      [...bands].flatMap(([band, modes]) =>
        [...modes].map(([mode, cell]): FigurePart["cells"][number] => [year, band, mode, ...cell]),
      ),
    );
  }

  #everyFirst(): FigurePart["firsts"] {
    const [entities, states, zones, grids] = CURVE_NAMES.map((name) => [...this.#firsts[name].values()]);
    return { entities: entities!, states: states!, zones: zones!, grids: grids! };
  }

  #addDay(day: number, contacts: number): void {
    this.#days.set(day, (this.#days.get(day) ?? 0) + contacts);
  }

  #addHour(band: string, hour: number, contacts: number): void {
    within(this.#hours, band, noHours)[hour]! += contacts;
  }

  #addCell(year: number, band: string | null, mode: string | null, counts: Cell): void {
    const bands = within(this.#cells, year, newMap<string | null, Map<string | null, Cell>>);
    const modes = within(bands, band, newMap<string | null, Cell>);
    const cell = within(modes, mode, noContacts);
    for (let at = 0; at < cell.length; at++) cell[at]! += counts[at]!;
  }

  #addDelay(service: Service, year: number, band: string | null, days: number, contacts: number): void {
    const bands = within(this.#delays[service], year, newMap<string | null, Map<number, number>>);
    const counts = within(bands, band, newMap<number, number>);
    counts.set(days, (counts.get(days) ?? 0) + contacts);
  }

  #addFirsts(contact: FiguredContact, confirmedAt: number | null): void {
    const { startedAt, awardEntity, awardState, awardZone, awardGrids } = contact;
    if (awardEntity !== null) this.#addFirst("entities", String(awardEntity), startedAt, confirmedAt);
    if (awardState !== null) this.#addFirst("states", awardState, startedAt, confirmedAt);
    if (awardZone !== null) this.#addFirst("zones", String(awardZone), startedAt, confirmedAt);
    if (awardGrids !== null)
      for (const grid of awardGrids.split(",")) this.#addFirst("grids", grid, startedAt, confirmedAt);
  }

  #addFirst(name: CurveName, key: string, workedAt: number, confirmedAt: number | null): void {
    const known = this.#firsts[name].get(key);
    if (!known) return void this.#firsts[name].set(key, [key, workedAt, confirmedAt]);
    if (workedAt < known[1]) known[1] = workedAt;
    if (confirmedAt !== null && confirmedAt < (known[2] ?? Infinity)) known[2] = confirmedAt;
  }

  #addEntity(dxcc: number, total: number, confirmed: number): void {
    const counts = within(this.#entities, dxcc, noneOfBoth);
    counts[0] += total;
    counts[1] += confirmed;
  }

  #addHome(grid: string, contacts: number): void {
    this.#homes.set(grid, (this.#homes.get(grid) ?? 0) + contacts);
  }

  #addDistance({ id, call, band, gridsquare, ownGrid }: FiguredContact): void {
    if (band === null || gridsquare === null || ownGrid === null) return;
    const [from, to] = [this.#placeOf(ownGrid), this.#placeOf(gridsquare)];
    if (from && to) this.#addFurthest({ band, km: Math.round(distanceKm(from, to)), qsoId: id, call, gridsquare });
  }

  /** Of contacts that went as far as each other, the one that has been there longest. */
  #addFurthest(row: FurthestRow): void {
    const known = this.#furthest.get(row.band);
    if (known && (row.km < known.km || (row.km === known.km && row.qsoId > known.qsoId))) return;
    this.#furthest.set(row.band, row);
  }

  #placeOf(grid: string): Place | null {
    return within(this.#places, grid, () => gridCentre(grid));
  }

  #modeOf({ mode, submode, modeGroup: group }: FiguredContact): string | null {
    if (group === null) return null;
    return within(this.#modes, `${group} ${mode} ${submode}`, () => effectiveMode({ mode, submode, group }));
  }
}
