import {
  DEFAULT_SCHEDULE,
  MAX_RETRY_AFTER,
  MAX_SPREAD,
  type AutoSyncSettings,
  type Pause,
  type ServiceSchedule,
} from "../../domain/jobs/auto-sync.ts";
import { HOUR } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { byService, SERVICES, type Service } from "../../domain/jobs/source.ts";
import type { CredentialState } from "./service-credentials.ts";
import { exists, hasEffect, many, maybeValue, raw, run, sql, type Sql, type Unit } from "../engine/unit.ts";

/** The column of a service: `first_enabled`, `second_next_sync_at` … */
const buildColumn = (source: Service, name: string): Sql => raw(`${source}_${name}`);

/** The table with one row per user and service: `FROM ${SCHEDULES} s`. */
export const SCHEDULES: Sql = raw(
  `(${SERVICES.map(
    (source) => `
      SELECT user_id, '${source}' AS source, ${source}_enabled AS enabled, ${source}_interval_hours AS interval_hours,
             ${source}_last_sync_at AS last_sync_at, ${source}_next_sync_at AS next_sync_at FROM auto_sync_settings`,
  ).join(" UNION ALL ")})`,
);

/** Enabled schedules that are not paused. */
const RUNNING: Sql = sql`
  ${SCHEDULES} s JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL AND s.enabled = 1
  JOIN service_credentials c ON c.user_id = s.user_id AND c.source = s.source AND c.state <> 'rejected'`;

const OWNER = sql`s.user_id AS "userId", s.source`;
const TIMES = sql`s.last_sync_at AS "lastSyncAt", s.next_sync_at AS "nextSyncAt", s.interval_hours AS "intervalHours"`;

/** Returns false if the operator reverted the migration that creates the table. */
export const isThere = (): Unit<boolean> => exists`migrations WHERE name = '0005_auto_sync'`;

export function* assertThere(): Unit<void> {
  if (yield* isThere()) return;
  const message =
    "Scheduled syncs are not available on this server, because their migration was reverted. Apply it again with qsolog db migrate.";
  throw new AppError("unavailable", message);
}

type Row = Omit<ServiceSchedule, "enabled" | "paused"> & {
  source: Service;
  enabled: number;
  state: CredentialState | null;
};

/** The user's settings, or the defaults. */
export function* get(userId: number): Unit<AutoSyncSettings> {
  const rows = yield* many<Row>`
    SELECT s.source, s.enabled, ${TIMES}, c.state FROM ${SCHEDULES} s
    LEFT JOIN service_credentials c ON c.user_id = s.user_id AND c.source = s.source WHERE s.user_id = ${userId}`;
  return byService((source) => scheduleOf(rows.find((row) => row.source === source)));
}

const scheduleOf = (row: Row | undefined): ServiceSchedule => {
  if (!row) return DEFAULT_SCHEDULE;
  const { intervalHours, lastSyncAt, nextSyncAt } = row;
  const enabled = row.enabled === 1;
  const paused = enabled ? pauseOf(row.state) : null;
  return { enabled, intervalHours, lastSyncAt, nextSyncAt: paused === null ? nextSyncAt : null, paused };
};

/** Why an enabled service is not scheduled. */
export const pauseOf = (state: CredentialState | null): Pause | null => {
  if (state === null) return "not_configured";
  return state === "rejected" ? "credentials" : null;
};

export function* set(userId: number, source: Service, schedule: ServiceSchedule, now: number): Unit<void> {
  yield* run`INSERT INTO auto_sync_settings (user_id, created_at, updated_at) VALUES (${userId}, ${now}, ${now})
             ON CONFLICT DO NOTHING`;
  yield* run`
    UPDATE auto_sync_settings SET
      ${buildColumn(source, "enabled")} = ${schedule.enabled}, ${buildColumn(source, "interval_hours")} = ${schedule.intervalHours},
      ${buildColumn(source, "last_sync_at")} = ${schedule.lastSyncAt}, ${buildColumn(source, "next_sync_at")} = ${schedule.nextSyncAt},
      updated_at = ${now}
    WHERE user_id = ${userId}`;
}

export interface Due {
  userId: number;
  source: Service;
  intervalHours: number;
  nextSyncAt: number;
  failures: number;
}

/**
 * Due syncs, longest overdue first, one per account: others would only wait for it. Leaves out users or accounts that
 * are already syncing with the service, logs that are being rolled back, and missing or rejected credentials.
 */
export const listDue = (now: number, limit: number): Unit<Due[]> =>
  many`
    SELECT * FROM (
      SELECT ${OWNER}, ${TIMES}, c.failures,
             row_number() OVER (PARTITION BY s.source, c.login_hash ORDER BY s.next_sync_at, s.user_id) AS place
      FROM ${RUNNING}
      WHERE s.next_sync_at <= ${now}
        AND NOT EXISTS (SELECT 1 FROM sync_jobs j WHERE j.user_id = s.user_id AND j.source = s.source
                        AND j.status IN ('pending', 'running'))
        AND NOT EXISTS (SELECT 1 FROM sync_jobs r WHERE r.user_id = s.user_id AND r.rolling_back_since IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM account_leases l WHERE l.source = s.source AND l.login_hash = c.login_hash)
    ) AS due
    WHERE place = 1 ORDER BY "nextSyncAt", source, "userId" LIMIT ${limit}`;

/**
 * Syncs that are scheduled further ahead than a correct clock would plan, unless the service asked for time after a
 * failure.
 */
export function* listFarAhead(now: number, limit: number): Unit<Omit<Due, "failures">[]> {
  const rest = MAX_RETRY_AFTER / HOUR;
  return yield* many<Omit<Due, "failures">>`
    SELECT ${OWNER}, ${TIMES} FROM ${SCHEDULES} s
    LEFT JOIN service_credentials c ON c.user_id = s.user_id AND c.source = s.source
    WHERE s.enabled = 1 AND s.next_sync_at > ${now + HOUR}
      AND s.next_sync_at > ${now + MAX_SPREAD} + ${HOUR} * CASE
        WHEN coalesce(c.failures, 0) > 0 AND s.interval_hours < ${rest} THEN ${rest} ELSE s.interval_hours END
    LIMIT ${limit}`;
}

type KnownTimes = Omit<ServiceSchedule, "enabled" | "paused"> & { username: string; source: Service };

/** The last and next syncs of all users, for the operator. */
export const listTimes = (): Unit<KnownTimes[]> =>
  many`
    SELECT u.username, s.source, ${TIMES} FROM ${SCHEDULES} s JOIN users u ON u.id = s.user_id
    ORDER BY s.source, u.username`;

export type UpcomingSync = Omit<Due, "failures"> & { username: string };

/** The next scheduled syncs of all users, soonest first. Leaves out paused schedules. */
export const listUpcoming = (limit: number): Unit<UpcomingSync[]> =>
  many`
    SELECT ${OWNER}, u.username, s.next_sync_at AS "nextSyncAt", s.interval_hours AS "intervalHours" FROM ${RUNNING}
    WHERE s.next_sync_at IS NOT NULL ORDER BY s.next_sync_at, s.source, s.user_id LIMIT ${limit}`;

/** Claims a due sync by moving its time. Returns false if another process was faster. */
export function* claim(due: Pick<Due, "userId" | "source" | "nextSyncAt">, nextSyncAt: number): Unit<boolean> {
  const next = buildColumn(due.source, "next_sync_at");
  return yield* hasEffect`
    UPDATE auto_sync_settings SET ${next} = ${nextSyncAt}
    WHERE user_id = ${due.userId} AND ${buildColumn(due.source, "enabled")} = 1 AND ${next} = ${due.nextSyncAt}`;
}

/** Enabled schedules without a next sync although the credentials exist and are not rejected. */
export const listReady = (limit: number): Unit<Pick<Due, "userId" | "source">[]> =>
  many`
    SELECT ${OWNER} FROM ${RUNNING} WHERE s.next_sync_at IS NULL LIMIT ${limit}`;

/** Sets the time of the next sync. A disabled service stays unscheduled. */
export const setNext = (userId: number, source: Service, nextSyncAt: number | null): Unit<void> =>
  run`UPDATE auto_sync_settings SET ${buildColumn(source, "next_sync_at")} = ${nextSyncAt}
             WHERE user_id = ${userId} AND ${buildColumn(source, "enabled")} = 1`;

export function* setLast(userId: number, source: Service, at: number): Unit<void> {
  yield* run`INSERT INTO auto_sync_settings (user_id, created_at, updated_at) VALUES (${userId}, ${at}, ${at})
             ON CONFLICT DO NOTHING`;
  yield* run`UPDATE auto_sync_settings SET ${buildColumn(source, "last_sync_at")} = ${at} WHERE user_id = ${userId}`;
}

/** After a success the failures are counted from the beginning. */
export const resetFailures = (userId: number, source: Service): Unit<void> =>
  run`UPDATE service_credentials SET failures = 0 WHERE user_id = ${userId} AND source = ${source}`;

/** Counts another failure of a service's account. Returns how many there were in a row. */
export function* countFailure(userId: number, source: Service): Unit<number> {
  const failures = yield* maybeValue<number>`
    UPDATE service_credentials SET failures = failures + 1 WHERE user_id = ${userId} AND source = ${source}
    RETURNING failures`;
  return failures ?? 1;
}
