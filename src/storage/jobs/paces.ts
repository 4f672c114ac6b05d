import { maybe, one, raw, run, sql, databaseNow, type Sql, type Unit } from "../engine/unit.ts";

/** Somebody was asked just now. */
export function* mark(name: string, now: number): Unit<void> {
  yield* run`INSERT INTO paces (name, last_at) VALUES (${name}, ${databaseNow(now)})
             ON CONFLICT (name) DO UPDATE SET last_at = ${databaseNow(now)}`;
}

/** What lies further ahead was written while the clock was wrong. */
const MAX_CLOCK_ERROR_MS = 3_600_000;

const isSane = (now: number): Sql => sql`paces.last_at <= ${databaseNow(now)} + ${raw(String(MAX_CLOCK_ERROR_MS))}`;

/** How long to wait until so long after the last time. */
export function* waitFor(name: string, ms: number, now: number): Unit<number> {
  const row = yield* maybe<{ wait: number }>`
    SELECT last_at + CAST(${ms} AS BIGINT) - ${databaseNow(now)} AS wait FROM paces WHERE name = ${name} AND ${isSane(now)}`;
  return Math.max(0, row?.wait ?? 0);
}

/** Takes the next place in line and gives how long to wait for it. */
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

/** What was asked so long ago holds nobody up. */
export function* removeBefore(ageMs: number, now: number): Unit<void> {
  yield* run`DELETE FROM paces WHERE last_at < ${databaseNow(now)} - CAST(${ageMs} AS BIGINT)`;
}
