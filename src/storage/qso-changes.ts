import type { Derived, Qso } from "../domain/qso.ts";
import type { Source } from "../domain/source.ts";
import type { ChangeKind, JobStatus } from "../domain/sync-job.ts";
import * as changeStory from "./change-story.ts";
import { isGone, packAfter, packBefore, tell, type Stored } from "./change-story.ts";
import { columnsOf, snapshotOfState, type Columns, type Snapshot, type State } from "./qsos.ts";
import type { RowOf } from "./rows.ts";
import { columns, EMPTY, inList, insertMany, many, one, run, sql, type Unit } from "./unit.ts";

export interface NewChange {
  /** Of the contacts that are added with the changes the first is -1, the second -2, and so on. */
  qsoId: number;
  /** What was there, as `packBefore` packs it. */
  before: Uint8Array | null;
  goes: boolean;
}

/** A change of a contact, packed; null stands for no contact. */
export const changeFrom = (qsoId: number, before: Snapshot | null, after: Snapshot | null): NewChange => ({
  qsoId,
  before: before && packBefore(before, after),
  goes: after === null,
});

export interface Change {
  id: number;
  jobId: number;
  qsoId: number;
  kind: ChangeKind;
  before: Snapshot | null;
  after: Snapshot | null;
}

interface Row extends Stored {
  jobId: number;
  changeType: "added" | "updated";
}

const ROW = sql`id, job_id AS "jobId", qso_id AS "qsoId", change_type AS "changeType",
  before_data AS before, after_data AS after`;

function* changesOf(rows: readonly Row[]): Unit<Change[]> {
  const told = yield* tell(rows);
  return rows.map((row) => {
    const { before, after } = told(row);
    return {
      id: row.id,
      jobId: row.jobId,
      qsoId: row.qsoId,
      kind: isGone(row.after) ? "deleted" : row.changeType,
      before: snapshotOr(before),
      after: snapshotOr(after),
    };
  });
}

/** The id of a contact once it is written: until then those that are added are -1, -2, and so on. */
export const idGiven =
  (added: readonly number[]) =>
  (id: number): number =>
    id < 0 ? added[-1 - id]! : id;

/** Keeps what a job changed, in the transaction that changes it; `added` are the contacts that it added. */
export function* addMany(
  jobId: number,
  changes: readonly NewChange[],
  added: readonly number[],
  now: number,
): Unit<void> {
  const given = idGiven(added);
  yield* insertMany(
    "qso_changes",
    ["job_id", "qso_id", "change_type", "before_data", "after_data", "created_at"],
    changes.map(({ qsoId, before, goes }) => [
      jobId,
      given(qsoId),
      before === null ? "added" : "updated",
      before,
      packAfter(goes),
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
    SELECT ${ROW} FROM qso_changes WHERE job_id = ${jobId} AND id > ${afterId} ORDER BY id LIMIT ${limit}`;
  return yield* changesOf(rows);
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

function* inColumns<Rest extends Stored>(
  rows: readonly Rest[],
): Unit<(Omit<Rest, "before" | "after"> & Pick<OthersChange, "before" | "after">)[]> {
  const told = yield* tell(rows);
  return rows.map((row) => {
    const { before, after } = told(row);
    return { ...row, before: columnsOr(before), after: columnsOr(after) };
  });
}

/** A contact, and what jobs did to it. */
export interface ContactStory {
  /** As it is; null where it went. */
  qso: Qso | null;
  /** What one job did, newest first. */
  own: Pick<Change, "id" | "before" | "after">[];
  /** What others did after the first of it, save those taken back; oldest first. */
  later: OthersChange[];
}

/** What became of contacts that a job changed; found by the contacts, however large the job is. */
export function* storiesOf(jobId: number, qsoIds: readonly number[]): Unit<Map<number, ContactStory>> {
  const stories = yield* changeStory.storiesOf(qsoIds);
  const events = [...stories.values()].flatMap((story) => story.events);
  const jobIds = [...new Set(events.flatMap((event) => event.jobId ?? []))];
  const jobs = yield* many<Pick<OthersChange, "source" | "status"> & { id: number }>`
    SELECT id, source, status FROM sync_jobs WHERE id ${inList(jobIds)} AND status <> 'cancelled'`;
  const standing = new Map(jobs.map((job) => [job.id, job]));
  return new Map([...stories].map(([qsoId, story]) => [qsoId, contactStory(jobId, qsoId, story, standing)]));
}

const contactStory = (
  jobId: number,
  qsoId: number,
  { now, events }: changeStory.Story,
  standing: ReadonlyMap<number, Pick<OthersChange, "source" | "status">>,
): ContactStory => {
  const own: ContactStory["own"] = [];
  const later: OthersChange[] = [];
  const first = events.findLast((event) => event.jobId === jobId)!.id;
  for (const { id, jobId: by, before, after } of events) {
    if (by === jobId) {
      own.push({ id, before: snapshotOr(before), after: snapshotOr(after) });
    } else if (by !== null && id > first && standing.has(by)) {
      const { source, status } = standing.get(by)!;
      later.push({ id, jobId: by, qsoId, source, status, before: columnsOr(before), after: columnsOr(after) });
    }
  }
  const qso = now && { ...snapshotOfState(now.state), id: qsoId, userId: now.userId };
  return { qso, own, later: later.reverse() };
};

const snapshotOr = (state: State | null): Snapshot | null => state && snapshotOfState(state);

const columnsOr = (state: State | null): Columns | null => state && columnsOf(state);

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
export interface Passage extends OthersChange {
  createdAt: number;
}

const MOST_PASSAGES = 500;

/** What jobs did to a contact, newest first. */
export function* historyOf(qsoId: number): Unit<Passage[]> {
  const rows = yield* many<Omit<Passage, "before" | "after"> & Stored>`
    SELECT c.id, c.job_id AS "jobId", c.qso_id AS "qsoId", j.source, j.status, c.created_at AS "createdAt",
           c.before_data AS before, c.after_data AS after
    FROM qso_changes c JOIN sync_jobs j ON j.id = c.job_id
    WHERE c.qso_id = ${qsoId} ORDER BY c.id DESC LIMIT ${MOST_PASSAGES}`;
  return yield* inColumns(rows);
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
    WHERE job_id = ${jobId} AND id > ${after} AND change_type = 'updated'
      AND NOT EXISTS (SELECT 1 FROM qso_changes AS earlier
                      WHERE earlier.qso_id = change.qso_id AND earlier.id < change.id AND +earlier.job_id = ${jobId})
    ORDER BY id LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** The columns that contacts had before these changes; one that a change added had none. */
export function* columnsBefore(ids: readonly number[]): Unit<Derived[]> {
  return [...(yield* statesBefore(ids)).values()].flatMap((before) => (before ? columnsOf(before) : []));
}

/** What contacts were before these changes; null where they were not in the log. */
export function* statesBefore(ids: readonly number[]): Unit<Map<number, State | null>> {
  const rows = yield* many<Row>`SELECT ${ROW} FROM qso_changes WHERE id ${inList(ids)}`;
  const told = yield* tell(rows.filter(({ before }) => before !== null));
  return new Map(rows.map((row) => [row.qsoId, row.before && told(row).before]));
}

/** Those of these contacts that are in the log only because of a job that was taken back since. */
export function* listUnborn(qsoIds: readonly number[]): Unit<number[]> {
  const rows = yield* many<RowOf<"qso_changes", "qsoId">>`
    SELECT c.qso_id AS "qsoId" FROM qso_changes c JOIN sync_jobs j ON j.id = c.job_id
    WHERE c.qso_id ${inList(qsoIds)} AND c.before_data IS NULL AND j.status = 'cancelled'`;
  return rows.map(({ qsoId }) => qsoId);
}
