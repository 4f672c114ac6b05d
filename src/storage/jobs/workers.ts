import { byEngine, inList, many, raw, run, sql, databaseNow, type Sql, type Unit } from "../engine/unit.ts";

export interface Worker {
  id: string;
  host: string;
  pid: number;
  beatAt: number;
  /** How long ago that was, by the time of the database. */
  silentMs: number;
  /** Null for the worker of an older program. */
  place?: string | null;
  born?: string | null;
}

/** So long a worker may write behind its last beat, by the time of the database. */
const LEASE_MS = 90_000;

/**
 * A worker shows that it is alive; one that is new is there from now on. False where its time had run out: on a server
 * others may have taken over by now. Programs on one file see each other's processes, so one that slept goes on.
 */
export function* beat({ id, host, pid, beatAt, place, born }: Omit<Worker, "silentMs">): Unit<boolean> {
  const now = databaseNow(beatAt);
  const isInTime = byEngine({ sqlite: raw("1 = 1"), postgres: sql`workers.alive_until > ${now}` });
  const beaten = yield* run`
    INSERT INTO workers (id, host, pid, started_at, beat_at, alive_until, place, born)
    VALUES (${id}, ${host}, ${pid}, ${now}, ${now}, ${now} + CAST(${LEASE_MS} AS BIGINT), ${place ?? null}, ${born ?? null})
    ON CONFLICT (id) DO UPDATE SET beat_at = ${now}, alive_until = ${now} + CAST(${LEASE_MS} AS BIGINT) WHERE ${isInTime}`;
  return beaten > 0;
}

/** Whether the time of the worker that holds a job has not run out. Where all see each other's processes it never does. */
export const holds = (now: number): Sql =>
  byEngine({
    sqlite: raw("1 = 1"),
    postgres: sql`EXISTS (SELECT 1 FROM workers
                          WHERE workers.id = sync_jobs.worker_id AND workers.alive_until > ${databaseNow(now)})`,
  });

export function* list(now: number): Unit<Worker[]> {
  return yield* many<Worker>`
    SELECT id, host, pid, beat_at AS "beatAt", ${databaseNow(now)} - beat_at AS "silentMs", place, born FROM workers`;
}

export function* remove(ids: readonly string[]): Unit<void> {
  yield* run`DELETE FROM workers WHERE id ${inList(ids)}`;
}
