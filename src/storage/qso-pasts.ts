import * as qsoChanges from "./qso-changes.ts";
import { packSnapshot, snapshotColumns, snapshotOfState, unpackSnapshot, type Columns, type Snapshot } from "./qsos.ts";
import type { RowOf } from "./rows.ts";
import { inList, insertMany, many, maybe, run, type Unit } from "./unit.ts";

/** What changes contacts and is no job. */
export type Cause = "hand" | "rollback";

export interface NewPast {
  qsoId: number;
  /** Null where it was not in the log. */
  before: Snapshot | null;
  /** Whether it is no longer in the log. */
  went: boolean;
}

/** Keeps what contacts were, in the transaction that changes them. */
export function* addMany(userId: number, cause: Cause, pasts: readonly NewPast[], now: number): Unit<void> {
  const known = yield* many<RowOf<"qso_changes", "qsoId" | "id">>`
    SELECT qso_id AS "qsoId", max(id) AS id FROM qso_changes
    WHERE qso_id ${inList(pasts.map(({ qsoId }) => qsoId))} GROUP BY qso_id`;
  const newest = new Map(known.map(({ qsoId, id }) => [qsoId, id]));
  yield* insertMany(
    "qso_pasts",
    ["user_id", "qso_id", "at", "cause", "after_change", "went", "before_data"],
    pasts.map(({ qsoId, before, went }) => [
      userId,
      qsoId,
      now,
      cause,
      newest.get(qsoId) ?? 0,
      went ? 1 : 0,
      before && packSnapshot(before),
    ]),
  );
}

/** Since when everything that changes a log is recorded. */
export function* recordedSince(userId: number): Unit<number> {
  const row = yield* maybe<{ since: number }>`SELECT recorded_since AS since FROM users WHERE id = ${userId}`;
  return row?.since ?? 0;
}

/** What was recorded before a moment is gone from now on. */
export function* beginAt(userId: number, at: number): Unit<void> {
  yield* run`UPDATE users SET recorded_since = ${at} WHERE id = ${userId} AND recorded_since < ${at}`;
}

/**
 * What contacts were at a moment, of those that have changed since; null where one was not in the log. The oldest change
 * after the moment says it.
 */
export function* findAt(qsoIds: readonly number[], at: number): Unit<Map<number, Snapshot | null>> {
  const byJobs = yield* many<RowOf<"qso_changes", "qsoId" | "id">>`
    SELECT qso_id AS "qsoId", min(id) AS id FROM qso_changes
    WHERE qso_id ${inList(qsoIds)} AND created_at > ${at} GROUP BY qso_id`;
  const byOthers = yield* many<RowOf<"qso_pasts", "qsoId" | "id" | "afterChange">>`
    SELECT p.qso_id AS "qsoId", p.id, p.after_change AS "afterChange" FROM qso_pasts p
    JOIN (SELECT min(id) AS id FROM qso_pasts WHERE qso_id ${inList(qsoIds)} AND at > ${at} GROUP BY qso_id) AS oldest
      ON oldest.id = p.id`;
  const others = new Map(byOthers.map((one) => [one.qsoId, one]));
  const changes = byJobs.filter(({ qsoId, id }) => !others.has(qsoId) || id <= others.get(qsoId)!.afterChange);
  for (const { qsoId } of changes) others.delete(qsoId);
  const rows = yield* many<BeforeRow>`
    SELECT qso_id AS "qsoId", before_data AS before FROM qso_pasts
    WHERE id ${inList([...others.values()].map(({ id }) => id))}`;
  const states = yield* qsoChanges.statesBefore(changes.map(({ id }) => id));
  return new Map([
    ...[...states].map(([id, before]) => [id, before && snapshotOfState(before)] as const),
    ...rows.map(({ qsoId, before }) => [qsoId, before && unpackSnapshot(before)] as const),
  ]);
}

interface BeforeRow {
  qsoId: number;
  before: Uint8Array | null;
}

/** The contacts that left a log after a moment, whether or not they came back. */
export function* listGone(userId: number, at: number): Unit<number[]> {
  const rows = yield* many<RowOf<"qso_pasts", "qsoId">>`
    SELECT qso_id AS "qsoId" FROM qso_pasts WHERE user_id = ${userId} AND at > ${at} AND went = 1
    UNION
    SELECT c.qso_id FROM sync_jobs j JOIN qso_changes c ON c.job_id = j.id
    WHERE j.user_id = ${userId} AND coalesce(j.finished_at, ${at + 1}) > ${at}
      AND c.created_at > ${at} AND length(c.after_data) = 0`;
  return rows.map(({ qsoId }) => qsoId);
}

/** What something that is no job did to a contact. */
export interface OtherPassage {
  cause: Cause;
  at: number;
  /** The newest change of a job by then. */
  afterChange: number;
  before: Columns | null;
}

/** The same of one contact, newest first. */
export function* listOf(qsoId: number, most: number): Unit<OtherPassage[]> {
  const rows = yield* many<Omit<OtherPassage, "before"> & { before: Uint8Array | null }>`
    SELECT cause, at, after_change AS "afterChange", before_data AS before FROM qso_pasts
    WHERE qso_id = ${qsoId} ORDER BY id DESC LIMIT ${most}`;
  return rows.map((row) => ({ ...row, before: row.before && snapshotColumns(row.before) }));
}
