import { SERVICES, type Source, type Service } from "../../domain/jobs/source.ts";
import type { JobStatus } from "../../domain/jobs/sync-job.ts";
import { isConfirmedBy } from "../log/origin-masks.ts";
import { byEngine, EMPTY, join, many, manyValues, one, raw, sql, type Sql, type Unit } from "./unit.ts";

/** Contacts without any record. Nothing can be derived from them. */
export const contactsWithoutLayers = (): Unit<number[]> =>
  manyValues`
    SELECT id FROM qsos
    WHERE NOT EXISTS (SELECT 1 FROM records WHERE qso_id = qsos.id AND outdated = 0) ORDER BY id`;

/** The number of a user's contacts, and how many each service confirmed. */
export interface Tally extends Record<Service, number> {
  userId: number;
  username: string | null;
  qsos: number;
}

export interface Miscounted {
  username: string | null;
  /** As counted with the index of statistics, or null if it has no entry for the user. */
  counted: Tally | null;
  there: Tally;
}

/** Users for whom the index of statistics differs from the rows. */
export function* miscounted(): Unit<Miscounted[]> {
  const counted = yield* tallies(byEngine({ sqlite: raw("INDEXED BY qsos_rollup"), postgres: EMPTY }));
  const known = new Map(counted.map((tally) => [tally.userId, tally]));
  const there = yield* tallies(byEngine({ sqlite: raw("NOT INDEXED"), postgres: EMPTY }));
  return there
    .map((tally) => ({ username: tally.username, counted: known.get(tally.userId) ?? null, there: tally }))
    .filter(({ counted: index, there: row }) => !isAlike(index, row));
}

const isAlike = (a: Tally | null, b: Tally) =>
  a?.qsos === b.qsos && SERVICES.every((service) => a[service] === b[service]);

const confirmations = join(
  SERVICES.map((service) => sql`count(*) FILTER (WHERE ${isConfirmedBy(service)}) AS ${raw(service)}`),
  ", ",
);

const tallies = (way: Sql): Unit<Tally[]> =>
  many`
    SELECT tally.*, (SELECT username FROM users WHERE users.id = tally."userId") AS username
    FROM (SELECT user_id AS "userId", count(*) AS qsos,
                 ${confirmations}
          FROM qsos ${way} GROUP BY user_id) AS tally`;

export interface ActiveJob {
  id: number;
  username: string;
  source: Source;
  status: JobStatus;
  createdAt: number;
  workerId: string | null;
}

export const activeJobs = (): Unit<ActiveJob[]> =>
  many`
    SELECT j.id, u.username, j.source, j.status, j.created_at AS "createdAt", j.worker_id AS "workerId"
    FROM sync_jobs j JOIN users u ON u.id = j.user_id WHERE j.status IN ('pending', 'running') ORDER BY j.id`;

/** Failed jobs whose changes are still in the logs. */
export const failedWithChanges = (): Unit<number[]> =>
  manyValues`
    SELECT id FROM sync_jobs WHERE status = 'failed' AND rolling_back_since IS NULL
      AND EXISTS (SELECT 1 FROM qso_changes WHERE job_id = sync_jobs.id) ORDER BY id`;

/** Jobs whose rollback has started but not finished. */
export const rollingBack = (): Unit<{ id: number; username: string; since: number }[]> =>
  many`
    SELECT j.id, u.username, j.rolling_back_since AS since FROM sync_jobs j JOIN users u ON u.id = j.user_id
    WHERE j.rolling_back_since IS NOT NULL ORDER BY j.id`;

/** The latest time stored anywhere in the database. */
export function* newestTime(): Unit<number | null> {
  const times = yield* one<Record<string, number | null>>`
    SELECT (SELECT max(created_at) FROM sync_jobs) AS begun, (SELECT max(finished_at) FROM sync_jobs) AS ended,
           (SELECT max(updated_at) FROM qsos) AS changed, (SELECT max(at) FROM admin_actions) AS acted,
           (SELECT max(last_seen) FROM users) AS seen`;
  const known = Object.values(times).filter((at) => at !== null);
  return known.length === 0 ? null : Math.max(...known);
}
