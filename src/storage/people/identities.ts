import type { User } from "../../domain/people/user.ts";
import type { RowOf } from "../engine/rows.ts";
import { columns, countChanged, hasEffect, many, maybe, run, type Unit } from "../engine/unit.ts";
import { JOINED_USER, toUser, type UserRow } from "./users.ts";

/** An account at an identity provider that a user signs in with. */
export type Identity = RowOf<"identities", "id" | "issuer" | "subject" | "label" | "createdAt" | "lastUsedAt">;

type Named = Pick<Identity, "issuer" | "subject">;

const IDENTITY = columns("id", "issuer", "subject", "label", "created_at", "last_used_at");

interface FoundRow extends UserRow {
  identityId: number;
  gaveRole: number;
}

export interface FoundIdentity {
  id: number;
  user: User;
  /** Whether a group at the provider made the user an administrator. */
  gaveRole: boolean;
}

/** The user of the account, or null. */
export function* find({ issuer, subject }: Named): Unit<FoundIdentity | null> {
  const row = yield* maybe<FoundRow>`
    SELECT ${JOINED_USER}, i.id AS "identityId", i.gave_role AS "gaveRole"
    FROM identities i JOIN users u ON u.id = i.user_id
    WHERE i.issuer = ${issuer} AND i.subject = ${subject} AND u.deleted_at IS NULL`;
  return row && { id: row.identityId, user: toUser(row), gaveRole: row.gaveRole === 1 };
}

/** Returns false if the account belongs to a user already. */
export const add = (userId: number, { issuer, subject }: Named, label: string | null, now: number): Unit<boolean> =>
  hasEffect`
    INSERT INTO identities (user_id, issuer, subject, label, created_at)
    VALUES (${userId}, ${issuer}, ${subject}, ${label}, ${now}) ON CONFLICT DO NOTHING`;

export const listOf = (userId: number): Unit<Identity[]> =>
  many`SELECT ${IDENTITY} FROM identities WHERE user_id = ${userId} ORDER BY id`;

export const setUsed = (id: number, label: string | null, now: number): Unit<void> =>
  run`UPDATE identities SET last_used_at = ${now}, label = ${label} WHERE id = ${id}`;

export const setGaveRole = (id: number, gaveRole: boolean): Unit<void> =>
  run`UPDATE identities SET gave_role = ${gaveRole ? 1 : 0} WHERE id = ${id}`;

/** Returns false if this user has no such account. */
export const remove = (userId: number, id: number): Unit<boolean> =>
  hasEffect`DELETE FROM identities WHERE id = ${id} AND user_id = ${userId}`;

export const removeAllOf = (userId: number): Unit<number> =>
  countChanged`DELETE FROM identities WHERE user_id = ${userId}`;
