import {
  afterInterruption,
  nextAfterChange,
  nextAfterFailure,
  nextAfterSuccess,
  spreadFor,
} from "../domain/jobs/auto-sync.ts";
import { isService, SERVICES, type Service } from "../domain/jobs/source.ts";
import type { ListedJob, SyncJob } from "../domain/jobs/sync-job.ts";
import * as storage from "../storage/jobs/auto-sync-settings.ts";
import * as syncJobs from "../storage/jobs/sync-jobs.ts";
import type { Unit } from "../storage/engine/unit.ts";

/** New or proven credentials: a service that waited for them is scheduled again. Part of the unit that stores them. */
export function* credentialsChanged(userId: number, source: Service, now: number): Unit<void> {
  if (!(yield* storage.isThere())) return;
  const { [source]: schedule } = yield* storage.of(userId);
  yield* storage.setFailures(userId, source, 0);
  if (schedule.enabled && schedule.nextSyncAt === null) {
    yield* storage.setNext(userId, source, nextAfterChange(schedule, spreadFor(userId, source, now), now));
  }
}

const BATCH_SIZE = 1_000;

/** Schedules what waited for credentials that somebody brought from elsewhere, such as the command line. */
export function* unpauseReady(now: number): Unit<void> {
  for (const source of SERVICES) {
    for (const userId of yield* storage.listReady(source, BATCH_SIZE)) {
      yield* credentialsChanged(userId, source, now);
    }
  }
}

/** Brings back what a clock that was ahead put off, perhaps for years; gives how many there were. */
export function* clampNextSync(now: number): Unit<number> {
  let moved = 0;
  for (const source of SERVICES) {
    for (const far of yield* storage.listFarAhead(source, now, BATCH_SIZE)) {
      const spread = spreadFor(far.userId, source, now);
      if (yield* storage.claim(far, nextAfterSuccess(now, far.intervalHours, spread))) moved += 1;
    }
  }
  return moved;
}

/** Nothing is scheduled for credentials that the service rejects, or that are gone. */
export function* pauseSchedule(userId: number, source: Service): Unit<void> {
  if (yield* storage.isThere()) yield* storage.setNext(userId, source, null);
}

/** A completed sync, however it was started, moves the schedule on. Part of the unit that completes it. */
export function* scheduleAfterSync({
  userId,
  source,
  finishedAt,
}: Pick<SyncJob, "userId" | "source" | "finishedAt">): Unit<void> {
  if (!isService(source) || finishedAt === null || !(yield* storage.isThere())) return;
  const { [source]: schedule } = yield* storage.of(userId);
  yield* storage.setLast(userId, source, finishedAt);
  yield* storage.setFailures(userId, source, 0);
  const spread = spreadFor(userId, source, finishedAt);
  yield* storage.setNext(userId, source, nextAfterSuccess(finishedAt, schedule.intervalHours, spread));
}

/** Only a failed sync that the schedule itself started moves it. */
export function* scheduleAfterFailure(job: SyncJob, retryAfterSeconds: number | null, now: number): Unit<void> {
  const { userId, source, error, finishedAt } = job;
  if (!isService(source) || job.trigger !== "auto" || !(yield* storage.isThere())) return;
  const { [source]: schedule } = yield* storage.of(userId);
  if (schedule.paused) return yield* pauseSchedule(userId, source);
  if (error?.code === "interrupted") return yield* storage.setNext(userId, source, now);
  const failuresInARow = (yield* storage.failuresOf(userId, source)) + 1;
  yield* storage.setFailures(userId, source, failuresInARow);
  const failure = {
    finishedAt: finishedAt ?? now,
    intervalHours: schedule.intervalHours,
    failuresInARow,
    retryAfterSeconds,
  };
  yield* storage.setNext(userId, source, nextAfterFailure(failure, spreadFor(userId, source, now)));
}

/**
 * The next syncs bring back what a rollback took away: they are due at once, or as soon as a service that is unwell or
 * asked for time may be asked again. Part of the unit that ends the rollback.
 */
export function* scheduleAfterRollback(userId: number, sources: readonly Service[], now: number): Unit<void> {
  if (sources.length === 0 || !(yield* storage.isThere())) return;
  const schedules = yield* storage.of(userId);
  for (const source of sources) {
    const { paused, nextSyncAt } = schedules[source];
    if (paused !== null) continue;
    const [last] = yield* syncJobs.list({ userId, source, limit: 1 });
    const rest = last ? restAfter(last, nextSyncAt) : null;
    yield* storage.setNext(userId, source, Math.max(now, rest ?? now));
  }
}

/** How long a service is left alone after it could not answer. A sync of the schedule has worked that out already. */
const restAfter = ({ error, trigger, finishedAt }: ListedJob, nextSyncAt: number | null): number | null => {
  if (finishedAt === null || (error?.code !== "busy" && error?.code !== "network")) return null;
  return trigger === "auto" ? nextSyncAt : afterInterruption(finishedAt);
};

/** The program that ran an automatic sync died: it is tried again before long. */
export function* scheduleAfterOrphan({ userId, source, trigger }: SyncJob, now: number): Unit<void> {
  if (!isService(source) || trigger !== "auto" || !(yield* storage.isThere())) return;
  yield* storage.setNext(userId, source, afterInterruption(now));
}
