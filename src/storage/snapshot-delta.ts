import { pack, unpack } from "./packed.ts";
import { SNAPSHOT_COLUMNS, type State } from "./qsos.ts";

/** No snapshot that is whole begins so: it begins with the length of a layer. */
const MARK = 1;

const LAYERS = ["own", "first", "second"] as const;

/** How a layer was before: as after, none, these bytes, or what is the same at both ends with these bytes between. */
const [SAME, NONE, WHOLE, BETWEEN] = [0, 1, 2, 3];

/**
 * The version of the rules goes by another way than what people say: a contact is marked with a new one without a
 * change.
 */
const ALWAYS_TOLD = new Set<string>(["rulesVersion"]);

export const isDelta = (bytes: Uint8Array): boolean => bytes[0] === MARK;

/** What a contact was before, told by what it was after. */
export const deltaOf = (before: State, after: State): Uint8Array => {
  const told: Record<string, unknown> = {};
  const absent: Record<string, ""> = {};
  for (const name of SNAPSHOT_COLUMNS) {
    const value = before.columns[name] ?? null;
    if (value === (after.columns[name] ?? null) && !ALWAYS_TOLD.has(name)) continue;
    if (value === null) absent[name] = "";
    else told[name] = value;
  }
  const writing = new Writing(MARK);
  for (const layer of LAYERS) layerDelta(writing, before[layer], after[layer]);
  writing.piece(pack(told));
  writing.piece(Object.keys(absent).length === 0 ? NOTHING : pack(absent));
  return writing.bytes();
};

/** The contact as it was before. */
export const beforeBy = (delta: Uint8Array, after: State): State => {
  const reading = new Reading(delta.subarray(1));
  const layers = LAYERS.map((layer) => layerBefore(reading, after[layer]));
  const told = unpack<object>(reading.piece());
  const absent = reading.piece();
  const columns: State["columns"] = { ...after.columns, ...told };
  if (absent.length > 0) for (const name of Object.keys(unpack<object>(absent))) columns[name] = null;
  return { own: layers[0]!, first: layers[1]!, second: layers[2]!, columns };
};

const NOTHING = new Uint8Array();

const layerDelta = (writing: Writing, before: Uint8Array | null, after: Uint8Array | null): void => {
  if (before === after) return writing.number(SAME);
  if (before === null) return writing.number(NONE);
  if (after === null) {
    writing.number(WHOLE);
    return writing.piece(before);
  }
  const shorter = Math.min(before.length, after.length);
  let ahead = 0;
  while (ahead < shorter && before[ahead] === after[ahead]) ahead += 1;
  if (ahead === before.length && ahead === after.length) return writing.number(SAME);
  let behind = 0;
  while (behind < shorter - ahead && before.at(-1 - behind) === after.at(-1 - behind)) behind += 1;
  for (const number of [BETWEEN, ahead, behind]) writing.number(number);
  writing.piece(before.subarray(ahead, before.length - behind));
};

const layerBefore = (reading: Reading, after: Uint8Array | null): Uint8Array | null => {
  const kind = reading.number();
  if (kind === SAME) return after;
  if (kind === NONE) return null;
  if (kind === WHOLE) return reading.piece().slice();
  const [ahead, behind] = [reading.number(), reading.number()];
  const between = reading.piece();
  if (after === null) throw new Error("a change tells a layer by one that is not there");
  const bytes = new Uint8Array(ahead + between.length + behind);
  bytes.set(after.subarray(0, ahead));
  bytes.set(between, ahead);
  bytes.set(after.subarray(after.length - behind), ahead + between.length);
  return bytes;
};

/** Numbers of seven bits a byte, the lowest first, and pieces behind their length. */
class Writing {
  readonly #numbers: number[];
  readonly #pieces: { at: number; bytes: Uint8Array }[] = [];
  #length = 0;

  constructor(mark: number) {
    this.#numbers = [mark];
  }

  number(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.#numbers.push((rest & 0x7f) | 0x80);
    this.#numbers.push(rest);
  }

  piece(bytes: Uint8Array): void {
    this.number(bytes.length);
    this.#pieces.push({ at: this.#numbers.length, bytes });
    this.#length += bytes.length;
  }

  bytes(): Uint8Array {
    const whole = new Uint8Array(this.#numbers.length + this.#length);
    let [at, number] = [0, 0];
    for (const piece of this.#pieces) {
      while (number < piece.at) whole[at++] = this.#numbers[number++]!;
      whole.set(piece.bytes, at);
      at += piece.bytes.length;
    }
    while (number < this.#numbers.length) whole[at++] = this.#numbers[number++]!;
    return whole;
  }
}

class Reading {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new Error("a change is cut off");
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  piece(): Uint8Array {
    const length = this.number();
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new Error("a change is cut off");
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
