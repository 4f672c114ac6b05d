import { DAY } from "./clock.ts";
import { TextPacker, unpackTexts, type CodedTexts } from "./coded-texts.ts";
import { CodePacker, unpackCoded, Scratch, type Coded, type PackedColumn, type Shared } from "./packed-codes.ts";
import { NumberPacker, unpackNumbers, type PackedNumbers } from "./packed-numbers.ts";
import { GramsPacker, LetterPacker, unpackGrams, unpackLetters, type Grams, type HeldLetters } from "./held-letters.ts";
import { distanceKm, gridCentre, type Place } from "./maidenhead.ts";
import { effectiveMode, type ModeGroup } from "./mode.ts";

/** What is kept of a contact by columns: what figures read, and what lists are asked by. */
export interface KeptContact {
  id: number;
  startedAt: number;
  updatedAt: number;
  call: string;
  band: string | null;
  mode: string | null;
  submode: string | null;
  modeGroup: ModeGroup | null;
  stationCallsign: string | null;
  dxcc: number | null;
  state: string | null;
  contestId: string | null;
  gridsquare: string | null;
  name: string | null;
  qth: string | null;
  comment: string | null;
  ownEntity: number | null;
  ownGrid: string | null;
  awardEntity: number | null;
  awardState: string | null;
  awardZone: number | null;
  awardGrids: string | null;
  /** 0 or 1. */
  first: number;
  second: number;
  card: number;
  /** Whether a service has it, 0 or 1. */
  atFirst: number;
  atSecond: number;
  firstAt: number | null;
  secondAt: number | null;
}

/** Mode, submode and group. */
export type ModeWords = readonly [mode: string | null, submode: string | null, group: ModeGroup | null];

/** What is said of a contact, and by whom: a bit for each. */
export const SAID = { first: 1, second: 2, card: 4, atFirst: 8, atSecond: 16 } as const;
const CONFIRMS = SAID.first | SAID.second | SAID.card;

/** The contacts of a year, by columns, in the order of time. */
export interface YearColumns {
  id: PackedNumbers;
  startedAt: PackedNumbers;
  updatedAt: PackedNumbers;
  call: CodedTexts;
  name: CodedTexts;
  qth: CodedTexts;
  comment: CodedTexts;
  gridsquare: CodedTexts;
  letters: HeldLetters;
  grams: Grams<SearchedName>;
  said: PackedColumn<number>;
  band: PackedColumn<string>;
  mode: PackedColumn<ModeWords>;
  station: PackedColumn<string>;
  dxcc: PackedColumn<number>;
  state: PackedColumn<string>;
  contest: PackedColumn<string>;
  ownDxcc: PackedColumn<number>;
  ownGrid: PackedColumn<string>;
  awardEntity: PackedColumn<number>;
  awardState: PackedColumn<string>;
  awardZone: PackedColumn<number>;
  awardGrids: PackedColumn<string>;
  km: PackedColumn<number>;
  firstDays: PackedColumn<number>;
  secondDays: PackedColumn<number>;
}

export type ColumnName = keyof YearColumns;

const NUMBERS = {
  id: ({ id }) => id,
  startedAt: ({ startedAt }) => startedAt,
  updatedAt: ({ updatedAt }) => updatedAt,
} as const satisfies Partial<Record<ColumnName, (contact: KeptContact) => number>>;

/** The columns that a search looks into, in the order in which most of what is looked for is found. */
export const SEARCHED = ["call", "name", "qth", "comment", "gridsquare"] as const satisfies ColumnName[];
export type SearchedName = (typeof SEARCHED)[number];

/** As databases fold letters that are compared: those that every alphabet knows, and no others. */
export const foldCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Calls are in capital letters, and sorted by; of the others only a part is ever looked for. */
const TEXTS = {
  call: ({ call }) => call,
  name: ({ name }) => foldCase(name ?? ""),
  qth: ({ qth }) => foldCase(qth ?? ""),
  comment: ({ comment }) => foldCase(comment ?? ""),
  gridsquare: ({ gridsquare }) => foldCase(gridsquare ?? ""),
} as const satisfies Record<SearchedName, (contact: KeptContact) => string>;

const saidOf = ({ first, second, card, atFirst, atSecond }: KeptContact): number =>
  first * SAID.first + second * SAID.second + card * SAID.card + atFirst * SAID.atFirst + atSecond * SAID.atSecond;

const daysTo = (isConfirmed: number, at: number | null, startedAt: number): number | null =>
  isConfirmed === 1 && at !== null && at >= startedAt ? Math.floor((at - startedAt) / DAY) : null;

const CODED = {
  said: saidOf,
  band: ({ band }) => band,
  mode: ({ mode, submode, modeGroup }) => [mode, submode, modeGroup],
  station: ({ stationCallsign }) => stationCallsign,
  dxcc: ({ dxcc }) => dxcc,
  state: ({ state }) => state,
  contest: ({ contestId }) => contestId,
  ownDxcc: ({ ownEntity }) => ownEntity,
  ownGrid: ({ ownGrid }) => ownGrid,
  awardEntity: ({ awardEntity }) => awardEntity,
  awardState: ({ awardState }) => awardState,
  awardZone: ({ awardZone }) => awardZone,
  awardGrids: ({ awardGrids }) => awardGrids,
  km: ({ ownGrid, gridsquare }, places) => places.kmBetween(ownGrid, gridsquare),
  firstDays: ({ first, firstAt, startedAt }) => daysTo(first, firstAt, startedAt),
  secondDays: ({ second, secondAt, startedAt }) => daysTo(second, secondAt, startedAt),
} as const satisfies Partial<Record<ColumnName, (contact: KeptContact, places: Places) => Shared>>;

class Places {
  readonly #known = new Map<string, Place | null>();

  kmBetween(own: string | null, partners: string | null): number | null {
    if (own === null || partners === null) return null;
    const [from, to] = [this.#placeOf(own), this.#placeOf(partners)];
    return from && to && Math.round(distanceKm(from, to));
  }

  #placeOf(grid: string): Place | null {
    let place = this.#known.get(grid);
    if (place === undefined) this.#known.set(grid, (place = gridCentre(grid)));
    return place;
  }
}

export type PackedColumns = Record<ColumnName, Uint8Array>;

interface Packer<Value> {
  add(value: Value): void;
  packed(): Uint8Array;
}

const packerOf = <Value>(packer: Packer<Value>, of: (contact: KeptContact) => Value): Packer<KeptContact> => ({
  add: (contact) => packer.add(of(contact)),
  packed: () => packer.packed(),
});

/** Takes the contacts of a year some at a time, in the order of time: as rows they are many times as large. */
export class YearPacker {
  contacts = 0;
  readonly #columns = entriesOf(PACKERS).map(([name, packer]) => ({ name, packer: packer() }));

  add(contacts: readonly KeptContact[]): void {
    this.contacts += contacts.length;
    for (const contact of contacts) for (const { packer } of this.#columns) packer.add(contact);
  }

  /** Once: what a column was made from is let go of before the next is made. */
  *packed(): Generator<[ColumnName, Uint8Array], void> {
    for (let next = this.#columns.shift(); next !== undefined; next = this.#columns.shift())
      yield [next.name, next.packer.packed()];
  }
}

const entriesOf = <Of>(fields: Partial<Record<ColumnName, Of>>): [ColumnName, Of][] =>
  Object.entries(fields) as [ColumnName, Of][];

const PACKERS = Object.fromEntries([
  ...entriesOf(NUMBERS).map(([name, of]) => [name, () => packerOf(new NumberPacker(), of)]),
  ...entriesOf<(contact: KeptContact, places: Places) => Shared>(CODED).map(([name, of]) => [
    name,
    (places = new Places()) => packerOf(new CodePacker(), (contact) => of(contact, places)),
  ]),
  ["letters", () => new LetterPacker(SEARCHED)],
  ["grams", () => new GramsPacker(SEARCHED)],
  ...entriesOf(TEXTS).map(([name, of]) => [name, () => packerOf(new TextPacker(), of)]),
]) as Record<ColumnName, () => Packer<KeptContact>>;

/** Another one where bytes of a column mean something else: a year of another format is packed anew. */
export const COLUMN_FORMAT = 1;

export const COLUMN_NAMES = Object.keys(PACKERS) as ColumnName[];

export const packColumn = (name: ColumnName, contacts: readonly KeptContact[]): Uint8Array => {
  const packer = PACKERS[name]();
  for (const contact of contacts) packer.add(contact);
  return packer.packed();
};

export const unpackColumn = (
  name: ColumnName,
  packed: Uint8Array,
): PackedNumbers | PackedColumn<Shared> | CodedTexts | HeldLetters | Grams<SearchedName> => {
  if (name === "letters") return unpackLetters(packed);
  if (name === "grams") return unpackGrams(packed, SEARCHED);
  if (name in TEXTS) return unpackTexts(packed);
  return name in NUMBERS ? unpackNumbers(packed) : unpackCoded(packed);
};

/** The first row that is not before a moment and, at that moment, not before a number. */
export const rowFrom = (
  { startedAt, id }: Pick<YearColumns, "startedAt" | "id">,
  at: number,
  from = -Infinity,
): number => {
  let [low, high] = [0, startedAt.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const moment = startedAt.at(middle);
    const comesBefore = moment < at || (moment === at && id.at(middle) < from);
    if (comesBefore) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The contacts of a year as figures count them. */
export interface YearContacts {
  ids: Float64Array;
  startedAt: Float64Array;
  band: Coded<string>;
  mode: Coded<string>;
  entity: Coded<number>;
  state: Coded<string>;
  zone: Coded<number>;
  grids: Coded<string>;
  home: Coded<string>;
  dxcc: Coded<number>;
  km: Coded<number>;
  firstDays: Coded<number>;
  secondDays: Coded<number>;
  /** A bit for each of those that confirm. */
  confirmed: Uint8Array;
}

export const FIGURED = [
  "id",
  "startedAt",
  "band",
  "mode",
  "dxcc",
  "awardEntity",
  "awardState",
  "awardZone",
  "awardGrids",
  "ownGrid",
  "km",
  "said",
  "firstDays",
  "secondDays",
] as const satisfies ColumnName[];

/** Those of the rows that are chosen: 1 for each of them. */
export const figuredOf = (columns: Pick<YearColumns, (typeof FIGURED)[number]>, chosen: Uint8Array): YearContacts => {
  const rows = rowsOf(chosen);
  const isWhole = rows.length === chosen.length;
  const numbers = (column: PackedNumbers): Float64Array => {
    if (isWhole) return column.all();
    const taken = new Float64Array(rows.length);
    for (let at = 0; at < rows.length; at++) taken[at] = column.at(rows[at]!);
    return taken;
  };
  const scratch = new Scratch();
  const coded = <Value extends Shared>({ values, codes }: PackedColumn<Value>): Coded<Value> => {
    if (isWhole) return { values, of: codes.wide() };
    const of = codes.wide(scratch);
    const taken = new Uint32Array(rows.length);
    for (let at = 0; at < rows.length; at++) taken[at] = of[rows[at]!]!;
    return { values, of: taken };
  };
  const { said, mode } = columns;
  const modes = mode.values.map((words) => {
    const [main, submode, group] = words!;
    return group && effectiveMode({ mode: main, submode, group });
  });
  return {
    ids: numbers(columns.id),
    startedAt: numbers(columns.startedAt),
    band: coded(columns.band),
    mode: { values: modes, of: coded(mode).of },
    dxcc: coded(columns.dxcc),
    entity: coded(columns.awardEntity),
    state: coded(columns.awardState),
    zone: coded(columns.awardZone),
    grids: coded(columns.awardGrids),
    home: coded(columns.ownGrid),
    km: coded(columns.km),
    firstDays: coded(columns.firstDays),
    secondDays: coded(columns.secondDays),
    confirmed: confirmedBy(coded(said)),
  };
};

/** The rows that are chosen. */
const rowsOf = (chosen: Uint8Array): Uint32Array => {
  const rows = new Uint32Array(chosen.length);
  let length = 0;
  for (let row = 0; row < chosen.length; row++) if (chosen[row] !== 0) rows[length++] = row;
  return rows.subarray(0, length);
};

const confirmedBy = ({ values, of }: Coded<number>): Uint8Array => {
  const confirms = Uint8Array.from(values, (said) => said! & CONFIRMS);
  const confirmed = new Uint8Array(of.length);
  for (let row = 0; row < of.length; row++) confirmed[row] = confirms[of[row]!]!;
  return confirmed;
};
