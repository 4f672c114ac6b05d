import * as installation from "../engine/installation.ts";
import type { Unit } from "../engine/unit.ts";

// The country file that all processes on one database share.

const TEXT = "country_file";
const HASH = "country_file_hash";

export const hashOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** Null if there is none, or if the database is too old for one. */
export function* findHash(): Unit<string | null> {
  return (yield* installation.isThere()) ? yield* installation.find(HASH) : null;
}

export const findText = (): Unit<string | null> => installation.find(TEXT);

export function* put(text: string): Unit<void> {
  yield* installation.replace(TEXT, text);
  yield* installation.replace(HASH, hashOf(text));
}

/** Stores the text unless another process already stored one. */
export function* settle(text: string): Unit<void> {
  if ((yield* installation.isThere()) && (yield* findHash()) === null) yield* put(text);
}
