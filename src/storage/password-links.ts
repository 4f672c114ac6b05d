import { maybe, run, type Unit } from "./unit.ts";

interface Link {
  userId: number;
  tokenHash: string;
  expiresAt: number;
}

/** A new link takes the place of an older one. */
export function* put({ userId, tokenHash, expiresAt }: Link, now: number): Unit<void> {
  yield* run`DELETE FROM password_links WHERE user_id = ${userId} OR expires_at <= ${now}`;
  yield* run`
    INSERT INTO password_links (user_id, token_hash, created_at, expires_at)
    VALUES (${userId}, ${tokenHash}, ${now}, ${expiresAt})`;
}

/** Whose password a link sets, while it is good. */
export function* find(tokenHash: string, now: number): Unit<number | null> {
  const row = yield* maybe<{ userId: number }>`
    SELECT l.user_id AS "userId" FROM password_links l JOIN users u ON u.id = l.user_id
    WHERE l.token_hash = ${tokenHash} AND l.expires_at > ${now} AND u.deleted_at IS NULL`;
  return row?.userId ?? null;
}

export function* removeOf(userId: number): Unit<void> {
  yield* run`DELETE FROM password_links WHERE user_id = ${userId}`;
}
