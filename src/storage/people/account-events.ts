import type { AccountEvent, AccountEventName, RequestOrigin } from "../../domain/people/account-event.ts";
import { redactShapes } from "../../kernel/redact.ts";
import { DAY } from "../../kernel/clock.ts";
import { exists, many, manyValues, run, sql, where, type Unit } from "../engine/unit.ts";

const KEPT = 365 * DAY;
const MAX_USER_AGENT_LENGTH = 200;

/** Records an event of an account and removes events older than a year. */
export function* record(
  userId: number,
  at: number,
  event: AccountEventName,
  { by = null, address = null, userAgent = null, details = {} }: RequestOrigin = {},
): Unit<void> {
  yield* run`
    INSERT INTO account_events (user_id, at, event, by_name, address, user_agent, details)
    VALUES (${userId}, ${at}, ${event}, ${by}, ${address}, ${userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null},
            ${redactShapes(JSON.stringify(details))})`;
  yield* run`DELETE FROM account_events WHERE user_id = ${userId} AND at < ${at - KEPT}`;
}

/** Newest first. */
export function* list(
  userId: number,
  { beforeId, limit }: { beforeId?: number | undefined; limit: number },
): Unit<AccountEvent[]> {
  const conditions = [sql`user_id = ${userId}`, beforeId === undefined ? null : sql`id < ${beforeId}`];
  const rows = yield* many<Omit<AccountEvent, "details"> & { details: string }>`
    SELECT id, at, event, by_name AS by, address, user_agent AS "userAgent", details
    FROM account_events ${where(conditions)} ORDER BY id DESC LIMIT ${limit}`;
  return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }));
}

/** The addresses from which the user signed in since then. */
export function* listSignInAddresses(userId: number, since: number): Unit<string[]> {
  return yield* manyValues<string>`
    SELECT DISTINCT address FROM account_events
    WHERE user_id = ${userId} AND event = 'sign_in' AND at >= ${since} AND address IS NOT NULL`;
}

/** Whether the same event was recorded since then. */
export const isNoted = (
  userId: number,
  since: number,
  event: AccountEventName,
  { by = null, details = {} }: RequestOrigin,
): Unit<boolean> =>
  exists`account_events WHERE user_id = ${userId} AND at >= ${since} AND event = ${event}
           AND by_name = ${by} AND details = ${JSON.stringify(details)}`;
