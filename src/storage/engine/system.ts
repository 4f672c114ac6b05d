import { DAY } from "../../kernel/clock.ts";
import type { Source } from "../../domain/jobs/source.ts";
import type { JobStatus } from "../../domain/jobs/sync-job.ts";
import { countRows, many, one, type Unit } from "./unit.ts";

export interface SystemFigures {
  users: number;
  administrators: number;
  active24h: number;
  active30d: number;
  qsos: number;
  jobs: Record<JobStatus, number>;
}

/** Figures of the whole installation. */
export function* figures(now: number): Unit<SystemFigures> {
  const users = yield* one<Omit<SystemFigures, "jobs" | "qsos">>`
    SELECT count(*) AS users,
           count(*) FILTER (WHERE role = 'admin') AS administrators,
           count(*) FILTER (WHERE last_seen >= ${now - DAY}) AS "active24h",
           count(*) FILTER (WHERE last_seen >= ${now - 30 * DAY}) AS "active30d"
    FROM users WHERE deleted_at IS NULL`;
  const qsos = yield* countRows`qsos`;
  const counted = yield* many<{ status: JobStatus; n: number }>`
    SELECT status, count(*) AS n FROM sync_jobs GROUP BY status`;
  const jobs = { pending: 0, running: 0, completed: 0, failed: 0, cancelled: 0 };
  for (const { status, n } of counted) jobs[status] = n;
  return { ...users, qsos, jobs };
}

export interface JobCount {
  source: Source;
  status: JobStatus;
  n: number;
}

export const jobCounts = (): Unit<JobCount[]> =>
  many`
    SELECT source, status, count(*) AS n FROM sync_jobs GROUP BY source, status ORDER BY source, status`;

/** The total duration of ended jobs, by source. */
export const jobDurations = (): Unit<{ source: Source; n: number; milliseconds: number }[]> =>
  many`
    SELECT source, count(*) AS n, CAST(sum(finished_at - started_at) AS BIGINT) AS milliseconds
    FROM sync_jobs WHERE started_at IS NOT NULL AND finished_at IS NOT NULL GROUP BY source ORDER BY source`;

/** When a job of each source last completed, of any user. */
export const lastSuccesses = (): Unit<{ source: Source; at: number }[]> =>
  many`
    SELECT source, CAST(max(finished_at) AS BIGINT) AS at FROM sync_jobs WHERE status = 'completed' GROUP BY source`;
