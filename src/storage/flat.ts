/**
 * Plain data on its way to another thread, as text and bytes. The engine would clone each row and each array of bytes by
 * itself, which takes three times as long as making and reading this.
 */
export interface Flat {
  text: string;
  /** Those of all arrays of bytes in a row. */
  bytes: Uint8Array;
}

/** Nothing else is named so: stands for an array of bytes, with its length. */
const BYTES = "\0";

export const flatten = (value: unknown): Flat => {
  const pieces: Uint8Array[] = [];
  const text = JSON.stringify(withoutBytes(value, pieces));
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return { text, bytes };
};

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const withoutBytes = (value: unknown, pieces: Uint8Array[]): unknown => {
  if (!isObject(value)) return value;
  if (value instanceof Uint8Array) {
    pieces.push(value);
    return { [BYTES]: value.length };
  }
  if (Array.isArray(value)) {
    const copy: unknown[] = value.slice();
    for (let at = 0; at < copy.length; at++) if (isObject(copy[at])) copy[at] = withoutBytes(copy[at], pieces);
    return copy;
  }
  const named = value as Record<string, unknown>;
  const copy: Record<string, unknown> = {};
  for (const name in named) copy[name] = withoutBytes(named[name], pieces);
  return copy;
};

export const unflatten = <T>({ text, bytes }: Flat): T => {
  let at = 0;
  const withBytes = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    if (Array.isArray(value)) {
      for (let place = 0; place < value.length; place++) {
        if (isObject(value[place])) value[place] = withBytes(value[place]);
      }
      return value;
    }
    const named = value as Record<string, unknown>;
    const length = named[BYTES];
    if (typeof length === "number") return bytes.subarray(at, (at += length));
    for (const name in named) named[name] = withBytes(named[name]);
    return value;
  };
  return withBytes(JSON.parse(text)) as T;
};
