/** Values that many contacts share, each written once, and of each contact which it has. */

import { arrayFor, joined, Parts, type Narrow } from "./packed-bytes.ts";

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

/** `values`: of how many. */
export const codesIn = (parts: Parts, values: number, contacts: number): PackedCodes =>
  new PackedCodes(contacts, values <= 1 ? null : parts.next<Narrow>(arrayFor(values), contacts));

/** So many codes are widened together: one by one it takes three times as long. */
const NARROWED_AT_ONCE = 4_096;

/** The codes of contacts, as narrow as they will be written. */
export class CodeList {
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
export class Codes<Value> {
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
    this.#codes.add(value, Array.isArray(value) ? JSON.stringify(value) : value);
  }

  packed(): Uint8Array {
    const { values, of, parts } = this.#codes;
    const words = new TextEncoder().encode(JSON.stringify(values));
    const head = new Uint32Array([of.length, values.length, words.length]);
    return joined([head, words, ...parts]);
  }
}

export const unpackCoded = <Value extends Shared>(packed: Uint8Array): PackedColumn<Value> => {
  const parts = new Parts(packed);
  const [contacts, count, length] = parts.next(Uint32Array, 3) as unknown as [number, number, number];
  const values = JSON.parse(new TextDecoder().decode(parts.next(Uint8Array, length))) as (Value | null)[];
  return { values, codes: codesIn(parts, count, contacts) };
};
