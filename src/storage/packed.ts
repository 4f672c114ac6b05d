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

/** Packed pieces, some of them missing, as one. */
export const bundle = (pieces: readonly (Uint8Array | null)[]): Uint8Array => {
  const size = pieces.reduce((sum, piece) => sum + LENGTH_BYTES + (piece?.length ?? 0), 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const piece of pieces) {
    view.setUint32(at, piece?.length ?? 0);
    at += LENGTH_BYTES;
    if (piece) bytes.set(piece, at);
    at += piece?.length ?? 0;
  }
  return bytes;
};

export const unbundle = (bytes: Uint8Array): (Uint8Array | null)[] => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pieces: (Uint8Array | null)[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = view.getUint32(at);
    at += LENGTH_BYTES;
    pieces.push(length === 0 ? null : bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
};
