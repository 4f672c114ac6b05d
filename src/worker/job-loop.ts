import { randomBytes } from "node:crypto";
import { getLogFile, type Config } from "../config.ts";
import { openLog, type LogEcho } from "../kernel/log.ts";
import type { Database } from "../storage/engine/database.ts";
import { SyncRunner } from "../sync/job/runner.ts";
import { JobWorker } from "../sync/job/worker.ts";
import { createJobSource } from "../sync/source/source-of-job.ts";
import { worldOn, type World } from "../world.ts";

/** What the main thread tells the jobs' thread. */
export interface JobsOrder {
  /** The worker that owns the jobs. The main thread sends its heartbeats. */
  workerId: string;
  config: Config;
  echoLogTo: LogEcho | null;
}

/** Runs the pending jobs of a worker until there are none. Jobs are read from the database. */
export class JobLoop {
  readonly #world: World;
  readonly #runner: SyncRunner;
  readonly #onEnded: (jobId: number) => void;

  constructor(db: Database, { workerId, config, echoLogTo }: JobsOrder, onEnded: (jobId: number) => void) {
    const clock = Date.now;
    const log = openLog({ file: getLogFile(config), level: config.logLevel, clock, echoTo: echoLogTo });
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

  /** Starts jobs that were added since. */
  look(): void {
    this.#takePending().catch((error: unknown) => this.#world.log.warn("jobs.start_failed", { error }));
  }

  stop(): void {
    void this.#runner.stopJobs();
  }

  reopenLog(): void {
    this.#world.log.reopen();
  }

  async #takePending(): Promise<number> {
    const taken = await this.#runner.takePending((job, runner) => createJobSource(this.#world, job, runner));
    for (const { id } of taken) void this.#runner.end(id).finally(() => this.#onEnded(id));
    return taken.length;
  }
}
