import { DAY, HOUR } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Fed } from "./feed.ts";
import type { GainCounts, Gains } from "./gains.ts";
import type { SyncErrorCode } from "./provider.ts";
import type { Repair } from "./repair.ts";
import { isService, type Source, byService } from "./source.ts";

export const JOB_STATUSES = ["pending", "running", "completed", "failed", "cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];
export type JobTrigger = "manual" | "auto" | "cli";

/** What a job did. `fetched` is the sum of the six after it. */
export interface JobStats {
  fetched: number;
  added: number;
  updated: number;
  /** Only repairs take contacts out of a log. */
  deleted: number;
  unchanged: number;
  unmatched: number;
  rejected: number;
  newlyConfirmed: number;
}

/** So many records of a job that cannot be read are kept for a person to look at; all are counted. */
export const MAX_REJECTED_STORED = 1_000;

/** Why records changed nothing, where there is more to say than that the log had them already. */
export interface UnchangedReasons {
  /** The same record once more in the same file. */
  repeated: number;
  /** A contact that a person deleted. */
  deleted: number;
}

/** What a job does to a contact. */
export const CHANGE_KINDS = ["added", "updated", "deleted"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface JobProgress {
  phase: string;
  done: number;
  total?: number;
}

export interface JobOptions {
  full?: boolean;
  since?: string;
  resurrect?: boolean;
  /** Of a repair: which contacts, and what becomes of them. */
  repair?: Repair;
}

export interface SyncJob {
  id: number;
  userId: number;
  source: Source;
  /** The program that feeds the log; null for other sources. */
  client: string | null;
  /** Of a feed, the contacts it told last, the newest first. */
  latest: Fed[] | null;
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
  /** What it newly brought, by name; null where it changed nothing. */
  gains: Gains | null;
  error: { code: SyncErrorCode; message: string } | null;
  rolledBackAt: number | null;
  rolledBackBy: number | null;
  /** When the records of its changes were removed to save room. */
  prunedAt: number | null;
  /** Since when it is being rolled back; null before and after. */
  rollingBackSince: number | null;
}

/** A job in a list: what it newly brought is counted, not named. */
export type ListedJob = Omit<SyncJob, "gains"> & { gains: GainCounts | null };

const STALE_AFTER = 1 * HOUR;
/** What was begun so far in the future was begun by a wrong clock, nobody knows when. */
const CLOCKS_APART = 1 * DAY;

export const NO_STATS: JobStats = {
  fetched: 0,
  added: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  unmatched: 0,
  rejected: 0,
  newlyConfirmed: 0,
};

export const NO_REASONS: UnchangedReasons = { repeated: 0, deleted: 0 };

export const isActive = ({ status }: Pick<SyncJob, "status">): boolean => status === "pending" || status === "running";

/** Whether it changes by itself: it runs or waits, or is being rolled back. */
export const isUnderWay = (job: Pick<SyncJob, "status" | "rollingBackSince">): boolean =>
  isActive(job) || job.rollingBackSince !== null;

export const isStale = (job: Pick<SyncJob, "status" | "createdAt">, now: number): boolean =>
  isActive(job) && (now - job.createdAt > STALE_AFTER || job.createdAt > now + CLOCKS_APART);

type Judged = Pick<SyncJob, "status" | "createdAt" | "source" | "dryRun" | "prunedAt" | "rollingBackSince">;

interface Refusal {
  rule: string;
  message: string;
}

/** Why something cannot be done to a job now, in words; null where it can. A list of jobs asks it of each of them. */
interface Refusals {
  rollback: Refusal | null;
  undo: Refusal | null;
}

/**
 * What can be done to a job: rolled back where it did not complete, undone where it completed and no service would send
 * the same again.
 */
export const refusalsOf = (job: Judged, now: number): Refusals => {
  if (job.rollingBackSince !== null) return { rollback: ROLLING_BACK, undo: ROLLING_BACK };
  const rollback = whyNotRollback(job, now);
  return { rollback, undo: whyNotUndo(job, now, rollback) };
};

const whyNotRollback = (job: Judged, now: number): Refusal | null => {
  if (job.status === "cancelled") return { rule: "job_cancelled", message: "This job is rolled back already." };
  if (job.status === "completed") {
    const hint = isUndoable(job) && job.prunedAt === null ? ` This ${NAMED[job.source]} can be undone.` : "";
    return { rule: "job_completed", message: `This job completed: only a job that failed is rolled back.${hint}` };
  }
  if (!isActive(job) || isStale(job, now)) return null;
  return {
    rule: "job_active",
    message: "This job is still running. It can be rolled back when it failed or is over an hour old.",
  };
};

const whyNotUndo = (job: Judged, now: number, rollback: Refusal | null): Refusal | null => {
  if (job.status === "completed" && isUndoable(job)) return job.prunedAt === null ? null : prunedOf(job);
  if (job.status !== "failed" && !isStale(job, now)) return rollback;
  return { rule: "job_failed", message: "Only a job that completed can be undone. Roll this one back instead." };
};

const ROLLING_BACK: Refusal = { rule: "rollback_active", message: "This job is being rolled back." };

const prunedOf = ({ source }: Judged): Refusal => ({
  rule: "job_pruned",
  message: `The records of what this ${NAMED[source]} changed were removed, so it cannot be undone.`,
});

/** What a service brought comes again with the next sync. */
const isUndoable = ({ source, dryRun }: Judged): boolean => !isService(source) && !dryRun;

const NAMED: Record<Source, string> = { ...byService(() => "sync"), file: "import", feed: "feed", repair: "repair" };

/** Refuses to take back a job that cannot be. */
export const assertCanTakeBack = (job: Judged, { undo, now }: { undo: boolean; now: number }): void => {
  const refusal = refusalsOf(job, now)[undo ? "undo" : "rollback"];
  if (refusal) throw new AppError("conflict", refusal.message, { rule: refusal.rule });
};

/** How a record left over was settled. */
export const RESOLUTIONS = ["matched", "replaced", "repaired", "dismissed", "dry_run"] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

export const RESOLUTION_WORDS: Record<Resolution, string> = {
  matched: "found its QSO since",
  replaced: "replaced by a newer version",
  repaired: "settled by a repair",
  dismissed: "dismissed",
  dry_run: "from a dry run",
};

/** A record that is settled already, or was never left over by a job of this user. */
export const noLeftover = (username: string, number: number | string): AppError =>
  new AppError("not_found", `${username} has no leftover with the number ${number}.`);

/** Of a repair: which filters chose its contacts, null where they were named one by one, and what it does. */
const repairView = ({ choice, change }: Repair) => ({ filter: "filter" in choice ? choice.filter : null, change });

/** A job as programs and pages see it. */
export const jobView = <Job extends SyncJob | ListedJob>(job: Job, now: number) => {
  const { rollback, undo } = refusalsOf(job, now);
  const { userId, options, ...shown } = job;
  return {
    ...shown,
    userId,
    repair: options.repair ? repairView(options.repair) : null,
    stale: isStale(job, now),
    actions: {
      rollback: rollback === null,
      reason: rollback?.message ?? null,
      undo: undo === null,
      undoReason: undo?.message ?? null,
    },
  };
};

export type JobDetail = ReturnType<typeof jobView<SyncJob>>;
export type JobInList = ReturnType<typeof jobView<ListedJob>>;
/** What a job in a list and a job by itself have in common. */
export type JobView = Omit<JobDetail, "gains">;
