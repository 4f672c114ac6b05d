import type { Actor } from "../domain/actor.ts";
import type { User } from "../domain/user.ts";

/** Who makes a request, and by what right. */
export interface Caller {
  user: User;
  /** The session the request came with; null for an API token. */
  sessionId: string | null;
  /** The API token the request came with. */
  tokenId: number | null;
  /** What an API token allows; a session allows everything. */
  scope: "read" | "write" | "full";
  /** The administrator who acts as the user. */
  impersonatedBy: { id: number; username: string; sessionId: string } | null;
  expiresAt: number | null;
  /** When the session's user last gave the password; null for an API token and for who acts as somebody else. */
  confirmedAt: number | null;
  /** When the session's user last gave the second factor; null where that was never. */
  factorAt: number | null;
  /** Whether the user has a second factor. */
  hasFactor: boolean;
  byCookie: boolean;
  /** A new token for a session that has been used for a while. */
  renewed: { token: string; expiresAt: number } | null;
}

export const actorOf = ({ user, byCookie }: Caller): Actor => ({
  id: user.id,
  name: user.username,
  via: byCookie ? "web" : "api",
});
