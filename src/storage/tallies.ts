import { DAY } from "../domain/clock.ts";
import { LogTally, monthName, type AlikeContacts, type TallyRow } from "../domain/log-tally.ts";
import type { Qso } from "../domain/qso.ts";
import type { Snapshot } from "./qsos.ts";
import { EMPTY, forUser, insertMany, many, maybe, one, run, sql, tableOf, type Sql, type Unit } from "./unit.ts";

/** What a log comes to, and the version of the log that it is of. */
export interface VersionedTally {
  version: number;
  rows: readonly TallyRow[];
}

/**
 * What people see of what is kept of a log, and of its months those since a moment; null where it is of another version,
 * or nothing is. There are thousands of months, and few are asked for.
 */
export function* find(userId: number, since = 0): Unit<VersionedTally | null> {
  const version = yield* keptVersion(userId);
  if (version === null) return null;
  const rows = yield* many<TallyRow>`
    SELECT kind, name, contacts, confirmed FROM log_tallies WHERE user_id = ${userId} AND kind < 'month'
    UNION ALL
    SELECT kind, name, contacts, confirmed FROM log_tallies WHERE user_id = ${userId} AND kind > 'month'
    UNION ALL
    SELECT kind, name, contacts, confirmed FROM log_tallies
    WHERE user_id = ${userId} AND kind = 'month' AND name >= ${monthName(since, "")}`;
  return { version, rows };
}

/** All that is kept of a log. */
export function* whole(userId: number): Unit<VersionedTally | null> {
  const version = yield* keptVersion(userId);
  if (version === null) return null;
  const rows = yield* many<TallyRow>`
    SELECT kind, name, contacts, confirmed FROM log_tallies WHERE user_id = ${userId}`;
  return { version, rows };
}

/** The years of a log and how many contacts each has, of what is kept. */
export function* years(userId: number): Unit<{ year: number; contacts: number }[]> {
  const rows = yield* many<{ name: string; contacts: number }>`
    SELECT name, contacts FROM log_tallies WHERE user_id = ${userId} AND kind = 'year' AND contacts > 0`;
  return rows.map(({ name, contacts }) => ({ year: Number(name), contacts }));
}

/** How many contacts there are; null where nothing is kept of the log as it is. */
export function* total(userId: number): Unit<number | null> {
  if ((yield* keptVersion(userId)) === null) return null;
  const { n } = yield* one<{ n: number }>`
    SELECT CAST(coalesce(sum(contacts), 0) AS BIGINT) AS n FROM log_tallies WHERE user_id = ${userId} AND kind = 'year'`;
  return n;
}

/** The version of the log, where what is kept is of that version. */
export function* keptVersion(userId: number): Unit<number | null> {
  const row = yield* maybe<{ version: number }>`
    SELECT log_version AS version FROM users WHERE id = ${userId} AND tallied_version = log_version`;
  return row?.version ?? null;
}

/** Keeps what was counted, unless the log has changed since. */
export function* keep(userId: number, { version, rows }: VersionedTally): Unit<void> {
  yield* forUser(userId);
  const current = yield* run`
    UPDATE users SET tallied_version = ${version} WHERE id = ${userId} AND log_version = ${version}`;
  if (current === 0) return;
  yield* clear(userId);
  yield* add(userId, rows);
}

function* clear(userId: number): Unit<void> {
  yield* run`DELETE FROM log_tallies WHERE user_id = ${userId}`;
  yield* run`DELETE FROM log_columns WHERE user_id = ${userId}`;
  yield* run`DELETE FROM log_years WHERE user_id = ${userId}`;
}

/** What is kept is counted anew when it is asked for next, of one user or of everybody. */
export function* forget(userId?: number): Unit<void> {
  yield* run`UPDATE users SET tallied_version = NULL ${userId === undefined ? EMPTY : sql`WHERE id = ${userId}`}`;
}

const isSame = (a: readonly TallyRow[], b: readonly TallyRow[]): boolean => {
  const difference = new LogTally(a);
  for (const { kind, name, contacts, confirmed } of b) difference.add(kind, name, -contacts, -confirmed);
  return difference.rows.length === 0;
};

/** Users whose log comes to something else than what is kept of it. */
export function* listWrong(): Unit<{ username: string }[]> {
  const users = yield* many<{ id: number; username: string }>`
    SELECT id, username FROM users WHERE tallied_version = log_version ORDER BY id`;
  const wrong: { username: string }[] = [];
  for (const { id, username } of users) {
    const [kept, counted] = [yield* whole(id), yield* count(id)];
    if (!isSame(kept!.rows, counted.rows)) wrong.push({ username });
  }
  return wrong;
}

function* add(userId: number, rows: readonly TallyRow[]): Unit<void> {
  yield* insertMany(
    "log_tallies",
    ["user_id", "kind", "name", "contacts", "confirmed"],
    rows.map(({ kind, name, contacts, confirmed }) => [userId, kind, name, contacts, confirmed]),
    `ON CONFLICT (user_id, kind, name) DO UPDATE SET contacts = log_tallies.contacts + excluded.contacts,
                                                     confirmed = log_tallies.confirmed + excluded.confirmed`,
  );
}

/** A contact as it was, and as it will be; null where there is none. */
export interface ContactChange {
  before: Snapshot | Qso | null;
  after: Snapshot | Qso | null;
}

/** What a change adds to what is kept of a log. */
export interface ChangedTally {
  rows: readonly TallyRow[];
  /** The callsigns that come, and those that go, where that is for the log to say. */
  came: readonly string[];
  went: readonly string[];
}

export const tallyOf = (changes: readonly ContactChange[]): ChangedTally => {
  const tally = new LogTally();
  const [came, went] = [new Set<string>(), new Set<string>()];
  for (const { before, after } of changes) {
    if (before) tally.addContact(before, -1);
    if (after) tally.addContact(after, 1);
    if (before?.call === after?.call) continue;
    if (before) went.add(before.call);
    if (after) came.add(after.call);
  }
  return { rows: tally.rows, came: [...came], went: [...went] };
};

/** Does what changes contacts, and brings what is kept of their log up to date with it, in time that grows with the change. */
export function* during<T>(userId: number, { rows, came, went }: ChangedTally, write: () => Unit<T>): Unit<T> {
  if ((yield* keptVersion(userId)) === null && !(yield* begin(userId))) return yield* write();
  const known = yield* callsIn(userId, came);
  const result = yield* write();
  const left = yield* callsIn(userId, went);
  const callsigns = came.length - known - (went.length - left);
  const more: TallyRow[] = callsigns === 0 ? [] : [{ kind: "callsigns", name: "", contacts: callsigns, confirmed: 0 }];
  yield* add(userId, [...rows, ...more]);
  return result;
}

/** An empty log comes to nothing, which needs no counting. */
function* begin(userId: number): Unit<boolean> {
  const isEmpty = (yield* maybe`SELECT id FROM qsos WHERE user_id = ${userId} LIMIT 1`) === null;
  if (!isEmpty) return false;
  yield* clear(userId);
  yield* run`UPDATE users SET tallied_version = log_version WHERE id = ${userId}`;
  return true;
}

/** How many of these callsigns a log has: one look into the index for each, however often it was worked. */
function* callsIn(userId: number, calls: readonly string[]): Unit<number> {
  if (calls.length === 0) return 0;
  const { n } = yield* one<{ n: number }>`
    SELECT CAST(count(*) AS BIGINT) AS n FROM ${tableOf({ wanted_call: calls })} AS wanted
    WHERE EXISTS (SELECT 1 FROM qsos WHERE qsos.user_id = ${userId} AND qsos.call = wanted_call)`;
  return n;
}

/** Everything about a log, counted anew. */
export function* count(userId: number): Unit<VersionedTally> {
  const { version } = yield* one<{ version: number }>`SELECT log_version AS version FROM users WHERE id = ${userId}`;
  const tally = yield* countContacts(sql`user_id = ${userId}`);
  const entities = yield* many<{ dxcc: number | null; contacts: number }>`
    SELECT dxcc, CAST(count(*) AS BIGINT) AS contacts FROM qsos WHERE user_id = ${userId} GROUP BY dxcc`;
  for (const { dxcc, contacts } of entities) tally.add("entity", String(dxcc ?? ""), contacts);
  const days = yield* many<{ band: string; day: number; contacts: number }>`
    SELECT band, started_at / ${DAY} AS day, CAST(count(*) AS BIGINT) AS contacts FROM qsos
    WHERE user_id = ${userId} AND band IS NOT NULL GROUP BY 1, 2`;
  for (const { band, day, contacts } of days) tally.add("month", monthName(day * DAY, band), contacts);
  return { version, rows: tally.rows };
}

type Counted = Pick<AlikeContacts, "mode" | "submode" | "modeGroup" | "band" | "year" | "contacts"> &
  Record<"first" | "second" | "card", number>;

/**
 * The contacts of a log that a condition takes, without their months and entities. Everything is counted in covering indexes: the
 * groups stream out of one in its own order, and each distinct count has a statement of its own, because several in one
 * would sort the log.
 */
export function* countContacts(mine: Sql): Unit<LogTally> {
  const groups = yield* many<Counted>`
    SELECT mode, submode, mode_group AS "modeGroup", band, year, first_confirmed AS first,
           second_confirmed AS second, card_confirmed AS card, CAST(count(*) AS BIGINT) AS contacts
    FROM qsos WHERE ${mine}
    GROUP BY mode, submode, mode_group, band, year, first_confirmed, second_confirmed, card_confirmed`;
  const { callsigns } = yield* one<{ callsigns: number }>`
    SELECT CAST(count(*) AS BIGINT) AS callsigns FROM (SELECT DISTINCT call FROM qsos WHERE ${mine}) AS calls`;
  const tally = new LogTally();
  for (const { first, second, card, contacts, ...of } of groups) {
    const flags = { firstConfirmed: first === 1, secondConfirmed: second === 1, cardConfirmed: card === 1 };
    tally.addAlike({ ...of, ...flags, contacts });
  }
  tally.add("callsigns", "", callsigns);
  return tally;
}
