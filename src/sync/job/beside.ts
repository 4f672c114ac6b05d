import type { JobProgress, JobStats, UnchangedReasons } from "../../domain/sync-job.ts";
import { defineBackgroundWork } from "../../storage/database.ts";
import { unflatten, type Flat } from "../../storage/flat.ts";
import * as syncJobs from "../../storage/sync-jobs.ts";
import { forUser, type Unit } from "../../storage/unit.ts";
import * as users from "../../storage/users.ts";
import { writePlan, type BatchPlan } from "./batch.ts";

/** A batch that is written beside whoever decides the next one, and what the job has come to with it. */
export interface BatchOrder {
  job: Pick<syncJobs.HeldJob, "id" | "userId" | "fence">;
  now: number;
  /** The version of the log that it was decided for, and how many records the job had placed by then. */
  version: number;
  placed: number;
  /** The `BatchPlan`. */
  plan: Flat;
  stats: JobStats;
  reasons: UnchangedReasons;
  progress: JobProgress;
}

export type BatchAnswer =
  | { kind: "written"; added: readonly number[] }
  /** Somebody else changed the log meanwhile, or the batch before was not written: nothing is. */
  | { kind: "changed" }
  /** The job may write no more. */
  | { kind: "interrupted" };

export const writeBatchWork = defineBackgroundWork(
  "sync.writeBatch",
  "write",
  function* ({ job, now, version, placed, plan, stats, reasons, progress }: BatchOrder): Unit<BatchAnswer> {
    yield* forUser(job.userId);
    if (!(yield* syncJobs.mayWrite(job, now))) return { kind: "interrupted" };
    if ((yield* users.logVersion(job.userId)) !== version) return { kind: "changed" };
    if ((yield* syncJobs.placed(job.id)) !== placed) return { kind: "changed" };
    const added = yield* writePlan(unflatten<BatchPlan>(plan));
    yield* syncJobs.setProgress(job.id, stats, reasons, progress);
    return { kind: "written", added };
  },
);
