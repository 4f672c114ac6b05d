import type { RowOf } from "../engine/rows.ts";
import { hasEffect, maybe, run, type Unit } from "../engine/unit.ts";

export type TotpSecret = Omit<RowOf<"totp_secrets">, "userId">;

export const find = (userId: number): Unit<TotpSecret | null> =>
  maybe`
    SELECT sealed, pending, last_step AS "lastStep", created_at AS "createdAt", last_used_at AS "lastUsedAt"
    FROM totp_secrets WHERE user_id = ${userId}`;

export const begin = (userId: number, pending: Uint8Array, now: number): Unit<void> =>
  run`
    INSERT INTO totp_secrets (user_id, pending, created_at) VALUES (${userId}, ${pending}, ${now})
    ON CONFLICT (user_id) DO UPDATE SET pending = ${pending}`;

/** The new secret replaces the old one. */
export const confirm = (userId: number, step: number, now: number): Unit<void> =>
  run`
    UPDATE totp_secrets SET sealed = pending, pending = NULL, last_step = ${step}, created_at = ${now},
                            last_used_at = ${now}
    WHERE user_id = ${userId} AND pending IS NOT NULL`;

/** Returns false if a code of this time step or a later one was already accepted. */
export const accept = (userId: number, step: number, now: number): Unit<boolean> =>
  hasEffect`
    UPDATE totp_secrets SET last_step = ${step}, last_used_at = ${now}
    WHERE user_id = ${userId} AND sealed IS NOT NULL AND last_step < ${step}`;

/** Returns false if there was no confirmed secret. */
export function* remove(userId: number): Unit<boolean> {
  const found = yield* find(userId);
  yield* run`DELETE FROM totp_secrets WHERE user_id = ${userId}`;
  return found !== null && found.sealed !== null;
}
