import { deflateRawSync, inflateRawSync } from "node:zlib";
import { DICTIONARIES } from "./packed-dictionary.ts";

const NEWEST = DICTIONARIES.length - 1;
const LEVEL = 1;

/**
 * Data as bytes: what a service said of a contact is long and much alike from one contact to the next, and every
 * change keeps it twice. The first byte names the dictionary, so that a better one can join later.
 */
export const pack = (value: unknown): Uint8Array => {
  const packed = deflateRawSync(JSON.stringify(value), { level: LEVEL, dictionary: DICTIONARIES[NEWEST] });
  const bytes = new Uint8Array(packed.length + 1);
  bytes[0] = NEWEST;
  bytes.set(packed, 1);
  return bytes;
};

export const unpack = <T>(bytes: Uint8Array): T => JSON.parse(unpackText(bytes)) as T;

/** The JSON itself, for whom a glance at it saves reading it. */
export const unpackText = (bytes: Uint8Array): string => {
  const dictionary = DICTIONARIES[bytes[0]!];
  if (!dictionary) throw new Error(`packed data of an unknown kind: ${bytes[0]}`);
  return inflateRawSync(bytes.subarray(1), { dictionary }).toString();
};

export const packIf = (value: unknown): Uint8Array | null => (value === null ? null : pack(value));
export const unpackIf = <T>(bytes: Uint8Array | null): T | null => (bytes === null ? null : unpack<T>(bytes));
