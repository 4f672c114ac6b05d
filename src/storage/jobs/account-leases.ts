import type { Service } from "../../domain/jobs/source.ts";
import * as workers from "./workers.ts";
import { exists, hasEffect, many, run, sql, type Sql, type Unit } from "../engine/unit.ts";

/** An account at a service. */
export interface Account {
  source: Service;
  loginHash: string;
}

/**
 * The job that holds an account. The fence increases when the job changes hands, so that an earlier holder is not
 * mistaken for the current one.
 */
export interface Holder {
  workerId: string;
  jobId: number;
  fence: number;
}

export type Lease = Account & Holder;

/** A lease expires with its worker's heartbeat. */
const isInTime = (now: number): Sql => workers.isInTime("account_leases.worker_id", now);

/** Leases an account. Returns false if another job holds it. */
export const take = ({ source, loginHash, workerId, jobId, fence }: Lease, now: number): Unit<boolean> =>
  hasEffect`
    INSERT INTO account_leases (source, login_hash, worker_id, job_id, fence, taken_at)
    VALUES (${source}, ${loginHash}, ${workerId}, ${jobId}, ${fence}, ${now})
    ON CONFLICT (source, login_hash) DO UPDATE
      SET worker_id = ${workerId}, job_id = ${jobId}, fence = ${fence}, taken_at = ${now}
      WHERE NOT ${isInTime(now)}`;

/** Whether the job still holds the account. Checked with every write and before every request to the service. */
export const isHeld = ({ source, loginHash, jobId, fence }: Omit<Lease, "workerId">, now: number): Unit<boolean> =>
  exists`
    account_leases WHERE source = ${source} AND login_hash = ${loginHash} AND job_id = ${jobId} AND fence = ${fence}
      AND ${isInTime(now)}`;

/** The same as a SQL condition for a row of `sync_jobs`. A job without an account needs no lease. */
export const holdsItsAccount = (now: number): Sql => sql`
  (account_hash IS NULL OR EXISTS (
    SELECT 1 FROM account_leases
    WHERE account_leases.source = sync_jobs.source AND account_leases.login_hash = sync_jobs.account_hash
      AND account_leases.job_id = sync_jobs.id AND account_leases.fence = sync_jobs.fence AND ${isInTime(now)}))`;

export const release = ({ source, loginHash, jobId, fence }: Omit<Lease, "workerId">): Unit<void> =>
  run`
    DELETE FROM account_leases
    WHERE source = ${source} AND login_hash = ${loginHash} AND job_id = ${jobId} AND fence = ${fence}`;

export const listOf = (workerId: string): Unit<Lease[]> =>
  many`
    SELECT source, login_hash AS "loginHash", worker_id AS "workerId", job_id AS "jobId", fence
    FROM account_leases WHERE worker_id = ${workerId}`;
