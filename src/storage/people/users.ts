import { AppError } from "../../kernel/errors.ts";
import { normaliseUsername, type Role, type User } from "../../domain/people/user.ts";
import type { RowOf } from "../engine/rows.ts";
import {
  camelCase,
  columns,
  countRows,
  EMPTY,
  exists,
  inList,
  many,
  manyValues,
  maybe,
  maybeValue,
  one,
  raw,
  run,
  sql,
  timesBy,
  type Sql,
  type Unit,
} from "../engine/unit.ts";

const COLUMNS = ["id", "username", "callsign", "email", "role", "last_seen", "created_at"];
const USER = columns(...COLUMNS);

/** The columns of a user in a statement that joins `users` as `u`. */
export const JOINED_USER: Sql = raw(COLUMNS.map((name) => `u.${name} AS "${camelCase(name)}"`).join(", "));

export type UserRow = RowOf<"users", "id" | "username" | "callsign" | "email" | "role" | "lastSeen" | "createdAt">;
type Row = UserRow;

export const toUser = (row: Row): User => ({
  id: row.id,
  username: row.username,
  callsign: row.callsign,
  email: row.email,
  role: row.role,
  isAdmin: row.role === "admin",
  lastSeen: row.lastSeen,
  createdAt: row.createdAt,
});

/** Adds a user. Returns null if the name is taken. */
export function* add(
  user: { username: string; passwordHash: string; callsign: string | null; email: string | null; role: Role },
  now: number,
): Unit<User | null> {
  const row = yield* maybe<Row>`
    INSERT INTO users (username, password_hash, callsign, email, role, created_at, recorded_since)
    VALUES (${user.username}, ${user.passwordHash}, ${user.callsign}, ${user.email}, ${user.role}, ${now}, ${now})
    ON CONFLICT DO NOTHING RETURNING ${USER}`;
  return row && toUser(row);
}

/** The owner of the contacts in a temporary database that holds a log as of a past time. */
export const addPast = (id: number): Unit<void> =>
  run`INSERT INTO users (id, username, password_hash) VALUES (${id}, ${`#${id}`}, '')`;

export function* findByName(name: string): Unit<User | null> {
  const row = yield* maybe<Row>`
    SELECT ${USER} FROM users WHERE username = ${normaliseUsername(name)} AND deleted_at IS NULL`;
  return row && toUser(row);
}

export function* getByName(name: string): Unit<User> {
  const user = yield* findByName(name);
  if (!user) throw new AppError("not_found", `There is no user ${normaliseUsername(name)}.`);
  return user;
}

export function* find(id: number): Unit<User | null> {
  const row = yield* maybe<Row>`SELECT ${USER} FROM users WHERE id = ${id} AND deleted_at IS NULL`;
  return row && toUser(row);
}

export function* get(id: number): Unit<User> {
  const user = yield* find(id);
  if (!user) throw new AppError("not_found", "There is no such user.");
  return user;
}

export function* list(): Unit<User[]> {
  const rows = yield* many<Row>`SELECT ${USER} FROM users WHERE deleted_at IS NULL ORDER BY username`;
  return rows.map(toUser);
}

/** The number of users, or of those with a role. */
export const count = (role?: Role): Unit<number> =>
  countRows`users WHERE deleted_at IS NULL ${role ? sql`AND role = ${role}` : EMPTY}`;

export function* setRole(id: number, role: Role): Unit<User> {
  return toUser(yield* one<Row>`UPDATE users SET role = ${role} WHERE id = ${id} RETURNING ${USER}`);
}

export const setPasswordHash = (id: number, hash: string): Unit<void> =>
  run`UPDATE users SET password_hash = ${hash} WHERE id = ${id}`;

/** Checks that the database can be written, without changing anything. */
export const touch = (): Unit<void> => run`UPDATE users SET log_version = log_version WHERE id = 0`;

/** Invalidates the caches of a user's log. Must run in the transaction that changes the log. */
export const raiseLogVersion = (id: number): Unit<void> =>
  run`UPDATE users SET log_version = log_version + 1 WHERE id = ${id}`;

/** The versions of several logs. */
export function* logVersions(ids: readonly number[]): Unit<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = yield* many<{ id: number; version: number }>`
    SELECT id, log_version AS version FROM users WHERE id ${inList(ids)}`;
  return new Map(rows.map(({ id, version }) => [id, version]));
}

export function* logVersion(id: number): Unit<number> {
  return (yield* maybeValue<number>`SELECT log_version FROM users WHERE id = ${id}`) ?? 0;
}

/** Since when all changes of the user's log are recorded. */
export function* getRecordedSince(userId: number): Unit<number> {
  return (yield* maybeValue<number>`SELECT recorded_since FROM users WHERE id = ${userId}`) ?? 0;
}

/** Notes that changes before a time have been removed. */
export const setRecordedSince = (userId: number, at: number): Unit<void> =>
  run`UPDATE users SET recorded_since = ${at} WHERE id = ${userId} AND recorded_since < ${at}`;

/** Stores when users were last seen, in one statement. */
export function* setLastSeen(seen: readonly (readonly [id: number, at: number])[]): Unit<void> {
  if (seen.length === 0) return;
  yield* run`UPDATE users SET last_seen = ${timesBy("id", seen)} WHERE id ${inList(seen.map(([id]) => id))}`;
}

export function* setProfile(id: number, callsign: string | null, email: string | null): Unit<User> {
  return toUser(
    yield* one<Row>`UPDATE users SET callsign = ${callsign}, email = ${email} WHERE id = ${id} RETURNING ${USER}`,
  );
}

/** Whether the user has a password. */
export const hasPassword = (id: number): Unit<boolean> => exists`users WHERE id = ${id} AND password_hash <> ''`;

/** A user with the password hash at the time of signing in. */
export interface Known {
  user: User;
  passwordHash: string;
}

export function* getKnown(id: number): Unit<Known> {
  const passwordHash = yield* maybeValue<string>`SELECT password_hash FROM users WHERE id = ${id}`;
  return { user: yield* get(id), passwordHash: passwordHash! };
}

/** Throws if the password was changed after the user was identified. */
export function* assertStillKnown({ user, passwordHash }: Known): Unit<void> {
  const isSame = yield* exists`
    users WHERE id = ${user.id} AND password_hash = ${passwordHash} AND deleted_at IS NULL`;
  if (!isSame) throw new AppError("unauthenticated", "The password was changed a moment ago. Sign in again.");
}

/** A user with the password hash, for signing in. */
export function* findForSignIn(name: string): Unit<Known | null> {
  const row = yield* maybe<Row & { passwordHash: string }>`
    SELECT ${USER}, password_hash AS "passwordHash" FROM users
    WHERE username = ${normaliseUsername(name)} AND deleted_at IS NULL`;
  return row && { user: toUser(row), passwordHash: row.passwordHash };
}

export const listAdministratorIds = (): Unit<number[]> =>
  manyValues`SELECT id FROM users WHERE role = 'admin' AND deleted_at IS NULL`;
