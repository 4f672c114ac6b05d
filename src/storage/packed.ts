import { NAMES } from "./packed-names.ts";

// A name is two characters, a lead and a place; a value stands behind its name as it is and ends at the next mark.
const OPEN = "\x02";
const CLOSE = "\x03";
const SPELT = "\x04";
const SPELT_END = "\x05";
const NUMBER = "\x06";
const TRUE = "\x07";
const FALSE = "\x08";
const FIRST_LEAD = 0x0e;
const FIRST_PLACE = 0x21;
const PLACES = 94;

const CODES = new Map(
  NAMES.map((name, index) => [
    name,
    String.fromCharCode(FIRST_LEAD + Math.floor(index / PLACES), FIRST_PLACE + (index % PLACES)),
  ]),
);

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** Tabs and line ends are text; the other control characters mean something here. */
const HAS_MARK = /[\0-\x08\x0e-\x1f]/;

/**
 * Data as bytes: what a service said of a contact is long and much alike from one contact to the next, and every
 * change keeps it twice. Names that are known beforehand take two bytes, values stand as they are. What cannot be
 * written so is JSON.
 */
export const pack = (value: unknown): Uint8Array => {
  const text = isObject(value) ? textOf(value) : null;
  return ENCODER.encode(text !== null && text.isWellFormed() ? text : JSON.stringify(value));
};

export const unpack = <T>(bytes: Uint8Array): T => {
  const text = DECODER.decode(bytes);
  return (text.startsWith(OPEN) ? new Reading(text).whole() : JSON.parse(text)) as T;
};

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** The object between its marks, or null where it holds what only JSON can say. */
const textOf = (object: object): string | null => {
  let text = OPEN;
  for (const name of Object.keys(object)) {
    const code = codeOf(name);
    const value = valueOf((object as Record<string, unknown>)[name]);
    if (code === null || value === null) return null;
    text += code + value;
  }
  return text + CLOSE;
};

/** Packs certain properties of objects, each unless it is null, as `pack` would an object that has no others. */
export const packerOf = <Name extends string>(
  names: readonly Name[],
): ((object: Record<Name, unknown>) => Uint8Array) => {
  const codes = names.map(codeOf);
  const textIn = (object: Record<Name, unknown>): string | null => {
    let text = OPEN;
    for (let at = 0; at < names.length; at++) {
      const given = object[names[at]!];
      if (given === null || given === undefined) continue;
      const value = valueOf(given);
      if (value === null) return null;
      text += codes[at]! + value;
    }
    return text + CLOSE;
  };
  return (object) => {
    const text = textIn(object);
    if (text !== null && text.isWellFormed()) return ENCODER.encode(text);
    return pack(Object.fromEntries(names.flatMap((name) => (object[name] == null ? [] : [[name, object[name]]]))));
  };
};

const codeOf = (name: string): string | null => CODES.get(name) ?? spelt(name);

const spelt = (name: string): string | null =>
  HAS_MARK.test(name) || name === "__proto__" ? null : SPELT + name + SPELT_END;

const valueOf = (value: unknown): string | null => {
  if (typeof value === "string") return HAS_MARK.test(value) ? null : value;
  if (typeof value === "number") return Number.isFinite(value) ? NUMBER + value : null;
  if (typeof value === "boolean") return value ? TRUE : FALSE;
  return isObject(value) ? textOf(value) : null;
};

/** Reads packed text once, from its beginning to its end. */
class Reading {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): object {
    const object = this.#value() as object;
    if (this.#at !== this.#text.length) throw new Error("packed data goes on after its end");
    return object;
  }

  #object(): object {
    const object: Record<string, unknown> = {};
    while (this.#text[this.#at] !== CLOSE) object[this.#name()] = this.#value();
    this.#at += 1;
    return object;
  }

  #name(): string {
    if (this.#text[this.#at] === SPELT) {
      const end = this.#text.indexOf(SPELT_END, this.#at);
      const name = this.#text.slice(this.#at + 1, end);
      this.#at = end + 1;
      return name;
    }
    const lead = this.#text.charCodeAt(this.#at) - FIRST_LEAD;
    const name = NAMES[lead * PLACES + this.#text.charCodeAt(this.#at + 1) - FIRST_PLACE];
    if (name === undefined) throw new Error("packed data is cut off, or names something unknown");
    this.#at += 2;
    return name;
  }

  #value(): unknown {
    switch (this.#text[this.#at]) {
      case OPEN:
        this.#at += 1;
        return this.#object();
      case NUMBER:
        this.#at += 1;
        return Number(this.#words());
      case TRUE:
      case FALSE:
        this.#at += 1;
        return this.#text[this.#at - 1] === TRUE;
      default:
        return this.#words();
    }
  }

  #words(): string {
    const from = this.#at;
    while (this.#at < this.#text.length && !isMark(this.#text.charCodeAt(this.#at))) this.#at += 1;
    return this.#text.slice(from, this.#at);
  }
}

const isMark = (code: number): boolean => code <= 0x08 || (code >= FIRST_LEAD && code < 0x20);

/** Layers are kept in the row and in every change of it: each is packed once. */
const bytesOf = new WeakMap<object, Uint8Array>();

export const packLayer = (layer: object | null): Uint8Array | null => {
  if (layer === null) return null;
  const known = bytesOf.get(layer);
  if (known) return known;
  const bytes = pack(layer);
  bytesOf.set(layer, bytes);
  return bytes;
};

export const unpackLayer = <T extends object>(bytes: Uint8Array | null): T | null => {
  if (bytes === null) return null;
  const layer = unpack<T>(bytes);
  bytesOf.set(layer, bytes);
  return layer;
};

const LENGTH_BYTES = 4;

/** Packed pieces, some of them missing, as one. A DataView would first have to make a buffer of its own for each. */
export const bundle = (pieces: readonly (Uint8Array | null)[]): Uint8Array => {
  const size = pieces.reduce((sum, piece) => sum + LENGTH_BYTES + (piece?.length ?? 0), 0);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    const length = piece?.length ?? 0;
    for (let shift = 24; shift >= 0; shift -= 8) bytes[at++] = length >>> shift;
    if (piece) bytes.set(piece, at);
    at += length;
  }
  return bytes;
};

export const unbundle = (bytes: Uint8Array): (Uint8Array | null)[] => {
  const pieces: (Uint8Array | null)[] = [];
  for (let at = 0; at < bytes.length;) {
    let length = 0;
    for (let n = 0; n < LENGTH_BYTES; n++) length = length * 256 + bytes[at++]!;
    pieces.push(length === 0 ? null : bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
};
