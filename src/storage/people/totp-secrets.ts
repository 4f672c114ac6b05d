import type { RowOf } from "../engine/rows.ts";
import { maybe, run, type Unit } from "../engine/unit.ts";

export type TotpSecret = Omit<RowOf<"totp_secrets">, "userId">;

export const find = (userId: number): Unit<TotpSecret | null> =>
  maybe`
    SELECT sealed, pending, last_step AS "lastStep", created_at AS "createdAt", last_used_at AS "lastUsedAt"
    FROM totp_secrets WHERE user_id = ${userId}`;

export function* begin(userId: number, pending: Uint8Array, now: number): Unit<void> {
  yield* run`
    INSERT INTO totp_secrets (user_id, pending, created_at) VALUES (${userId}, ${pending}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET pending = ${pending}`;
}

/** The new secret replaces the old one. */
export function* confirm(userId: number, step: number, now: number): Unit<void> {
  yield* run`
    UPDATE totp_secrets SET sealed = pending, pending = NULL, last_step = ${step}, created_at = ${now},
                            last_used_at = ${now}
    WHERE user_id = ${userId} AND pending IS NOT NULL`;
}

/** Returns false if a code of this time step or a later one was already accepted. */
export function* accept(userId: number, step: number, now: number): Unit<boolean> {
  const changed = yield* run`
    UPDATE totp_secrets SET last_step = ${step}, last_used_at = ${now}
    WHERE user_id = ${userId} AND sealed IS NOT NULL AND last_step < ${step}`;
  return changed > 0;
}

/** Returns false if there was no confirmed secret. */
export function* remove(userId: number): Unit<boolean> {
  const found = yield* find(userId);
  yield* run`DELETE FROM totp_secrets WHERE user_id = ${userId}`;
  return found !== null && found.sealed !== null;
}
