import { byEngine, databaseNow, hasEffect, inList, many, raw, run, sql, type Sql, type Unit } from "../engine/unit.ts";

export interface Worker {
  id: string;
  host: string;
  pid: number;
  beatAt: number;
  /** Milliseconds since the last heartbeat, by the database's clock. */
  silentMs: number;
  /** Null for a worker of an older version. */
  place?: string | null;
  born?: string | null;
}

/** A worker can write for this long after its last heartbeat, by the database's clock. */
const LEASE_MS = 90_000;

/**
 * Records a heartbeat, and adds the worker if it is new. Returns false if its lease had expired: on a server database
 * others may have taken over its jobs. With SQLite the processes see each other, so one that slept continues.
 */
export function* recordBeat({ id, host, pid, beatAt, place, born }: Omit<Worker, "silentMs">): Unit<boolean> {
  const now = databaseNow(beatAt);
  const isInTime = byEngine({ sqlite: raw("1 = 1"), postgres: sql`workers.alive_until > ${now}` });
  return yield* hasEffect`
    INSERT INTO workers (id, host, pid, started_at, beat_at, alive_until, place, born)
    VALUES (${id}, ${host}, ${pid}, ${now}, ${now}, ${now} + CAST(${LEASE_MS} AS BIGINT), ${place ?? null}, ${born ?? null})
    ON CONFLICT (id) DO UPDATE SET beat_at = ${now}, alive_until = ${now} + CAST(${LEASE_MS} AS BIGINT) WHERE ${isInTime}`;
}

/**
 * Whether the worker in this column can write. With SQLite it always can, because all processes are on one machine and
 * see each other.
 */
export const isInTime = (column: "sync_jobs.worker_id" | "account_leases.worker_id", now: number): Sql =>
  byEngine({
    sqlite: raw("1 = 1"),
    postgres: sql`EXISTS (SELECT 1 FROM workers
                          WHERE workers.id = ${raw(column)} AND workers.alive_until > ${databaseNow(now)})`,
  });

export const list = (now: number): Unit<Worker[]> =>
  many`
    SELECT id, host, pid, beat_at AS "beatAt", ${databaseNow(now)} - beat_at AS "silentMs", place, born FROM workers`;

export const remove = (ids: readonly string[]): Unit<void> => run`DELETE FROM workers WHERE id ${inList(ids)}`;
