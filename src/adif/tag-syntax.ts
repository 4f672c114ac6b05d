import { MAX_FIELD_NAME_LENGTH, NAME_SIGNS } from "../domain/contact/field-name.ts";

/** A tag `<NAME:LENGTH:TYPE>` in the bytes. */
export interface Marker {
  name: string;
  /** The declared length; -1 for end markers. */
  length: number;
  /** The data type, an upper-case letter, or an empty text. */
  type: string;
  /** Offset of the first byte after the marker. */
  body: number;
}

/** What is at a position: no marker, a complete one, or one that needs more bytes. */
type Sight = typeof NONE | typeof FOUND | typeof PARTIAL;
export const NONE = 0;
export const FOUND = 1;
export const PARTIAL = 2;

const NO_NAME = -1;
const CUT_NAME = -2;

export const LT = 0x3c;
export const AMP = 0x26;
const GT = 0x3e;
const COLON = 0x3a;
const SPACE = 0x20;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const HASH = 0x23;
export const SLASH = 0x2f;

const MAX_DIGITS = 12;
const LT_ENTITY = [...Buffer.from("&lt;")];
const GT_ENTITY = [...Buffer.from("&gt;")];

/** For each byte that a field name can contain, its upper case; 0 for others. */
const UPPER_CASE = upperCase();

export function newMarker(): Marker {
  return { name: "", length: -1, type: "", body: 0 };
}

/** Reads the marker at `at` into `into`. With `html`, `&lt;` and `&gt;` also count as brackets. */
export function readMarker(
  bytes: Buffer,
  at: number,
  limit: number,
  html: boolean,
  names: FieldNames,
  into: Marker,
): Sight {
  let i = at + 1;
  if (bytes[at] !== LT) {
    if (!html) return NONE;
    const sight = expect(bytes, at, limit, LT_ENTITY);
    if (sight !== FOUND) return sight;
    i = at + LT_ENTITY.length;
  }

  const nameAt = i;
  i = endOfName(bytes, nameAt, limit, html);
  if (i === NO_NAME) return NONE;
  if (i === CUT_NAME) return PARTIAL;
  const name = names.at(bytes, nameAt, i);

  let length = -1;
  let type = "";
  if (bytes[i] === COLON) {
    const digitsStart = ++i;
    length = 0;
    for (; i < limit && isDigit(bytes[i]!); i++) length = length * 10 + (bytes[i]! - 0x30);
    if (i - digitsStart > MAX_DIGITS) return NONE;
    if (i === limit) return PARTIAL;

    // The first service's credit report writes an empty value with a type but no length: <NAME:S>
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
  if (length === -1 && !mayLackLength(name)) return NONE;
  into.name = name;
  into.length = length;
  into.type = type;
  into.body = i + (bytes[i] === GT ? 1 : GT_ENTITY.length);
  return FOUND;
}

/** The end of the name at `start` if a marker can continue there; otherwise what is wrong. */
function endOfName(bytes: Uint8Array, start: number, limit: number, html: boolean): number {
  let i = start;
  while (i < limit && UPPER_CASE[bytes[i]!] !== 0) i++;
  const size = i - start;
  if (size > MAX_FIELD_NAME_LENGTH || (size > 0 && bytes[start] === SPACE)) return NO_NAME;
  if (i === limit) return CUT_NAME;
  if (size === 0 || bytes[i - 1] === SPACE) return NO_NAME;
  return bytes[i] === COLON || bytes[i] === GT || html ? i : NO_NAME;
}

const MAX_KNOWN_NAMES = 4096;

/**
 * Field names in upper case. Every record repeats the same names, and comparing bytes is faster than creating a
 * string.
 */
export class FieldNames {
  readonly #byHash = new Map<number, string>();

  at(bytes: Buffer, start: number, end: number): string {
    let hash = 0;
    for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + UPPER_CASE[bytes[i]!]!) | 0;
    const known = this.#byHash.get(hash);
    if (known !== undefined && isName(known, bytes, start, end)) return known;
    const name = bytes.toString("latin1", start, end).toUpperCase();
    if (this.#byHash.size < MAX_KNOWN_NAMES) this.#byHash.set(hash, name);
    return name;
  }
}

function isName(name: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) !== UPPER_CASE[bytes[start + i]!]) return false;
  return true;
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

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function upperCase(): Uint8Array {
  const table = new Uint8Array(256);
  for (const sign of NAME_SIGNS) {
    table[sign.charCodeAt(0)] = sign.charCodeAt(0);
    table[sign.toLowerCase().charCodeAt(0)] = sign.charCodeAt(0);
  }
  return table;
}

/** How many bytes of whitespace and comments after a value are checked; longer ones are accepted. */
export const LOOKAHEAD = 1024;

export function isBlank(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}

function pastBlanks(bytes: Uint8Array, at: number, limit: number): number {
  let i = at;
  while (i < limit && isBlank(bytes[i]!)) i++;
  return i;
}

/** The offset after the whitespace and comments that follow a value, or one beyond LOOKAHEAD. */
export function pastComments(bytes: Uint8Array, at: number, limit: number): number {
  let i = pastBlanks(bytes, at, limit);
  while (i > at && i < limit && i - at <= LOOKAHEAD && isComment(bytes, i, limit)) {
    while (i < limit && bytes[i] !== LF && bytes[i] !== CR) i++;
    i = pastBlanks(bytes, i, limit);
  }
  return i;
}

function isComment(bytes: Uint8Array, at: number, limit: number): boolean {
  if (bytes[at] !== SLASH) return bytes[at] === HASH;
  return at + 1 < limit && bytes[at + 1] === SLASH;
}
