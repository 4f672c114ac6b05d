import { unpackSnapshot, type Snapshot } from "./qsos.ts";
import { columns, insertMany, many, one, type Unit } from "./unit.ts";

/** Snapshots as `packSnapshot` packs them. */
export interface NewChange {
  qsoId: number;
  before: Uint8Array | null;
  after: Uint8Array;
}

export interface Change {
  id: number;
  jobId: number;
  qsoId: number;
  kind: "added" | "updated";
  before: Snapshot | null;
  after: Snapshot;
}

interface Row {
  id: number;
  jobId: number;
  qsoId: number;
  changeType: Change["kind"];
  beforeData: Uint8Array | null;
  afterData: Uint8Array;
}

const CHANGE = columns("id", "job_id", "qso_id", "change_type", "before_data", "after_data");

const changeOf = (row: Row): Change => ({
  id: row.id,
  jobId: row.jobId,
  qsoId: row.qsoId,
  kind: row.changeType,
  before: row.beforeData === null ? null : unpackSnapshot(row.beforeData),
  after: unpackSnapshot(row.afterData),
});

/** Keeps what a job changed, in the transaction that changes it. */
export function* addMany(jobId: number, changes: readonly NewChange[], now: number): Unit<void> {
  yield* insertMany(
    "qso_changes",
    ["job_id", "qso_id", "change_type", "before_data", "after_data", "created_at"],
    changes.map(({ qsoId, before, after }) => [
      jobId,
      qsoId,
      before === null ? "added" : "updated",
      before,
      after,
      now,
    ]),
  );
}

/** Oldest first, from after an id. */
export function* list(jobId: number, afterId: number, limit: number): Unit<Change[]> {
  const rows = yield* many<Row>`
    SELECT ${CHANGE} FROM qso_changes WHERE job_id = ${jobId} AND id > ${afterId} ORDER BY id LIMIT ${limit}`;
  return rows.map(changeOf);
}

/** Newest first, from before an id. */
export function* listBackwards(jobId: number, beforeId: number, limit: number): Unit<Change[]> {
  const rows = yield* many<Row>`
    SELECT ${CHANGE} FROM qso_changes WHERE job_id = ${jobId} AND id < ${beforeId} ORDER BY id DESC LIMIT ${limit}`;
  return rows.map(changeOf);
}

export function* count(jobId: number): Unit<number> {
  return (yield* one<{ n: number }>`SELECT CAST(count(*) AS BIGINT) AS n FROM qso_changes WHERE job_id = ${jobId}`).n;
}

/** The other jobs that changed a contact after this change. */
export function* jobsAfter(qsoId: number, changeId: number, jobId: number): Unit<number[]> {
  const rows = yield* many<{ jobId: number }>`
    SELECT DISTINCT job_id AS "jobId" FROM qso_changes
    WHERE qso_id = ${qsoId} AND id > ${changeId} AND job_id <> ${jobId}`;
  return rows.map(({ jobId: id }) => id);
}
