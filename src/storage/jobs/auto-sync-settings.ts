import {
  DEFAULT_INTERVAL_HOURS,
  MAX_RETRY_AFTER,
  MAX_SPREAD,
  type AutoSyncSettings,
  type Pause,
  type ServiceSchedule,
} from "../../domain/jobs/auto-sync.ts";
import { HOUR } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { SERVICES, type Service } from "../../domain/jobs/source.ts";
import type { RowOf } from "../engine/rows.ts";
import type { CredentialState } from "./service-credentials.ts";
import { EMPTY, inList, many, maybe, raw, run, sql, type Sql, type Unit } from "../engine/unit.ts";

/** The columns of a service: `first_enabled`, `second_next_sync_at` … */
const buildColumn = (source: Service, name: string): Sql => raw(`${source}_${name}`);

/** Returns false if the operator reverted the migration that creates the table. */
export function* isThere(): Unit<boolean> {
  return (yield* maybe`SELECT name FROM migrations WHERE name = '0005_auto_sync'`) !== null;
}

export function* assertThere(): Unit<void> {
  if (yield* isThere()) return;
  const message =
    "Scheduled syncs are not available on this server, because their migration was reverted. Apply it again with qsolog db migrate.";
  throw new AppError("unavailable", message);
}

interface Row {
  enabled: number;
  intervalHours: number;
  lastSyncAt: number | null;
  nextSyncAt: number | null;
}

/** The user's settings, or the defaults. */
export function* get(userId: number): Unit<AutoSyncSettings> {
  const states = yield* many<{ source: Service; state: CredentialState }>`
    SELECT source, state FROM service_credentials WHERE user_id = ${userId}`;
  const settings = {} as AutoSyncSettings;
  for (const source of SERVICES) {
    const row = yield* maybe<Row>`
      SELECT ${buildColumn(source, "enabled")} AS enabled, ${buildColumn(source, "interval_hours")} AS "intervalHours",
             ${buildColumn(source, "last_sync_at")} AS "lastSyncAt", ${buildColumn(source, "next_sync_at")} AS "nextSyncAt"
      FROM auto_sync_settings WHERE user_id = ${userId}`;
    settings[source] = scheduleOf(row, states.find((one) => one.source === source)?.state ?? null);
  }
  return settings;
}

const scheduleOf = (row: Row | null, state: CredentialState | null): ServiceSchedule => {
  const enabled = row?.enabled === 1;
  const paused = enabled ? pauseOf(state) : null;
  return {
    enabled,
    intervalHours: row?.intervalHours ?? DEFAULT_INTERVAL_HOURS,
    lastSyncAt: row?.lastSyncAt ?? null,
    nextSyncAt: paused === null ? (row?.nextSyncAt ?? null) : null,
    paused,
  };
};

const pauseOf = (state: CredentialState | null): Pause | null => {
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
  /** Identifies the account at the service. */
  loginHash: string;
}

/**
 * Due syncs, longest overdue first. Leaves out users or accounts that are already syncing with the service, logs that
 * are being rolled back, and missing or rejected credentials.
 */
export function* listDue(
  source: Service,
  now: number,
  limit: number,
  exceptAccounts: readonly string[] = [],
): Unit<Due[]> {
  const due = yield* many<Omit<Due, "source">>`
    SELECT a.user_id AS "userId", ${buildColumn(source, "interval_hours")} AS "intervalHours",
           ${buildColumn(source, "next_sync_at")} AS "nextSyncAt", c.failures, c.login_hash AS "loginHash"
    FROM auto_sync_settings a
    JOIN users u ON u.id = a.user_id AND u.deleted_at IS NULL
    JOIN service_credentials c ON c.user_id = a.user_id AND c.source = ${source} AND c.state <> 'rejected'
    WHERE ${buildColumn(source, "enabled")} = 1 AND ${buildColumn(source, "next_sync_at")} <= ${now}
      AND NOT EXISTS (SELECT 1 FROM sync_jobs j WHERE j.user_id = a.user_id AND j.source = ${source}
                      AND j.status IN ('pending', 'running'))
      AND NOT EXISTS (SELECT 1 FROM sync_jobs r WHERE r.user_id = a.user_id AND r.rolling_back_since IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM account_leases l WHERE l.source = ${source} AND l.login_hash = c.login_hash)
      ${exceptAccounts.length === 0 ? EMPTY : sql`AND NOT (c.login_hash ${inList(exceptAccounts)})`}
    ORDER BY ${buildColumn(source, "next_sync_at")} LIMIT ${limit}`;
  return due.map((one) => ({ ...one, source }));
}

export type FarAhead = Pick<Due, "userId" | "source" | "intervalHours" | "nextSyncAt">;

/**
 * Syncs that are scheduled further ahead than a correct clock would plan, unless the service asked for time after a
 * failure.
 */
export function* listFarAhead(source: Service, now: number, limit: number): Unit<FarAhead[]> {
  const next = buildColumn(source, "next_sync_at");
  const interval = buildColumn(source, "interval_hours");
  const rest = MAX_RETRY_AFTER / HOUR;
  const far = yield* many<Omit<FarAhead, "source">>`
    SELECT a.user_id AS "userId", ${interval} AS "intervalHours", ${next} AS "nextSyncAt"
    FROM auto_sync_settings a
    LEFT JOIN service_credentials c ON c.user_id = a.user_id AND c.source = ${source}
    WHERE ${buildColumn(source, "enabled")} = 1 AND ${next} > ${now + HOUR}
      AND ${next} > ${now + MAX_SPREAD} + ${HOUR} * CASE
        WHEN coalesce(c.failures, 0) > 0 AND ${interval} < ${rest} THEN ${rest} ELSE ${interval} END
    LIMIT ${limit}`;
  return far.map((one) => ({ ...one, source }));
}

export interface KnownTimes extends Pick<ServiceSchedule, "lastSyncAt" | "nextSyncAt" | "intervalHours"> {
  username: string;
  source: Service;
}

/** The last and next syncs of all users, for the operator. */
export function* listTimes(): Unit<KnownTimes[]> {
  const times: KnownTimes[] = [];
  for (const source of SERVICES) {
    const rows = yield* many<Omit<KnownTimes, "source">>`
      SELECT u.username, ${buildColumn(source, "last_sync_at")} AS "lastSyncAt",
             ${buildColumn(source, "next_sync_at")} AS "nextSyncAt", ${buildColumn(source, "interval_hours")} AS "intervalHours"
      FROM auto_sync_settings a JOIN users u ON u.id = a.user_id ORDER BY u.username`;
    times.push(...rows.map((row) => ({ ...row, source })));
  }
  return times;
}

export interface UpcomingSync {
  userId: number;
  username: string;
  source: Service;
  nextSyncAt: number;
  intervalHours: number;
}

/** The next scheduled syncs of all users, soonest first. Leaves out paused schedules. */
export function* listUpcoming(limit: number): Unit<UpcomingSync[]> {
  const upcoming: UpcomingSync[] = [];
  for (const source of SERVICES) {
    const next = buildColumn(source, "next_sync_at");
    const rows = yield* many<Omit<UpcomingSync, "source">>`
      SELECT u.id AS "userId", u.username, ${next} AS "nextSyncAt", ${buildColumn(source, "interval_hours")} AS "intervalHours"
      FROM auto_sync_settings a
      JOIN users u ON u.id = a.user_id AND u.deleted_at IS NULL
      JOIN service_credentials c ON c.user_id = a.user_id AND c.source = ${source} AND c.state <> 'rejected'
      WHERE ${buildColumn(source, "enabled")} = 1 AND ${next} IS NOT NULL ORDER BY ${next}, u.id LIMIT ${limit}`;
    upcoming.push(...rows.map((row) => ({ ...row, source })));
  }
  return upcoming.sort((a, b) => a.nextSyncAt - b.nextSyncAt).slice(0, limit);
}

/** Claims a due sync by moving its time. Returns false if another process was faster. */
export function* claim(due: Pick<Due, "userId" | "source" | "nextSyncAt">, nextSyncAt: number): Unit<boolean> {
  const next = buildColumn(due.source, "next_sync_at");
  const claimed = yield* run`
    UPDATE auto_sync_settings SET ${next} = ${nextSyncAt}
    WHERE user_id = ${due.userId} AND ${buildColumn(due.source, "enabled")} = 1 AND ${next} = ${due.nextSyncAt}`;
  return claimed > 0;
}

/** Users with an enabled service that is not scheduled although its credentials exist and are not rejected. */
export function* listReady(source: Service, limit: number): Unit<number[]> {
  const rows = yield* many<RowOf<"auto_sync_settings", "userId">>`
    SELECT a.user_id AS "userId" FROM auto_sync_settings a
    JOIN users u ON u.id = a.user_id AND u.deleted_at IS NULL
    JOIN service_credentials c ON c.user_id = a.user_id AND c.source = ${source} AND c.state <> 'rejected'
    WHERE ${buildColumn(source, "enabled")} = 1 AND ${buildColumn(source, "next_sync_at")} IS NULL LIMIT ${limit}`;
  return rows.map(({ userId }) => userId);
}

/** Sets the time of the next sync. A disabled service stays unscheduled. */
export function* setNext(userId: number, source: Service, nextSyncAt: number | null): Unit<void> {
  yield* run`UPDATE auto_sync_settings SET ${buildColumn(source, "next_sync_at")} = ${nextSyncAt}
             WHERE user_id = ${userId} AND ${buildColumn(source, "enabled")} = 1`;
}

export function* setLast(userId: number, source: Service, at: number): Unit<void> {
  yield* run`INSERT INTO auto_sync_settings (user_id, created_at, updated_at) VALUES (${userId}, ${at}, ${at})
             ON CONFLICT DO NOTHING`;
  yield* run`UPDATE auto_sync_settings SET ${buildColumn(source, "last_sync_at")} = ${at} WHERE user_id = ${userId}`;
}

/** Sets the number of consecutive failures of a service's account. */
export function* setFailures(userId: number, source: Service, failures: number): Unit<void> {
  yield* run`UPDATE service_credentials SET failures = ${failures} WHERE user_id = ${userId} AND source = ${source}`;
}

export function* getFailures(userId: number, source: Service): Unit<number> {
  const row = yield* maybe<RowOf<"service_credentials", "failures">>`
    SELECT failures FROM service_credentials WHERE user_id = ${userId} AND source = ${source}`;
  return row?.failures ?? 0;
}
