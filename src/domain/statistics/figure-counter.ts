import { byWitness, WITNESSES } from "../awards/award.ts";
import { DAY, getHour, HOURS_A_DAY } from "../../kernel/clock.ts";
import {
  buildCalendar,
  buildConfirmations,
  buildCountsByYear,
  buildCurve,
  CURVE_NAMES,
  buildHours,
  buildShares,
  sortByBand,
  getWeek,
  WEEKS_A_YEAR,
  type CurveName,
  type Delay,
  type Figures,
  type FurthestRow,
  type YearCell,
} from "./log-figures.ts";
import { computeDistanceKm, computeGridCentre, type Place } from "../radio/maidenhead.ts";
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

/** The longest contact on a band. */
type Furthest = Omit<FurthestRow, "call">;

/** The contacts of a year on a band. */
interface BandOfYear {
  hours: number[];
  modes: Map<string | null, YearCell>;
  delays: Record<Service, Map<number, number>>;
}

interface Year {
  weeks: number[];
  newYear: number;
  bands: Map<string | null, BandOfYear>;
}

interface OwnSquare {
  centre: Place | null;
  /** The distance to each other square. */
  km: Map<string, number | null>;
}

type First = [key: string, workedAt: number, confirmedAt: number | null];

/** Counts contacts one by one for the statistics page. */
export class FigureCounter {
  readonly #years = new Map<number, Year>();
  readonly #firsts = Object.fromEntries(CURVE_NAMES.map((name) => [name, new Map()])) as Record<
    CurveName,
    Map<string | number, First>
  >;
  readonly #furthest = new Map<string, Furthest>();
  readonly #entities = new Map<number, { total: number; confirmed: number }>();
  readonly #homes = new Map<string, number>();
  readonly #ownSquares = new Map<string, OwnSquare>();

  add(row: FigureRow): void {
    const { startedAt, band, modeGroup, confirmedBy } = row;
    const year = this.#yearOf(row.year);
    year.weeks[getWeek(startedAt - year.newYear)]! += 1;
    const onBand = getBand(year, band);
    onBand.hours[getHour(startedAt)]! += 1;
    const mode = modeGroup && getModeName({ mode: row.mode, submode: null, group: modeGroup });
    const cell = getCell(onBand, row.year, band, mode);
    cell.contacts += 1;
    cell.confirmed += Number(confirmedBy !== 0);
    for (const witness of WITNESSES) if (confirmedBy & WITNESS_BITS[witness]) cell[witness] += 1;
    if (row.confirmedTimes !== null) countDelays(onBand.delays, row, row.confirmedTimes);
    const isConfirmed = confirmedBy !== 0;
    this.#addFirst("entities", row.awardEntity, startedAt, isConfirmed);
    this.#addFirst("states", row.awardState, startedAt, isConfirmed);
    this.#addFirst("zones", row.awardZone, startedAt, isConfirmed);
    this.#addFirst("grids", row.awardGrids, startedAt, isConfirmed);
    this.#addFurthest(row);
    if (row.dxcc !== null) {
      const counts = this.#entities.get(row.dxcc) ?? { total: 0, confirmed: 0 };
      counts.total += 1;
      counts.confirmed += Number(isConfirmed);
      this.#entities.set(row.dxcc, counts);
    }
    if (row.ownGrid !== null) this.#homes.set(row.ownGrid, (this.#homes.get(row.ownGrid) ?? 0) + 1);
  }

  get furthestIds(): number[] {
    return [...this.#furthest.values()].map(({ qsoId }) => qsoId);
  }

  /** `calls` holds the callsigns of the longest contacts. */
  toFigures(calls: ReadonlyMap<number, string>): Figures {
    const years = [...this.#years];
    const onBands = years.flatMap(([year, { bands }]) =>
      [...bands].map(([band, counts]) => ({ year, band, ...counts })),
    );
    const cells = onBands.flatMap(({ modes }) => [...modes.values()]);
    return {
      calendar: buildCalendar(new Map(years.map(([year, { weeks }]) => [year, weeks]))),
      hours: buildHours([...sumHours(onBands)]),
      ...buildCountsByYear(cells),
      curve: buildCurve({
        entities: listFirsts(this.#firsts.entities),
        states: listFirsts(this.#firsts.states),
        zones: listFirsts(this.#firsts.zones),
        grids: listFirsts(this.#firsts.grids),
      }),
      confirmations: { rows: buildConfirmations(cells, onBands.flatMap(listDelays)) },
      furthest: {
        rows: sortByBand([...this.#furthest.values()].map((row) => ({ ...row, call: calls.get(row.qsoId)! }))),
      },
      map: { home: this.#home(), entities: this.#entitiesInOrder() },
      shares: buildShares(cells),
    };
  }

  #yearOf(number: number): Year {
    let year = this.#years.get(number);
    if (!year) {
      year = { weeks: createZeros(WEEKS_A_YEAR), newYear: Date.UTC(number, 0, 1), bands: new Map() };
      this.#years.set(number, year);
    }
    return year;
  }

  #addFirst(name: CurveName, key: string | number | null, at: number, isConfirmed: boolean): void {
    if (key === null) return;
    const known = this.#firsts[name].get(key);
    if (!known) return void this.#firsts[name].set(key, [String(key), at, isConfirmed ? at : null]);
    if (at < known[1]) known[1] = at;
    if (isConfirmed && at < (known[2] ?? Infinity)) known[2] = at;
  }

  /** Of equal distances the first one is kept. */
  #addFurthest({ id, band, ownGrid, gridsquare }: FigureRow): void {
    if (band === null || ownGrid === null || gridsquare === null) return;
    const km = this.#kmBetween(ownGrid, gridsquare);
    if (km === null) return;
    const known = this.#furthest.get(band);
    if (known && (km < known.km || (km === known.km && id > known.qsoId))) return;
    this.#furthest.set(band, { band, km, qsoId: id, gridsquare });
  }

  /** Many contacts have the same squares, so distances are cached. */
  #kmBetween(own: string, other: string): number | null {
    let from = this.#ownSquares.get(own);
    if (!from) this.#ownSquares.set(own, (from = { centre: computeGridCentre(own), km: new Map() }));
    let km = from.km.get(other);
    if (km === undefined) {
      const to = computeGridCentre(other);
      km = from.centre && to && Math.round(computeDistanceKm(from.centre, to));
      from.km.set(other, km);
    }
    return km;
  }

  /** The square from which most contacts were made. */
  #home(): Figures["map"]["home"] {
    const [most] = [...this.#homes].sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1));
    const place = most && computeGridCentre(most[0]);
    return place ? { ...place, grid: most[0] } : null;
  }

  #entitiesInOrder(): Figures["map"]["entities"] {
    return [...this.#entities].map(([dxcc, counts]) => ({ dxcc, ...counts })).sort((a, b) => a.dxcc - b.dxcc);
  }
}

const createZeros = (length: number): number[] => Array<number>(length).fill(0);

const getBand = ({ bands }: Year, name: string | null): BandOfYear => {
  let band = bands.get(name);
  if (!band) {
    band = { hours: createZeros(HOURS_A_DAY), modes: new Map(), delays: byService(() => new Map()) };
    bands.set(name, band);
  }
  return band;
};

const getCell = ({ modes }: BandOfYear, year: number, band: string | null, mode: string | null): YearCell => {
  let cell = modes.get(mode);
  if (!cell) modes.set(mode, (cell = { year, band, mode, contacts: 0, confirmed: 0, ...byWitness(() => 0) }));
  return cell;
};

/** A service's time before the contact is an error of its clock or of the log. */
const countDelays = (
  delays: BandOfYear["delays"],
  { startedAt, confirmedBy }: FigureRow,
  confirmedTimes: string,
): void => {
  const times = JSON.parse(confirmedTimes) as Record<string, number>;
  for (const service of SERVICES) {
    const bit = WITNESS_BITS[service];
    const at = times[bit];
    if (!(confirmedBy & bit) || at === undefined || at < startedAt) continue;
    const days = Math.floor((at - startedAt) / DAY);
    delays[service].set(days, (delays[service].get(days) ?? 0) + 1);
  }
};

const listDelays = ({ year, band, delays }: BandOfYear & { year: number; band: string | null }): Delay[] =>
  SERVICES.flatMap((service) =>
    [...delays[service]].map(([days, contacts]) => ({ service, year, band, days, contacts })),
  );

const sumHours = (onBands: readonly (Pick<BandOfYear, "hours"> & { band: string | null })[]): Map<string, number[]> => {
  const sums = new Map<string, number[]>();
  for (const { band, hours } of onBands) {
    if (band === null) continue;
    const sum = sums.get(band) ?? createZeros(HOURS_A_DAY);
    sums.set(
      band,
      sum.map((count, hour) => count + hours[hour]!),
    );
  }
  return sums;
};

/** Each square of a contact counts. */
const listFirsts = (known: ReadonlyMap<string | number, First>): First[] => {
  const firsts = new Map<string, First>();
  for (const [keys, workedAt, confirmedAt] of known.values()) {
    for (const key of keys.split(",")) {
      const first = firsts.get(key);
      if (!first) {
        firsts.set(key, [key, workedAt, confirmedAt]);
        continue;
      }
      first[1] = Math.min(first[1], workedAt);
      if (confirmedAt !== null) first[2] = Math.min(first[2] ?? Infinity, confirmedAt);
    }
  }
  return [...firsts.values()];
};
