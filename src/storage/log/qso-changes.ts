import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { derive, RULES_VERSION } from "../../domain/contact/derive.ts";
import { FIELD_NAMES } from "../../domain/contact/fields.ts";
import type { Layers } from "../../domain/contact/layers.ts";
import type { Derived, Qso } from "../../domain/contact/qso.ts";
import { isService, type Source } from "../../domain/jobs/source.ts";
import type { ChangeKind, JobStatus } from "../../domain/jobs/sync-job.ts";
import type { PastChange } from "../../domain/contact/taken-back.ts";
import * as qsos from "./qsos.ts";
import type { Snapshot } from "./qsos.ts";
import * as records from "./records.ts";
import type { LayersThen, RecordIds } from "./records.ts";
import type { RowOf } from "../engine/rows.ts";
import {
  columns,
  EMPTY,
  inList,
  insertMany,
  many,
  maybe,
  one,
  run,
  sql,
  updateMany,
  type Unit,
} from "../engine/unit.ts";

/** What changed a contact: a job, a person's edit, or a rollback. */
export type Cause = "job" | "hand" | "rollback";

/** Who changes a log, so that it can be told later what was when. */
export type Changer = { jobId: number; now: number } | { cause: Exclude<Cause, "job">; now: number };

/** `unchanged`: a file or program gave another record of the contact that says nothing new, or one went that said nothing alone. */
export type RecordedKind = ChangeKind | "unchanged";

export interface NewChange extends RecordIds {
  kind: RecordedKind;
  /** When the contact had changed last before this; null where it was not in the log. */
  updatedBefore: number | null;
}

/** What happened to a contact. It names the current records before and after; null stands for no contact. */
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

/** A change that one can see. */
export interface SeenChange extends Change {
  kind: ChangeKind;
}

type Row = RowOf<
  "qso_changes",
  "id" | "jobId" | "qsoId" | "cause" | "changeType" | "createdAt" | "beforeData" | "afterData" | "updatedBefore"
>;

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

const idsIn = (data: string | null): number[] => (data === null ? [] : (JSON.parse(data) as number[]));

function* changesOf(rows: readonly Row[]): Unit<Change[]> {
  const read = yield* records.readerOf([...new Set(rows.map(({ qsoId }) => qsoId))]);
  return rows.map(({ id, jobId, qsoId, cause, changeType, createdAt, beforeData, afterData, updatedBefore }) => ({
    id,
    jobId,
    qsoId,
    cause,
    kind: changeType,
    at: createdAt,
    before: beforeData === null ? null : read(qsoId, idsIn(beforeData), updatedBefore),
    after: afterData === null ? null : read(qsoId, idsIn(afterData), createdAt),
  }));
}

/** A contact from its layers at some time, by the rules of today. */
export const snapshotFrom = ({ createdAt, updatedAt, ...then }: LayersThen, facts: CallFacts): Snapshot => {
  const layers = qsos.layersOf(then);
  const derived: Record<string, unknown> = derive(layers, facts)!;
  const inOrder = Object.fromEntries(FIELD_NAMES.map((name) => [name, derived[name]])) as unknown as Derived;
  return { ...layers, ...inOrder, createdAt, updatedAt, rulesVersion: RULES_VERSION };
};

const snapshotOr = (said: LayersThen | null, facts: CallFacts): Snapshot | null => said && snapshotFrom(said, facts);

/** The id of a contact once it is written: until then those that a batch adds are -1, -2, and so on. */
export const idGiven =
  (added: readonly number[]) =>
  (id: number): number =>
    id < 0 ? added[-1 - id]! : id;

type Kept = RowOf<"qso_changes", "id" | "qsoId" | "changeType" | "createdAt">;

const CHANGED_AGAIN = ["change_type", "after_data", "created_at"];

/**
 * A job has one change of a contact, however often it writes it. Where something else changed the contact in between, or a
 * feed tells of it during a day, each is a change of its own: the log as of a moment between them must be right.
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
    CHANGED_AGAIN,
    again.map(({ qsoId, kind, after }) => {
      const { id, changeType, createdAt } = earlier.get(qsoId)!;
      const type = kind === "deleted" || changeType === "unchanged" ? kind : changeType;
      const data = kind === "deleted" ? null : JSON.stringify(after);
      return { id, values: [type, data, kind === "unchanged" ? createdAt : now], changed: [0, 1, 2] };
    }),
  );
  return new Set(again);
}

/** Records what changed, in the transaction that changes it. */
export function* addMany(userId: number, by: Changer, changes: readonly NewChange[]): Unit<void> {
  const [jobId, cause] = "jobId" in by ? [by.jobId, "job"] : [null, by.cause];
  const again = jobId === null ? new Set() : yield* addToEarlier(jobId, by.now, changes);
  yield* insertMany(
    "qso_changes",
    [
      "user_id",
      "job_id",
      "qso_id",
      "cause",
      "change_type",
      "before_data",
      "after_data",
      "updated_before",
      "created_at",
    ],
    changes
      .filter((change) => !again.has(change))
      .map(({ qsoId, kind, before, after, updatedBefore }) => [
        userId,
        jobId,
        qsoId,
        cause,
        kind,
        kind === "added" ? null : JSON.stringify(before),
        kind === "deleted" ? null : JSON.stringify(after),
        updatedBefore,
        by.now,
      ]),
  );
}

/** What a job did to these contacts is another's from now on. */
export function* handOver(jobId: number, toJobId: number, qsoIds: readonly number[]): Unit<void> {
  yield* run`UPDATE qso_changes SET job_id = ${toJobId} WHERE qso_id ${inList(qsoIds)} AND job_id + 0 = ${jobId}`;
}

/** What a job did to contacts that one can see, oldest first, from after an id. */
export function* list(jobId: number, afterId: number, limit: number): Unit<SeenChange[]> {
  const changes = yield* changesOf(
    yield* many<Row>`
    SELECT ${ROW} FROM qso_changes WHERE job_id = ${jobId} AND id > ${afterId} AND change_type <> 'unchanged'
    ORDER BY id LIMIT ${limit}`,
  );
  return changes as SeenChange[];
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

/** What another job changed. */
export interface OthersChange {
  id: number;
  jobId: number;
  qsoId: number;
  source: Source;
  status: JobStatus;
  kind: RecordedKind;
  before: LayersThen | null;
  after: LayersThen | null;
}

/** A contact, and what jobs did to it. */
export interface ContactStory {
  /** As it is; null where it went. */
  qso: Qso | null;
  /** What happened to it, newest first; with the one job as taken back. */
  all: (PastChange & Pick<Change, "id" | "kind" | "before" | "after"> & { source: Source | null })[];
  /** What one job did, newest first, except what the rollback of an earlier sync has taken out. */
  own: Pick<Change, "id" | "before" | "after">[];
  /** What others did, save those taken back; oldest first. */
  others: OthersChange[];
  /** What they did after the first of what the job did. */
  later: OthersChange[];
}

/** Whether a rollback took out what a sync had said: it brought back an older record of the service, or none. */
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

/** What became of contacts that a job changed; found by the contacts, however large the job is. */
export function* storiesOf(jobId: number, qsoIds: readonly number[]): Unit<Map<number, ContactStory>> {
  const contacts = new Map((yield* qsos.listByIds(qsoIds)).map((qso) => [qso.id, qso]));
  const changes = yield* changesOf(
    yield* many<Row>`
    SELECT ${ROW} FROM qso_changes WHERE qso_id ${inList(qsoIds)} ORDER BY id DESC`,
  );
  const jobIds = [...new Set(changes.flatMap((change) => change.jobId ?? []))];
  const jobs = yield* many<RowOf<"sync_jobs", "id" | "source" | "status">>`
    SELECT id, source, status FROM sync_jobs WHERE id ${inList(jobIds)}`;
  const sources = new Map(jobs.map(({ id, source }) => [id, source]));
  const standing = new Map(jobs.filter(({ status }) => status !== "cancelled").map((job) => [job.id, job]));
  return new Map(
    [...Map.groupBy(changes, (change) => change.qsoId)].map(([qsoId, ofContact]) => {
      const all = ofContact.map(({ id, jobId: by, cause, kind, before, after }) => {
        const isTakenBack = by === jobId || (by !== null && !standing.has(by));
        const source = sources.get(by ?? 0) ?? null;
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

/** A job that touched a contact. */
export interface Touch {
  jobId: number;
  source: Source;
  kind: ChangeKind;
  at: number;
}

/** The jobs that touched a contact, newest first. */
export function* touchesOf(qsoId: number, limit: number): Unit<Touch[]> {
  return yield* many<Touch>`
    SELECT c.job_id AS "jobId", j.source, c.change_type AS kind, c.created_at AS at
    FROM qso_changes c JOIN sync_jobs j ON j.id = c.job_id
    WHERE c.qso_id = ${qsoId} AND c.change_type <> 'unchanged' ORDER BY c.id DESC LIMIT ${limit}`;
}

/** What happened to a contact, in columns, and in which job. */
export interface Passage extends Pick<Change, "id" | "cause" | "at"> {
  jobId: number | null;
  source: Source | null;
  status: JobStatus | null;
  before: Snapshot | null;
  after: Snapshot | null;
}

const MAX_PASSAGES = 500;

/** What happened to a contact, newest first. */
export function* historyOf(qsoId: number, facts: CallFacts): Unit<Passage[]> {
  const changes = yield* changesOf(
    yield* many<Row>`
    SELECT ${ROW} FROM qso_changes WHERE qso_id = ${qsoId} AND change_type <> 'unchanged'
    ORDER BY id DESC LIMIT ${MAX_PASSAGES}`,
  );
  const jobs = yield* many<RowOf<"sync_jobs", "id" | "source" | "status">>`
    SELECT id, source, status FROM sync_jobs WHERE id ${inList(changes.flatMap(({ jobId }) => jobId ?? []))}`;
  const known = new Map(jobs.map((job) => [job.id, job]));
  return changes.map(({ id, jobId, cause, at, before, after }) => ({
    id,
    jobId,
    cause,
    at,
    source: known.get(jobId ?? 0)?.source ?? null,
    status: known.get(jobId ?? 0)?.status ?? null,
    before: snapshotOr(before, facts),
    after: snapshotOr(after, facts),
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

/** Some changes of contacts that were there before the job, the first of each contact, behind one. */
export function* firstUpdates(jobId: number, after: number, limit: number): Unit<number[]> {
  const rows = yield* many<RowOf<"qso_changes", "id">>`
    SELECT id FROM qso_changes AS change
    WHERE job_id = ${jobId} AND id > ${after} AND change_type <> 'added'
      AND NOT EXISTS (SELECT 1 FROM qso_changes AS earlier
                      WHERE earlier.qso_id = change.qso_id AND earlier.id < change.id AND +earlier.job_id = ${jobId})
    ORDER BY id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** What contacts were before these changes; null where they were not in the log. */
export function* saidBefore(ids: readonly number[]): Unit<Map<number, LayersThen | null>> {
  const changes = yield* changesOf(yield* many<Row>`SELECT ${ROW} FROM qso_changes WHERE id ${inList(ids)}`);
  return new Map(changes.map(({ qsoId, before }) => [qsoId, before]));
}

/** The current records of contacts when they left the log. */
function* recordsAtDeletion(qsoIds: readonly number[]): Unit<Map<number, number[]>> {
  const deletions = yield* many<RowOf<"qso_changes", "id">>`
    SELECT max(id) AS id FROM qso_changes WHERE qso_id ${inList(qsoIds)} AND change_type = 'deleted' GROUP BY qso_id`;
  const rows = yield* many<RowOf<"qso_changes", "qsoId" | "beforeData">>`
    SELECT ${columns("qso_id", "before_data")} FROM qso_changes WHERE id ${inList(deletions.map(({ id }) => id))}`;
  return new Map(rows.map(({ qsoId, beforeData }) => [qsoId, idsIn(beforeData)]));
}

/** The layers from those of these records that are left, of each contact that has any. */
function* layersLeft(
  recordIds: ReadonlyMap<number, number[]>,
  left: ReadonlySet<number>,
): Unit<Map<number, LayersThen>> {
  const read = yield* records.readerOf([...recordIds.keys()]);
  return new Map(
    [...recordIds].flatMap(([qsoId, known]) => {
      const ids = known.filter((id) => left.has(id));
      return ids.length === 0 ? [] : [[qsoId, read(qsoId, ids)]];
    }),
  );
}

/**
 * What services say of deleted contacts, by their newest records from completed jobs, also since the deletion, except those
 * that another contact has.
 */
export function* serviceLayersAtDeletion(qsoIds: readonly number[]): Unit<Map<number, Layers>> {
  if (qsoIds.length === 0) return new Map();
  const versions = yield* records.listVersions(yield* recordsAtDeletion(qsoIds));
  const standing = new Set(yield* records.listStanding([...versions.values()].flat()));
  return new Map(
    [...(yield* layersLeft(versions, standing))].map(([id, layers]) => [id, { ...qsos.layersOf(layers), own: null }]),
  );
}

/** The records that the changes of these contacts name. */
export function* recordsNamed(qsoIds: readonly number[]): Unit<Set<number>> {
  const rows = yield* many<RowOf<"qso_changes", "beforeData" | "afterData">>`
    SELECT ${columns("before_data", "after_data")} FROM qso_changes WHERE qso_id ${inList(qsoIds)}`;
  return new Set(rows.flatMap(({ beforeData, afterData }) => [...idsIn(beforeData), ...idsIn(afterData)]));
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
export function* findAt(qsoIds: readonly number[], at: number): Unit<Map<number, LayersThen | null>> {
  const oldest = yield* many<RowOf<"qso_changes", "id">>`
    SELECT min(id) AS id FROM qso_changes WHERE qso_id ${inList(qsoIds)} AND created_at > ${at} GROUP BY qso_id`;
  return yield* saidBefore(oldest.map(({ id }) => id));
}

/** The contacts that left a log after a moment, whether or not they came back. */
export function* listGone(userId: number, at: number): Unit<number[]> {
  const rows = yield* many<RowOf<"qso_changes", "qsoId">>`
    SELECT DISTINCT qso_id AS "qsoId" FROM qso_changes
    WHERE user_id = ${userId} AND created_at > ${at} AND change_type = 'deleted'`;
  return rows.map(({ qsoId }) => qsoId);
}
