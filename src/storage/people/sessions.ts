import type { User } from "../../domain/people/user.ts";
import { HAS_FACTOR } from "./factors.ts";
import type { RowOf } from "../engine/rows.ts";
import {
  columns,
  countChanged,
  exists,
  hasEffect,
  inList,
  many,
  maybe,
  run,
  timesBy,
  type Unit,
} from "../engine/unit.ts";
import { JOINED_USER, toUser, type UserRow } from "./users.ts";

/** A sign-in. A session with a parent is an administrator impersonating another user; it ends with its parent. */
export type Session = Omit<RowOf<"sessions">, "begunBy" | "confirmedAt" | "factorAt">;

/** What started the session instead of a password. */
export type Voucher = NonNullable<RowOf<"sessions">["begunBy"]>;

/** A session to insert. */
export interface NewSession extends Session {
  begunBy: Voucher | null;
  confirmedAt: number;
  /** When the user gave the second factor; null if the user has none. */
  factorAt: number | null;
}

const SESSION = columns(
  "id",
  "user_id",
  "parent_id",
  "created_at",
  "expires_at",
  "last_used_at",
  "address",
  "user_agent",
);

export const add = (session: NewSession): Unit<void> =>
  run`
    INSERT INTO sessions (id, user_id, parent_id, created_at, expires_at, last_used_at, address, user_agent, begun_by,
                          confirmed_at, factor_at)
    VALUES (${session.id}, ${session.userId}, ${session.parentId}, ${session.createdAt}, ${session.expiresAt},
            ${session.lastUsedAt}, ${session.address}, ${session.userAgent}, ${session.begunBy},
            ${session.confirmedAt}, ${session.factorAt})`;

interface FoundRow extends UserRow {
  parentId: string | null;
  expiresAt: number;
  sessionCreatedAt: number;
  confirmedAt: number | null;
  factorAt: number | null;
  hasFactor: number;
  begunBy: Voucher | null;
}

export interface FoundSession {
  user: User;
  parentId: string | null;
  createdAt: number;
  expiresAt: number;
  /** When the user last gave the password or the second factor. */
  confirmedAt: number;
  /** When the user last gave the second factor. */
  factorAt: number | null;
  /** Whether the user has a second factor now. */
  hasFactor: boolean;
  begunBy: Voucher | null;
}

/** A session with the current state of its user; null if either is gone. */
export function* findWithUser(id: string): Unit<FoundSession | null> {
  const row = yield* maybe<FoundRow>`
    SELECT ${JOINED_USER}, s.parent_id AS "parentId", s.expires_at AS "expiresAt", s.created_at AS "sessionCreatedAt",
           s.confirmed_at AS "confirmedAt", s.begun_by AS "begunBy", s.factor_at AS "factorAt",
           ${HAS_FACTOR} AS "hasFactor"
    FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = ${id} AND u.deleted_at IS NULL`;
  if (!row) return null;
  const { parentId, sessionCreatedAt: createdAt, expiresAt, begunBy, factorAt } = row;
  const confirmedAt = row.confirmedAt ?? createdAt;
  const hasFactor = row.hasFactor === 1;
  return { user: toUser(row), parentId, createdAt, expiresAt, confirmedAt, begunBy, factorAt, hasFactor };
}

export const isThere = (id: string): Unit<boolean> => exists`sessions WHERE id = ${id}`;

/** The user's own sessions, newest first. */
export const listOf = (userId: number): Unit<Session[]> =>
  many`
    SELECT ${SESSION} FROM sessions WHERE user_id = ${userId} AND parent_id IS NULL ORDER BY last_used_at DESC, id`;

export const prolong = (id: string, expiresAt: number, now: number): Unit<void> =>
  run`UPDATE sessions SET expires_at = ${expiresAt}, last_used_at = ${now} WHERE id = ${id}`;

export const confirm = (id: string, now: number): Unit<void> =>
  run`UPDATE sessions SET confirmed_at = ${now} WHERE id = ${id}`;

/** Confirms the session with the second factor, which is stronger than the password. */
export const confirmByFactor = (id: string, now: number): Unit<void> =>
  run`UPDATE sessions SET confirmed_at = ${now}, factor_at = ${now} WHERE id = ${id}`;

export function* setLastUsed(used: readonly (readonly [id: string, at: number])[]): Unit<void> {
  if (used.length === 0) return;
  yield* run`UPDATE sessions SET last_used_at = ${timesBy("id", used)} WHERE id ${inList(used.map(([id]) => id))}`;
}

/** Returns false if this user has no such session. */
export const end = (userId: number, id: string): Unit<boolean> =>
  hasEffect`DELETE FROM sessions WHERE id = ${id} AND user_id = ${userId}`;

export const endAllOf = (userId: number, exceptId: string | null = null): Unit<void> =>
  run`DELETE FROM sessions WHERE user_id = ${userId} AND id <> ${exceptId ?? ""}`;

/** Ends the user's sessions that were started this way. */
export const endBegunBy = (userId: number, voucher: Voucher, exceptId: string | null): Unit<void> =>
  run`
    DELETE FROM sessions WHERE user_id = ${userId} AND begun_by = ${voucher} AND id <> ${exceptId ?? ""}`;

/** Ends impersonations of this user and by this user. */
export function* endImpersonationsOf(userId: number): Unit<void> {
  yield* run`DELETE FROM sessions WHERE parent_id IS NOT NULL AND user_id = ${userId}`;
  yield* run`DELETE FROM sessions WHERE parent_id IN (SELECT id FROM sessions WHERE user_id = ${userId})`;
}

export const removeExpired = (now: number): Unit<number> =>
  countChanged`DELETE FROM sessions WHERE expires_at < ${now}`;
