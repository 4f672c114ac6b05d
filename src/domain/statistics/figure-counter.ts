import { byWitness, WITNESSES, type Witness } from "../awards/award.ts";
import { DAY, getHour, HOURS_A_DAY } from "../../kernel/clock.ts";
import {
  CURVE_NAMES,
  FULL_WEEKS_A_YEAR,
  type ConfirmationRow,
  type CurveFigure,
  type CurveName,
  type Delays,
  type Figures,
  type FurthestRow,
} from "./log-figures.ts";
import { compareBands } from "../radio/band.ts";
import { computeDistanceKm, computeGridCentre } from "../radio/maidenhead.ts";
import { getModeName, type ModeGroup } from "../radio/mode.ts";
import { WITNESS_BITS } from "../origins/bits.ts";
import { byService, SERVICES, type Service } from "../jobs/source.ts";

/** The columns that the figures need. Reading takes most of the time, so there are no others. */
export interface FigureRow {
  id: number;
  startedAt: number;
  year: number;
  band: string | null;
  /** The submode if there is one. */
  mode: string | null;
  modeGroup: ModeGroup | null;
  dxcc: number | null;
  awardEntity: number | null;
  awardState: string | null;
  awardZone: number | null;
  /** Comma-separated if the contact counts for several squares. */
  awardGrids: string | null;
  ownGrid: string | null;
  gridsquare: string | null;
  /** A bit mask. */
  confirmedBy: number;
  /** As JSON by the bit of the witness. */
  confirmedTimes: string | null;
}

/** Contacts on one band in one year, or in several. */
interface Group extends Record<Witness, number> {
  total: number;
  /** Confirmed by anyone. */
  confirmed: number;
  /** How many confirmations of each service came after so many days. */
  delays: Record<Service, Map<number, number>>;
  hours: number[];
}

interface Year {
  weeks: number[];
  modes: Map<string, number>;
  bands: Map<string | null, Group>;
}

/** When something was first worked and first confirmed. */
interface First {
  workedAt: number;
  confirmedAt: number | null;
}

type Firsts = Map<string | number, First>;

/** The last one or two days of a year are a week of their own. */
const WEEKS = Array.from({ length: FULL_WEEKS_A_YEAR + 1 }, (_, at) => String(at + 1));
const HOURS = Array.from({ length: HOURS_A_DAY }, (_, at) => String(at).padStart(2, "0"));

/** Counts contacts one by one for the statistics page. */
export class FigureCounter {
  readonly #years = new Map<number, Year>();
  readonly #firsts: Record<CurveName, Firsts> = {
    entities: new Map(),
    states: new Map(),
    zones: new Map(),
    grids: new Map(),
  };
  /** The longest contact on each band. */
  readonly #furthest = new Map<string, Omit<FurthestRow, "call">>();
  readonly #entities = new Map<number, { total: number; confirmed: number }>();
  readonly #homes = new Map<string, number>();
  /** From each own square to others. Many contacts have the same ones. */
  readonly #distances = new Map<string, Map<string, number | null>>();

  add(row: FigureRow): void {
    const { startedAt, modeGroup, confirmedBy } = row;
    const isConfirmed = confirmedBy !== 0;
    const year = getOrCreate(this.#years, row.year, createYear);
    year.weeks[Math.floor((startedAt - Date.UTC(row.year, 0)) / (7 * DAY))]! += 1;
    addContact(getOrCreate(year.bands, row.band, createGroup), row);
    if (modeGroup !== null) increase(year.modes, getModeName({ mode: row.mode, submode: null, group: modeGroup }));
    const first = { workedAt: startedAt, confirmedAt: isConfirmed ? startedAt : null };
    addFirst(this.#firsts.entities, row.awardEntity, first);
    addFirst(this.#firsts.states, row.awardState, first);
    addFirst(this.#firsts.zones, row.awardZone, first);
    addFirst(this.#firsts.grids, row.awardGrids, first);
    this.#addFurthest(row);
    if (row.dxcc !== null) {
      const counts = getOrCreate(this.#entities, row.dxcc, () => ({ total: 0, confirmed: 0 }));
      counts.total += 1;
      counts.confirmed += Number(isConfirmed);
    }
    if (row.ownGrid !== null) increase(this.#homes, row.ownGrid);
  }

  get furthestIds(): number[] {
    return [...this.#furthest.values()].map(({ qsoId }) => qsoId);
  }

  /** `calls` holds the callsigns of the longest contacts. */
  toFigures(calls: ReadonlyMap<number, string>): Figures {
    const years = [...this.#years].sort(([a], [b]) => b - a);
    const groups = years.flatMap(([year, { bands }]) => [...bands].map(([band, group]) => ({ year, band, group })));
    const bands = [...Map.groupBy(groups, ({ band }) => band)]
      .flatMap(([name, some]) => (name === null ? [] : [{ name, ...sumGroups(some) }]))
      .sort((a, b) => compareBands(a.name, b.name));
    const listed = listYears(years.map(([year]) => year));
    const tabulate = (names: readonly string[], count: (year: Year, name: string) => number | undefined) => ({
      columns: listed.map(String),
      rows: names.map((name) => ({
        name,
        counts: listed.map((year) => (this.#years.has(year) ? (count(this.#years.get(year)!, name) ?? 0) : 0)),
      })),
    });
    const modes = tabulate([...new Set(years.flatMap(([, year]) => [...year.modes.keys()]))].sort(), (year, name) =>
      year.modes.get(name),
    );
    return {
      calendar: { columns: WEEKS, rows: years.map(([year, { weeks }]) => ({ name: String(year), counts: weeks })) },
      hours: { columns: HOURS, rows: bands.map(({ name, hours }) => ({ name, counts: hours })) },
      bands: tabulate(
        bands.map(({ name }) => name),
        (year, name) => year.bands.get(name)?.total,
      ),
      modes: { ...modes, rows: modes.rows.sort((a, b) => sum(b.counts) - sum(a.counts)) },
      curve: buildCurve(this.#firsts),
      confirmations: {
        rows: [
          toConfirmationRow("all", "all", sumGroups(groups)),
          ...bands.map((band) => toConfirmationRow("band", band.name, band)),
          ...[...Map.groupBy(groups, ({ year }) => year)].map(([year, some]) =>
            toConfirmationRow("year", String(year), sumGroups(some)),
          ),
        ],
      },
      furthest: {
        rows: [...this.#furthest.values()]
          .map((row) => ({ ...row, call: calls.get(row.qsoId)! }))
          .sort((a, b) => compareBands(a.band, b.band)),
      },
      map: {
        home: this.#home(),
        entities: [...this.#entities].map(([dxcc, counts]) => ({ dxcc, ...counts })).sort((a, b) => a.dxcc - b.dxcc),
      },
      shares: bands.map(({ name, total, confirmed }) => ({ band: name, total, confirmed })),
    };
  }

  /** Of equal distances the first one is kept. */
  #addFurthest({ id, band, ownGrid, gridsquare }: FigureRow): void {
    if (band === null || ownGrid === null || gridsquare === null) return;
    const distances = getOrCreate(this.#distances, ownGrid, () => new Map());
    const km = getOrCreate(distances, gridsquare, () => computeKm(ownGrid, gridsquare));
    if (km === null) return;
    const known = this.#furthest.get(band);
    if (known && (km < known.km || (km === known.km && id > known.qsoId))) return;
    this.#furthest.set(band, { band, km, qsoId: id, gridsquare });
  }

  /** The square from which most contacts were made. */
  #home(): Figures["map"]["home"] {
    const [most] = [...this.#homes].sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1));
    const place = most && computeGridCentre(most[0]);
    return place ? { ...place, grid: most[0] } : null;
  }
}

const computeKm = (own: string, other: string): number | null => {
  const [from, to] = [computeGridCentre(own), computeGridCentre(other)];
  return from && to && Math.round(computeDistanceKm(from, to));
};

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

const getOrCreate = <Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
};

const increase = <Key>(counts: Map<Key, number>, key: Key, by = 1): void =>
  void counts.set(key, (counts.get(key) ?? 0) + by);

const createYear = (): Year => ({ weeks: WEEKS.map(() => 0), modes: new Map(), bands: new Map() });

const createGroup = (): Group => ({
  total: 0,
  confirmed: 0,
  ...byWitness(() => 0),
  delays: byService(() => new Map()),
  hours: HOURS.map(() => 0),
});

const addContact = (group: Group, { startedAt, confirmedBy, confirmedTimes }: FigureRow): void => {
  group.total += 1;
  group.confirmed += Number(confirmedBy !== 0);
  group.hours[getHour(startedAt)]! += 1;
  for (const witness of WITNESSES) if (confirmedBy & WITNESS_BITS[witness]) group[witness] += 1;
  if (confirmedTimes === null) return;
  const times = JSON.parse(confirmedTimes) as Record<string, number>;
  for (const service of SERVICES) {
    const bit = WITNESS_BITS[service];
    const at = times[bit];
    // A time before the contact is an error of the service's clock or of the log.
    if (confirmedBy & bit && at !== undefined && at >= startedAt)
      increase(group.delays[service], Math.floor((at - startedAt) / DAY));
  }
};

const sumGroups = (groups: readonly { group: Group }[]): Group => {
  const all = createGroup();
  for (const { group } of groups) {
    for (const name of ["total", "confirmed", ...WITNESSES] as const) all[name] += group[name];
    for (const service of SERVICES)
      for (const [days, contacts] of group.delays[service]) increase(all.delays[service], days, contacts);
    all.hours = all.hours.map((count, hour) => count + group.hours[hour]!);
  }
  return all;
};

const toConfirmationRow = (
  of: ConfirmationRow["of"],
  name: string,
  { total, delays, ...group }: Group,
): ConfirmationRow => ({
  of,
  name,
  total,
  ...byWitness((witness) => group[witness]),
  ...(Object.fromEntries(SERVICES.map((service) => [`${service}Days`, computeMedian(delays[service])])) as Delays),
});

const computeMedian = (delays: ReadonlyMap<number, number>): number | null => {
  const half = sum([...delays.values()]) / 2;
  let soFar = 0;
  for (const [days, contacts] of [...delays].sort(([a], [b]) => a - b)) if ((soFar += contacts) >= half) return days;
  return null;
};

/** All years from the first to the last. */
const listYears = (years: readonly number[]): number[] => {
  const first = Math.min(...years);
  return years.length === 0 ? [] : Array.from({ length: Math.max(...years) - first + 1 }, (_, at) => first + at);
};

const addFirst = (firsts: Firsts, key: string | number | null, { workedAt, confirmedAt }: First): void => {
  if (key === null) return;
  const known = getOrCreate(firsts, key, () => ({ workedAt, confirmedAt }));
  if (workedAt < known.workedAt) known.workedAt = workedAt;
  if (confirmedAt !== null && confirmedAt < (known.confirmedAt ?? Infinity)) known.confirmedAt = confirmedAt;
};

/** Each square of a contact counts. */
const listFirsts = (known: Firsts): First[] => {
  const firsts: Firsts = new Map();
  for (const [keys, first] of known) for (const key of String(keys).split(",")) addFirst(firsts, key, first);
  return [...firsts.values()];
};

const buildCurve = (known: Record<CurveName, Firsts>): CurveFigure => {
  const lines = CURVE_NAMES.map((name) => ({ name, firsts: listFirsts(known[name]) })).filter(
    ({ firsts }) => firsts.length > 0,
  );
  const every = lines.flatMap(({ firsts }) => firsts);
  if (every.length === 0) return { months: [], lines: [] };
  const begin = getMonth(every.reduce((earliest, { workedAt }) => Math.min(earliest, workedAt), Infinity));
  const end = getMonth(
    every.reduce((latest, { workedAt, confirmedAt }) => Math.max(latest, confirmedAt ?? workedAt), -Infinity),
  );
  const months = Array.from({ length: end - begin + 1 }, (_, at) => nameMonth(begin + at));
  const accumulate = (times: readonly (number | null)[]): number[] => {
    const fresh = months.map(() => 0);
    for (const at of times) if (at !== null) fresh[getMonth(at) - begin]! += 1;
    let total = 0;
    return fresh.map((count) => (total += count));
  };
  return {
    months,
    lines: lines.map(({ name, firsts }) => ({
      name,
      worked: accumulate(firsts.map(({ workedAt }) => workedAt)),
      confirmed: accumulate(firsts.map(({ confirmedAt }) => confirmedAt)),
    })),
  };
};

const getMonth = (at: number): number => {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

const nameMonth = (month: number): string =>
  new Date(Date.UTC(Math.floor(month / 12), month % 12, 1)).toISOString().slice(0, 7);
