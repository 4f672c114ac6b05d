import { NAMES } from "./packed-names.ts";

// How the preview packed data into bytes. A name is two characters, a lead and a place; a value stands behind its name as
// it is and ends at the next mark. Where a record repeats what another beside it said, the first name, a mark and how many
// fields follow stand for all of them. What could not be written so is JSON.
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

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

export const unpack = <T>(bytes: Uint8Array): T => {
  const text = DECODER.decode(bytes);
  return (text.startsWith(OPEN) ? new Reading(text).whole() : JSON.parse(text)) as T;
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

  /** Says as many properties as before, from one on. */
  again(name: string, length: number, object: Record<string, unknown>): void {
    const place = this.#places.get(name);
    if (place === undefined || !(length > 0 && place + length <= this.#names.length)) throw new Error(CUT_OFF);
    for (let at = place; at < place + length; at++) {
      const [again, value] = [this.#names[at]!, this.#values[at]!];
      object[again] = value;
      this.note(again, value);
    }
  }
}

const CUT_OFF = "packed data is cut off, or names something unknown";

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

const LENGTH_BYTES = 4;

/** The pieces of a bundle, some of them missing. */
const unbundle = (bytes: Uint8Array): (Uint8Array | null)[] => {
  const pieces: (Uint8Array | null)[] = [];
  for (let at = 0; at < bytes.length;) {
    let length = 0;
    for (let n = 0; n < LENGTH_BYTES; n++) length = length * 256 + bytes[at++]!;
    pieces.push(length === 0 ? null : bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
};

/** What each origin said of a contact, packed. */
export interface PackedLayers {
  own: Uint8Array | null;
  first: Uint8Array | null;
  second: Uint8Array | null;
}

/** Of a snapshot. Its columns come last, behind as many layers as there were when it was made. */
export const layersInSnapshot = (bytes: Uint8Array): PackedLayers => {
  const [own = null, first = null, second = null] = unbundle(bytes).slice(0, -1);
  return { own, first, second };
};
