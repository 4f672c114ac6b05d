import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { derive, RULES_VERSION } from "../../domain/contact/derive.ts";
import { FIELD_NAMES } from "../../domain/contact/fields.ts";
import type { Layers } from "../../domain/contact/layers.ts";
import type { Derived, Qso } from "../../domain/contact/qso.ts";
import { isService, type Source } from "../../domain/jobs/source.ts";
import type { ChangeKind, JobStatus } from "../../domain/jobs/sync-job.ts";
import type { PastChange } from "../../domain/contact/taken-back.ts";
import { measureRecords, takeFitting } from "./page-bytes.ts";
import * as qsos from "./qsos.ts";
import type { Snapshot } from "./qsos.ts";
import * as records from "./records.ts";
import type { LayersThen, RecordIds } from "./records.ts";
import type { RowOf } from "../engine/rows.ts";
import {
  columns,
  countRows,
  EMPTY,
  inList,
  insertMany,
  many,
  manyValues,
  run,
  sql,
  updateMany,
  type Unit,
} from "../engine/unit.ts";

/** The cause of a change: a job, an edit by the user, or a rollback. */
export type Cause = "job" | "hand" | "rollback";

/** Who changes the log. */
export type Changer = { jobId: number; now: number } | { cause: Exclude<Cause, "job">; now: number };

/** `unchanged`: a file or program gave another record without new values, or such a record was removed. */
export type RecordedKind = ChangeKind | "unchanged";

export interface NewChange extends RecordIds {
  kind: RecordedKind;
  /** The time of the contact's previous change; null if it was not in the log. */
  updatedBefore: number | null;
}

/** A change of a contact with its current records before and after; null stands for no contact. */
export interface Change {
  id: number;
  jobId: number | null;
  qsoId: number;
  cause: Cause;
  kind: RecordedKind;
  at: number;
  before: LayersThen | null;
  after: LayersThen | null;
}

/** A visible change. */
export interface SeenChange extends Change {
  kind: ChangeKind;
}

type Row = Omit<RowOf<"qso_changes">, "userId">;

const ROW = columns(
  "id",
  "job_id",
  "qso_id",
  "cause",
  "change_type",
  "created_at",
  "before_data",
  "after_data",
  "updated_before",
);

const parseIds = (data: string | null): number[] => (data === null ? [] : (JSON.parse(data) as number[]));

const listIds = ({ beforeData, afterData }: Pick<Row, "beforeData" | "afterData">): number[] => [
  ...parseIds(beforeData),
  ...parseIds(afterData),
];

/** The first rows that fit, with the bytes of the records that they name. */
function* takeFittingRows(rows: readonly Row[], most?: number): Unit<{ rows: Row[]; bytes: number }> {
  const sizes = yield* measureRecords(rows.flatMap(listIds));
  const bytesOf = (row: Row) => listIds(row).reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
  const fitting = takeFitting(rows, bytesOf, most);
  return { rows: fitting, bytes: fitting.reduce((sum, row) => sum + bytesOf(row), 0) };
}

function* toChanges(rows: readonly Row[]): Unit<Change[]> {
  const read = yield* records.createReader(rows.flatMap(listIds));
  return rows.map(({ id, jobId, qsoId, cause, changeType, createdAt, beforeData, afterData, updatedBefore }) => ({
    id,
    jobId,
    qsoId,
    cause,
    kind: changeType,
    at: createdAt,
    before: beforeData === null ? null : read(qsoId, parseIds(beforeData), updatedBefore),
    after: afterData === null ? null : read(qsoId, parseIds(afterData), createdAt),
  }));
}

/** Builds a contact from its layers at some time, with today's derivation rules. */
export const buildSnapshot = ({ createdAt, updatedAt, ...then }: LayersThen, facts: CallFacts): Snapshot => {
  const layers = qsos.getLayers(then);
  const derived: Record<string, unknown> = derive(layers, facts)!;
  const inOrder = Object.fromEntries(FIELD_NAMES.map((name) => [name, derived[name]])) as unknown as Derived;
  return { ...layers, ...inOrder, createdAt, updatedAt, rulesVersion: RULES_VERSION };
};

const snapshotOr = (said: LayersThen | null, facts: CallFacts): Snapshot | null => said && buildSnapshot(said, facts);

/** The id of a contact after writing. Contacts that a batch adds are -1, -2 and so on until then. */
export const idGiven =
  (added: readonly number[]) =>
  (id: number): number =>
    id < 0 ? added[-1 - id]! : id;

type Kept = RowOf<"qso_changes", "id" | "qsoId" | "changeType" | "createdAt">;

/**
 * A job has one change per contact, however often it writes the contact. If something else changed the contact in
 * between, or a feed adds to it during the day, there are several, so that the log as of a time between them is
 * correct.
 */
function* addToEarlier(jobId: number, now: number, changes: readonly NewChange[]): Unit<ReadonlySet<NewChange>> {
  const known = changes.flatMap(({ kind, qsoId }) => (kind === "added" ? [] : qsoId));
  if (known.length === 0) return new Set();
  const rows = yield* many<Kept>`
    SELECT ${columns("id", "qso_id", "change_type", "created_at")} FROM qso_changes
    WHERE id IN (SELECT max(id) FROM qso_changes WHERE qso_id ${inList(known)} GROUP BY qso_id)
      AND job_id + 0 = ${jobId} AND change_type <> 'deleted'
      AND EXISTS (SELECT 1 FROM sync_jobs WHERE id = ${jobId} AND source <> 'feed')`;
  const earlier = new Map(rows.map((row) => [row.qsoId, row]));
  const again = changes.filter(({ qsoId, kind }) => {
    const isAdded = earlier.get(qsoId)?.changeType === "added";
    return earlier.has(qsoId) && !(isAdded && kind === "deleted");
  });
  yield* updateMany(
    "qso_changes",
    again.map(({ qsoId, kind, after }) => {
      const { id, changeType, createdAt } = earlier.get(qsoId)!;
      const values = {
        changeType: kind === "deleted" || changeType === "unchanged" ? kind : changeType,
        afterData: kind === "deleted" ? null : JSON.stringify(after),
        createdAt: kind === "unchanged" ? createdAt : now,
      };
      return { id, values, changed: Object.keys(values) };
    }),
  );
  return new Set(again);
}

/** Records changes in the transaction that makes them. */
export function* addMany(userId: number, by: Changer, changes: readonly NewChange[]): Unit<void> {
  const [jobId, cause] = "jobId" in by ? [by.jobId, "job"] : [null, by.cause];
  const again = jobId === null ? new Set() : yield* addToEarlier(jobId, by.now, changes);
  yield* insertMany(
    "qso_changes",
    changes
      .filter((change) => !again.has(change))
      .map(({ qsoId, kind, before, after, updatedBefore }) => ({
        userId,
        jobId,
        qsoId,
        cause,
        changeType: kind,
        beforeData: kind === "added" ? null : JSON.stringify(before),
        afterData: kind === "deleted" ? null : JSON.stringify(after),
        updatedBefore,
        createdAt: by.now,
      })),
  );
}

/** Attributes a job's changes of these contacts to another job. */
export const handOver = (jobId: number, toJobId: number, qsoIds: readonly number[]): Unit<void> =>
  run`UPDATE qso_changes SET job_id = ${toJobId} WHERE qso_id ${inList(qsoIds)} AND job_id + 0 = ${jobId}`;

/** The visible changes of a job after an id, oldest first: at least one, and then as many as fit into these bytes. */
export function* list(
  jobId: number,
  { afterId, limit, maxBytes }: { afterId: number; limit: number; maxBytes?: number },
): Unit<{ changes: SeenChange[]; bytes: number; isCut: boolean }> {
  const found = yield* many<Row>`
    SELECT ${ROW} FROM qso_changes WHERE job_id = ${jobId} AND id > ${afterId} AND change_type <> 'unchanged'
    ORDER BY id LIMIT ${limit}`;
  const { rows, bytes } = yield* takeFittingRows(found, maxBytes);
  return { changes: (yield* toChanges(rows)) as SeenChange[], bytes, isCut: rows.length < found.length };
}

/** The contacts that a job changed before an id, newest change first. */
export function* listBefore(
  jobId: number,
  beforeId: number | null,
  limit: number,
): Unit<Pick<Change, "id" | "qsoId">[]> {
  const before = beforeId === null ? EMPTY : sql`AND id < ${beforeId}`;
  return yield* many<Pick<Change, "id" | "qsoId">>`
    SELECT ${columns("id", "qso_id")} FROM qso_changes WHERE job_id = ${jobId} ${before} ORDER BY id DESC LIMIT ${limit}`;
}

/** A change by another job. */
export interface OthersChange extends Pick<Change, "id" | "qsoId" | "kind" | "before" | "after"> {
  jobId: number;
  source: Source;
  status: JobStatus;
}

/** A contact with all its changes. */
export interface ContactStory {
  /** The contact now; null if it was removed. */
  qso: Qso | null;
  /** All changes, newest first, as if the job had been rolled back. */
  all: (PastChange & Pick<Change, "id" | "kind" | "before" | "after"> & { source: Source | null })[];
  /** The job's own changes, newest first, without those that the rollback of an earlier sync has removed. */
  own: Pick<Change, "id" | "before" | "after">[];
  /** Changes of other jobs that were not rolled back, oldest first. */
  others: OthersChange[];
  /** Those of them after the job's first change. */
  later: OthersChange[];
}

/** Whether a rollback removed what a sync had said, by restoring an older record of the service, or none. */
const isTakenOut = (
  { id, after }: Change,
  job: { source: Source } | undefined,
  rollbacks: readonly Pick<Change, "id" | "before" | "after">[],
): boolean => {
  const source = job?.source;
  if (!after || !source || !isService(source)) return false;
  const said = after.newest[source];
  return rollbacks.some(
    (one) =>
      one.id > id && one.before && one.after && one.before.newest[source] >= said && one.after.newest[source] < said,
  );
};

/**
 * The changes of contacts that a job touched. They are looked up by contact, so the size of the job does not matter.
 */
export function* loadStories(jobId: number, qsoIds: readonly number[]): Unit<Map<number, ContactStory>> {
  const contacts = new Map((yield* qsos.listByIds(qsoIds)).map((qso) => [qso.id, qso]));
  const changes = yield* toChanges(
    yield* many<Row>`
    SELECT ${ROW} FROM qso_changes WHERE qso_id ${inList(qsoIds)} ORDER BY id DESC`,
  );
  const jobs = yield* loadJobsOf(changes);
  const standing = new Map([...jobs].filter(([, { status }]) => status !== "cancelled"));
  return new Map(
    [...Map.groupBy(changes, (change) => change.qsoId)].map(([qsoId, ofContact]) => {
      const all = ofContact.map(({ id, jobId: by, cause, kind, before, after }) => {
        const isTakenBack = by === jobId || (by !== null && !standing.has(by));
        const source = jobs.get(by ?? 0)?.source ?? null;
        return { id, kind, before, after, isTakenBack, isRollback: cause === "rollback", source };
      });
      const rollbacks = all.filter(({ isRollback }) => isRollback);
      const own = ofContact.filter((one) => one.jobId === jobId && !isTakenOut(one, standing.get(jobId), rollbacks));
      const others = ofContact.flatMap((change): OthersChange[] => {
        const job = standing.get(change.jobId!);
        if (!job || change.jobId === jobId) return [];
        const { id, kind, before, after } = change;
        return [{ id, jobId: job.id, qsoId, source: job.source, status: job.status, kind, before, after }];
      });
      others.reverse();
      const later = others.filter(({ id }) => id > (own.at(-1)?.id ?? 0));
      return [qsoId, { qso: contacts.get(qsoId) ?? null, all, own, others, later }];
    }),
  );
}

type JobOfChange = RowOf<"sync_jobs", "id" | "source" | "status">;

function* loadJobsOf(changes: readonly Pick<Change, "jobId">[]): Unit<Map<number, JobOfChange>> {
  const ids = [...new Set(changes.flatMap(({ jobId }) => jobId ?? []))];
  const jobs = yield* many<JobOfChange>`SELECT id, source, status FROM sync_jobs WHERE id ${inList(ids)}`;
  return new Map(jobs.map((job) => [job.id, job]));
}

/** A job that touched a contact. */
export interface Touch {
  jobId: number;
  source: Source;
  kind: ChangeKind;
  at: number;
}

/** The jobs that touched a contact, newest first. */
export const listTouches = (qsoId: number, limit: number): Unit<Touch[]> =>
  many`
    SELECT c.job_id AS "jobId", j.source, c.change_type AS kind, c.created_at AS at
    FROM qso_changes c JOIN sync_jobs j ON j.id = c.job_id
    WHERE c.qso_id = ${qsoId} AND c.change_type <> 'unchanged' ORDER BY c.id DESC LIMIT ${limit}`;

/** A change of a contact as columns, with its job. */
export interface HistoryEntry extends Pick<Change, "id" | "cause" | "at"> {
  jobId: number | null;
  source: Source | null;
  status: JobStatus | null;
  before: Snapshot | null;
  after: Snapshot | null;
}

const MAX_ENTRIES = 500;
const MAX_ENTRIES_BYTES = 8_000_000;

/** The changes of a contact, newest first. */
export function* listHistory(qsoId: number, facts: CallFacts): Unit<HistoryEntry[]> {
  const changes = yield* toChanges(
    (yield* takeFittingRows(
      yield* many<Row>`
    SELECT ${ROW} FROM qso_changes WHERE qso_id = ${qsoId} AND change_type <> 'unchanged'
    ORDER BY id DESC LIMIT ${MAX_ENTRIES}`,
      MAX_ENTRIES_BYTES,
    )).rows,
  );
  const jobs = yield* loadJobsOf(changes);
  return changes.map(({ id, jobId, cause, at, before, after }) => ({
    id,
    jobId,
    cause,
    at,
    source: jobs.get(jobId ?? 0)?.source ?? null,
    status: jobs.get(jobId ?? 0)?.status ?? null,
    before: snapshotOr(before, facts),
    after: snapshotOr(after, facts),
  }));
}

export const count = (jobId: number): Unit<number> => countRows`qso_changes WHERE job_id = ${jobId}`;

/** Whether a job made more than this many changes. Counting stops there. */
export function* isMoreThan(jobId: number, most: number): Unit<boolean> {
  const limited = sql`SELECT 1 FROM qso_changes WHERE job_id = ${jobId} LIMIT ${most + 1}`;
  return (yield* countRows`(${limited}) AS counted`) > most;
}

/** For contacts that existed before the job, the id of the first change of each, after an id. */
export const listFirstUpdates = (jobId: number, after: number, limit: number): Unit<number[]> =>
  manyValues`
    SELECT id FROM qso_changes AS change
    WHERE job_id = ${jobId} AND id > ${after} AND change_type <> 'added'
      AND NOT EXISTS (SELECT 1 FROM qso_changes AS earlier
                      WHERE earlier.qso_id = change.qso_id AND earlier.id < change.id AND +earlier.job_id = ${jobId})
    ORDER BY id LIMIT ${limit}`;

/** The layers of contacts before these changes; null if they were not in the log. */
export function* loadLayersBefore(ids: readonly number[]): Unit<Map<number, LayersThen | null>> {
  const changes = yield* toChanges(yield* many<Row>`SELECT ${ROW} FROM qso_changes WHERE id ${inList(ids)}`);
  return new Map(changes.map(({ qsoId, before }) => [qsoId, before]));
}

/** The current records of contacts when they were deleted. */
function* findRecordsAtDeletion(qsoIds: readonly number[]): Unit<Map<number, number[]>> {
  const rows = yield* many<RowOf<"qso_changes", "qsoId" | "beforeData">>`
    SELECT ${columns("qso_id", "before_data")} FROM qso_changes WHERE id IN (
      SELECT max(id) FROM qso_changes WHERE qso_id ${inList(qsoIds)} AND change_type = 'deleted' GROUP BY qso_id)`;
  return new Map(rows.map(({ qsoId, beforeData }) => [qsoId, parseIds(beforeData)]));
}

/** The layers from those of the records that still exist, for each contact that has any. */
function* buildLayersLeft(
  recordIds: ReadonlyMap<number, number[]>,
  left: ReadonlySet<number>,
): Unit<Map<number, LayersThen>> {
  const read = yield* records.createReader([...recordIds.values()].flat());
  return new Map(
    [...recordIds].flatMap(([qsoId, known]) => {
      const ids = known.filter((id) => left.has(id));
      return ids.length === 0 ? [] : [[qsoId, read(qsoId, ids)]];
    }),
  );
}

/**
 * What services say about deleted contacts: their newest records from completed jobs, even since the deletion, unless
 * another contact has them.
 */
export function* loadServiceLayersAtDeletion(qsoIds: readonly number[]): Unit<Map<number, Layers>> {
  if (qsoIds.length === 0) return new Map();
  const versions = yield* records.listVersions(yield* findRecordsAtDeletion(qsoIds));
  const standing = new Set(yield* records.listStanding([...versions.values()].flat()));
  return new Map(
    [...(yield* buildLayersLeft(versions, standing))].map(([id, layers]) => [
      id,
      { ...qsos.getLayers(layers), own: null },
    ]),
  );
}

/** The records that the changes of these contacts refer to. */
export function* listNamedRecords(qsoIds: readonly number[]): Unit<Set<number>> {
  const rows = yield* many<RowOf<"qso_changes", "beforeData" | "afterData">>`
    SELECT ${columns("before_data", "after_data")} FROM qso_changes WHERE qso_id ${inList(qsoIds)}`;
  return new Set(rows.flatMap(({ beforeData, afterData }) => [...parseIds(beforeData), ...parseIds(afterData)]));
}

/**
 * The state of contacts at a time, for those that have changed since; null if one was not in the log. The oldest change
 * after that time has it.
 */
export function* findAt(qsoIds: readonly number[], at: number): Unit<Map<number, LayersThen | null>> {
  const oldest = yield* manyValues<number>`
    SELECT min(id) FROM qso_changes WHERE qso_id ${inList(qsoIds)} AND created_at > ${at} GROUP BY qso_id`;
  return yield* loadLayersBefore(oldest);
}

/** Contacts that were removed after a time, even if they came back. */
export const listGone = (userId: number, at: number): Unit<number[]> =>
  manyValues`
    SELECT DISTINCT qso_id AS "qsoId" FROM qso_changes
    WHERE user_id = ${userId} AND created_at > ${at} AND change_type = 'deleted'`;
