import {
  getRetryTime,
  nextAfterChange,
  nextAfterFailure,
  nextAfterSuccess,
  computeSpread,
} from "../domain/jobs/auto-sync.ts";
import { isService, type Service } from "../domain/jobs/source.ts";
import type { ListedJob, SyncJob } from "../domain/jobs/sync-job.ts";
import * as storage from "../storage/jobs/auto-sync-settings.ts";
import * as syncJobs from "../storage/jobs/sync-jobs.ts";
import type { Unit } from "../storage/engine/unit.ts";

/**
 * Schedules a service again after its credentials were replaced or proved valid. Runs in the transaction that stores
 * them.
 */
export function* scheduleAfterCredentials(userId: number, source: Service, now: number): Unit<void> {
  if (!(yield* storage.isThere())) return;
  const { [source]: schedule } = yield* storage.get(userId);
  yield* storage.resetFailures(userId, source);
  if (schedule.enabled && schedule.nextSyncAt === null) {
    yield* storage.setNext(userId, source, nextAfterChange(schedule, computeSpread(userId, source, now), now));
  }
}

const BATCH_SIZE = 1_000;

/** Schedules services whose credentials were entered elsewhere, for example on the command line. */
export function* scheduleReady(now: number): Unit<void> {
  for (const { userId, source } of yield* storage.listReady(BATCH_SIZE)) {
    yield* scheduleAfterCredentials(userId, source, now);
  }
}

/** Pulls in syncs that were scheduled far ahead while the clock was wrong. Returns how many there were. */
export function* clampNextSync(now: number): Unit<number> {
  let moved = 0;
  for (const far of yield* storage.listFarAhead(now, BATCH_SIZE)) {
    const spread = computeSpread(far.userId, far.source, now);
    if (yield* storage.claim(far, nextAfterSuccess(now, far.intervalHours, spread))) moved += 1;
  }
  return moved;
}

/** Stops the schedule of a service that rejects the credentials or has none. */
export function* pauseSchedule(userId: number, source: Service): Unit<void> {
  if (yield* storage.isThere()) yield* storage.setNext(userId, source, null);
}

/**
 * Schedules the next sync after a completed one, whoever started it. Runs in the transaction that completes the job.
 */
export function* scheduleAfterSync({
  userId,
  source,
  finishedAt,
}: Pick<SyncJob, "userId" | "source" | "finishedAt">): Unit<void> {
  if (!isService(source) || finishedAt === null || !(yield* storage.isThere())) return;
  const { [source]: schedule } = yield* storage.get(userId);
  yield* storage.setLast(userId, source, finishedAt);
  yield* storage.resetFailures(userId, source);
  const spread = computeSpread(userId, source, finishedAt);
  yield* storage.setNext(userId, source, nextAfterSuccess(finishedAt, schedule.intervalHours, spread));
}

/** Only a failure of a sync that the schedule started moves the schedule. */
export function* scheduleAfterFailure(job: SyncJob, retryAfterSeconds: number | null, now: number): Unit<void> {
  const { userId, source, error, finishedAt } = job;
  if (!isService(source) || job.trigger !== "auto" || !(yield* storage.isThere())) return;
  const { [source]: schedule } = yield* storage.get(userId);
  if (schedule.paused) return yield* pauseSchedule(userId, source);
  if (error?.code === "interrupted") return yield* storage.setNext(userId, source, now);
  const failuresInARow = yield* storage.countFailure(userId, source);
  const failure = {
    finishedAt: finishedAt ?? now,
    intervalHours: schedule.intervalHours,
    failuresInARow,
    retryAfterSeconds,
  };
  yield* storage.setNext(userId, source, nextAfterFailure(failure, computeSpread(userId, source, now)));
}

/**
 * Makes syncs due so that they bring back what a rollback removed: immediately, or as soon as a failing service may be
 * asked again. Runs in the transaction that ends the rollback.
 */
export function* scheduleAfterRollback(userId: number, sources: readonly Service[], now: number): Unit<void> {
  if (sources.length === 0 || !(yield* storage.isThere())) return;
  const schedules = yield* storage.get(userId);
  for (const source of sources) {
    const { paused, nextSyncAt } = schedules[source];
    if (paused !== null) continue;
    const [last] = yield* syncJobs.list({ userId, source, limit: 1 });
    const rest = last ? computeRest(last, nextSyncAt) : null;
    yield* storage.setNext(userId, source, Math.max(now, rest ?? now));
  }
}

/** How long to leave a service alone after it failed. For scheduled syncs the schedule already contains this pause. */
const computeRest = ({ error, trigger, finishedAt }: ListedJob, nextSyncAt: number | null): number | null => {
  if (finishedAt === null || (error?.code !== "busy" && error?.code !== "network")) return null;
  return trigger === "auto" ? nextSyncAt : getRetryTime(finishedAt);
};

/** The process that ran an automatic sync died: retry soon. */
export function* scheduleAfterOrphan({ userId, source, trigger }: SyncJob, now: number): Unit<void> {
  if (!isService(source) || trigger !== "auto" || !(yield* storage.isThere())) return;
  yield* storage.setNext(userId, source, getRetryTime(now));
}
