/** What the texts of many contacts hold, so that most of what is looked for is known without reading them. */

import { joined, Parts } from "./packed-bytes.ts";

/** Of each it is known which contacts hold it. */
const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";

const placeOfLetter = (code: number): number =>
  code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 122 ? code - 87 : -1;

/** As texts are folded, letter by letter. */
const small = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** A contact has a bit for each letter, in two words. */
const WORD = 32;

/** What is known of some texts of a contact. */
type Texts<Name extends string> = Readonly<Record<Name, string | null>>;

/** Takes the texts of one contact after the other. */
export class LetterPacker<Name extends string> {
  #held = new Uint32Array(64);
  #contacts = 0;
  readonly #names: readonly Name[];

  constructor(names: readonly Name[]) {
    this.#names = names;
  }

  add(texts: Texts<Name>): void {
    const at = 2 * this.#contacts++;
    if (at === this.#held.length) {
      const room = new Uint32Array(at * 2);
      room.set(this.#held);
      this.#held = room;
    }
    let [first, second] = [0, 0];
    for (const name of this.#names) {
      const text = texts[name] ?? "";
      for (let letter = 0; letter < text.length; letter++) {
        const place = placeOfLetter(small(text.charCodeAt(letter)));
        if (place >= WORD) second |= 1 << (place - WORD);
        else if (place >= 0) first |= 1 << place;
      }
    }
    this.#held[at] = first;
    this.#held[at + 1] = second;
  }

  packed(): Uint8Array {
    const length = Math.ceil(this.#contacts / 8);
    const holders = Array.from(LETTERS, (_, place) => {
      const bits = new Uint8Array(length);
      const [word, bit] = [Math.floor(place / WORD), place % WORD];
      for (let row = 0; row < this.#contacts; row++)
        bits[row >>> 3]! |= ((this.#held[2 * row + word]! >>> bit) & 1) << (row & 7);
      return bits;
    });
    return joined([new Uint32Array([this.#contacts]), ...holders]);
  }
}

/** Of each letter a bit for each contact. */
export class HeldLetters {
  readonly #contacts: number;
  readonly #holders: readonly Uint8Array[];

  constructor(contacts: number, holders: readonly Uint8Array[]) {
    this.#contacts = contacts;
    this.#holders = holders;
  }

  /** Leaves 1 where a contact holds a letter. */
  keep(fits: Uint8Array, letter: string): void {
    const bits = this.#holders[LETTERS.indexOf(letter)]!;
    for (let row = 0; row < this.#contacts; row++) fits[row]! &= bits[row >>> 3]! >>> (row & 7);
  }
}

/** Whether a text is one of the letters of which it is known who holds them. */
export const isLetter = (text: string): boolean => text.length === 1 && LETTERS.includes(text);

export const unpackLetters = (packed: Uint8Array): HeldLetters => {
  const parts = new Parts(packed);
  const [contacts] = parts.next(Uint32Array, 1) as unknown as [number];
  const length = Math.ceil(contacts / 8);
  return new HeldLetters(
    contacts,
    Array.from(LETTERS, () => parts.next(Uint8Array, length)),
  );
};

const MOST_BITS = 1 << 17;
/** Of so many bits at most one is set: few grams that are not there seem to be. */
const BITS_FOR_ONE = 4;

const bitOf = (a: number, b: number, c: number): number =>
  Math.imul(Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) ^ c, 0xc2b2ae35) >>> 15;

/** Takes one text after the other, and notes which one, two and three letters follow each other in any of them. */
class GramPacker {
  readonly #bits = new Uint8Array(MOST_BITS / 8);

  add(text: string): void {
    let [before, last] = [0, 0];
    for (let at = 0; at < text.length; at++) {
      const letter = small(text.charCodeAt(at));
      this.#set(bitOf(0, 0, letter));
      if (at > 0) this.#set(bitOf(0, last, letter));
      if (at > 1) this.#set(bitOf(before, last, letter));
      [before, last] = [last, letter];
    }
  }

  #set(bit: number): void {
    this.#bits[bit >>> 3]! |= 1 << (bit & 7);
  }

  /** Where few bits are set, half of them do, and so on. */
  packed(): Uint8Array {
    let bits = this.#bits;
    while (bits.length > 1 && setIn(bits) * BITS_FOR_ONE <= bits.length * 4) {
      const half = bits.length / 2;
      const lower = bits.slice(0, half);
      for (let at = 0; at < half; at++) lower[at]! |= bits[half + at]!;
      bits = lower;
    }
    return bits;
  }
}

const setIn = (bits: Uint8Array): number => {
  let count = 0;
  for (let byte of bits) for (; byte !== 0; byte &= byte - 1) count++;
  return count;
};

const mayHold = (bits: Uint8Array, text: string): boolean => {
  const size = Math.min(text.length, 3);
  const mask = bits.length * 8 - 1;
  for (let end = Math.max(size, 1); end <= text.length; end++) {
    const [a, b, c] = [3, 2, 1].map((back) => (back > size ? 0 : text.charCodeAt(end - back))) as [
      number,
      number,
      number,
    ];
    const bit = bitOf(a, b, c) & mask;
    if (((bits[bit >>> 3]! >>> (bit & 7)) & 1) === 0) return false;
  }
  return true;
};

/** The same of several texts of a contact, each for itself. */
export class GramsPacker<Name extends string> {
  readonly #packers: readonly { name: Name; packer: GramPacker }[];

  constructor(names: readonly Name[]) {
    this.#packers = names.map((name) => ({ name, packer: new GramPacker() }));
  }

  add(texts: Texts<Name>): void {
    for (const { name, packer } of this.#packers) packer.add(texts[name] ?? "");
  }

  packed(): Uint8Array {
    const columns = this.#packers.map(({ packer }) => packer.packed());
    return joined([Uint32Array.from(columns, ({ length }) => length), ...columns]);
  }
}

/** Of which texts any may hold another: where three letters never follow each other, none has them in a row. */
export class Grams<Name extends string> {
  readonly #bits: ReadonlyMap<Name, Uint8Array>;

  constructor(bits: ReadonlyMap<Name, Uint8Array>) {
    this.#bits = bits;
  }

  mayHold(name: Name, text: string): boolean {
    return mayHold(this.#bits.get(name)!, text);
  }
}

export const unpackGrams = <Name extends string>(packed: Uint8Array, names: readonly Name[]): Grams<Name> => {
  const parts = new Parts(packed);
  const lengths = [...parts.next(Uint32Array, names.length)];
  return new Grams(new Map(names.map((name, place) => [name, parts.next(Uint8Array, lengths[place]!)])));
};
