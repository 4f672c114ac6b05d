import {
  DEFAULT_SCHEDULE,
  MAX_INTERVAL_HOURS,
  MIN_INTERVAL_HOURS,
  nextAfterChange,
  computeSpread,
  TICK_SECONDS,
  type AutoSyncSettings,
  type ServiceSchedule,
} from "../domain/jobs/auto-sync.ts";
import { AppError } from "../kernel/errors.ts";
import { byService, SERVICES, type Service } from "../domain/jobs/source.ts";
import * as storage from "../storage/jobs/auto-sync-settings.ts";
import * as syncJobs from "../storage/jobs/sync-jobs.ts";
import { lockUser, type Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";

type Deps = Pick<World, "db" | "clock">;

export type SettingsChange = Partial<Record<Service, { enabled?: boolean; intervalHours?: number }>>;

/** A user's schedule. If the operator reverted the table's migration, nothing is scheduled and pages still work. */
export function* scheduleOf(userId: number): Unit<AutoSyncSettings> {
  if (yield* storage.isThere()) return yield* storage.get(userId);
  return byService(() => DEFAULT_SCHEDULE);
}

export const schedule = ({ db }: Deps, { owner: { id } }: LogCaller): Promise<AutoSyncSettings> =>
  db.read(function* () {
    yield* storage.assertThere();
    return yield* storage.get(id);
  });

interface Upcoming {
  source: Service;
  nextSyncAt: number;
  overdue: boolean;
}

/** The public state of the scheduler. */
interface Standing {
  isRunning: boolean;
  lastTickAt: number | null;
}

/** The state of the scheduler, and the caller's next syncs. */
export const schedulerStatus = async (
  { db, clock, scheduler }: Deps & { scheduler: Standing },
  { owner: { id } }: LogCaller,
) => {
  const now = clock();
  const { settings, activeJobs } = await db.read(function* () {
    return { settings: yield* scheduleOf(id), activeJobs: yield* syncJobs.countActive(id) };
  });
  const { isRunning: running, lastTickAt } = scheduler;
  return { running, now, tickSeconds: TICK_SECONDS, lastTickAt, activeJobs, upcoming: listUpcoming(settings, now) };
};

/** The next syncs, soonest first. */
const listUpcoming = (settings: AutoSyncSettings, now: number): Upcoming[] =>
  SERVICES.flatMap((source) => {
    const { nextSyncAt } = settings[source];
    return nextSyncAt === null ? [] : [{ source, nextSyncAt, overdue: nextSyncAt <= now }];
  }).sort((a, b) => a.nextSyncAt - b.nextSyncAt);

/** Changes the given settings and returns all of them. */
export const changeSchedule = async (
  { db, clock }: Deps,
  { owner: { id: userId } }: LogCaller,
  change: SettingsChange,
): Promise<AutoSyncSettings> => {
  assertIntervals(change);
  const now = clock();
  return db.write(function* () {
    yield* lockUser(userId);
    yield* storage.assertThere();
    const settings = yield* storage.get(userId);
    for (const source of SERVICES) {
      const wanted = change[source];
      if (wanted)
        yield* storage.set(userId, source, computeSchedule(userId, source, settings[source], wanted, now), now);
    }
    return yield* removePaused(userId);
  });
};

/** A service that waits for credentials has no due time. */
function* removePaused(userId: number): Unit<AutoSyncSettings> {
  const settings = yield* storage.get(userId);
  for (const source of SERVICES) if (settings[source].paused) yield* storage.setNext(userId, source, null);
  return yield* storage.get(userId);
}

const assertIntervals = (change: SettingsChange): void => {
  const fields = SERVICES.flatMap((source) => {
    const hours = change[source]?.intervalHours;
    const fits =
      hours === undefined || (Number.isInteger(hours) && hours >= MIN_INTERVAL_HOURS && hours <= MAX_INTERVAL_HOURS);
    const message = `Enter ${MIN_INTERVAL_HOURS} to ${MAX_INTERVAL_HOURS} hours.`;
    return fits ? [] : [{ path: `${source}.intervalHours`, message }];
  });
  if (fields.length > 0) throw new AppError("invalid", fields[0]!.message, { fields });
};

const computeSchedule = (
  userId: number,
  source: Service,
  known: ServiceSchedule,
  { enabled = known.enabled, intervalHours = known.intervalHours }: { enabled?: boolean; intervalHours?: number },
  now: number,
): ServiceSchedule => {
  const next = { ...known, enabled, intervalHours };
  const isUnchanged = enabled === known.enabled && intervalHours === known.intervalHours;
  if (isUnchanged && (known.nextSyncAt !== null || !enabled)) return next;
  return { ...next, nextSyncAt: enabled ? nextAfterChange(next, computeSpread(userId, source, now), now) : null };
};
