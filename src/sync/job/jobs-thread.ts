import type { Source } from "../../domain/jobs/source.ts";
import type { SyncJob } from "../../domain/jobs/sync-job.ts";
import type { BackgroundThread } from "../../storage/engine/background-thread.ts";
import type { Unit } from "../../storage/engine/unit.ts";
import * as syncJobs from "../../storage/jobs/sync-jobs.ts";
import type { JobRunner } from "./runner.ts";
import { JobWorker } from "./worker.ts";
import type { World } from "../../world.ts";

type Deps = Pick<World, "db" | "clock" | "every" | "after" | "sleep" | "random" | "log" | "underWay" | "config">;

/** An idle thread ends after this time. */
const REST_AFTER_MS = 30_000;
const TRY_AGAIN_AFTER_MS = 1_000;

/**
 * Runs jobs in a thread of their own. The main thread adds the rows under its worker's id and tells the jobs' thread to
 * look for them; it reads the progress from the database.
 */
export class JobsThread implements JobRunner {
  readonly worker: JobWorker;
  readonly #deps: Deps;
  readonly #thread: BackgroundThread;
  readonly #underWay = new Map<number, PromiseWithResolvers<void>>();
  #starting = 0;
  #running: Promise<void> | null = null;
  /** Whether jobs were added after the thread was last told to look. */
  #isAsked = false;
  #isStopped = false;
  #endRest = () => {};

  constructor(deps: Deps, thread: BackgroundThread) {
    this.#deps = deps;
    this.#thread = thread;
    this.worker = new JobWorker(deps);
    thread.onJobEnded = (jobId) => this.#ended(jobId);
  }

  async start(newJob: syncJobs.NewJob): Promise<SyncJob> {
    const now = this.#deps.clock();
    const workerId = this.worker.id;
    const [job] = await this.#add(function* () {
      return [yield* syncJobs.create({ ...newJob, workerId }, now)];
    });
    return job!;
  }

  async takeQueued(sources: readonly Source[]): Promise<SyncJob[]> {
    const { db, config } = this.#deps;
    const room = config.syncConcurrency - this.size;
    if (room <= 0 || this.#isStopped || !(await db.read(() => syncJobs.isAnyQueued(sources)))) return [];
    return this.#add(() => syncJobs.takeQueued(this.worker.id, sources, room));
  }

  async #add(rows: () => Unit<syncJobs.HeldJob[]>): Promise<SyncJob[]> {
    await this.worker.register();
    this.#starting += 1;
    try {
      const held = await this.#deps.db.write(rows);
      for (const { id } of held) this.#underWay.set(id, Promise.withResolvers());
      if (held.length > 0) this.#run();
      return held.map(syncJobs.toSyncJob);
    } finally {
      this.#starting -= 1;
    }
  }

  get size(): number {
    return this.#underWay.size;
  }

  get runningCount(): number {
    return this.size;
  }

  async end(jobId: number): Promise<void> {
    await this.#underWay.get(jobId)?.promise;
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async endLost(): Promise<void> {
    const { jobIds, leases } = await this.worker.listHeld();
    // Only the jobs' thread knows which accounts it is using.
    const isLost = (jobId: number) => !this.#underWay.has(jobId);
    if (this.#starting > 0) return;
    await this.worker.endLost({ jobIds: jobIds.filter(isLost), leases: this.#running ? [] : leases });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endRest();
    this.#thread.tell({ kind: "stopJobs" });
    await this.#running;
    await this.worker.stop();
  }

  /** Tells the thread to run pending jobs, including those added while it is busy. */
  #run(): void {
    this.#isAsked = true;
    if (this.#running) this.#thread.tell({ kind: "look" });
    else this.#running = this.#untilNoneIsLeft().finally(() => (this.#running = null));
  }

  async #untilNoneIsLeft(): Promise<void> {
    const { config, log, sleep, after } = this.#deps;
    const order = { workerId: this.worker.id, config, echoLogTo: log.echoedTo ?? null };
    this.#endRest();
    while (this.#isAsked && !this.#isStopped) {
      this.#isAsked = false;
      try {
        await this.#thread.ask<void>({ kind: "runJobs", order });
      } catch (error) {
        // The jobs of the crashed thread are lost. They end as failed and can be rolled back.
        log.error("jobs_thread.crashed", { error });
        this.#endAll();
        await this.endLost().catch((error: unknown) => log.warn("jobs.end_failed", { error }));
        await sleep(TRY_AGAIN_AFTER_MS);
      }
    }
    this.#endAll();
    if (!this.#isStopped) this.#endRest = after(REST_AFTER_MS, () => this.#thread.rest());
  }

  #endAll(): void {
    for (const jobId of this.#underWay.keys()) this.#ended(jobId);
  }

  #ended(jobId: number): void {
    this.#underWay.get(jobId)?.resolve();
    this.#underWay.delete(jobId);
  }
}
