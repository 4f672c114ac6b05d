import type { Service } from "../../domain/jobs/source.ts";
import { byEngine, many, maybe, raw, run, sql, databaseNow, type Sql, type Unit } from "../engine/unit.ts";

/** The external account that somebody asks for. */
export interface Account {
  source: Service;
  loginHash: string;
}

/** The job that has an account. Its number rises when it changes hands, so that no holder of before is taken for it. */
export interface Holder {
  workerId: string;
  jobId: number;
  fence: number;
}

export type Lease = Account & Holder;

/** A lease ends with the time of its worker. Where all programs see each other's processes, that never runs out. */
const isInTime = (now: number): Sql =>
  byEngine({
    sqlite: raw("1 = 1"),
    postgres: sql`EXISTS (SELECT 1 FROM workers
                          WHERE workers.id = account_leases.worker_id AND workers.alive_until > ${databaseNow(now)})`,
  });

/** Takes the right to ask for an external account; false where somebody else has it. */
export function* take({ source, loginHash, workerId, jobId, fence }: Lease, now: number): Unit<boolean> {
  const taken = yield* run`
    INSERT INTO account_leases (source, login_hash, worker_id, job_id, fence, taken_at)
    VALUES (${source}, ${loginHash}, ${workerId}, ${jobId}, ${fence}, ${now})
    ON CONFLICT (source, login_hash) DO UPDATE
      SET worker_id = ${workerId}, job_id = ${jobId}, fence = ${fence}, taken_at = ${now}
      WHERE NOT ${isInTime(now)}`;
  return taken > 0;
}

/** Whether it is still this job's. Asked where the job writes, and before it asks its service. */
export function* isHeld({ source, loginHash, jobId, fence }: Omit<Lease, "workerId">, now: number): Unit<boolean> {
  const row = yield* maybe`
    SELECT job_id FROM account_leases
    WHERE source = ${source} AND login_hash = ${loginHash} AND job_id = ${jobId} AND fence = ${fence}
      AND ${isInTime(now)}`;
  return row !== null;
}

/** The same for a job as the database knows it; one that downloads no account needs none. */
export const holdsItsAccount = (now: number): Sql => sql`
  (account_hash IS NULL OR EXISTS (
    SELECT 1 FROM account_leases
    WHERE account_leases.source = sync_jobs.source AND account_leases.login_hash = sync_jobs.account_hash
      AND account_leases.job_id = sync_jobs.id AND account_leases.fence = sync_jobs.fence AND ${isInTime(now)}))`;

export function* release({ source, loginHash, jobId, fence }: Omit<Lease, "workerId">): Unit<void> {
  yield* run`
    DELETE FROM account_leases
    WHERE source = ${source} AND login_hash = ${loginHash} AND job_id = ${jobId} AND fence = ${fence}`;
}

export function* listOf(workerId: string): Unit<Lease[]> {
  return yield* many<Lease>`
    SELECT source, login_hash AS "loginHash", worker_id AS "workerId", job_id AS "jobId", fence
    FROM account_leases WHERE worker_id = ${workerId}`;
}
