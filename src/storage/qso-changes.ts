import type { Derived } from "../domain/qso.ts";
import { snapshotColumns, unpackSnapshot, type Snapshot } from "./qsos.ts";
import { columns, inList, insertMany, many, one, type Unit } from "./unit.ts";

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

/** Whether a job made more changes than so many; no more of them are counted. */
export function* isMoreThan(jobId: number, most: number): Unit<boolean> {
  const { n } = yield* one<{ n: number }>`
    SELECT CAST(count(*) AS BIGINT) AS n
    FROM (SELECT 1 FROM qso_changes WHERE job_id = ${jobId} LIMIT ${most + 1}) AS counted`;
  return n > most;
}

/** The ids of the first change a job made to each contact. */
export function* firstOfEach(jobId: number): Unit<number[]> {
  const rows = yield* many<{ id: number }>`
    SELECT min(id) AS id FROM qso_changes WHERE job_id = ${jobId} GROUP BY qso_id ORDER BY 1`;
  return rows.map(({ id }) => id);
}

/** The columns that contacts had before these changes; one that a change added had none. */
export function* columnsBefore(ids: readonly number[]): Unit<Derived[]> {
  const rows = yield* many<{ before: Uint8Array }>`
    SELECT before_data AS before FROM qso_changes WHERE id ${inList(ids)} AND before_data IS NOT NULL`;
  return rows.map(({ before }) => snapshotColumns(before));
}
