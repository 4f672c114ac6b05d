import { maybe, one, raw, run, sql, databaseNow, type Sql, type Unit } from "../engine/unit.ts";

/** Records a request at the current time. */
export function* mark(name: string, now: number): Unit<void> {
  yield* run`INSERT INTO paces (name, last_at) VALUES (${name}, ${databaseNow(now)})
             ON CONFLICT (name) DO UPDATE SET last_at = ${databaseNow(now)}`;
}

/** A time further ahead was written while a clock was wrong. */
const MAX_CLOCK_ERROR_MS = 3_600_000;

const isSane = (now: number): Sql => sql`paces.last_at <= ${databaseNow(now)} + ${raw(String(MAX_CLOCK_ERROR_MS))}`;

/** The milliseconds until `ms` have passed since the last request. */
export function* waitFor(name: string, ms: number, now: number): Unit<number> {
  const row = yield* maybe<{ wait: number }>`
    SELECT last_at + CAST(${ms} AS BIGINT) - ${databaseNow(now)} AS wait FROM paces WHERE name = ${name} AND ${isSane(now)}`;
  return Math.max(0, row?.wait ?? 0);
}

/** Reserves the next free time for a request and returns how long to wait for it. */
export function* take(name: string, ms: number, now: number): Unit<number> {
  const { wait } = yield* one<{ wait: number }>`
    INSERT INTO paces (name, last_at) VALUES (${name}, ${databaseNow(now)})
    ON CONFLICT (name) DO UPDATE
      SET last_at = CASE WHEN paces.last_at + CAST(${ms} AS BIGINT) > ${databaseNow(now)}
                         AND ${isSane(now)}
                         THEN paces.last_at + CAST(${ms} AS BIGINT) ELSE ${databaseNow(now)} END
    RETURNING last_at - ${databaseNow(now)} AS wait`;
  return Math.max(0, wait);
}

/** Removes entries that are too old to delay a request. */
export function* removeBefore(ageMs: number, now: number): Unit<void> {
  yield* run`DELETE FROM paces WHERE last_at < ${databaseNow(now)} - CAST(${ageMs} AS BIGINT)`;
}
