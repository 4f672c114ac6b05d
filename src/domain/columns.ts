/** What each of many contacts says of one thing, as bytes: what they have in common is written once. */

import { once } from "./once.ts";
import { TextTable } from "./text-table.ts";

/** A value that contacts share; some are several words together. */
export type Shared = string | number | null | readonly (string | null)[];

/** Few values, and of each contact which of them. */
export interface Coded<Value extends Shared> {
  values: readonly (Value | null)[];
  of: Uint32Array;
}

/** The same as it is kept. */
export interface PackedColumn<Value extends Shared> {
  values: readonly (Value | null)[];
  codes: PackedCodes;
}

type Narrow = Uint8Array | Uint16Array | Uint32Array;

const DOUBLE = 8;

const arrayFor = (values: number) => (values <= 0x100 ? Uint8Array : values <= 0x10000 ? Uint16Array : Uint32Array);

/** Numbers in memory begin where their width says. */
const toEight = (length: number): number => Math.ceil(length / DOUBLE) * DOUBLE;

export const joined = (parts: readonly ArrayBufferView[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + toEight(byteLength), 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of parts) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += toEight(byteLength);
  }
  return bytes;
};

/** Reads one part after the other. */
export class Parts {
  readonly #buffer: ArrayBuffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array) {
    const isInPlace = bytes.byteOffset % DOUBLE === 0;
    this.#buffer = (isInPlace ? bytes : bytes.slice()).buffer as ArrayBuffer;
    this.#at = isInPlace ? bytes.byteOffset : 0;
    this.#end = this.#at + bytes.byteLength;
  }

  next<Part extends { byteLength: number }>(
    make: { new (buffer: ArrayBuffer, at: number, length: number): Part },
    length: number,
  ): Part {
    const part = new make(this.#buffer, this.#at, length);
    this.#at += toEight(part.byteLength);
    return part;
  }

  rest(): Uint8Array {
    return new Uint8Array(this.#buffer, this.#at, this.#end - this.#at);
  }

  codes(values: number, contacts: number): PackedCodes {
    return new PackedCodes(contacts, values <= 1 ? null : this.next<Narrow>(arrayFor(values), contacts));
  }
}

/** Memory for one column after the other: new memory for each costs more than to go through it. */
export class Scratch {
  #room = new Uint32Array(0);

  of(length: number): Uint32Array {
    if (this.#room.length < length) this.#room = new Uint32Array(Math.max(length, 2 * this.#room.length));
    return this.#room.subarray(0, length);
  }
}

// The same for each width: a loop that meets several is four times as slow.

const keepByBytes = (fits: Uint8Array, of: Uint8Array, meant: Uint8Array): void => {
  for (let row = 0; row < fits.length; row++) fits[row]! &= meant[of[row]!]!;
};

const keepByShorts = (fits: Uint8Array, of: Uint16Array, meant: Uint8Array): void => {
  for (let row = 0; row < fits.length; row++) fits[row]! &= meant[of[row]!]!;
};

const keepByCodes = (fits: Uint8Array, of: Uint32Array, meant: Uint8Array): void => {
  for (let row = 0; row < fits.length; row++) fits[row]! &= meant[of[row]!]!;
};

/** Which of few values each contact has. */
export class PackedCodes {
  readonly length: number;
  /** Null where all have the first. */
  readonly #narrow: Narrow | null;

  constructor(length: number, narrow: Narrow | null) {
    this.length = length;
    this.#narrow = narrow;
  }

  at(row: number): number {
    return this.#narrow === null ? 0 : this.#narrow[row]!;
  }

  /** Leaves 1 where the value of a contact is meant. */
  keep(fits: Uint8Array, meant: Uint8Array, scratch: Scratch): void {
    if (this.#narrow instanceof Uint8Array) keepByBytes(fits, this.#narrow, meant);
    else if (this.#narrow instanceof Uint16Array) keepByShorts(fits, this.#narrow, meant);
    else keepByCodes(fits, this.wide(scratch), meant);
  }

  /** Of one width, whatever they are kept in. */
  wide(into: Scratch = new Scratch()): Uint32Array {
    const codes = into.of(this.length);
    if (this.#narrow === null) codes.fill(0);
    else codes.set(this.#narrow);
    return codes;
  }
}

/** So many codes are widened together: one by one it takes three times as long. */
const NARROWED_AT_ONCE = 4_096;

/** The codes of contacts, as narrow as they will be written. */
class CodeList {
  #recent: number[] = [];
  #room: Narrow = new Uint8Array(0);
  #length = 0;

  /** `values`: how many there are by now. */
  add(code: number, values: number): void {
    if (this.#recent.push(code) === NARROWED_AT_ONCE) this.#narrow(values);
  }

  of(values: number): Narrow {
    this.#narrow(values);
    return this.#room.subarray(0, this.#length);
  }

  #narrow(values: number): void {
    const length = this.#length + this.#recent.length;
    const fitting = arrayFor(values);
    if (length > this.#room.length || !(this.#room instanceof fitting)) {
      const room = new fitting(length > this.#room.length ? length * 2 : this.#room.length);
      room.set(this.#room.subarray(0, this.#length));
      this.#room = room;
    }
    this.#room.set(this.#recent, this.#length);
    this.#length = length;
    this.#recent = [];
  }
}

/** Gives each value a number, in the order in which they come. */
class Codes<Value> {
  readonly values: Value[] = [];
  readonly #known = new Map<unknown, number>();
  readonly #list = new CodeList();

  add(value: Value, name: unknown = value): void {
    let code = this.#known.get(name);
    if (code === undefined) {
      code = this.values.push(value) - 1;
      this.#known.set(name, code);
    }
    this.#list.add(code, this.values.length);
  }

  get of(): Narrow {
    return this.#list.of(this.values.length);
  }

  /** Where all say the same, that is all there is to keep. */
  get parts(): ArrayBufferView[] {
    return this.values.length <= 1 ? [] : [this.of];
  }
}

/** Takes one value after the other. */
export class CodePacker {
  readonly #codes = new Codes<Shared>();

  add(value: Shared): void {
    this.#codes.add(value, typeof value === "object" ? JSON.stringify(value) : value);
  }

  packed(): Uint8Array {
    const { values, of, parts } = this.#codes;
    const words = new TextEncoder().encode(JSON.stringify(values));
    const head = new Uint32Array([of.length, values.length, words.length]);
    return joined([head, words, ...parts]);
  }
}

export const packCoded = (values: readonly Shared[]): Uint8Array => {
  const packer = new CodePacker();
  for (const value of values) packer.add(value);
  return packer.packed();
};

export const unpackCoded = <Value extends Shared>(packed: Uint8Array): PackedColumn<Value> => {
  const parts = new Parts(packed);
  const [contacts, count, length] = parts.next(Uint32Array, 3) as unknown as [number, number, number];
  const values = JSON.parse(new TextDecoder().decode(parts.next(Uint8Array, length))) as (Value | null)[];
  return { values, codes: parts.codes(count, contacts) };
};

const SECOND = 1_000;
const WIDEST = 0xffff_ffff;
/** Numbers that so many contacts share are kept once. */
const SHARED_BY = 8;

/** How numbers are written: as they are, as steps from the lowest, narrow ones, or each of them once. */
const AS_THEY_ARE = 0;
const IN_STEPS = 1;
const EACH_ONCE = 2;

/** Times and numbers of contacts, which lie close together. */
export class NumberPacker {
  #room = new Float64Array(64);
  #length = 0;

  add(number: number): void {
    if (this.#length === this.#room.length) {
      const room = new Float64Array(this.#length * 2);
      room.set(this.#room);
      this.#room = room;
    }
    this.#room[this.#length++] = number;
  }

  packed(): Uint8Array {
    const numbers = this.#room.subarray(0, this.#length);
    const head = (kind: number, ...more: number[]) =>
      Float64Array.from([kind, numbers.length, ...more, 0, 0].slice(0, 4));
    const shared = sharedAmong(numbers);
    if (shared !== null)
      return joined([head(EACH_ONCE, shared.values.length), Float64Array.from(shared.values), ...shared.parts]);
    const lowest = numbers.reduce((least, number) => Math.min(least, number), Infinity);
    const highest = numbers.reduce((most, number) => Math.max(most, number), -Infinity);
    const step = numbers.every((number) => (number - lowest) % SECOND === 0) ? SECOND : 1;
    if (highest - lowest > WIDEST * step) return joined([head(AS_THEY_ARE), numbers]);
    const steps = Uint32Array.from(numbers, (number) => (number - lowest) / step);
    return joined([head(IN_STEPS, lowest, step), ...narrowed(steps)]);
  }
}

/** Numbers of neighbours are alike: from the lowest of so many on, most take a byte or two. */
const NEIGHBOUR_BITS = 5;
const NEIGHBOURS = 1 << NEIGHBOUR_BITS;

/** Of each block of neighbours the lowest, and where its numbers begin, in bytes, with their width in two bits; and then those. */
const narrowed = (steps: Uint32Array): [heads: Uint32Array, body: Uint8Array] => {
  const blocks = Math.ceil(steps.length / NEIGHBOURS);
  const heads = new Uint32Array(2 * blocks);
  const body = new Uint8Array((blocks * NEIGHBOURS) << 2);
  let at = 0;
  for (let block = 0; block < blocks; block++) {
    const some = steps.subarray(block * NEIGHBOURS, (block + 1) * NEIGHBOURS);
    const lowest = some.reduce((least, step) => Math.min(least, step));
    const highest = some.reduce((most, step) => Math.max(most, step));
    const fitting = arrayFor(highest - lowest + 1);
    const width = fitting.BYTES_PER_ELEMENT;
    heads.set([lowest, at * 4 + Math.log2(width)], 2 * block);
    const narrow = new fitting(body.buffer, at, some.length);
    some.forEach((step, place) => (narrow[place] = step - lowest));
    at += NEIGHBOURS * width;
  }
  return [heads, body.subarray(0, at)];
};

/** Such steps as they are kept: to look at one of them, the others need not be wide. */
class NarrowSteps {
  readonly length: number;
  readonly #heads: Uint32Array;
  readonly #bytes: Uint8Array;
  readonly #shorts: Uint16Array;
  readonly #words: Uint32Array;

  constructor(heads: Uint32Array, { buffer, byteOffset, byteLength }: Uint8Array, length: number) {
    this.length = length;
    this.#heads = heads;
    this.#bytes = new Uint8Array(buffer, byteOffset, byteLength);
    this.#shorts = new Uint16Array(buffer, byteOffset, byteLength >> 1);
    this.#words = new Uint32Array(buffer, byteOffset, byteLength >> 2);
  }

  at(row: number): number {
    const head = (row >>> NEIGHBOUR_BITS) << 1;
    const place = row % NEIGHBOURS;
    const begin = this.#heads[head + 1]! | 0;
    const at = begin >> 2;
    const width = begin & 3;
    const above =
      width === 0
        ? this.#bytes[at + place]!
        : width === 1
          ? this.#shorts[(at >> 1) + place]!
          : this.#words[(at >> 2) + place]!;
    return this.#heads[head]! + above;
  }

  /** A loop for each width: one that meets several is four times as slow. */
  wide(): Uint32Array {
    const [heads, bytes, shorts, words] = [this.#heads, this.#bytes, this.#shorts, this.#words];
    const steps = new Uint32Array(this.length);
    for (let block = 0, row = 0; row < steps.length; block++) {
      const lowest = heads[2 * block]!;
      const [at, width] = [heads[2 * block + 1]! >>> 2, heads[2 * block + 1]! & 3];
      const end = Math.min(row + NEIGHBOURS, steps.length);
      if (width === 0) for (let from = at - row; row < end; row++) steps[row] = lowest + bytes[from + row]!;
      else if (width === 1)
        for (let from = (at >> 1) - row; row < end; row++) steps[row] = lowest + shorts[from + row]!;
      else for (let from = (at >> 2) - row; row < end; row++) steps[row] = lowest + words[from + row]!;
    }
    return steps;
  }
}

/** Null where too few are alike. */
const sharedAmong = (numbers: Float64Array): Codes<number> | null => {
  const codes = new Codes<number>();
  const most = Math.floor(numbers.length / SHARED_BY);
  for (const number of numbers) {
    codes.add(number);
    if (codes.values.length > most) return null;
  }
  return codes;
};

/** Numbers as they are kept: most are only looked at one by one. */
export class PackedNumbers {
  readonly length: number;
  readonly #narrow: NarrowSteps | null;
  #wide: Uint32Array | null;
  readonly #lowest: number;
  readonly #step: number;
  /** Where steps are places among these. */
  readonly #each: Float64Array | null;

  constructor(steps: NarrowSteps | Uint32Array, lowest: number, step: number, each: Float64Array | null = null) {
    this.length = steps.length;
    [this.#narrow, this.#wide] = steps instanceof Uint32Array ? [null, steps] : [steps, null];
    this.#lowest = lowest;
    this.#step = step;
    this.#each = each;
  }

  at(row: number): number {
    const step = this.#wide === null ? this.#narrow!.at(row) : this.#wide[row]!;
    return this.#each === null ? this.#lowest + step * this.#step : this.#each[step]!;
  }

  /** For whoever looks at many of them. */
  #widened(): Uint32Array {
    return (this.#wide ??= this.#narrow!.wide());
  }

  /** The next row, one way or the other, whose number lies between two bounds; -1 where there is none. */
  next(from: number, step: 1 | -1, least: number, most: number): number {
    const [steps, lowest, unit, each] = [this.#widened(), this.#lowest, this.#step, this.#each];
    for (let row = from; row >= 0 && row < steps.length; row += step) {
      const number = each === null ? lowest + steps[row]! * unit : each[steps[row]!]!;
      if (number >= least && number <= most) return row;
    }
    return -1;
  }

  /** Of numbers that rise: from a row on, the first that is not below a number. By blocks, because it is mostly near. */
  rising(from: number, number: number): number {
    let low = from;
    let high = from - (from % NEIGHBOURS) + NEIGHBOURS;
    for (let stride = NEIGHBOURS; high < this.length && this.at(high) < number; stride *= 2) {
      low = high + 1;
      high += stride;
    }
    high = Math.min(high, this.length);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.at(middle) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  all(): Float64Array {
    const numbers = new Float64Array(this.length);
    this.#widened();
    for (let row = 0; row < numbers.length; row++) numbers[row] = this.at(row);
    return numbers;
  }
}

export const unpackNumbers = (packed: Uint8Array): PackedNumbers => {
  const parts = new Parts(packed);
  const [kind, contacts, ...more] = parts.next(Float64Array, 4) as unknown as [number, number, number, number];
  if (kind === IN_STEPS) {
    const heads = parts.next(Uint32Array, 2 * Math.ceil(contacts / NEIGHBOURS));
    return new PackedNumbers(new NarrowSteps(heads, parts.rest(), contacts), ...more);
  }
  const each = parts.next(Float64Array, kind === EACH_ONCE ? more[0] : contacts);
  const places =
    kind === EACH_ONCE ? parts.codes(each.length, contacts).wide() : Uint32Array.from(each, (_, place) => place);
  return new PackedNumbers(places, 0, 1, each);
};

const LAST_LETTER = "\u{10FFFF}";

/** Whether a piece stands at a place. */
const isAt = (piece: Buffer, bytes: Buffer, at: number): boolean => {
  for (let letter = 0; letter < piece.length; letter++) if (bytes[at + letter] !== piece[letter]) return false;
  return true;
};

/** One text of so many is many, once it is not only so of the first. */
const MANY = 8;
const SOME_TEXTS = 1_000;

/** Lengths of a byte, four together. */
const foursOf = (lengths: Narrow): Uint32Array =>
  lengths instanceof Uint8Array
    ? new Uint32Array(lengths.buffer, lengths.byteOffset, lengths.length >> 2)
    : new Uint32Array(0);

const sumOf = (four: number): number => {
  const pairs = (four & 0xff00ff) + ((four >>> 8) & 0xff00ff);
  return (pairs & 0xffff) + (pairs >>> 16);
};

/** Where each block of texts begins: most of what is looked for in between is near. */
const BLOCK = 32;

const beginsOf = (lengths: Narrow): Uint32Array => {
  const fours = foursOf(lengths);
  const begins = new Uint32Array(Math.ceil(lengths.length / BLOCK));
  for (let code = 0, at = 0; code < lengths.length;) {
    if (code % BLOCK === 0) begins[code / BLOCK] = at;
    if (code >> 2 < fours.length) {
      at += sumOf(fours[code >> 2]!);
      code += 4;
    } else at += lengths[code++]!;
  }
  return begins;
};

/** Goes from one text to the next, in the order of their bytes. */
class TextWalk {
  code = 0;
  begin = 0;
  readonly #lengths: Narrow;
  readonly #fours: Uint32Array;

  constructor(lengths: Narrow) {
    this.#lengths = lengths;
    this.#fours = foursOf(lengths);
  }

  /** To the text that a byte belongs to. */
  to(at: number): void {
    const [lengths, fours] = [this.#lengths, this.#fours];
    let { code, begin } = this;
    while (code % 4 !== 0 && begin + lengths[code]! <= at) begin += lengths[code++]!;
    if (code % 4 === 0) {
      for (; code >> 2 < fours.length && begin + sumOf(fours[code >> 2]!) <= at; code += 4)
        begin += sumOf(fours[code >> 2]!);
      while (begin + lengths[code]! <= at) begin += lengths[code++]!;
    }
    this.code = code;
    this.begin = begin;
  }

  get end(): number {
    return this.begin + this.#lengths[this.code]!;
  }
}

/** Many texts, each once and in the order of a database, in one stretch of bytes: few of them are ever looked at. */
export class CodedTexts {
  readonly codes: PackedCodes;
  readonly #bytes: Buffer;
  readonly #lengths: Narrow;
  readonly #begins: () => Uint32Array;

  constructor(codes: PackedCodes, bytes: Uint8Array, lengths: Narrow) {
    this.codes = codes;
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#lengths = lengths;
    this.#begins = once(() => beginsOf(lengths));
  }

  get size(): number {
    return this.#lengths.length;
  }

  text(code: number): string {
    const begin = this.#begin(code);
    return this.#bytes.toString("utf8", begin, begin + this.#lengths[code]!);
  }

  /** The first that does not come before a text. */
  from(text: string): number {
    const wanted = Buffer.from(text);
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const begin = this.#begin(middle);
      const end = begin + this.#lengths[middle]!;
      const comesBefore = this.#bytes.compare(wanted, 0, wanted.length, begin, end) < 0;
      if (comesBefore) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Marks a text, where it is there. */
  mark(text: string, marks: Uint8Array): void {
    const code = this.from(text);
    if (code < this.size && this.text(code) === text) marks[code] = 1;
  }

  /** Marks those that have the pieces one after the other, from beginning to end, with any letters between. */
  markLike(pieces: readonly string[], marks: Uint8Array): void {
    const wanted = pieces.map((piece) => Buffer.from(piece));
    const [begin = "", ...others] = pieces;
    const [from, to] = begin === "" ? [0, this.size] : [this.from(begin), this.from(begin + LAST_LETTER)];
    const longest = wanted.reduce((most, piece) => (piece.length > most.length ? piece : most));
    if (others.every((piece) => piece === "")) marks.fill(1, from, to);
    else if (begin === "" && others.at(-1) === "" && longest.length === 1) this.#markLetter(longest[0]!, marks);
    else if (begin === "" && longest.length > 1) this.#markHolding(longest, wanted, marks);
    else this.#markEach(from, to, wanted, marks);
  }

  /** Where few have it, by looking for it; where many do, going from one to the next is faster. */
  #markLetter(letter: number, marks: Uint8Array): void {
    const bytes = this.#bytes;
    const walk = new TextWalk(this.#lengths);
    let found = 0;
    for (let at = bytes.indexOf(letter); at !== -1; at = bytes.indexOf(letter, walk.end)) {
      walk.to(at);
      marks[walk.code] = 1;
      if (++found * MANY > walk.code + SOME_TEXTS) return this.#markEachWith(letter, walk.code + 1, walk.end, marks);
    }
  }

  /** `from`: where the first of them begins. Places are kept to whole numbers: with fractions it takes twice as long. */
  #markEachWith(letter: number, first: number, from: number, marks: Uint8Array): void {
    const [bytes, lengths] = [this.#bytes, this.#lengths];
    for (let code = first, begin = from | 0; code < lengths.length; code++) {
      const end = (begin + lengths[code]!) | 0;
      let at = begin;
      while (at < end && bytes[at] !== letter) at++;
      if (at < end) marks[code] = 1;
      begin = end;
    }
  }

  /** Most end with another letter, and are not looked at further. */
  #markEach(from: number, to: number, pieces: readonly Buffer[], marks: Uint8Array): void {
    const [bytes, lengths] = [this.#bytes, this.#lengths];
    const last = pieces.at(-1)!.at(-1) ?? -1;
    for (let code = from, begin = this.#begin(from) | 0; code < to; code++) {
      const end = (begin + lengths[code]!) | 0;
      if ((last === -1 || bytes[end - 1] === last) && this.#isLike(begin, end, pieces)) marks[code] = 1;
      begin = end;
    }
  }

  /** By looking for the longest of the pieces: few have it. */
  #markHolding(longest: Buffer, pieces: readonly Buffer[], marks: Uint8Array): void {
    const bytes = this.#bytes;
    const walk = new TextWalk(this.#lengths);
    for (let at = bytes.indexOf(longest); at !== -1; at = bytes.indexOf(longest, walk.end)) {
      walk.to(at);
      if (this.#isLike(walk.begin, walk.end, pieces)) marks[walk.code] = 1;
    }
  }

  #isLike(begin: number, ends: number, pieces: readonly Buffer[]): boolean {
    const bytes = this.#bytes;
    const first = pieces[0]!;
    const last = pieces[pieces.length - 1]!;
    let at = begin;
    const end = ends - last.length;
    if (at + first.length > end || !isAt(last, bytes, end) || !isAt(first, bytes, at)) return false;
    at += first.length;
    for (let piece = 1; piece < pieces.length - 1; piece++) {
      const wanted = pieces[piece]!;
      while (at + wanted.length <= end && !isAt(wanted, bytes, at)) at++;
      at += wanted.length;
      if (at > end) return false;
    }
    return true;
  }

  #begin(code: number): number {
    if (code === 0) return 0;
    const lengths = this.#lengths;
    const block = Math.floor(code / BLOCK);
    let begin = this.#begins()[block]!;
    for (let before = block * BLOCK; before < code; before++) begin += lengths[before]!;
    return begin;
  }
}

const BEYOND_PLAIN = /[\ud800-\uffff]/;

/** As databases put texts in order: by their bytes. */
export const compareTexts = (a: string, b: string): number => {
  if (!BEYOND_PLAIN.test(a) && !BEYOND_PLAIN.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
};

const inOrderOf = (texts: readonly string[]): string[] =>
  texts.some((text) => BEYOND_PLAIN.test(text)) ? texts.toSorted(compareTexts) : texts.toSorted();

/** Takes one text after the other, and keeps each once. */
export class TextPacker {
  readonly #texts = new TextTable();
  readonly #list = new CodeList();

  add(text: string): void {
    const code = this.#texts.codeOf(text);
    this.#list.add(code, this.#texts.size);
  }

  packed(): Uint8Array {
    const { size } = this.#texts;
    const inOrder = inOrderOf(this.#texts.all());
    const places = new Uint32Array(size);
    inOrder.forEach((text, place) => (places[this.#texts.codeOf(text)] = place));
    const bytes = Buffer.from(inOrder.join(""));
    const lengths = inOrder.map((text) => Buffer.byteLength(text));
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    const of = this.#list.of(size);
    return joined([
      new Uint32Array([of.length, size, bytes.length, longest]),
      new (arrayFor(longest + 1))(lengths),
      bytes,
      ...(size <= 1 ? [] : [of.map((code) => places[code]!)]),
    ]);
  }
}

export const unpackTexts = (packed: Uint8Array): CodedTexts => {
  const parts = new Parts(packed);
  const [contacts, count, size, longest] = parts.next(Uint32Array, 4) as unknown as [number, number, number, number];
  const lengths = parts.next<Narrow>(arrayFor(longest + 1), count);
  const bytes = parts.next(Uint8Array, size);
  return new CodedTexts(parts.codes(count, contacts), bytes, lengths);
};
