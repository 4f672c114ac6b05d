import { maybe, run, type Unit } from "./unit.ts";

/** What an answer is for: to sign in, to confirm an own session, or to add a passkey in one. */
export type Purpose = "sign_in" | "confirm" | "enrol";

export interface Challenge {
  tokenHash: string;
  userId: number;
  purpose: Purpose;
  /** The session that was asked; null at the sign-in. */
  sessionId: string | null;
}

export function* add({ tokenHash, userId, purpose, sessionId }: Challenge, expiresAt: number, now: number): Unit<void> {
  yield* run`DELETE FROM factor_challenges WHERE expires_at <= ${now}`;
  yield* run`
    INSERT INTO factor_challenges (token_hash, user_id, purpose, session_id, expires_at)
    VALUES (${tokenHash}, ${userId}, ${purpose}, ${sessionId}, ${expiresAt})`;
}

/** Whose sign-in waits for an answer, and until when. */
export function* findSignIn(tokenHash: string, now: number): Unit<{ userId: number; expiresAt: number } | null> {
  return yield* maybe<{ userId: number; expiresAt: number }>`
    SELECT c.user_id AS "userId", c.expires_at AS "expiresAt"
    FROM factor_challenges c JOIN users u ON u.id = c.user_id
    WHERE c.token_hash = ${tokenHash} AND c.purpose = 'sign_in' AND c.expires_at > ${now} AND u.deleted_at IS NULL`;
}

/** Takes it away, so that it is answered once; false where there is none such. */
export function* take({ tokenHash, userId, purpose, sessionId }: Challenge, now: number): Unit<boolean> {
  const removed = yield* run`
    DELETE FROM factor_challenges
    WHERE token_hash = ${tokenHash} AND user_id = ${userId} AND purpose = ${purpose} AND expires_at > ${now}
      AND coalesce(session_id, '') = ${sessionId ?? ""}`;
  return removed > 0;
}

export function* removeOf(userId: number): Unit<void> {
  yield* run`DELETE FROM factor_challenges WHERE user_id = ${userId}`;
}
