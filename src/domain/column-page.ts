import { BAND_NAMES } from "./band.ts";
import { columnsAsked, keepHolding, sieve } from "./column-filter.ts";
import { compareKeys } from "./text-order.ts";
import { Scratch, type PackedCodes, type PackedColumn, type Shared } from "./packed-codes.ts";
import { once } from "./once.ts";
import type { QsoFilter, QsoListing, SortKey } from "./qso-filter.ts";
import {
  COLUMN_NAMES,
  packColumn,
  rowFrom,
  SEARCHED,
  unpackColumn,
  type ColumnName,
  type KeptContact,
  type ModeWords,
  type YearColumns,
} from "./year-contacts.ts";

/** Where a page begins or ends: behind this contact. */
export interface Place {
  key: string | number | null;
  at: number;
  id: number;
}

/** Contacts of one year, of which some may be there no longer as they were. */
export interface Segment {
  year: number;
  contacts: number;
  columns: Partial<YearColumns>;
  /** Rows that say what is no longer so. */
  gone: readonly number[];
}

/** Contacts that are nowhere kept, as if they were; in the order of time. A column is made when it is asked for. */
export const segmentOf = (year: number, contacts: readonly KeptContact[]): Segment => {
  const columns: Partial<YearColumns> = {};
  for (const name of COLUMN_NAMES)
    Object.defineProperty(columns, name, {
      configurable: true,
      get: once(() => unpackColumn(name, packColumn(name, contacts))),
    });
  return { year, contacts: contacts.length, columns, gone: [] };
};

/** A contact that may be on the page. */
interface Candidate {
  segment: Segment;
  row: number;
  key: Place["key"];
}

/** The keys that many contacts share; those who share one are then in the order of time. */
const KEYED: Partial<Record<SortKey, { column: ColumnName; keyOf: (value: never) => Place["key"] }>> = {
  call: { column: "call", keyOf: (call: string) => call },
  band: { column: "band", keyOf: (band: string | null) => (band === null ? null : BAND_NAMES.indexOf(band)) },
  mode: { column: "mode", keyOf: ([mode, submode]: ModeWords) => submode ?? mode },
  dxcc: { column: "dxcc", keyOf: (dxcc: number | null) => dxcc },
};

/** What a date can be. */
const LATEST = 8.64e15;

const yearOf = (at: number): number => new Date(at).getUTCFullYear();

const toFour = (length: number): number => Math.ceil(length / 4) * 4;

/** How many fit: four bytes at a time, of which each is 0 or 1. */
const countOf = ({ buffer }: Uint8Array): number => {
  const fours = new Uint32Array(buffer);
  let count = 0;
  for (let at = 0; at < fours.length; at++) count += Math.imul(fours[at]!, 0x01010101) >>> 24;
  return count;
};

/** The next row, one way or the other, that fits; four at a time where none of them does. -1 where there is none. */
const nextFitting = (fits: Uint8Array, fours: Uint32Array, from: number, step: 1 | -1): number => {
  for (let row = from; row >= 0 && row < fits.length; row += step) {
    if (fours[row >> 2] === 0) row = step === 1 ? row | 3 : row & ~3;
    else if (fits[row] !== 0) return row;
  }
  return -1;
};

/** Of the contacts of a segment 1 for those that fit. Days are looked at where the times are there. */
export const fitting = (
  { contacts, columns, gone }: Segment,
  filter: QsoFilter,
  scratch = new Scratch(),
): Uint8Array => {
  const { from, to } = filter;
  const fits = new Uint8Array(new ArrayBuffer(toFour(contacts)), 0, contacts).fill(1);
  for (const row of gone) fits[row] = 0;
  if (columns.startedAt && columns.id) {
    const times = { startedAt: columns.startedAt, id: columns.id };
    if (from !== undefined) fits.fill(0, 0, rowFrom(times, from));
    if (to !== undefined) fits.fill(0, rowFrom(times, to));
  }
  sieve(fits, filter, columns, scratch);
  return fits;
};

/** A segment with contacts that fit. */
interface Sifted {
  segment: Segment;
  fits: Uint8Array;
  count: number;
}

/**
 * Finds a page of contacts by their columns, year by year: first those that fit, then those that could be on it, and of
 * the few that are left the order.
 */
export class ColumnPage {
  readonly #scratch = new Scratch();
  #sifted: Sifted[] = [];
  #found: Candidate[] = [];
  readonly #listing: QsoListing;
  readonly #place: Place | null;
  readonly #wanted: number;
  /** From the latest to the earliest, or from the highest key to the lowest. */
  readonly #isDown: boolean;
  readonly #isBack: boolean;
  /** What the last is like that has a place on the page so far; null while there is room. */
  #bound: { key: Place["key"]; year: number; id: number } | null = null;

  #order = { inOrder: [] as Place["key"][], ranks: new Map<Place["key"], number>() };

  constructor(listing: QsoListing, place: Place | null) {
    this.#listing = listing;
    this.#place = place;
    this.#wanted = listing.limit + 1;
    this.#isBack = listing.before !== undefined;
    this.#isDown = listing.sort.descending !== this.#isBack;
  }

  /** What is needed of every year to know which contacts fit, but for the text that is searched for. */
  get columns(): ColumnName[] {
    return columnsAsked(this.#filter);
  }

  get #filter(): QsoFilter {
    return { ...this.#listing.filter, q: undefined };
  }

  /** What is needed more to know which could be on the page. */
  get columnsOfOrder(): ColumnName[] {
    const { key } = this.#listing.sort;
    if (key === "updatedAt") return ["updatedAt", "id"];
    return KEYED[key] ? [KEYED[key].column] : [];
  }

  /** Years of which the time of each contact is needed, because the days or the place lie within them. */
  get yearsInPart(): Set<number> {
    const { from, to } = this.#listing.filter;
    const moments = [from, to, this.#place?.at].filter((at) => at !== undefined);
    return new Set(moments.filter((at) => Math.abs(at) < LATEST).map(yearOf));
  }

  /** The years in which there may be such contacts, in the order of the page. */
  yearsOf<Of extends { year: number }>(years: readonly Of[]): Of[] {
    const { from = -Infinity, to = Infinity } = this.#listing.filter;
    return years
      .filter(({ year }) => Date.UTC(year + 1, 0, 1) > from && Date.UTC(year, 0, 1) < to)
      .sort((a, b) => this.#along(a.year, b.year));
  }

  /** By everything but the text that is searched for: its columns are the largest. */
  sift(segment: Segment): void {
    const fits = fitting(segment, this.#filter, this.#scratch);
    const count = countOf(fits);
    if (count > 0) this.#sifted.push({ segment, fits, count });
    if (this.#listing.filter.q === undefined) this.#forgetTexts(segment);
  }

  /** By the text, of segments whose texts have come, or as many of them as may hold it. */
  search(some: readonly Segment[]): void {
    this.#sifted = this.#sifted.flatMap((one) => (some.includes(one.segment) ? this.#holding(one) : one));
  }

  #holding({ segment, fits }: Sifted): Sifted[] {
    keepHolding(fits, segment.columns, this.#listing.filter.q!, this.#scratch);
    this.#forgetTexts(segment);
    const count = countOf(fits);
    return count > 0 ? [{ segment, fits, count }] : [];
  }

  /** How many fit. */
  get total(): number {
    return this.#sifted.reduce((sum, { count }) => sum + count, 0);
  }

  /** The largest columns: they are not held for all years at once. */
  #forgetTexts({ columns }: Segment): void {
    for (const name of [...SEARCHED, "letters", "grams"] as const)
      if (!this.columnsOfOrder.includes(name)) delete columns[name];
  }

  /** Segments with contacts that fit. */
  get segments(): Segment[] {
    return this.#sifted.map(({ segment }) => segment);
  }

  /** The numbers of all that fit, when their columns have come. */
  get fitting(): number[] {
    const ids: number[] = [];
    for (const { segment, fits } of this.#sifted) {
      const { id } = segment.columns as YearColumns;
      const fours = new Uint32Array(fits.buffer);
      for (let row = nextFitting(fits, fours, 0, 1); row !== -1; row = nextFitting(fits, fours, row + 1, 1))
        ids.push(id.at(row));
    }
    return ids;
  }

  /** Takes those of a segment that could be on the page. */
  take(segment: Segment): void {
    const { fits } = this.#sifted.find((one) => one.segment === segment)!;
    const { key } = this.#listing.sort;
    if (key === "updatedAt") return this.#takeChanged(segment, fits);
    const edge = this.#found[this.#wanted - 1];
    if (key === "startedAt" && edge && this.#along(segment.year, edge.segment.year) > 0) return;
    if (key === "startedAt") this.#takeByTime(segment, fits);
    else this.#takeByKey(segment, fits, this.#ranksOf(segment));
    this.#cutFound();
  }

  /** The segments of those that can be on the page, by what is known of them without their times. */
  get left(): Segment[] {
    return [...new Set(this.#found.map(({ segment }) => segment))];
  }

  /** Where they are in the order of calls, the calls of those that can be on the page: it is nobody else's. */
  get calls(): string[] {
    return [...new Set(this.#found.map(({ key }) => key as string))];
  }

  /** The numbers of the contacts of the page and of one more, when the columns of those that are left have come. */
  get ids(): number[] {
    const isByTime = this.#listing.sort.key !== "updatedAt";
    return this.#found
      .map(({ segment: { columns }, row, key }) => ({
        key,
        at: isByTime ? columns.startedAt!.at(row) : 0,
        id: columns.id!.at(row),
      }))
      .sort((a, b) => this.#byKey(a.key, b.key) || this.#along(a.at, b.at) || this.#along(a.id, b.id))
      .slice(0, this.#wanted)
      .map(({ id }) => id);
  }

  /** The last that is on the page so far. */
  #edge(order: (a: Candidate, b: Candidate) => number): Candidate | undefined {
    return this.#found.sort(order)[this.#wanted - 1];
  }

  /** The rows that lie beyond the place, of contacts that are like its own but for the time. */
  #beyond({ year, contacts, columns }: Segment): [from: number, to: number] {
    if (this.#place === null) return [0, contacts];
    const { at, id } = this.#place;
    const placed = yearOf(at);
    if (year !== placed) return year < placed === this.#isDown ? [0, contacts] : [0, 0];
    const times = { startedAt: columns.startedAt!, id: columns.id! };
    return this.#isDown ? [0, rowFrom(times, at, id)] : [rowFrom(times, at, id + 1), contacts];
  }

  #takeByTime(segment: Segment, fits: Uint8Array): void {
    const [from, to] = this.#beyond(segment);
    const step = this.#isDown ? -1 : 1;
    let left = this.#wanted;
    for (let row = this.#isDown ? to - 1 : from; row >= from && row < to && left > 0; row += step) {
      if (fits[row] === 0) continue;
      this.#found.push({ segment, row, key: null });
      left -= 1;
    }
  }

  /** One pass, in which fewer and fewer keys are still good enough. */
  #takeByKey(segment: Segment, fits: Uint8Array, ranked: Ranked): void {
    const { of, ranks, highest, first, equal, last, keyOf } = ranked;
    const [from, to] = this.#beyond(segment);
    const step = this.#isDown ? -1 : 1;
    let bound = last;
    let isFull = false;
    if (last < first) return;
    let taken: [rank: number, row: number][] = [];
    const cut = () => {
      taken = taken.sort(([a], [b]) => a - b).slice(0, this.#wanted);
      if (taken.length < this.#wanted) return;
      [bound] = taken.at(-1)!;
      isFull = true;
    };
    const fours = new Uint32Array(fits.buffer);
    const next = (row: number) => nextFitting(fits, fours, row, step);
    for (let row = next(this.#isDown ? fits.length - 1 : 0); row !== -1; row = next(row + step)) {
      const code = of.at(row);
      const rank = ranks !== null ? ranks[code]! : highest !== null ? highest - code : code;
      if (rank > bound || rank < first || (isFull && rank === bound)) continue;
      if (rank === equal && !(row >= from && row < to)) continue;
      taken.push([rank, row]);
      if (taken.length < 2 * this.#wanted) continue;
      cut();
      if (bound === first) break;
    }
    cut();
    for (const [, row] of taken) this.#found.push({ segment, row, key: keyOf(of.at(row)) });
  }

  /** Of those found so far, those that can be on the page still; others must be as good. */
  #cutFound(): void {
    const order = (a: Candidate, b: Candidate) => this.#byKey(a.key, b.key) || this.#byYear(a, b);
    const edge = this.#edge(order);
    if (!edge) return;
    this.#found = this.#found.filter((candidate) => order(candidate, edge) <= 0);
    this.#bound = { key: edge.key, year: edge.segment.year, id: 0 };
  }

  /** All keys so far: those of one segment are mostly those of the others. */
  #orderOf(keys: readonly Place["key"][]): { inOrder: Place["key"][]; ranks: Map<Place["key"], number> } {
    const known = this.#order.ranks;
    if (keys.every((key) => known.has(key))) return this.#order;
    const inOrder = [...new Set([...known.keys(), ...keys])].sort((a, b) => this.#byKey(a, b));
    return (this.#order = { inOrder, ranks: new Map(inOrder.map((key, rank) => [key, rank])) });
  }

  /** In which order the keys of a segment come, from the first that is not before the place to the last that may do. */
  #ranksOf({ year, columns }: Segment): Ranked {
    const { column, keyOf } = KEYED[this.#listing.sort.key]!;
    if (column === "call") return this.#ranksOfCalls(year, columns.call!);
    const { values, codes } = columns[column] as PackedColumn<Shared>;
    const keys = values.map((value) => keyOf(value as never));
    const { inOrder, ranks } = this.#orderOf(keys);
    const [place, bound] = [this.#place, this.#bound];
    return {
      of: codes,
      ranks: Int32Array.from(keys, (key) => ranks.get(key)!),
      highest: null,
      first: place === null ? 0 : inOrder.filter((key) => this.#byKey(key, place.key) < 0).length,
      equal: place === null ? -1 : (ranks.get(place.key) ?? -1),
      last: inOrder.filter((key) => bound === null || this.#byKey(key, bound.key) < this.#roomFor(year)).length - 1,
      keyOf: (code) => keys[code]!,
    };
  }

  /** 1 where contacts of a year may come before the last one that has its key, 0 where they come behind it. */
  #roomFor(year: number): 0 | 1 {
    return this.#bound !== null && this.#along(year, this.#bound.year) > 0 ? 0 : 1;
  }

  /** There are many, but they are in order. */
  #ranksOfCalls(year: number, calls: YearColumns["call"]): Ranked {
    const { size } = calls;
    const highest = this.#isDown ? size - 1 : null;
    /** The first rank that does not come before a call, and whether it is that call. */
    const rankOf = (call: string): [rank: number, isThere: boolean] => {
      const code = calls.from(call);
      const isThere = code < size && calls.text(code) === call;
      return [this.#isDown ? size - code - Number(isThere) : code, isThere];
    };
    const [place, bound] = [this.#place?.key, this.#bound?.key];
    const [first, isThere] = typeof place === "string" ? rankOf(place) : [0, false];
    const [beyond, isBound] = typeof bound === "string" ? rankOf(bound) : [size, false];
    const last = isBound && this.#roomFor(year) > 0 ? beyond : beyond - 1;
    const of = calls.codes;
    return { of, ranks: null, highest, first, equal: isThere ? first : -1, last, keyOf: (code) => calls.text(code) };
  }

  /** Contacts were changed in any order, so those that are ahead so far are kept, whichever year they are of. */
  #takeChanged(segment: Segment, fits: Uint8Array): void {
    const { updatedAt, id } = segment.columns as YearColumns;
    const place = this.#place;
    const step = this.#isDown ? -1 : 1;
    const begin = (place?.key as number | undefined) ?? Infinity * -step;
    const next = (row: number) => {
      const end = (this.#bound?.key as number | undefined) ?? Infinity * step;
      return updatedAt.next(row, step, Math.min(begin, end), Math.max(begin, end));
    };
    for (let row = next(this.#isDown ? fits.length - 1 : 0); row !== -1; row = next(row + step)) {
      if (fits[row] === 0) continue;
      const at = updatedAt.at(row);
      const bound = this.#bound;
      if (bound !== null && !this.#isBefore(at, row, id, bound.key as number, bound.id)) continue;
      if (place !== null && this.#isBefore(at, row, id, place.key as number, place.id + step)) continue;
      this.#found.push({ segment, row, key: at });
      if (this.#found.length >= 2 * this.#wanted) this.#cutChanged();
    }
    this.#cutChanged();
  }

  #cutChanged(): void {
    const idOf = ({ segment, row }: Candidate) => segment.columns.id!.at(row);
    const edge = this.#edge((a, b) => this.#byKey(a.key, b.key) || this.#along(idOf(a), idOf(b)));
    if (!edge) return;
    this.#found.length = this.#wanted;
    this.#bound = { key: edge.key, year: edge.segment.year, id: idOf(edge) };
  }

  /** Whether a contact comes before a place; its number is only looked at where it matters. */
  #isBefore(at: number, row: number, id: YearColumns["id"], otherAt: number, other: number): boolean {
    if (at !== otherAt) return at > otherAt === this.#isDown;
    const own = id.at(row);
    return own !== other && own > other === this.#isDown;
  }

  /** What is unknown comes last, on the way back first. */
  #byKey(a: Place["key"], b: Place["key"]): number {
    if (a === b) return 0;
    if (a === null || b === null) return (a === null) === this.#isBack ? -1 : 1;
    return this.#isDown ? compareKeys(b, a) : compareKeys(a, b);
  }

  #byYear({ segment: a }: Candidate, { segment: b }: Candidate): number {
    return this.#along(a.year, b.year);
  }

  #along(a: number, b: number): number {
    return this.#isDown ? b - a : a - b;
  }
}

interface Ranked {
  of: PackedCodes;
  /** Of each code; null where the codes are in order, up or, where there is a highest, down. */
  ranks: Int32Array | null;
  highest: number | null;
  first: number;
  /** The rank of the place's own key; -1 where there is none. */
  equal: number;
  last: number;
  keyOf: (code: number) => Place["key"];
}
