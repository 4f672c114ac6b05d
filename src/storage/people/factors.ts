import * as oneTimeCodes from "./one-time-codes.ts";
import * as passkeys from "./passkeys.ts";
import * as recoveryCodes from "./recovery-codes.ts";
import * as totpSecrets from "./totp-secrets.ts";
import { one, raw, run, type Sql, type Unit } from "../engine/unit.ts";

/** A column that is 1 if the user has a second factor. The statement must join `users` as `u`. */
export const HAS_FACTOR: Sql = raw(`CASE
  WHEN EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = u.id AND t.sealed IS NOT NULL) THEN 1
  WHEN EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) THEN 1
  ELSE 0 END`);

/** Whether this user has a second factor. */
export function* isThere(userId: number): Unit<boolean> {
  const row = yield* one<{ has: number }>`SELECT ${HAS_FACTOR} AS has FROM (SELECT CAST(${userId} AS BIGINT) AS id) u`;
  return row.has === 1;
}

/** After the last factor is removed: deletes recovery codes, and the mark of sessions that a factor was given. */
export function* settle(userId: number): Unit<void> {
  if (yield* isThere(userId)) return;
  yield* recoveryCodes.removeOf(userId);
  yield* run`UPDATE sessions SET factor_at = NULL WHERE user_id = ${userId}`;
  yield* oneTimeCodes.removeOf(userId, oneTimeCodes.FACTOR_PURPOSES);
}

/** Removes every factor. Returns false if there was none. */
export function* removeAll(userId: number): Unit<boolean> {
  const wasThere = yield* isThere(userId);
  yield* totpSecrets.remove(userId);
  yield* passkeys.removeOf(userId);
  yield* settle(userId);
  return wasThere;
}
