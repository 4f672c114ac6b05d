import { AppError } from "../../kernel/errors.ts";
import type { Fed } from "../../domain/jobs/feed.ts";
import { countGains, type GainCounts, type Gains } from "../../domain/jobs/gains.ts";
import type { SyncErrorCode } from "../../domain/jobs/provider.ts";
import { SERVICES, type Source } from "../../domain/jobs/source.ts";
import {
  NO_REASONS,
  NO_STATS,
  type JobOptions,
  type JobProgress,
  type JobStats,
  type JobStatus,
  type JobTrigger,
  type ListedJob,
  type SyncJob,
  type UnchangedReasons,
} from "../../domain/jobs/sync-job.ts";
import type { RowOf } from "../engine/rows.ts";
import {
  byEngine,
  columns,
  countRows,
  EMPTY,
  exists,
  inList,
  lockUser,
  many,
  manyValues,
  maybe,
  maybeValue,
  one,
  raw,
  run,
  sql,
  where,
  type Sql,
  type Unit,
} from "../engine/unit.ts";
import * as leases from "./account-leases.ts";
import * as workers from "./workers.ts";

const PLAIN = [
  "id",
  "user_id",
  "source",
  "client",
  "latest",
  "trigger_kind",
  "status",
  "options",
  "dry_run",
  "attempt",
  "created_at",
  "started_at",
  "finished_at",
  "stats",
  "progress",
  "cursor_before",
  "cursor_after",
  "error_code",
  "error_message",
  "rolled_back_at",
  "rolled_back_by",
  "pruned_at",
  "rolling_back_since",
  "fence",
] as const;
const JOB = columns(...PLAIN, "gains", "confirmed", "upload_file");
/** Leaves out the names of the gains, which can be thousands. Jobs of older versions have only the names. */
const LISTED_JOB = sql`${columns(...PLAIN, "gain_counts")}, CASE WHEN gain_counts IS NULL THEN gains END AS gains`;

type Row = Omit<RowOf<"sync_jobs">, "workerId" | "accountHash" | "feedDay" | "stopAskedAt" | "rollback" | "gainCounts">;

type ListedRow = Omit<Row, "confirmed" | "uploadFile"> & { gainCounts: string | null };

const parseJson = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

const toJob = (row: Row): SyncJob => buildJob(parseJson(row.gains) as Gains | null, row);

/** A job with everything that its worker needs to run it. */
export interface HeldJob extends SyncJob {
  /** Increases when the job changes hands; an earlier holder can no longer write. */
  fence: number;
  confirmed: boolean;
  uploadFile: string | null;
}

const toHeldJob = (row: Row): HeldJob => ({
  ...toJob(row),
  fence: row.fence,
  confirmed: row.confirmed === 1,
  uploadFile: row.uploadFile,
});

const toListedJob = (row: ListedRow): ListedJob => {
  const { gains, gainCounts } = row;
  const counts = gains === null ? (parseJson(gainCounts) as GainCounts | null) : countGains(JSON.parse(gains) as Gains);
  return buildJob(counts, row);
};

/** Gains are listed in full or counted. Built as one object literal because lists contain many jobs. */
const buildJob = <Brought>(
  gains: Brought,
  row: Omit<Row, "confirmed" | "uploadFile">,
): Omit<SyncJob, "gains"> & { gains: Brought } => {
  const { reasons, ...stats } = JSON.parse(row.stats) as JobStats & { reasons?: UnchangedReasons };
  return {
    id: row.id,
    userId: row.userId,
    source: row.source,
    client: row.client,
    latest: parseJson(row.latest) as Fed[] | null,
    trigger: row.triggerKind,
    status: row.status,
    options: JSON.parse(row.options) as JobOptions,
    dryRun: row.dryRun === 1,
    attempt: row.attempt,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    durationMs: row.startedAt !== null && row.finishedAt !== null ? row.finishedAt - row.startedAt : null,
    stats: { ...NO_STATS, ...stats },
    reasons: { ...NO_REASONS, ...reasons },
    progress: parseJson(row.progress) as JobProgress | null,
    cursorBefore: parseJson(row.cursorBefore),
    cursorAfter: parseJson(row.cursorAfter),
    gains,
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? "" },
    rolledBackAt: row.rolledBackAt,
    rolledBackBy: row.rolledBackBy,
    prunedAt: row.prunedAt,
    rollingBackSince: row.rollingBackSince,
  };
};

/** The job without what only its worker needs. */
export const toSyncJob = ({ fence: _, confirmed: __, uploadFile: ___, ...job }: HeldJob): SyncJob => job;

export interface NewJob {
  userId: number;
  source: Source;
  trigger: JobTrigger;
  options?: JobOptions;
  dryRun?: boolean;
  attempt?: number;
  /** The worker that will run it; null if any process can. */
  workerId?: string | null;
  /** The user agreed to download a logbook of another callsign. */
  confirmed?: boolean;
  /** The uploaded file that the import reads. */
  uploadFile?: string | null;
}

/** Adds a pending job. Throws if a job of the same user and source is active, or a rollback is. */
export function* create(job: NewJob, now: number): Unit<HeldJob> {
  yield* lockUser(job.userId);
  yield* assertNoRollback(job.userId);
  const row = yield* maybe<Row>`
    INSERT INTO sync_jobs
      (user_id, source, trigger_kind, options, dry_run, attempt, upload_file, worker_id, confirmed, created_at)
    VALUES (${job.userId}, ${job.source}, ${job.trigger}, ${JSON.stringify(job.options ?? {})},
            ${job.dryRun ? 1 : 0}, ${job.attempt ?? 1}, ${job.uploadFile ?? null}, ${job.workerId ?? null},
            ${job.confirmed ? 1 : 0}, ${now})
    ON CONFLICT DO NOTHING RETURNING ${JOB}`;
  if (!row) {
    const [active] = yield* list({
      userId: job.userId,
      source: job.source,
      statuses: ["pending", "running"],
      limit: 1,
    });
    throw new AppError("conflict", "A job of this source is already running.", {
      rule: "job_active",
      jobId: active?.id,
    });
  }
  return toHeldJob(row);
}

interface FeedOfDay {
  userId: number;
  client: string;
  /** The start of the day in UTC. */
  day: number;
}

/** The open job of a program for this day, created with its first entry. */
export function* openFeed({ userId, client, day }: FeedOfDay, trigger: JobTrigger, now: number): Unit<SyncJob> {
  yield* assertNoRollback(userId);
  const row =
    (yield* maybe<Row>`
      SELECT ${JOB} FROM sync_jobs
      WHERE user_id = ${userId} AND client = ${client} AND feed_day = ${day} AND status = 'completed'`) ??
    (yield* one<Row>`
      INSERT INTO sync_jobs (user_id, source, client, feed_day, trigger_kind, status, created_at, started_at, finished_at)
      VALUES (${userId}, 'feed', ${client}, ${day}, ${trigger}, 'completed', ${now}, ${now}, ${now}) RETURNING ${JOB}`);
  return toJob(row);
}

/** Adds the results of a request to the feed's job. */
export const countOn = (
  id: number,
  { stats, reasons, gains, latest }: Pick<SyncJob, "stats" | "reasons" | "gains" | "latest">,
  now: number,
): Unit<void> =>
  run`
    UPDATE sync_jobs SET stats = ${JSON.stringify({ ...stats, reasons })}, finished_at = ${now},
                         latest = ${JSON.stringify(latest)}, gains = ${JSON.stringify(gains)},
                         gain_counts = ${gains === null ? null : JSON.stringify(countGains(gains))}
    WHERE id = ${id}`;

/** Replaces the gains of a feed. */
export const setGains = (id: number, gains: Gains): Unit<void> =>
  run`
    UPDATE sync_jobs SET gains = ${JSON.stringify(gains)}, gain_counts = ${JSON.stringify(countGains(gains))}
    WHERE id = ${id} AND status = 'completed'`;

/** The pending jobs of a worker, oldest first. */
export function* listPendingOf(workerId: string): Unit<HeldJob[]> {
  const rows = yield* many<Row>`
    SELECT ${JOB} FROM sync_jobs WHERE worker_id = ${workerId} AND status = 'pending' ORDER BY id`;
  return rows.map(toHeldJob);
}

/** Whether a job of these sources waits for any process. */
export const isAnyQueued = (sources: readonly Source[]): Unit<boolean> =>
  exists`sync_jobs WHERE ${buildQueued(sources)}`;

/** Jobs that any process can run: no worker has them. */
const buildQueued = (sources: readonly Source[]): Sql =>
  sql`status = 'pending' AND worker_id IS NULL AND rolling_back_since IS NULL AND source ${inList(sources)}`;

/** Claims queued jobs. Jobs that a user waits for come first. */
export function* takeQueued(workerId: string, sources: readonly Source[], most: number): Unit<HeldJob[]> {
  const taken = yield* many<Row>`
    UPDATE sync_jobs SET worker_id = ${workerId}, fence = fence + 1
    WHERE id IN (
      SELECT id FROM sync_jobs WHERE ${buildQueued(sources)}
      ORDER BY CASE trigger_kind WHEN 'auto' THEN 1 ELSE 0 END, created_at, id LIMIT ${most} ${SKIP_LOCKED})
    RETURNING ${JOB}`;
  return taken.map(toHeldJob);
}

const SKIP_LOCKED = byEngine({ sqlite: EMPTY, postgres: raw("FOR UPDATE SKIP LOCKED") });

/**
 * On a server database, pending syncs survive the process that created them. Imports do not, because their file is on
 * that process's machine.
 */
export const requeue = (workerIds: readonly string[]): Unit<void> =>
  run`
    UPDATE sync_jobs SET worker_id = NULL, fence = fence + 1
    WHERE status = 'pending' AND worker_id ${inList(workerIds)} AND source ${inList(SERVICES)}
      AND trigger_kind <> 'cli' AND ${byEngine({ sqlite: raw("1 = 0"), postgres: raw("1 = 1") })}`;

/** Claims a pending job. Returns null if another process claimed it or it was cancelled. */
export function* claim(
  id: number,
  workerId: string,
  cursorBefore: unknown,
  now: number,
  fence = 0,
  /** Identifies the account that it downloads. */
  loginHash: string | null = null,
): Unit<HeldJob | null> {
  const row = yield* maybe<Row>`
    UPDATE sync_jobs SET status = 'running', worker_id = ${workerId}, started_at = coalesce(started_at, ${now}),
                         account_hash = CAST(${loginHash} AS TEXT),
                         cursor_before = ${cursorBefore === null ? null : JSON.stringify(cursorBefore)}
    WHERE id = ${id} AND status = 'pending' AND fence = ${fence} RETURNING ${JOB}`;
  return row && toHeldJob(row);
}

/** The jobs of the same account; only this job if its account is unknown. */
export const listOfAccount = (userId: number, id: number): Unit<{ id: number; prunedAt: number | null }[]> =>
  many`
    SELECT j.id, j.pruned_at AS "prunedAt" FROM sync_jobs j JOIN sync_jobs one ON one.id = ${id}
    WHERE j.user_id = ${userId} AND one.user_id = ${userId} AND j.source = one.source
      AND (j.id = one.id OR j.account_hash = one.account_hash) ORDER BY j.id`;

/**
 * Whether a job can still write: it runs, was not asked to stop, belongs to this worker, and holds its account. Checked
 * in every writing transaction.
 */
export const canWrite = ({ id, fence }: Pick<HeldJob, "id" | "fence">, now: number): Unit<boolean> =>
  exists`
    sync_jobs WHERE id = ${id} AND status = 'running' AND fence = ${fence} AND stop_asked_at IS NULL
      AND ${workers.isInTime("sync_jobs.worker_id", now)} AND ${leases.holdsItsAccount(now)}`;

/** Asks the worker of a job to end it. A job that nobody has claimed ends immediately and is returned. */
export function* askToStop(id: number, now: number): Unit<SyncJob | null> {
  const [ended] = yield* interrupt(
    sql`id = ${id} AND status = 'pending' AND worker_id IS NULL`,
    "The job was stopped before it finished.",
    now,
  );
  if (ended) return ended;
  yield* run`UPDATE sync_jobs SET stop_asked_at = ${now} WHERE id = ${id} AND status IN ('pending', 'running')`;
  return null;
}

/** The jobs among these that are active and were not asked to stop. */
export const listNotStopped = (ids: readonly number[]): Unit<number[]> =>
  manyValues`
    SELECT id FROM sync_jobs
    WHERE id ${inList(ids)} AND status IN ('pending', 'running') AND stop_asked_at IS NULL`;

export const setProgress = (
  id: number,
  stats: JobStats,
  reasons: UnchangedReasons,
  progress: JobProgress,
): Unit<void> =>
  run`
    UPDATE sync_jobs SET stats = ${JSON.stringify({ ...stats, reasons })}, progress = ${JSON.stringify(progress)}
    WHERE id = ${id} AND status = 'running'`;

export const setPhase = ({ id, fence }: Pick<HeldJob, "id" | "fence">, progress: JobProgress): Unit<void> =>
  run`
    UPDATE sync_jobs SET progress = ${JSON.stringify(progress)}
    WHERE id = ${id} AND status = 'running' AND fence = ${fence}`;

/** Completes a running job. Returns null if it was cancelled. */
export function* complete(id: number, cursorAfter: unknown, gains: Gains | null, now: number): Unit<SyncJob | null> {
  const row = yield* maybe<Row>`
    UPDATE sync_jobs SET status = 'completed', finished_at = ${now}, progress = NULL, worker_id = NULL,
                         cursor_after = ${cursorAfter === null ? null : JSON.stringify(cursorAfter)},
                         gains = ${gains === null ? null : JSON.stringify(gains)},
                         gain_counts = ${gains === null ? null : JSON.stringify(countGains(gains))}
    WHERE id = ${id} AND status = 'running' RETURNING ${JOB}`;
  return row && toJob(row);
}

/** Returns null if the job has ended or changed hands. */
export function* fail(
  id: number,
  code: SyncErrorCode,
  message: string,
  now: number,
  fence: number | null = null,
): Unit<SyncJob | null> {
  const row = yield* maybe<Row>`
    UPDATE sync_jobs SET status = 'failed', finished_at = ${now}, worker_id = NULL,
                         error_code = ${code}, error_message = ${message}
    WHERE id = ${id} AND status IN ('pending', 'running') AND fence = coalesce(CAST(${fence} AS BIGINT), fence)
    RETURNING ${JOB}`;
  return row && toJob(row);
}

/** Throws while a job of the user is being rolled back. */
export function* assertNoRollback(userId: number): Unit<void> {
  const id = yield* maybeValue<number>`
    SELECT id FROM sync_jobs WHERE user_id = ${userId} AND rolling_back_since IS NOT NULL`;
  if (id === null) return;
  throw new AppError("conflict", `Job ${id} is being rolled back. Try again when that has finished.`, {
    rule: "rollback_active",
  });
}

/** Marks the job as being rolled back; it cannot write any more. */
export const beginRollback = (id: number, by: number | null, now: number): Unit<void> =>
  run`
    UPDATE sync_jobs SET rolling_back_since = ${now}, rolled_back_by = ${by}, worker_id = NULL,
                         status = CASE status WHEN 'completed' THEN status ELSE 'failed' END,
                         finished_at = coalesce(finished_at, ${now})
    WHERE id = ${id}`;

/** The progress of a rollback; null if it has not begun. */
export function* findRollback<Progress>(id: number): Unit<Progress | null> {
  return parseJson(yield* maybeValue<string>`SELECT rollback FROM sync_jobs WHERE id = ${id}`) as Progress | null;
}

export const setRollback = (id: number, progress: unknown): Unit<void> =>
  run`UPDATE sync_jobs SET rollback = ${JSON.stringify(progress)} WHERE id = ${id}`;

/** Unfinished rollbacks, oldest first. */
export const listRollingBack = (): Unit<{ id: number; userId: number }[]> =>
  many`
    SELECT id, user_id AS "userId" FROM sync_jobs WHERE rolling_back_since IS NOT NULL ORDER BY rolling_back_since, id`;

/** Ends a rollback. */
export function* cancel(id: number, now: number): Unit<SyncJob> {
  return toJob(
    yield* one<Row>`
      UPDATE sync_jobs SET status = 'cancelled', rolled_back_at = ${now}, rolling_back_since = NULL,
                           gains = NULL, gain_counts = NULL
      WHERE id = ${id} RETURNING ${JOB}`,
  );
}

export function* find(userId: number, id: number): Unit<SyncJob | null> {
  const row = yield* maybe<Row>`SELECT ${JOB} FROM sync_jobs WHERE id = ${id} AND user_id = ${userId}`;
  return row && toJob(row);
}

export function* get(userId: number, id: number): Unit<SyncJob> {
  const job = yield* find(userId, id);
  if (!job) throw new AppError("not_found", `There is no job ${id}.`);
  return job;
}

export interface JobFilter {
  userId: number;
  source?: Source;
  statuses?: readonly JobStatus[];
  /** Only jobs older than this one. */
  before?: { createdAt: number; id: number };
  limit: number;
}

/** Newest first. */
export function* list({ userId, source, statuses, before, limit }: JobFilter): Unit<ListedJob[]> {
  const conditions = [
    sql`user_id = ${userId}`,
    source ? sql`source = ${source}` : null,
    statuses ? sql`status ${inList(statuses)}` : null,
    before ? sql`(created_at < ${before.createdAt} OR (created_at = ${before.createdAt} AND id < ${before.id}))` : null,
  ];
  const rows = yield* many<ListedRow>`
    SELECT ${LISTED_JOB} FROM sync_jobs ${where(conditions)} ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
  return rows.map(toListedJob);
}

export const countActive = (userId: number): Unit<number> =>
  countRows`sync_jobs WHERE user_id = ${userId} AND status IN ('pending', 'running')`;

/** The jobs among these that were not rolled back, oldest first. */
export function* listLater(userId: number, ids: readonly number[]): Unit<SyncJob[]> {
  const rows = yield* many<Row>`
    SELECT ${JOB} FROM sync_jobs WHERE user_id = ${userId} AND id ${inList(ids)} AND status <> 'cancelled' ORDER BY id`;
  return rows.map(toJob);
}

/** Later syncs that skipped a contact because it had been deleted. */
export function* listSkippedSyncs(userId: number, afterId: number): Unit<SyncJob[]> {
  const rows = yield* many<Row>`
    SELECT ${JOB} FROM sync_jobs
    WHERE user_id = ${userId} AND id > ${afterId} AND status = 'completed' AND dry_run = 0 ORDER BY id`;
  return rows.map(toJob).filter(({ reasons }) => reasons.deleted > 0);
}

/** Jobs that nobody works on any more: those of dead workers, or some that a live worker has lost. */
export type Abandoned = { deadWorkers: readonly string[] } | { workerId: string; jobIds: readonly number[] };

/** Returns active jobs to the queue, for any process. */
const putBack = (which: Sql): Unit<void> =>
  run`UPDATE sync_jobs SET status = 'pending', worker_id = NULL, fence = fence + 1
      WHERE status IN ('pending', 'running') AND ${which}`;

/**
 * Fails abandoned jobs, so that they can be rolled back and the schedule continues. Bulk edits have stored progress, so
 * another process can continue them.
 */
export function* failAbandoned(which: Abandoned, now: number): Unit<SyncJob[]> {
  const [jobs, how] =
    "deadWorkers" in which
      ? [sql`(worker_id ${inList(which.deadWorkers)} OR (worker_id IS NULL AND status = 'running'))`, "stopped"]
      : [sql`worker_id = ${which.workerId} AND id ${inList(which.jobIds)}`, "lost it"];
  const message = `The program that ran this job ${how} before the job finished.`;
  const failed = yield* interrupt(sql`source <> 'repair' AND ${jobs}`, message, now);
  yield* putBack(sql`source = 'repair' AND ${jobs}`);
  return failed;
}

/** Returns a bulk edit to the queue, unless another worker has it. */
export function* release({ id, fence }: Pick<HeldJob, "id" | "fence">): Unit<SyncJob> {
  yield* putBack(sql`id = ${id} AND fence = ${fence}`);
  return toJob(yield* one<Row>`SELECT ${JOB} FROM sync_jobs WHERE id = ${id}`);
}

/** Other active jobs of a user. */
export const listOtherActive = (userId: number, jobId: number): Unit<Pick<SyncJob, "id" | "source">[]> =>
  many`
    SELECT id, source FROM sync_jobs
    WHERE user_id = ${userId} AND id <> ${jobId} AND status IN ('pending', 'running') ORDER BY id`;

/** Fails other active jobs of a user when one of the jobs is rolled back. */
export function* failOtherActive(userId: number, jobId: number, now: number): Unit<SyncJob[]> {
  const stopped = yield* interrupt(
    sql`user_id = ${userId} AND id <> ${jobId}`,
    `The job was stopped because job ${jobId} was rolled back or undone at the same time.`,
    now,
  );
  return stopped.sort((a, b) => a.id - b.id);
}

function* interrupt(which: Sql, message: string, now: number): Unit<SyncJob[]> {
  const rows = yield* many<Row>`
    UPDATE sync_jobs SET status = 'failed', finished_at = ${now}, worker_id = NULL, error_code = 'interrupted',
                         error_message = ${message}
    WHERE status IN ('pending', 'running') AND ${which} RETURNING ${JOB}`;
  return rows.map(toJob);
}

/** The pending and running jobs of a worker. */
export const listIdsOf = (workerId: string): Unit<number[]> =>
  manyValues`
    SELECT id FROM sync_jobs WHERE worker_id = ${workerId} AND status IN ('pending', 'running')`;

/** Fails all active jobs of a deleted user. Their workers end them and release the leases. */
export const failAllOf = (userId: number, message: string, now: number): Unit<void> =>
  run`
    UPDATE sync_jobs SET status = 'failed', finished_at = ${now}, error_code = 'interrupted', error_message = ${message}
    WHERE user_id = ${userId} AND status IN ('pending', 'running')`;

/** The newest jobs of all users, for the operator. */
export function* listNewestOfAll(limit: number): Unit<SyncJob[]> {
  const rows = yield* many<Row>`SELECT ${JOB} FROM sync_jobs ORDER BY id DESC LIMIT ${limit}`;
  return rows.map(toJob);
}

/** A job of any user, for the operator. */
export function* getOfAnyUser(id: number): Unit<SyncJob> {
  const row = yield* maybe<Row>`SELECT ${JOB} FROM sync_jobs WHERE id = ${id}`;
  if (!row) throw new AppError("not_found", `There is no job ${id}.`);
  return toJob(row);
}

export interface JobGains {
  jobId: number;
  source: Source;
  finishedAt: number;
  gains: Gains;
}

/** The gains of these jobs, newest first. */
export function* listGainsOf(userId: number, ids: readonly number[]): Unit<Gains[]> {
  const gains = yield* manyValues<string>`
    SELECT gains FROM sync_jobs WHERE user_id = ${userId} AND id ${inList(ids)} AND gains IS NOT NULL
    ORDER BY finished_at DESC, id DESC`;
  return gains.map((text) => JSON.parse(text) as Gains);
}

/** The gains of jobs completed since a time, newest first. */
export function* listGains(userId: number, since: number): Unit<JobGains[]> {
  const rows = yield* many<Omit<JobGains, "gains"> & { gains: string }>`
    SELECT id AS "jobId", source, finished_at AS "finishedAt", gains FROM sync_jobs
    WHERE user_id = ${userId} AND status = 'completed' AND gains IS NOT NULL AND finished_at >= ${since}
    ORDER BY finished_at DESC, id DESC`;
  return rows.map((row) => ({ ...row, gains: JSON.parse(row.gains) as Gains }));
}
