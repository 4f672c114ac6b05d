import { SERVICES, type Source } from "../../domain/jobs/source.ts";
import type { JobStatus } from "../../domain/jobs/sync-job.ts";
import * as qsoChanges from "../log/qso-changes.ts";
import * as users from "../people/users.ts";
import * as records from "../log/records.ts";
import type { RowOf } from "../engine/rows.ts";
import { columns, inList, many, manyValues, one, raw, sql, type Sql, type Unit } from "../engine/unit.ts";

export interface OldJob {
  id: number;
  source: Source;
  status: JobStatus;
  dryRun: number;
}

/** Jobs that ended for good before a time and still have change records. */
export const listOld = (before: number): Unit<OldJob[]> =>
  many`
    SELECT id, source, status, dry_run AS "dryRun" FROM sync_jobs
    WHERE status IN ('completed', 'cancelled') AND rolling_back_since IS NULL AND coalesce(finished_at, created_at) < ${before}
      AND (EXISTS (SELECT 1 FROM qso_changes WHERE job_id = sync_jobs.id)
           OR (dry_run = 1 AND EXISTS (SELECT 1 FROM sync_leftovers WHERE job_id = sync_jobs.id)))
    ORDER BY id`;

/** Jobs that can be rolled back, now or later, whatever their age. */
export const listReversible = (): Unit<number[]> =>
  manyValues`
    SELECT id FROM sync_jobs
    WHERE status IN ('pending', 'running', 'failed')
       OR (status = 'completed' AND NOT source ${inList(SERVICES)} AND dry_run = 0 AND pruned_at IS NULL)`;

/**
 * Jobs that lose changes if one of these is rolled back: they changed a contact that it added, or are of the same
 * service. That rollback needs to know where they began.
 */
export const listBuiltOn = (jobIds: readonly number[]): Unit<number[]> =>
  manyValues`
    SELECT DISTINCT later.job_id AS id
    FROM qso_changes earlier JOIN qso_changes later ON later.qso_id = earlier.qso_id AND later.id > earlier.id
    JOIN sync_jobs a ON a.id = earlier.job_id JOIN sync_jobs b ON b.id = later.job_id
    WHERE earlier.job_id ${inList(jobIds)} AND later.job_id <> earlier.job_id
      AND (earlier.change_type = 'added' OR (a.source = b.source AND a.source ${inList(SERVICES)}))`;

/**
 * Jobs that were rolled back after one of these had changed the same contacts. Their values must not return with a
 * rollback of that one.
 */
export const listTakenBackBefore = (jobIds: readonly number[]): Unit<number[]> =>
  manyValues`
    SELECT DISTINCT earlier.job_id AS id
    FROM qso_changes later JOIN qso_changes earlier ON earlier.qso_id = later.qso_id AND earlier.id < later.id
    JOIN sync_jobs job ON job.id = earlier.job_id
    WHERE later.job_id ${inList(jobIds)} AND job.status = 'cancelled'`;

/** Marks jobs as pruned before their records are removed. Returns those whose rollback has not begun since. */
export function* mark(jobIds: readonly number[], now: number): Unit<number[]> {
  const marked = yield* manyValues<number>`
    UPDATE sync_jobs SET pruned_at = coalesce(pruned_at, ${now})
    WHERE id ${inList(jobIds)} AND status IN ('completed', 'cancelled') AND rolling_back_since IS NULL RETURNING id`;
  const ends = yield* many<{ userId: number; at: number }>`
    SELECT user_id AS "userId", max(coalesce(finished_at, created_at)) AS at FROM sync_jobs
    WHERE id ${inList(marked)} AND dry_run = 0 GROUP BY user_id`;
  for (const { userId, at } of ends) yield* users.setRecordedSince(userId, at);
  return marked;
}

export interface Removed {
  rows: number;
  bytes: number;
}

const CHANGE_BYTES = raw("coalesce(length(before_data), 0) + coalesce(length(after_data), 0)");

/** The size of rows, without indexes. */
const measure = (bytes: Sql, rows: Sql): Unit<Removed> =>
  one`SELECT count(*) AS rows, CAST(coalesce(sum(${bytes}), 0) AS BIGINT) AS bytes ${rows}`;

export const measureChanges = (jobId: number): Unit<Removed> =>
  measure(CHANGE_BYTES, sql`FROM qso_changes WHERE job_id = ${jobId}`);

export const measureLeftovers = (jobId: number): Unit<Removed> =>
  measure(raw("length(record)"), sql`FROM sync_leftovers WHERE job_id = ${jobId}`);

/** The size of changes that edits and rollbacks made before a time. */
export const measurePasts = (before: number): Unit<Removed> =>
  measure(CHANGE_BYTES, sql`FROM qso_changes WHERE job_id IS NULL AND created_at < ${before}`);

/** Removes a slice of a job's change records, newest first. All changes that the job made to a contact go together. */
export function* removeChanges(jobId: number, most: number): Unit<Removed> {
  const qsoIds = yield* manyValues<number>`
    SELECT qso_id FROM qso_changes WHERE job_id = ${jobId} ORDER BY id DESC LIMIT ${most}`;
  const going = yield* many<RowOf<"qso_changes", "id" | "qsoId">>`
    SELECT ${columns("id", "qso_id")} FROM qso_changes
    WHERE qso_id ${inList(qsoIds)} AND job_id + 0 = ${jobId}`;
  return yield* removeThem(going);
}

/** Removes changes, and the records of their contacts that nothing else needs. */
function* removeThem(going: readonly RowOf<"qso_changes", "id" | "qsoId">[]): Unit<Removed> {
  const ids = going.map(({ id }) => id);
  const qsoIds = [...new Set(going.map(({ qsoId }) => qsoId))];
  const removed = sumRows(
    yield* many<{ bytes: number }>`
      DELETE FROM qso_changes WHERE id ${inList(ids)} RETURNING CAST(${CHANGE_BYTES} AS BIGINT) AS bytes`,
  );
  yield* records.markIdle(qsoIds);
  const forgotten = yield* records.forget(qsoIds, yield* qsoChanges.listNamedRecords(qsoIds));
  return { ...removed, bytes: removed.bytes + forgotten };
}

/** Removes a slice of the unmatched records of a dry run. */
export function* removeLeftovers(jobId: number, most: number): Unit<Removed> {
  const rows = yield* many<{ bytes: number }>`
    DELETE FROM sync_leftovers
    WHERE id IN (SELECT id FROM sync_leftovers WHERE job_id = ${jobId} ORDER BY id LIMIT ${most})
    RETURNING CAST(length(record) AS BIGINT) AS bytes`;
  return sumRows(rows);
}

/**
 * Removes a slice of the changes that edits and rollbacks made before a time, oldest first, and notes that the logs are
 * recorded only since then.
 */
export function* removePasts(before: number, most: number): Unit<Removed> {
  const going = yield* many<RowOf<"qso_changes", "id" | "userId" | "qsoId" | "createdAt">>`
    SELECT ${columns("id", "user_id", "qso_id", "created_at")} FROM qso_changes
    WHERE job_id IS NULL AND created_at < ${before} ORDER BY id LIMIT ${most}`;
  const removed = yield* removeThem(going);
  for (const [userId, ofUser] of Map.groupBy(going, (row) => row.userId)) {
    yield* users.setRecordedSince(userId, Math.max(...ofUser.map(({ createdAt }) => createdAt)));
  }
  return removed;
}

const sumRows = (rows: readonly { bytes: number }[]): Removed => ({
  rows: rows.length,
  bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
});
