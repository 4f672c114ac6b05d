import type { Actor } from "../domain/people/actor.ts";
import { MINUTE } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { TokenScope } from "../storage/people/api-tokens.ts";
import * as apiTokens from "../storage/people/api-tokens.ts";
import * as sessions from "../storage/people/sessions.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { User } from "../domain/people/user.ts";
import type { Voucher } from "../storage/people/sessions.ts";

const CONFIRMED_FOR = 10 * MINUTE;

/** Who makes a request, and with which credentials. */
export interface Caller {
  user: User;
  /** The session of the request; null for an API token. */
  sessionId: string | null;
  /** The API token of the request. */
  tokenId: number | null;
  /** The name that its owner gave it. */
  tokenName: string | null;
  /** What an API token allows; a session allows everything. */
  scope: TokenScope | "full";
  /** The administrator who impersonates the user. */
  impersonatedBy: { id: number; username: string; sessionId: string } | null;
  expiresAt: number | null;
  /** When the user last confirmed the session; null for an API token and for an impersonation. */
  confirmedAt: number | null;
  /** When the user of the session, or the creator of the token, last gave the second factor; null if never. */
  factorAt: number | null;
  /** Whether the user has a second factor. */
  hasFactor: boolean;
  /**
   * The provider or proxy that identified the user, or the administrator, when the session started; null for a password
   * or token.
   */
  vouched: { by: Voucher; username: string } | null;
  byCookie: boolean;
  /** A new token for a session that has been used for a while. */
  renewed: { token: string; expiresAt: number } | null;
}

/** Throws if the session or token was ended or revoked since the request arrived. */
export function* assertStillIn({ sessionId, tokenId, user }: Caller): Unit<void> {
  const isIn =
    (sessionId !== null && (yield* sessions.isThere(sessionId))) ||
    (tokenId !== null && (yield* apiTokens.find(user.id, tokenId)) !== null);
  if (!isIn) throw sessionEnded();
}

export const toActor = ({ user, byCookie }: Caller): Actor => ({
  id: user.id,
  name: user.username,
  via: byCookie ? "web" : "api",
});

/**
 * When the second factor was given. If a provider or proxy identified the user, that was their task, so it counts as
 * now.
 */
export const getFactorAt = ({ factorAt, vouched }: Caller, now: number): number | null =>
  vouched === null ? factorAt : now;

/** Whether a proof is too old for actions that outlast a session. */
export const isOld = (at: number | null, now: number): boolean => now - (at ?? 0) >= CONFIRMED_FOR;

/** Throws if the user has not confirmed the session recently. */
export const assertConfirmed = ({ confirmedAt }: Caller, now: number): void => {
  if (!isOld(confirmedAt, now)) return;
  throw new AppError("forbidden", "Confirm your identity first.", { rule: "reauthenticate" });
};

export const sessionEnded = () =>
  new AppError("unauthenticated", "Your session has ended. Sign in again.", { rule: "session_ended" });
