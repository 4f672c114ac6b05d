import { NAMES } from "./packed-names.ts";

// A name is two characters, a lead and a place; a value stands behind its name as it is and ends at the next mark. Where
// a record repeats what another beside it said, the first name, a mark and how many fields follow stand for all of them.
const AGAIN = "\x01";
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
const FIRST_COUNT = 0x20;
const LONGEST_RUN = 94;

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
  const text = isObject(value) ? textOf(value, hasSeveral(value) ? new Said() : null) : null;
  return ENCODER.encode(text !== null && text.isWellFormed() ? text : JSON.stringify(value));
};

export const unpack = <T>(bytes: Uint8Array): T => {
  const text = DECODER.decode(bytes);
  return (text.startsWith(OPEN) ? new Reading(text).whole() : JSON.parse(text)) as T;
};

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** What stands beside each other may repeat itself: a service's copy of a contact and its confirmation. */
const hasSeveral = (object: object): boolean => {
  let objects = 0;
  for (const value of Object.values(object)) if (typeof value === "object") objects += 1;
  return objects > 1;
};

/** The texts that were said so far, in their order. */
class Said {
  readonly #names: string[] = [];
  readonly #values: string[] = [];
  readonly #places = new Map<string, number>();

  note(name: string, value: string): void {
    this.#places.set(name, this.#names.length);
    this.#names.push(name);
    this.#values.push(value);
  }

  /** How many properties, from one on, were said before in the same words and order. */
  lengthOfRun(object: Record<string, unknown>, names: readonly string[], at: number): number {
    const place = this.#places.get(names[at]!);
    if (place === undefined) return 0;
    const most = Math.min(LONGEST_RUN, names.length - at, this.#names.length - place);
    let length = 0;
    const isNext = () =>
      names[at + length] === this.#names[place + length] &&
      object[names[at + length]!] === this.#values[place + length];
    while (length < most && isNext()) length += 1;
    return length;
  }

  /** Says as many properties as before, from one on. */
  again(name: string, length: number, object?: Record<string, unknown>): void {
    const place = this.#places.get(name);
    if (place === undefined || !(length > 0 && place + length <= this.#names.length)) throw new Error(CUT_OFF);
    for (let at = place; at < place + length; at++) {
      const [again, value] = [this.#names[at]!, this.#values[at]!];
      if (object) object[again] = value;
      this.note(again, value);
    }
  }
}

const CUT_OFF = "packed data is cut off, or names something unknown";

/** The object between its marks, or null where it holds what only JSON can say. */
const textOf = (object: object, said: Said | null): string | null => {
  const values = object as Record<string, unknown>;
  const names = Object.keys(values);
  let text = OPEN;
  for (let at = 0; at < names.length; at++) {
    const name = names[at]!;
    const given = values[name];
    const code = codeOf(name);
    if (code === null) return null;
    const run = said?.lengthOfRun(values, names, at) ?? 0;
    if (run > 1 || (run === 1 && (given as string).length > 2)) {
      said!.again(name, run);
      text += code + AGAIN + String.fromCharCode(FIRST_COUNT + run);
      at += run - 1;
      continue;
    }
    const value = valueOf(given, said);
    if (value === null) return null;
    if (said !== null && typeof given === "string") said.note(name, given);
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

const valueOf = (value: unknown, said: Said | null = null): string | null => {
  if (typeof value === "string") return HAS_MARK.test(value) ? null : value;
  if (typeof value === "number") return Number.isFinite(value) ? NUMBER + value : null;
  if (typeof value === "boolean") return value ? TRUE : FALSE;
  return isObject(value) ? textOf(value, said) : null;
};

/** Reads packed text once, from its beginning to its end. */
class Reading {
  readonly #text: string;
  readonly #said: Said | null;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#said = text.includes(AGAIN) ? new Said() : null;
  }

  whole(): object {
    const object = this.#value() as object;
    if (this.#at !== this.#text.length) throw new Error("packed data goes on after its end");
    return object;
  }

  #object(): object {
    const object: Record<string, unknown> = {};
    while (this.#text[this.#at] !== CLOSE) {
      const name = this.#name();
      if (this.#text[this.#at] === AGAIN) this.#again(name, object);
      else {
        const value = this.#value();
        object[name] = value;
        if (this.#said !== null && typeof value === "string") this.#said.note(name, value);
      }
    }
    this.#at += 1;
    return object;
  }

  #again(name: string, object: Record<string, unknown>): void {
    const length = this.#text.charCodeAt(this.#at + 1) - FIRST_COUNT;
    this.#at += 2;
    this.#said!.again(name, length, object);
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
    if (name === undefined) throw new Error(CUT_OFF);
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
