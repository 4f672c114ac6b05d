/** Times and numbers of many contacts, in few bytes. */

import { arrayFor, joined, Parts } from "./packed-bytes.ts";
import { Codes, codesIn } from "./packed-codes.ts";

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
    kind === EACH_ONCE ? codesIn(parts, each.length, contacts).wide() : Uint32Array.from(each, (_, place) => place);
  return new PackedNumbers(places, 0, 1, each);
};
