import { HOUR } from "./clock.ts";
import { AppError } from "./errors.ts";
import type { SyncErrorCode } from "./provider.ts";
import type { Source } from "./source.ts";

export type JobStatus = "pending" | "running" | "completed" | "failed" | "cancelled";
export type JobTrigger = "manual" | "auto" | "cli";

/** What a job did. `fetched` is the sum of the five after it. */
export interface JobStats {
  fetched: number;
  added: number;
  updated: number;
  unchanged: number;
  unmatched: number;
  rejected: number;
  newlyConfirmed: number;
}

/** Why records changed nothing, where there is more to say than that the log had them already. */
export interface UnchangedReasons {
  /** The same record once more in the same file. */
  repeated: number;
  /** A contact that a person deleted. */
  deleted: number;
}

export interface JobProgress {
  phase: string;
  done: number;
  total?: number;
}

export interface JobOptions {
  full?: boolean;
  since?: string;
  resurrect?: boolean;
}

export interface SyncJob {
  id: number;
  userId: number;
  source: Source;
  trigger: JobTrigger;
  status: JobStatus;
  options: JobOptions;
  dryRun: boolean;
  attempt: number;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  durationMs: number | null;
  stats: JobStats;
  reasons: UnchangedReasons;
  progress: JobProgress | null;
  cursorBefore: unknown;
  cursorAfter: unknown;
  gains: unknown;
  error: { code: SyncErrorCode; message: string } | null;
  rolledBackAt: number | null;
  rolledBackBy: number | null;
  /** When the records of its changes were removed to save room. */
  prunedAt: number | null;
}

const STALE_AFTER = 1 * HOUR;

export const NO_STATS: JobStats = {
  fetched: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  unmatched: 0,
  rejected: 0,
  newlyConfirmed: 0,
};

export const NO_REASONS: UnchangedReasons = { repeated: 0, deleted: 0 };

export const isActive = ({ status }: Pick<SyncJob, "status">): boolean => status === "pending" || status === "running";

export const isStale = (job: Pick<SyncJob, "status" | "createdAt">, now: number): boolean =>
  isActive(job) && now - job.createdAt > STALE_AFTER;

type Judged = Pick<SyncJob, "status" | "createdAt" | "source" | "dryRun" | "prunedAt">;

/** Why a job cannot be rolled back now, or null where it can. */
export const rollbackRefusal = (job: Judged, now: number): AppError | null => {
  const refusal = whyNotRollback(job, now);
  return refusal && new AppError("conflict", refusal.message, { rule: refusal.rule });
};

/** In words only: a list of jobs asks it of each of them, and an error is dear to make. */
const whyNotRollback = (job: Judged, now: number): { rule: string; message: string } | null => {
  const refuse = (rule: string, message: string) => ({ rule, message });
  if (job.status === "cancelled") return refuse("job_cancelled", "This job is rolled back already.");
  if (job.status === "completed") {
    const hint = isImport(job) && job.prunedAt === null ? " An import can be undone." : "";
    return refuse("job_completed", `This job completed: there is nothing to roll back.${hint}`);
  }
  if (isActive(job) && !isStale(job, now)) {
    return refuse(
      "job_active",
      "This job is still running. It can be rolled back when it failed or is over an hour old.",
    );
  }
  return null;
};

const isImport = ({ source, dryRun }: Judged): boolean => source === "file" && !dryRun;

/** Why a completed import cannot be undone, or null where it can. */
export const undoRefusal = (job: Judged, now: number): AppError | null => {
  if (job.status === "completed" && isImport(job)) {
    if (job.prunedAt === null) return null;
    return new AppError("conflict", "The records of what this import changed were removed, so it cannot be undone.", {
      rule: "job_pruned",
    });
  }
  const rule = job.status === "failed" || isStale(job, now) ? "job_failed" : null;
  if (rule === null) return rollbackRefusal(job, now);
  return new AppError("conflict", "Only a completed import can be undone. Roll this job back instead.", { rule });
};

/** A record that is settled already, or was never left over by a job of this user. */
export const noLeftover = (username: string, number: number | string): AppError =>
  new AppError("not_found", `${username} has no record left over with the number ${number}.`);

/** A job as programs and pages see it. */
export const jobView = (job: SyncJob, now: number) => {
  const refusal = whyNotRollback(job, now);
  const { userId: _, options: __, ...shown } = job;
  return {
    ...shown,
    userId: job.userId,
    stale: isStale(job, now),
    actions: { rollback: refusal === null, reason: refusal?.message ?? null },
  };
};

export type JobView = ReturnType<typeof jobView>;
