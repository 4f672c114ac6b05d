import {
  afterInterruption,
  MAX_INTERVAL_HOURS,
  MIN_INTERVAL_HOURS,
  nextAfterChange,
  nextAfterFailure,
  nextAfterSuccess,
  spreadFor,
  type AutoSyncSettings,
  type ServiceSchedule,
} from "../domain/auto-sync.ts";
import { AppError } from "../domain/errors.ts";
import { SERVICES, type Service } from "../domain/source.ts";
import type { SyncJob } from "../domain/sync-job.ts";
import * as storage from "../storage/auto-sync-settings.ts";
import type { Unit } from "../storage/unit.ts";
import type { World } from "../world.ts";

type Deps = Pick<World, "db" | "clock">;

export type SettingsChange = Partial<Record<Service, { enabled?: boolean; intervalHours?: number }>>;

export const settingsOf = ({ db }: Pick<Deps, "db">, userId: number): Promise<AutoSyncSettings> =>
  db.read(function* () {
    yield* storage.assertThere();
    return yield* storage.of(userId);
  });

export interface Upcoming {
  source: Service;
  nextSyncAt: number;
  overdue: boolean;
}

/** The syncs to come, next first; none where the server has none. */
export const upcomingOf = async ({ db }: Pick<Deps, "db">, userId: number, now: number): Promise<Upcoming[]> => {
  const settings = await db.read(function* () {
    return (yield* storage.isThere()) ? yield* storage.of(userId) : null;
  });
  const upcoming = SERVICES.flatMap((source) => {
    const nextSyncAt = settings?.[source].nextSyncAt ?? null;
    return nextSyncAt === null ? [] : [{ source, nextSyncAt, overdue: nextSyncAt <= now }];
  });
  return upcoming.sort((a, b) => a.nextSyncAt - b.nextSyncAt);
};

/** Changes what is named and gives the whole. */
export const changeSettings = async (
  { db, clock }: Deps,
  userId: number,
  change: SettingsChange,
): Promise<AutoSyncSettings> => {
  assertIntervals(change);
  const now = clock();
  return db.write(function* () {
    yield* storage.assertThere();
    const settings = yield* storage.of(userId);
    for (const source of SERVICES) {
      const wanted = change[source];
      if (wanted) yield* storage.set(userId, source, rescheduled(userId, source, settings[source], wanted, now), now);
    }
    return yield* withoutPaused(userId);
  });
};

/** What waits for credentials is not due at any time. */
function* withoutPaused(userId: number): Unit<AutoSyncSettings> {
  const settings = yield* storage.of(userId);
  for (const source of SERVICES) if (settings[source].paused) yield* storage.setNext(userId, source, null);
  return yield* storage.of(userId);
}

const assertIntervals = (change: SettingsChange): void => {
  const fields = SERVICES.flatMap((source) => {
    const hours = change[source]?.intervalHours;
    const fits =
      hours === undefined || (Number.isInteger(hours) && hours >= MIN_INTERVAL_HOURS && hours <= MAX_INTERVAL_HOURS);
    const message = `must be a whole number of hours from ${MIN_INTERVAL_HOURS} to ${MAX_INTERVAL_HOURS}`;
    return fits ? [] : [{ path: `${source}.intervalHours`, message }];
  });
  if (fields.length > 0) throw new AppError("invalid", `${fields[0]!.path} ${fields[0]!.message}.`, { fields });
};

const rescheduled = (
  userId: number,
  source: Service,
  known: ServiceSchedule,
  { enabled = known.enabled, intervalHours = known.intervalHours }: { enabled?: boolean; intervalHours?: number },
  now: number,
): ServiceSchedule => {
  const next = { ...known, enabled, intervalHours };
  const isUnchanged = enabled === known.enabled && intervalHours === known.intervalHours;
  if (isUnchanged && (known.nextSyncAt !== null || !enabled)) return next;
  return { ...next, nextSyncAt: enabled ? nextAfterChange(next, spreadFor(userId, source, now), now) : null };
};

/** New or proven credentials: a service that waited for them is scheduled again. Part of the unit that stores them. */
export function* credentialsChanged(userId: number, source: Service, now: number): Unit<void> {
  if (!(yield* storage.isThere())) return;
  const { [source]: schedule } = yield* storage.of(userId);
  yield* storage.setFailures(userId, source, 0);
  if (schedule.enabled && schedule.nextSyncAt === null) {
    yield* storage.setNext(userId, source, nextAfterChange(schedule, spreadFor(userId, source, now), now));
  }
}

const RESUMED_AT_ONCE = 1_000;

/** Schedules what waited for credentials that somebody brought from elsewhere, such as the command line. */
export function* resumeReady(now: number): Unit<void> {
  for (const source of SERVICES) {
    for (const userId of yield* storage.listReady(source, RESUMED_AT_ONCE)) {
      yield* credentialsChanged(userId, source, now);
    }
  }
}

/** Nothing is scheduled for credentials that the service rejects, or that are gone. */
export function* pause(userId: number, source: Service): Unit<void> {
  if (yield* storage.isThere()) yield* storage.setNext(userId, source, null);
}

/** A completed sync, however it was started, moves the schedule on. Part of the unit that completes it. */
export function* syncCompleted({ userId, source, finishedAt }: SyncJob): Unit<void> {
  if (source === "file" || finishedAt === null || !(yield* storage.isThere())) return;
  const { [source]: schedule } = yield* storage.of(userId);
  yield* storage.setLast(userId, source, finishedAt);
  yield* storage.setFailures(userId, source, 0);
  const spread = spreadFor(userId, source, finishedAt);
  yield* storage.setNext(userId, source, nextAfterSuccess(finishedAt, schedule.intervalHours, spread));
}

/** Only a failed sync that the schedule itself started moves it. */
export function* autoSyncFailed(job: SyncJob, retryAfterSeconds: number | null, now: number): Unit<void> {
  const { userId, source, error, finishedAt } = job;
  if (source === "file" || job.trigger !== "auto" || !(yield* storage.isThere())) return;
  const { [source]: schedule } = yield* storage.of(userId);
  if (schedule.paused) return yield* pause(userId, source);
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

/** The program that ran an automatic sync died: it is tried again before long. */
export function* autoSyncOrphaned({ userId, source, trigger }: SyncJob, now: number): Unit<void> {
  if (source === "file" || trigger !== "auto" || !(yield* storage.isThere())) return;
  yield* storage.setNext(userId, source, afterInterruption(now));
}
