import { DAY } from "../domain/clock.ts";
import * as installation from "./installation.ts";
import type { RowOf } from "./rows.ts";
import { many, run, type Unit } from "./unit.ts";

/** What a program got over by itself, worth knowing for the operator. */
export type Mishap = RowOf<"mishaps">;

export type MishapKind = Mishap["kind"];

const FORGOTTEN_AFTER = 30 * DAY;

/** Counts a mishap; those of long ago are forgotten. */
export function* record(kind: MishapKind, duration: number, now: number): Unit<void> {
  const ms = Math.max(0, Math.round(duration));
  const isOld = now - FORGOTTEN_AFTER;
  yield* run`
    INSERT INTO mishaps (kind, times, longest_ms, last_at) VALUES (${kind}, 1, ${ms}, ${now})
    ON CONFLICT (kind) DO UPDATE SET
      times = CASE WHEN mishaps.last_at < ${isOld} THEN 1 ELSE mishaps.times + 1 END,
      longest_ms = CASE WHEN mishaps.last_at < ${isOld} OR mishaps.longest_ms < ${ms} THEN ${ms} ELSE mishaps.longest_ms END,
      last_at = ${now}`;
}

export function* list(): Unit<Mishap[]> {
  if (!(yield* installation.isThere())) return [];
  return yield* many<Mishap>`
    SELECT kind, times, longest_ms AS "longestMs", last_at AS "lastAt" FROM mishaps ORDER BY kind`;
}
