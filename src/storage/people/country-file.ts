import * as installation from "../engine/installation.ts";
import type { Unit } from "../engine/unit.ts";

// The country file that the programs on one server use together.

const TEXT = "country_file";
const HASH = "country_file_hash";

export const hashOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** Null where the installation has none of its own, or is too old to have one. */
export function* findHash(): Unit<string | null> {
  return (yield* installation.isThere()) ? yield* installation.find(HASH) : null;
}

export const findText = (): Unit<string | null> => installation.find(TEXT);

export function* put(text: string): Unit<void> {
  yield* installation.replace(TEXT, text);
  yield* installation.replace(HASH, hashOf(text));
}

/** Whoever is first says which it is. */
export function* settle(text: string): Unit<void> {
  if ((yield* installation.isThere()) && (yield* findHash()) === null) yield* put(text);
}
