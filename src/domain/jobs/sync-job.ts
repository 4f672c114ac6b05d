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

/** What a job did. `fetched` is the sum of the six that follow. */
export interface JobStats {
  fetched: number;
  added: number;
  updated: number;
  /** Only bulk edits delete contacts. */
  deleted: number;
  unchanged: number;
  unmatched: number;
  rejected: number;
  newlyConfirmed: number;
}

/** At most this many unreadable records of a job are stored for the user to see. All are counted. */
export const MAX_REJECTED_STORED = 1_000;

/** Why records changed nothing, other than because the log had them already. */
export interface UnchangedReasons {
  /** The same record again in the same file. */
  repeated: number;
  /** The user deleted the contact. */
  deleted: number;
}

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
  /** The selection and the change of a bulk edit. */
  repair?: Repair;
}

export interface SyncJob {
  id: number;
  userId: number;
  source: Source;
  /** The program of a feed; null for other sources. */
  client: string | null;
  /** The last contacts of a feed, newest first. */
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
  /** What was new; null if nothing changed. */
  gains: Gains | null;
  error: { code: SyncErrorCode; message: string } | null;
  rolledBackAt: number | null;
  rolledBackBy: number | null;
  /** When its change records were removed to save space. */
  prunedAt: number | null;
  /** Since when it is being rolled back; null before and after that. */
  rollingBackSince: number | null;
}

/** A job in a list: its gains are counted instead of named. */
export type ListedJob = Omit<SyncJob, "gains"> & { gains: GainCounts | null };

const STALE_AFTER = 1 * HOUR;
/** A job that started this far in the future was started by a wrong clock at an unknown time. */
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

/** Whether it will change without user action: it is pending, running or being rolled back. */
export const isUnderWay = (job: Pick<SyncJob, "status" | "rollingBackSince">): boolean =>
  isActive(job) || job.rollingBackSince !== null;

export const isStale = (job: Pick<SyncJob, "status" | "createdAt">, now: number): boolean =>
  isActive(job) && (now - job.createdAt > STALE_AFTER || job.createdAt > now + CLOCKS_APART);

type Judged = Pick<SyncJob, "status" | "createdAt" | "source" | "dryRun" | "prunedAt" | "rollingBackSince">;

interface Refusal {
  rule: string;
  message: string;
}

/** Why an action is not possible now, or null if it is. Computed for every job of a list. */
interface Refusals {
  rollback: Refusal | null;
  undo: Refusal | null;
}

/**
 * A job that did not complete can be rolled back. A completed job can be undone if no service would bring the same
 * contacts again.
 */
const findRefusals = (job: Judged, now: number): Refusals => {
  if (job.rollingBackSince !== null) return { rollback: ROLLING_BACK, undo: ROLLING_BACK };
  const rollback = findRollbackRefusal(job, now);
  return { rollback, undo: findUndoRefusal(job, now, rollback) };
};

const findRollbackRefusal = (job: Judged, now: number): Refusal | null => {
  if (job.status === "cancelled") return { rule: "job_cancelled", message: "This job has already been rolled back." };
  if (job.status === "completed") return { rule: "job_completed", message: whyNotCompleted(job) };
  if (!isActive(job) || isStale(job, now)) return null;
  return {
    rule: "job_active",
    message: "This job is still running. You can roll it back if it fails or gets stuck.",
  };
};

const whyNotCompleted = (job: Judged): string => {
  if (job.dryRun) return "A dry run changes nothing, so there is nothing to roll back.";
  if (isService(job.source)) return "Completed syncs can't be rolled back. Sync again to refresh.";
  if (job.prunedAt !== null) return createPrunedRefusal(job).message;
  return `This ${NAMED[job.source]} completed. Undo it instead of rolling it back.`;
};

const findUndoRefusal = (job: Judged, now: number, rollback: Refusal | null): Refusal | null => {
  if (job.status === "completed" && isUndoable(job)) return job.prunedAt === null ? null : createPrunedRefusal(job);
  if (job.status !== "failed" && !isStale(job, now)) return rollback;
  return { rule: "job_failed", message: "This job did not complete. Roll it back instead of undoing it." };
};

const ROLLING_BACK: Refusal = { rule: "rollback_active", message: "This job is being rolled back." };

const createPrunedRefusal = ({ source }: Judged): Refusal => ({
  rule: "job_pruned",
  message: `This ${NAMED[source]} can no longer be undone: its change records were removed to save space.`,
});

/** What a service brought comes back with the next sync. */
const isUndoable = ({ source, dryRun }: Judged): boolean => !isService(source) && !dryRun;

const NAMED: Record<Source, string> = { ...byService(() => "sync"), file: "import", feed: "job", repair: "bulk edit" };

/** Throws if the job cannot be rolled back. */
export const assertCanTakeBack = (job: Judged, { undo, now }: { undo: boolean; now: number }): void => {
  const refusal = findRefusals(job, now)[undo ? "undo" : "rollback"];
  if (refusal) throw new AppError("conflict", refusal.message, { rule: refusal.rule });
};

/** How an unmatched record was settled. */
export const RESOLUTIONS = ["matched", "replaced", "repaired", "dismissed", "dry_run"] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

export const RESOLUTION_WORDS: Record<Resolution, string> = {
  matched: "matched a QSO later",
  replaced: "replaced by a newer version",
  repaired: "resolved by an edit",
  dismissed: "dismissed",
  dry_run: "from a dry run",
};

/** For a record that is settled already or does not belong to this user. */
export const createNoLeftoverError = (username: string, number: number | string): AppError =>
  new AppError("not_found", `${username} has no unresolved record with the number ${number}.`);

/** The filters that selected the contacts of a bulk edit (null if they were listed one by one), and its change. */
const repairView = ({ choice, change }: Repair) => ({ filter: "filter" in choice ? choice.filter : null, change });

/** A job as programs and pages see it. */
export const toJobView = <Job extends SyncJob | ListedJob>(job: Job, now: number) => {
  const { rollback, undo } = findRefusals(job, now);
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

/** Whether a rollback would change anything: the job changed contacts, or is stuck and holds up others. */
export const isWorthRollingBack = ({ actions, stale, stats }: Pick<JobView, "actions" | "stale" | "stats">): boolean =>
  actions.rollback && (stale || hasChanges(stats));

export const hasChanges = ({ added, updated, deleted }: JobStats): boolean => added + updated + deleted > 0;

export type JobDetail = ReturnType<typeof toJobView<SyncJob>>;
export type JobInList = ReturnType<typeof toJobView<ListedJob>>;
/** The part that a job in a list and a single job have in common. */
export type JobView = Omit<JobDetail, "gains">;
