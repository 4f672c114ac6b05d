/** Columns of numbers, side by side in one stretch of bytes. */

export type Narrow = Uint8Array | Uint16Array | Uint32Array;

const DOUBLE = 8;

/** As wide as so many values need. */
export const arrayFor = (values: number) =>
  values <= 0x100 ? Uint8Array : values <= 0x10000 ? Uint16Array : Uint32Array;

/** An array of numbers begins at a multiple of its width: of eight, whatever it holds. */
const toEight = (length: number): number => Math.ceil(length / DOUBLE) * DOUBLE;

export const joined = (parts: readonly ArrayBufferView[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + toEight(byteLength), 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of parts) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += toEight(byteLength);
  }
  return bytes;
};

/** Reads one part after the other. */
export class Parts {
  readonly #buffer: ArrayBuffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array) {
    const isInPlace = bytes.byteOffset % DOUBLE === 0;
    this.#buffer = (isInPlace ? bytes : new Uint8Array(bytes)).buffer as ArrayBuffer;
    this.#at = isInPlace ? bytes.byteOffset : 0;
    this.#end = this.#at + bytes.byteLength;
  }

  next<Part extends { byteLength: number }>(
    make: { new (buffer: ArrayBuffer, at: number, length: number): Part },
    length: number,
  ): Part {
    const part = new make(this.#buffer, this.#at, length);
    this.#at += toEight(part.byteLength);
    return part;
  }

  rest(): Uint8Array {
    return new Uint8Array(this.#buffer, this.#at, this.#end - this.#at);
  }
}
