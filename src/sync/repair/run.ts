import type { JobTrigger, SyncJob } from "../../domain/jobs/sync-job.ts";
import type { Repair } from "../../domain/jobs/repair.ts";
import type * as syncJobs from "../../storage/jobs/sync-jobs.ts";
import type { World } from "../../world.ts";
import { Interrupted, type Completion } from "../job/finish.ts";
import type { WorkDatabase } from "../job/retrying-database.ts";
import type { RunOptions } from "../job/run.ts";
import type { JobRunner, JobSource } from "../job/runner.ts";
import { sliceWork } from "./slice.ts";

type Deps = Pick<World, "clock" | "config" | "turn">;

export interface RepairOrder {
  userId: number;
  trigger: JobTrigger;
  repair: Repair;
  onProgress?: RunOptions["onProgress"];
}

/** Starts a bulk edit in the background. */
export const startRepair = (
  deps: Deps,
  runner: JobRunner,
  { userId, trigger, repair, onProgress }: RepairOrder,
): Promise<SyncJob> =>
  runner.start({ userId, source: "repair", trigger, options: { repair } }, () => new RepairSource(deps, onProgress));

/** Continues bulk edits that were interrupted by a stop or a crash. */
export const resumeRepairs = async (deps: Deps & Pick<World, "log">, runner: JobRunner): Promise<SyncJob[]> => {
  const resumed = await runner.takeQueued(["repair"], () => new RepairSource(deps));
  for (const job of resumed) deps.log.info("repair.resumed", { job: job.id, user: job.userId });
  return resumed;
};

/** Runs a bulk edit slice by slice in the jobs' thread. Each slice reads from the database what is left to do. */
export class RepairSource implements JobSource {
  readonly canContinue = true;
  readonly #deps: Deps;
  readonly #tell: NonNullable<RunOptions["onProgress"]>;

  constructor(deps: Deps, onProgress: RunOptions["onProgress"] = () => {}) {
    this.#deps = deps;
    this.#tell = onProgress;
  }

  async prepare() {
    return this;
  }

  async perform(db: WorkDatabase, job: syncJobs.HeldJob, signal: AbortSignal): Promise<Completion> {
    const { clock, config, turn } = this.#deps;
    for (;;) {
      signal.throwIfAborted();
      const order = {
        userId: job.userId,
        jobId: job.id,
        fence: job.fence,
        most: db.sliceSize,
        now: clock(),
        dataDir: config.dataDir,
      };
      const slice = await db.inWorker(sliceWork, order, { userId: job.userId });
      if (slice === null) throw new Interrupted();
      this.#tell(slice.progress, slice.stats);
      if (slice.isLast) return { stats: slice.stats, reasons: job.reasons, cursorAfter: null };
      await turn();
    }
  }
}
