import { gainsOfJob } from "../../awards/gains.ts";
import { AppError } from "../../kernel/errors.ts";
import { isRefusal, SyncError, type SyncErrorCode } from "../../domain/jobs/provider.ts";
import { isService } from "../../domain/jobs/source.ts";
import type { JobStats, SyncJob, UnchangedReasons } from "../../domain/jobs/sync-job.ts";
import { scheduleAfterFailure, scheduleAfterOrphan, scheduleAfterSync } from "../schedule.ts";
import * as notices from "../../notices/enqueue.ts";
import * as leases from "../../storage/jobs/account-leases.ts";
import * as serviceCredentials from "../../storage/jobs/service-credentials.ts";
import * as syncCursors from "../../storage/jobs/sync-cursors.ts";
import * as syncJobs from "../../storage/jobs/sync-jobs.ts";
import { lockUser, type Unit } from "../../storage/engine/unit.ts";
import * as users from "../../storage/people/users.ts";
import * as workers from "../../storage/jobs/workers.ts";
import type { World } from "../../world.ts";

export type FinishDeps = Pick<World, "db" | "clock" | "log" | "sleep" | "callFacts" | "config">;

/** The account at a service that a job uses. */
export interface AccountInUse {
  credentials: serviceCredentials.StoredCredentials;
  holder: leases.Holder;
  /** The lease on the account. While it is "asked", the database may already have granted it. */
  lease: "none" | "asked" | "held";
}

/** The result of a job after its last record. */
export interface Completion {
  stats: JobStats;
  reasons: UnchangedReasons;
  /** Where the next download starts. */
  cursorAfter: unknown;
}

export type Outcome = Completion | { error: unknown };

/** A job that ends, with the account that it uses. */
interface Ending {
  job: syncJobs.HeldJob;
  account: AccountInUse | null;
  /** Aborts when the program stops. */
  stopping: AbortSignal;
}

/** Thrown if the job was stopped or another process ended it: it must not write any more. */
export class Interrupted extends Error {}

/** After this many new contacts the query planner needs fresh statistics. */
const WORTH_ANALYZING = 2_000;

/**
 * The only way to end a job that this process runs. It writes the status, everything that follows from it, and releases
 * the account in one transaction. It retries until that is written or the program stops.
 */
export const finishJob = async (deps: FinishDeps, ending: Ending, outcome: Outcome): Promise<SyncJob> => {
  const ended = await writeEnd(deps, ending, outcome);
  const { id, userId, source, trigger, status, error, stats } = ended;
  const fields = { job: id, user: userId, source, trigger, status, error, added: stats.added, updated: stats.updated };
  deps.log[status === "failed" ? "warn" : "info"]("job.ended", fields);
  return ended;
};

const writeEnd = async (deps: FinishDeps, ending: Ending, outcome: Outcome): Promise<SyncJob> => {
  if ("error" in outcome) return writeFailure(deps, ending, outcome.error);
  try {
    const ended = await retryUntilWritten(deps, ending, isBusy, () => complete(deps, ending, outcome));
    if (outcome.stats.added >= WORTH_ANALYZING) await analyze(deps);
    return ended;
  } catch (error) {
    return writeFailure(deps, ending, error);
  }
};

const complete = async (
  deps: FinishDeps,
  { job, account }: Ending,
  { stats, reasons, cursorAfter }: Completion,
): Promise<SyncJob> => {
  const gains = job.dryRun ? null : await gainsOfJob(deps, job.id, job.userId);
  const { db, clock } = deps;
  const now = clock();
  return db.write(function* () {
    yield* lockUser(job.userId);
    if (!(yield* syncJobs.canWrite(job, now))) throw new Interrupted();
    yield* syncJobs.setProgress(job.id, stats, reasons, { phase: "done", done: stats.fetched });
    const cursor = job.dryRun || !isService(job.source) ? null : cursorAfter;
    const completed = yield* syncJobs.complete(job.id, cursor, gains, now);
    if (!completed) throw new Interrupted();
    if (cursor !== null && isService(job.source)) yield* syncCursors.set(job.userId, job.source, cursor, now);
    if (account) yield* markAccountProved(account, now);
    if (job.dryRun) return completed;
    yield* users.raiseLogVersion(job.userId);
    yield* scheduleAfterSync(completed);
    yield* notices.enqueueCompleted(completed, now);
    return completed;
  });
};

function* markAccountProved(account: AccountInUse, now: number): Unit<void> {
  const { credentials } = account;
  const { userId, source, loginHash } = credentials;
  yield* serviceCredentials.setState(credentials, "ok", null, now);
  const current = yield* serviceCredentials.find(userId, source);
  // The cursor of one account is wrong for another account that replaced it during the job.
  if (current?.loginHash !== loginHash) yield* syncCursors.set(userId, source, null, now);
  yield* releaseAccount(account);
}

const writeFailure = (deps: FinishDeps, ending: Ending, error: unknown): Promise<SyncJob> => {
  const { job, account } = ending;
  const { code, message } = toReason(error);
  const { db, clock, log } = deps;
  if (code === "internal") log.error("job.failed", { job: job.id, source: job.source, error });
  const now = clock();
  const retryAfterSeconds = error instanceof SyncError ? error.retryAfterSeconds : undefined;
  const fail = () =>
    db.write(function* () {
      yield* lockUser(job.userId);
      const ended = yield* syncJobs.fail(job.id, code, message, now, job.fence);
      if (ended) yield* users.raiseLogVersion(job.userId);
      if (account && isRefusal(code) && (yield* leases.isHeld(toLease(account), now))) {
        yield* serviceCredentials.setState(account.credentials, "rejected", message, now);
      }
      if (account) yield* releaseAccount(account);
      if (ended) {
        yield* scheduleAfterFailure(ended, retryAfterSeconds ?? null, now);
        yield* notices.enqueueFailed(ended, now);
      }
      // The job is gone if its user was deleted.
      const gone: SyncJob = { ...job, status: "failed", finishedAt: now, error: { code, message } };
      return ended ?? (yield* syncJobs.find(job.userId, job.id)) ?? gone;
    });
  return retryUntilWritten(deps, ending, () => true, fail);
};

const toReason = (error: unknown): { code: SyncErrorCode; message: string } => {
  if (error instanceof Interrupted) {
    return { code: "interrupted", message: "The job was stopped before it finished." };
  }
  if (error instanceof SyncError) return error;
  if (error instanceof AppError) return { code: "internal", message: error.message };
  return { code: "internal", message: "Something went wrong. See the server's log for details." };
};

/** Releases only a lease that this job holds: while it waits, another job of this process may hold it. */
export function* releaseAccount(account: AccountInUse): Unit<void> {
  if (account.lease === "held") yield* leases.release(toLease(account));
}

export const toLease = ({ credentials: { source, loginHash }, holder }: AccountInUse): leases.Lease => ({
  source,
  loginHash,
  ...holder,
});

const MIN_WAIT_MS = 250;
const MAX_WAIT_MS = 30_000;

const isBusy = (error: unknown): boolean => error instanceof AppError && error.code === "unavailable";

const retryUntilWritten = async <T>(
  { clock, sleep, log }: FinishDeps,
  { job, stopping }: Ending,
  isPassing: (error: unknown) => boolean,
  write: () => Promise<T>,
): Promise<T> => {
  const began = clock();
  for (let wait = MIN_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    try {
      const written = await write();
      if (wait > MIN_WAIT_MS) log.warn("job.end_delayed", { job: job.id, ms: clock() - began });
      return written;
    } catch (error) {
      if (stopping.aborted || !isPassing(error)) throw error;
      log.warn("job.end_write_failed", { job: job.id, error });
    }
    await sleep(wait, stopping).catch(() => {});
  }
};

const analyze = ({ db, log }: FinishDeps): Promise<void> =>
  db.analyze().catch((error: unknown) => log.debug("analyze.failed", { error }));

/** Fails the jobs of dead workers and releases their accounts. */
export function* failOrphanedJobs(workerIds: readonly string[], now: number): Unit<SyncJob[]> {
  yield* syncJobs.requeue(workerIds);
  const orphans = yield* syncJobs.failAbandoned({ deadWorkers: workerIds }, now);
  yield* scheduleRetries(orphans, now);
  if (workerIds.length > 0) yield* workers.remove(workerIds);
  return orphans;
}

/** Asks the process that runs the job to stop it. Ends a job that no process has claimed yet. */
export function* requestStop({ id, userId }: Pick<SyncJob, "id" | "userId">, now: number): Unit<SyncJob> {
  yield* lockUser(userId);
  const ended = yield* syncJobs.askToStop(id, now);
  if (ended === null) return yield* syncJobs.get(userId, id);
  yield* users.raiseLogVersion(userId);
  yield* scheduleAfterFailure(ended, null, now);
  return ended;
}

/** Jobs and leases that carry the id of a live worker although it does not work on them. */
export interface Lost {
  jobIds: readonly number[];
  leases: readonly leases.Lease[];
}

export function* failLostJobs(workerId: string, lost: Lost, now: number): Unit<SyncJob[]> {
  const ended = yield* syncJobs.failAbandoned({ workerId, jobIds: lost.jobIds }, now);
  yield* scheduleRetries(ended, now);
  for (const lease of lost.leases) yield* leases.release(lease);
  return ended;
}

/** Schedules the next automatic syncs of failed jobs. */
function* scheduleRetries(orphans: readonly SyncJob[], now: number): Unit<void> {
  for (const job of orphans) {
    yield* users.raiseLogVersion(job.userId);
    yield* scheduleAfterOrphan(job, now);
  }
}
