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

/** Who makes a request, and by what right. */
export interface Caller {
  user: User;
  /** The session the request came with; null for an API token. */
  sessionId: string | null;
  /** The API token the request came with. */
  tokenId: number | null;
  /** What its owner calls it. */
  tokenName: string | null;
  /** What an API token allows; a session allows everything. */
  scope: TokenScope | "full";
  /** The administrator who acts as the user. */
  impersonatedBy: { id: number; username: string; sessionId: string } | null;
  expiresAt: number | null;
  /** When the session's user last proved to be the one; null for an API token and for who acts as somebody else. */
  confirmedAt: number | null;
  /** When the session's user last gave the second factor, or who made the token had; null where that was never. */
  factorAt: number | null;
  /** Whether the user has a second factor. */
  hasFactor: boolean;
  /** Who vouched for whom when the session, or the administrator's behind it, began; null for a password or token. */
  vouched: { by: Voucher; username: string } | null;
  byCookie: boolean;
  /** A new token for a session that has been used for a while. */
  renewed: { token: string; expiresAt: number } | null;
}

/** Whether what let the caller in is there still, and was not taken away since the request came. */
export function* assertStillIn({ sessionId, tokenId, user }: Caller): Unit<void> {
  const isIn =
    (sessionId !== null && (yield* sessions.isThere(sessionId))) ||
    (tokenId !== null && (yield* apiTokens.find(user.id, tokenId)) !== null);
  if (!isIn) throw sessionEnded();
}

export const actorOf = ({ user, byCookie }: Caller): Actor => ({
  id: user.id,
  name: user.username,
  via: byCookie ? "web" : "api",
});

/** When a second factor was given, as far as anybody here can tell: who vouched for the user did the asking. */
export const factorOf = ({ factorAt, vouched }: Caller, now: number): number | null =>
  vouched === null ? factorAt : now;

/** Whether a proof is no longer enough for what would outlast a session. */
export const isOld = (at: number | null, now: number): boolean => now - (at ?? 0) >= CONFIRMED_FOR;

/** Refuses a session whose user has not proved for a while to be the one. */
export const assertConfirmed = ({ confirmedAt }: Caller, now: number): void => {
  if (!isOld(confirmedAt, now)) return;
  throw new AppError("forbidden", "Confirm first that it is you.", { rule: "reauthenticate" });
};

export const sessionEnded = () =>
  new AppError("unauthenticated", "The session has ended. Sign in again.", { rule: "session_ended" });
