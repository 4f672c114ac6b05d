import { randomBytes } from "node:crypto";
import type { Config } from "../config.ts";
import { openLog } from "../kernel/log.ts";
import type { Database } from "../storage/engine/database.ts";
import { SyncRunner } from "../sync/job/runner.ts";
import { JobWorker } from "../sync/job/worker.ts";
import { sourceOfJob } from "../sync/source/source-of-job.ts";
import { worldOn, type World } from "../world.ts";

/** What the thread of requests says about the jobs. */
export interface JobsOrder {
  /** The worker that has the jobs. The thread of requests shows that it is alive. */
  workerId: string;
  config: Config;
  echoesLog: boolean;
}

/** Runs the jobs that were added under the id of a worker, until none is left. The database says which they are. */
export class JobLoop {
  readonly #world: World;
  readonly #runner: SyncRunner;
  readonly #onEnded: (jobId: number) => void;

  constructor(db: Database, { workerId, config, echoesLog }: JobsOrder, onEnded: (jobId: number) => void) {
    const clock = Date.now;
    const echo = echoesLog ? (line: string) => console.error(line) : undefined;
    const log = openLog({ file: config.logFile, level: config.logLevel, clock, echo });
    this.#world = worldOn(db, config, { clock, random: randomBytes, log });
    this.#runner = new SyncRunner(this.#world, config.syncConcurrency, new JobWorker(this.#world, workerId));
    this.#onEnded = onEnded;
  }

  async run(): Promise<void> {
    try {
      while ((await this.#takePending()) > 0 || this.#runner.size > 0) await this.#runner.idle();
    } finally {
      await this.#runner.stopJobs();
      this.#runner.worker.endBeat();
      this.#world.log.close();
    }
  }

  /** Begins the jobs that were added meanwhile. */
  look(): void {
    this.#takePending().catch((error: unknown) => this.#world.log.warn("jobs.not_taken", { error }));
  }

  stop(): void {
    void this.#runner.stopJobs();
  }

  reopenLog(): void {
    this.#world.log.reopen();
  }

  async #takePending(): Promise<number> {
    const taken = await this.#runner.takePending((job, runner) => sourceOfJob(this.#world, job, runner));
    for (const { id } of taken) void this.#runner.end(id).finally(() => this.#onEnded(id));
    return taken.length;
  }
}
