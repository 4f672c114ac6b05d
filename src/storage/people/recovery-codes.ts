import { insertMany, one, run, type Unit } from "../engine/unit.ts";

export function* replace(userId: number, hashes: readonly string[]): Unit<void> {
  yield* run`DELETE FROM recovery_codes WHERE user_id = ${userId}`;
  yield* insertMany(
    "recovery_codes",
    hashes.map((codeHash) => ({ userId, codeHash })),
  );
}

/** Returns false if the code is not the user's or was used. */
export function* use(userId: number, hash: string, now: number): Unit<boolean> {
  const changed = yield* run`
    UPDATE recovery_codes SET used_at = ${now}
    WHERE user_id = ${userId} AND code_hash = ${hash} AND used_at IS NULL`;
  return changed > 0;
}

/** The number of unused codes. */
export function* countUnused(userId: number): Unit<number> {
  const row = yield* one<{ n: number }>`
    SELECT CAST(count(*) AS BIGINT) AS n FROM recovery_codes WHERE user_id = ${userId} AND used_at IS NULL`;
  return row.n;
}

export function* removeOf(userId: number): Unit<void> {
  yield* run`DELETE FROM recovery_codes WHERE user_id = ${userId}`;
}
