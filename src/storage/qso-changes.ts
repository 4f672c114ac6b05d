import type { Derived } from "../domain/qso.ts";
import type { Source } from "../domain/source.ts";
import type { ChangeKind, JobStatus } from "../domain/sync-job.ts";
import { snapshotColumns, unpackSnapshot, type Snapshot } from "./qsos.ts";
import { columns, EMPTY, inList, insertMany, many, one, run, sql, type Unit } from "./unit.ts";

/** Snapshots as `packSnapshot` packs them. */
export interface NewChange {
  qsoId: number;
  before: Uint8Array | null;
  /** Null where the contact went. */
  after: Uint8Array | null;
}

export interface Change {
  id: number;
  jobId: number;
  qsoId: number;
  kind: ChangeKind;
  before: Snapshot | null;
  after: Snapshot | null;
}

interface Row {
  id: number;
  jobId: number;
  qsoId: number;
  changeType: "added" | "updated";
  beforeData: Uint8Array | null;
  afterData: Uint8Array;
}

const CHANGE = columns("id", "job_id", "qso_id", "change_type", "before_data", "after_data");

const changeOf = (row: Row): Change => ({
  id: row.id,
  jobId: row.jobId,
  qsoId: row.qsoId,
  kind: isGone(row.afterData) ? "deleted" : row.changeType,
  before: row.beforeData === null ? null : unpackSnapshot(row.beforeData),
  after: isGone(row.afterData) ? null : unpackSnapshot(row.afterData),
});

/** Nothing is left of a contact that went. */
const GONE = new Uint8Array();

const isGone = (after: Uint8Array): boolean => after.length === 0;

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
      after ?? GONE,
      now,
    ]),
  );
}

/** What a job did to these contacts is another's from now on. */
export function* handOver(jobId: number, toJobId: number, qsoIds: readonly number[]): Unit<void> {
  yield* run`UPDATE qso_changes SET job_id = ${toJobId} WHERE qso_id ${inList(qsoIds)} AND job_id + 0 = ${jobId}`;
}

/** Oldest first, from after an id. */
export function* list(jobId: number, afterId: number, limit: number): Unit<Change[]> {
  const rows = yield* many<Row>`
    SELECT ${CHANGE} FROM qso_changes WHERE job_id = ${jobId} AND id > ${afterId} ORDER BY id LIMIT ${limit}`;
  return rows.map(changeOf);
}

/** Which contacts a job changed, newest change first, from before an id. */
export function* listBefore(
  jobId: number,
  beforeId: number | null,
  limit: number,
): Unit<Pick<Change, "id" | "qsoId">[]> {
  const before = beforeId === null ? EMPTY : sql`AND id < ${beforeId}`;
  return yield* many<Pick<Change, "id" | "qsoId">>`
    SELECT ${columns("id", "qso_id")} FROM qso_changes WHERE job_id = ${jobId} ${before} ORDER BY id DESC LIMIT ${limit}`;
}

/** Everything that a job changed of these contacts, newest first; found by the contacts, however large the job is. */
export function* listOf(jobId: number, qsoIds: readonly number[]): Unit<Change[]> {
  const rows = yield* many<Row>`
    SELECT ${CHANGE} FROM qso_changes WHERE qso_id ${inList(qsoIds)} AND job_id + 0 = ${jobId} ORDER BY id DESC`;
  return rows.map(changeOf);
}

type Columns = ReturnType<typeof snapshotColumns>;

/** What another job changed, without the layers. */
export interface OthersChange {
  id: number;
  jobId: number;
  qsoId: number;
  source: Source;
  status: JobStatus;
  before: Columns | null;
  after: Columns | null;
}

/** What other jobs, save those taken back, changed of these contacts after a change of one job; oldest first. */
export function* listByOthers(jobId: number, afterId: number, qsoIds: readonly number[]): Unit<OthersChange[]> {
  const rows = yield* many<Omit<OthersChange, "before" | "after"> & Pick<Row, "beforeData" | "afterData">>`
    SELECT c.id, c.job_id AS "jobId", c.qso_id AS "qsoId", j.source, j.status,
           c.before_data AS "beforeData", c.after_data AS "afterData"
    FROM qso_changes c JOIN sync_jobs j ON j.id = c.job_id
    WHERE c.qso_id ${inList(qsoIds)} AND c.id > ${afterId} AND c.job_id <> ${jobId} AND j.status <> 'cancelled'
    ORDER BY c.id`;
  return rows.map(({ beforeData, afterData, ...row }) => ({
    ...row,
    before: beforeData && snapshotColumns(beforeData),
    after: isGone(afterData) ? null : snapshotColumns(afterData),
  }));
}

/** A job that touched a contact. */
export interface Touch {
  jobId: number;
  source: Source;
  kind: Change["kind"];
  at: number;
}

/** The jobs that touched a contact, newest first. */
export function* touchesOf(qsoId: number, limit: number): Unit<Touch[]> {
  return yield* many<Touch>`
    SELECT c.job_id AS "jobId", j.source, c.change_type AS kind, c.created_at AS at
    FROM qso_changes c JOIN sync_jobs j ON j.id = c.job_id
    WHERE c.qso_id = ${qsoId} ORDER BY c.id DESC LIMIT ${limit}`;
}

/** What a job did to a contact, in columns. */
export interface Passage extends Omit<OthersChange, "qsoId"> {
  createdAt: number;
}

const MOST_PASSAGES = 500;

/** What jobs did to a contact, newest first. */
export function* historyOf(qsoId: number): Unit<Passage[]> {
  const rows = yield* many<Omit<Passage, "before" | "after"> & Pick<Row, "beforeData" | "afterData">>`
    SELECT c.id, c.job_id AS "jobId", j.source, j.status, c.created_at AS "createdAt",
           c.before_data AS "beforeData", c.after_data AS "afterData"
    FROM qso_changes c JOIN sync_jobs j ON j.id = c.job_id
    WHERE c.qso_id = ${qsoId} ORDER BY c.id DESC LIMIT ${MOST_PASSAGES}`;
  return rows.map(({ beforeData, afterData, ...row }) => ({
    ...row,
    before: beforeData && snapshotColumns(beforeData),
    after: isGone(afterData) ? null : snapshotColumns(afterData),
  }));
}

export function* count(jobId: number): Unit<number> {
  return (yield* one<{ n: number }>`SELECT CAST(count(*) AS BIGINT) AS n FROM qso_changes WHERE job_id = ${jobId}`).n;
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

/** Those of these contacts that are in the log only because of a job that was taken back since. */
export function* listUnborn(qsoIds: readonly number[]): Unit<number[]> {
  const rows = yield* many<{ qsoId: number }>`
    SELECT c.qso_id AS "qsoId" FROM qso_changes c JOIN sync_jobs j ON j.id = c.job_id
    WHERE c.qso_id ${inList(qsoIds)} AND c.before_data IS NULL AND j.status = 'cancelled'`;
  return rows.map(({ qsoId }) => qsoId);
}
