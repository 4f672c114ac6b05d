import { layersInSnapshot, type PackedLayers } from "./packed.ts";

/** A change as the preview kept it: what was before, and what after. */
export interface PackedChange {
  before: Uint8Array | null;
  after: Uint8Array;
}

/** Bytes that begin so tell what was before by what was after. */
const DELTA = 1;

/** How a layer was before: as after, none, these bytes, or what is the same at both ends with these bytes between. */
const [SAME, NONE, WHOLE] = [0, 1, 2];

/** What the contact was after a change; `next` is what it was before the change behind it, or what it is. */
export const layersAfter = ({ after }: PackedChange, next: PackedLayers | null): PackedLayers | null => {
  // Nothing is left of a contact that went. One byte says that the next event knows.
  if (after.length === 0) return null;
  return after.length === 1 ? next : layersInSnapshot(after);
};

export const layersBefore = (before: Uint8Array | null, after: PackedLayers | null): PackedLayers | null => {
  if (before === null) return null;
  if (before[0] !== DELTA) return layersInSnapshot(before);
  if (after === null) throw new Error("nothing says what a change left");
  const reading = new Reading(before.subarray(1));
  return {
    own: layerBefore(reading, after.own),
    first: layerBefore(reading, after.first),
    second: layerBefore(reading, after.second),
  };
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
