import * as installation from "../engine/installation.ts";
import type { Unit } from "../engine/unit.ts";

// The country file and the table of Club Log that all processes on one database share.

export const SHARED_FILES = ["country_file", "club_log"] as const;
export type SharedFile = (typeof SHARED_FILES)[number];

const nameHash = (file: SharedFile): string => `${file}_hash`;

export const hashOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

/** Null if there is none, or if the database is too old for one. */
export function* findHash(file: SharedFile): Unit<string | null> {
  return (yield* installation.isThere()) ? yield* installation.find(nameHash(file)) : null;
}

export const findText = (file: SharedFile): Unit<string | null> => installation.find(file);

export function* put(file: SharedFile, text: string): Unit<void> {
  yield* installation.replace(file, text);
  yield* installation.replace(nameHash(file), hashOf(text));
}

/** Stores the text unless another process already stored one. */
export function* settle(file: SharedFile, text: string): Unit<void> {
  if ((yield* installation.isThere()) && (yield* findHash(file)) === null) yield* put(file, text);
}
