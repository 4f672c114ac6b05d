import { countRows, hasEffect, insertMany, run, type Unit } from "../engine/unit.ts";

export function* replace(userId: number, hashes: readonly string[]): Unit<void> {
  yield* run`DELETE FROM recovery_codes WHERE user_id = ${userId}`;
  yield* insertMany(
    "recovery_codes",
    hashes.map((codeHash) => ({ userId, codeHash })),
  );
}

/** Returns false if the code is not the user's or was used. */
export const use = (userId: number, hash: string, now: number): Unit<boolean> =>
  hasEffect`
    UPDATE recovery_codes SET used_at = ${now}
    WHERE user_id = ${userId} AND code_hash = ${hash} AND used_at IS NULL`;

/** The number of unused codes. */
export const countUnused = (userId: number): Unit<number> =>
  countRows`recovery_codes WHERE user_id = ${userId} AND used_at IS NULL`;

export const removeOf = (userId: number): Unit<void> => run`DELETE FROM recovery_codes WHERE user_id = ${userId}`;
