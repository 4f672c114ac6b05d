/** Texts of many contacts, each once and in order, so that a text is looked for among them as they lie. */

import { once } from "./once.ts";
import { arrayFor, joined, Parts, type Narrow } from "./packed-bytes.ts";
import { CodeList, codesIn, type PackedCodes } from "./packed-codes.ts";
import { LAST_LETTER } from "./text-order.ts";
import { TextTable } from "./text-table.ts";

/** Whether a piece stands at a place. */
const isAt = (piece: Buffer, bytes: Buffer, at: number): boolean => {
  for (let letter = 0; letter < piece.length; letter++) if (bytes[at + letter] !== piece[letter]) return false;
  return true;
};

/** More than one text of so many is many; what the first have does not decide it. */
const MANY = 8;
const SOME_TEXTS = 1_000;

/** Lengths that take a byte each, read four at a time; none where they are wider. */
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
    const isAnywhere = begin === "" && others.at(-1) === "" && pieces.filter((piece) => piece !== "").length === 1;
    if (others.every((piece) => piece === "")) marks.fill(1, from, to);
    else if (isAnywhere && longest.length === 1) this.#markLetter(longest[0]!, marks);
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

/** Takes one text after the other, and keeps each once. */
export class TextPacker {
  readonly #texts = new TextTable();
  readonly #list = new CodeList();

  add(text: string): void {
    const code = this.#texts.codeOf(text);
    this.#list.add(code, this.#texts.size);
  }

  packed(): Uint8Array {
    const { bytes, lengths, places } = this.#texts.inOrder();
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    const of = this.#list.of(places.length);
    return joined([
      new Uint32Array([of.length, places.length, bytes.length, longest]),
      new (arrayFor(longest + 1))(lengths),
      bytes,
      ...(places.length <= 1 ? [] : [of.map((code) => places[code]!)]),
    ]);
  }
}

export const unpackTexts = (packed: Uint8Array): CodedTexts => {
  const parts = new Parts(packed);
  const [contacts, count, size, longest] = parts.next(Uint32Array, 4) as unknown as [number, number, number, number];
  const lengths = parts.next<Narrow>(arrayFor(longest + 1), count);
  const bytes = parts.next(Uint8Array, size);
  return new CodedTexts(codesIn(parts, count, contacts), bytes, lengths);
};
