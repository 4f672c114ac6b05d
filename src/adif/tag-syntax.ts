import { MAX_FIELD_NAME_LENGTH, NAME_SIGNS } from "../domain/contact/field-name.ts";
import type { WordCache } from "./intern.ts";

/** `<NAME:LENGTH:TYPE>`, as found in the bytes. */
export interface Marker {
  name: string;
  /** The name's place in the word cache: below NAME_SLOTS, another for each name as long as few names are about. */
  slot: number;
  /** The declared length; -1 for the markers that have none. */
  length: number;
  /** The data type letter, upper case; empty when not given. */
  type: string;
  /** Where the bytes after the marker begin. */
  body: number;
}

/** What stands at a position: no marker, a whole one, or the beginning of what may become one with more bytes. */
export type Sight = typeof NONE | typeof FOUND | typeof PARTIAL;
export const NONE = 0;
export const FOUND = 1;
export const PARTIAL = 2;

export const NO_NAME = -1;
export const CUT_NAME = -2;

export const LT = 0x3c;
export const AMP = 0x26;
export const GT = 0x3e;
export const COLON = 0x3a;
const SPACE = 0x20;

const MOST_DIGITS = 12;
const LT_ENTITY = [...Buffer.from("&lt;")];
const GT_ENTITY = [...Buffer.from("&gt;")];

/** Bytes that a field name may hold, folded to upper case; 0 for all others. */
const NAME_BYTE = nameBytes();

export function newMarker(): Marker {
  return { name: "", slot: 0, length: -1, type: "", body: 0 };
}

/** Reads the marker at `at` into `into`. With `html`, `&lt;` and `&gt;` stand for the brackets as well. */
export function readMarker(
  bytes: Uint8Array,
  at: number,
  limit: number,
  html: boolean,
  words: WordCache,
  into: Marker,
): Sight {
  let i = at + 1;
  if (bytes[at] !== LT) {
    if (!html) return NONE;
    const sight = expect(bytes, at, limit, LT_ENTITY);
    if (sight !== FOUND) return sight;
    i = at + LT_ENTITY.length;
  }

  const slot = readName(bytes, i, limit, html, words);
  if (slot === NO_NAME) return NONE;
  if (slot === CUT_NAME) return PARTIAL;
  i += words.nameIn(slot).length;

  let length = -1;
  let type = "";
  if (bytes[i] === COLON) {
    const digitsStart = ++i;
    length = 0;
    for (; i < limit && isDigit(bytes[i]!); i++) length = length * 10 + (bytes[i]! - 0x30);
    if (i - digitsStart > MOST_DIGITS) return NONE;
    if (i === limit) return PARTIAL;

    // An empty value of the first service's credit report has a type and no length: <NAME:S>
    const typed = i === digitsStart ? i : bytes[i] === COLON ? ++i : -1;
    if (typed !== -1) {
      if (i === limit) return PARTIAL;
      const letter = bytes[i]! & 0xdf;
      if (letter < 0x41 || letter > 0x5a) return NONE;
      type = String.fromCharCode(letter);
      i++;
      if (i === limit) return PARTIAL;
      if (typed === digitsStart) length = -1;
    }
  }

  const closing = bytes[i] === GT ? FOUND : html ? expect(bytes, i, limit, GT_ENTITY) : NONE;
  if (closing !== FOUND) return closing;
  const name = words.nameIn(slot);
  if (length === -1 && !mayLackLength(name)) return NONE;
  into.slot = slot;
  words.last = slot;
  into.name = name;
  into.length = length;
  into.type = type;
  into.body = i + (bytes[i] === GT ? 1 : GT_ENTITY.length);
  return FOUND;
}

/** The slot of the name at `start` when what follows can go on as a marker, else what is wrong with it. */
export function readName(bytes: Uint8Array, start: number, limit: number, html: boolean, words: WordCache): number {
  const foreseen = words.foreseen(start, limit);
  if (foreseen !== -1) return foreseen;

  let hash = 0;
  let i = start;
  for (; i < limit; i++) {
    const folded = NAME_BYTE[bytes[i]!]!;
    if (folded === 0) break;
    hash = (Math.imul(hash, 31) + folded) | 0;
  }
  const size = i - start;
  if (size > MAX_FIELD_NAME_LENGTH || (size > 0 && bytes[start] === SPACE)) return NO_NAME;
  if (i === limit) return CUT_NAME;
  if (size === 0 || bytes[i - 1] === SPACE) return NO_NAME;
  if (bytes[i] !== COLON && bytes[i] !== GT && !html) return NO_NAME;
  return words.slotOf(bytes, start, i, hash, NAME_BYTE);
}

/** Where the name begins behind the bracket at `at`; -1 where there is none, or not all of it. */
export function openingTo(bytes: Uint8Array, at: number, limit: number, html: boolean): number {
  if (at < limit && bytes[at] === LT) return at + 1;
  return html && expect(bytes, at, limit, LT_ENTITY) === FOUND ? at + LT_ENTITY.length : -1;
}

/** Where the bytes behind the bracket at `at` begin; -1 where there is none, or not all of it. */
export function closingTo(bytes: Uint8Array, at: number, limit: number, html: boolean): number {
  if (at < limit && bytes[at] === GT) return at + 1;
  return html && expect(bytes, at, limit, GT_ENTITY) === FOUND ? at + GT_ENTITY.length : -1;
}

function mayLackLength(name: string): boolean {
  return name === "EOR" || name === "EOH" || name.startsWith("APP_");
}

function expect(bytes: Uint8Array, at: number, limit: number, sequence: number[]): Sight {
  for (let k = 0; k < sequence.length; k++) {
    if (at + k >= limit) return PARTIAL;
    const byte = bytes[at + k]!;
    if (byte !== sequence[k] && (k === 0 || (byte | 0x20) !== sequence[k])) return NONE;
  }
  return FOUND;
}

export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function nameBytes(): Uint8Array {
  const table = new Uint8Array(256);
  for (const char of NAME_SIGNS) {
    table[char.charCodeAt(0)] = char.charCodeAt(0);
    table[char.toLowerCase().charCodeAt(0)] = char.charCodeAt(0);
  }
  return table;
}
