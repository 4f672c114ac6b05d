import type { User } from "../../domain/people/user.ts";
import type { RowOf } from "../engine/rows.ts";
import { columns, countChanged, hasEffect, inList, many, maybe, one, run, timesBy, type Unit } from "../engine/unit.ts";
import { JOINED_USER, toUser, type UserRow } from "./users.ts";

/**
 * What a token allows: reading; reading and writing; for keys of programs, feeding and looking up; or only looking up.
 */
export type TokenScope = RowOf<"api_tokens">["scope"];
export const TOKEN_SCOPES = ["read", "write", "feed", "lookup"] as const satisfies readonly TokenScope[];

export type ApiToken = RowOf<"api_tokens", "id" | "name" | "scope" | "createdAt" | "expiresAt" | "lastUsedAt">;

const TOKEN = columns("id", "name", "scope", "created_at", "expires_at", "last_used_at");

export const add = (
  token: {
    userId: number;
    name: string;
    scope: TokenScope;
    tokenHash: string;
    expiresAt: number | null;
    /** When its creator had last given a second factor; null if never. */
    factorAt: number | null;
  },
  now: number,
): Unit<ApiToken> =>
  one`
    INSERT INTO api_tokens (user_id, name, scope, token_hash, created_at, expires_at, factor_at)
    VALUES (${token.userId}, ${token.name}, ${token.scope}, ${token.tokenHash}, ${now}, ${token.expiresAt},
            ${token.factorAt})
    RETURNING ${TOKEN}`;

export const listOf = (userId: number): Unit<ApiToken[]> =>
  many`SELECT ${TOKEN} FROM api_tokens WHERE user_id = ${userId} ORDER BY id`;

interface FoundRow extends UserRow {
  tokenId: number;
  tokenName: string;
  scope: TokenScope;
  expiresAt: number | null;
  factorAt: number | null;
}

export interface FoundToken extends Pick<ApiToken, "id" | "name" | "scope" | "expiresAt"> {
  user: User;
  factorAt: number | null;
}

/** A token by its hash, with the current state of its user. */
export function* findWithUser(tokenHash: string): Unit<FoundToken | null> {
  const row = yield* maybe<FoundRow>`
    SELECT ${JOINED_USER}, t.id AS "tokenId", t.name AS "tokenName", t.scope, t.expires_at AS "expiresAt",
           t.factor_at AS "factorAt"
    FROM api_tokens t JOIN users u ON u.id = t.user_id WHERE t.token_hash = ${tokenHash} AND u.deleted_at IS NULL`;
  if (!row) return null;
  const { tokenId: id, tokenName: name, scope, expiresAt, factorAt } = row;
  return { id, name, user: toUser(row), scope, expiresAt, factorAt };
}

export function* setLastUsed(used: readonly (readonly [id: number, at: number])[]): Unit<void> {
  if (used.length === 0) return;
  yield* run`UPDATE api_tokens SET last_used_at = ${timesBy("id", used)} WHERE id ${inList(used.map(([id]) => id))}`;
}

export const removeAllOf = (userId: number): Unit<number> =>
  countChanged`DELETE FROM api_tokens WHERE user_id = ${userId}`;

export const find = (userId: number, id: number): Unit<ApiToken | null> =>
  maybe`SELECT ${TOKEN} FROM api_tokens WHERE id = ${id} AND user_id = ${userId}`;

export const remove = (userId: number, id: number): Unit<boolean> =>
  hasEffect`DELETE FROM api_tokens WHERE id = ${id} AND user_id = ${userId}`;
