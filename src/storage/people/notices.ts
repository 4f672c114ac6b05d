import type { NoticeEvent } from "../../domain/people/notice.ts";
import type { RowOf } from "../engine/rows.ts";
import { columns, countChanged, hasEffect, many, maybe, one, run, type Unit } from "../engine/unit.ts";

type Row = RowOf<"notice_targets">;

/** A target to which a user's notifications are sent. */
export interface Target extends Omit<Row, "events"> {
  events: NoticeEvent[];
}

export type WaitingNotice = RowOf<"notices", "id" | "body" | "createdAt">;

const TARGET = columns(
  "id",
  "user_id",
  "kind",
  "host",
  "sealed",
  "events",
  "created_at",
  "next_at",
  "failures",
  "last_sent_at",
  "problem",
);

const toTarget = ({ events, ...row }: Row): Target => ({ ...row, events: events.split(",") as NoticeEvent[] });

export function* addTarget(
  { userId, kind, host, sealed, events }: Pick<Target, "userId" | "kind" | "host" | "sealed" | "events">,
  now: number,
): Unit<Target> {
  return toTarget(
    yield* one<Row>`
      INSERT INTO notice_targets (user_id, kind, host, sealed, events, created_at)
      VALUES (${userId}, ${kind}, ${host}, ${sealed}, ${events.join(",")}, ${now}) RETURNING ${TARGET}`,
  );
}

export function* findTarget(userId: number, id: number): Unit<Target | null> {
  const row = yield* maybe<Row>`SELECT ${TARGET} FROM notice_targets WHERE id = ${id} AND user_id = ${userId}`;
  return row && toTarget(row);
}

export function* listTargets(userId: number): Unit<(Target & { waiting: number })[]> {
  const rows = yield* many<Row & { waiting: number }>`
    SELECT ${TARGET},
           (SELECT count(*) FROM notices WHERE target_id = notice_targets.id) AS waiting
    FROM notice_targets WHERE user_id = ${userId} ORDER BY id`;
  return rows.map(({ waiting, ...row }) => ({ ...toTarget(row), waiting }));
}

export const setEvents = (id: number, events: readonly NoticeEvent[]): Unit<void> =>
  run`UPDATE notice_targets SET events = ${events.join(",")} WHERE id = ${id}`;

export const removeTarget = (userId: number, id: number): Unit<boolean> =>
  hasEffect`DELETE FROM notice_targets WHERE id = ${id} AND user_id = ${userId}`;

/** Limits the queue of a target that does not respond. */
const MAX_QUEUED = 500;

/** Adds a notification to a target's queue. */
export const add = ({ id: targetId, userId }: Pick<Target, "id" | "userId">, body: string, now: number): Unit<void> =>
  run`
    INSERT INTO notices (user_id, target_id, body, created_at)
    SELECT CAST(${userId} AS BIGINT), CAST(${targetId} AS BIGINT), CAST(${body} AS TEXT), CAST(${now} AS BIGINT)
    WHERE (SELECT count(*) FROM notices WHERE target_id = ${targetId}) < ${MAX_QUEUED}`;

/** Targets that may be tried and have queued notifications, longest waiting first. */
export function* listDue(now: number, limit: number): Unit<Target[]> {
  const rows = yield* many<Row>`
    SELECT ${TARGET} FROM notice_targets
    WHERE next_at <= ${now} AND EXISTS (SELECT 1 FROM notices WHERE target_id = notice_targets.id)
    ORDER BY next_at, id LIMIT ${limit}`;
  return rows.map(toTarget);
}

/** Reserves the target for this process until a time. Returns false if another process was faster. */
export const claim = ({ id, nextAt }: Pick<Target, "id" | "nextAt">, until: number): Unit<boolean> =>
  hasEffect`UPDATE notice_targets SET next_at = ${until} WHERE id = ${id} AND next_at = ${nextAt}`;

export const listOldest = (targetId: number, limit: number): Unit<WaitingNotice[]> =>
  many`
    SELECT id, body, created_at AS "createdAt" FROM notices WHERE target_id = ${targetId} ORDER BY id LIMIT ${limit}`;

/** Drops notifications created before a time and returns their number. */
export const giveUp = (targetId: number, before: number): Unit<number> =>
  countChanged`DELETE FROM notices WHERE target_id = ${targetId} AND created_at < ${before}`;

/** Removes a delivered notification. */
export function* removeSent(id: number, targetId: number, now: number): Unit<void> {
  yield* run`DELETE FROM notices WHERE id = ${id}`;
  yield* run`UPDATE notice_targets SET last_sent_at = ${now}, failures = 0, problem = NULL WHERE id = ${targetId}`;
}

/** After a successful test, what is queued becomes due. */
export const makeDue = (targetId: number, now: number): Unit<void> =>
  run`
    UPDATE notice_targets SET last_sent_at = ${now}, failures = 0, problem = NULL,
      next_at = CASE WHEN problem IS NULL THEN next_at ELSE ${now} END
    WHERE id = ${targetId}`;

/** Delays the next attempt. */
export const delay = (targetId: number, until: number): Unit<void> =>
  run`UPDATE notice_targets SET next_at = ${until} WHERE id = ${targetId}`;

export const recordFailure = (targetId: number, problem: string, until: number): Unit<void> =>
  run`
    UPDATE notice_targets SET problem = ${problem}, failures = failures + 1, next_at = ${until}
    WHERE id = ${targetId}`;
