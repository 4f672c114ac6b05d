import {
  MAX_INTERVAL_HOURS,
  MIN_INTERVAL_HOURS,
  nextAfterChange,
  spreadFor,
  type AutoSyncSettings,
  type ServiceSchedule,
} from "../domain/auto-sync.ts";
import { AppError } from "../domain/errors.ts";
import { SERVICES, type Service } from "../domain/source.ts";
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
