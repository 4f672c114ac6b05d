import { Gate } from "../gate.ts";
import type { SyncJob } from "../domain/sync-job.ts";
import * as syncJobs from "../storage/sync-jobs.ts";
import type { World } from "../world.ts";
import { failJob, runJob, type Feed, type RunOptions } from "./engine.ts";
import { JobWorker } from "./workers.ts";

type Deps = Pick<World, "db" | "clock" | "ticks" | "turn" | "every" | "random" | "log" | "underWay">;

/** What a job needs before it can begin. */
export interface Preparation {
  cursorBefore: unknown;
  feed: Feed;
  options: Omit<RunOptions, "signal">;
}

export type Prepare = (job: SyncJob, signal: AbortSignal) => Promise<Preparation>;

/** The jobs this process runs: a few at once, the others wait as pending. */
export class SyncRunner {
  readonly worker: JobWorker;
  readonly #deps: Deps;
  readonly #gate: Gate;
  #isStopping = false;

  constructor(deps: Deps, concurrency: number) {
    this.#deps = deps;
    this.#gate = new Gate(concurrency);
    this.worker = new JobWorker(deps);
  }

  /** Adds a job and runs it in the background. Refused where one of the same user and source is under way. */
  async start(newJob: syncJobs.NewJob, prepare: Prepare): Promise<SyncJob> {
    await this.worker.register();
    const now = this.#deps.clock();
    const job = await this.#deps.db.write(() => syncJobs.create({ ...newJob, workerId: this.worker.id }, now));
    this.#begin(job, prepare);
    return job;
  }

  #begin(job: SyncJob, prepare: Prepare): void {
    const controller = new AbortController();
    if (this.#isStopping) controller.abort();
    const ended = this.#gate.pass(() => this.#run(job, prepare, controller.signal));
    ended.catch((error) => this.#deps.log.error("job.lost", { job: job.id, error }));
    this.#deps.underWay.add(job.id, { userId: job.userId, controller, ended });
  }

  /** Resolves to the job at its end. */
  end(jobId: number): Promise<SyncJob | null> {
    return this.#deps.underWay.end(jobId);
  }

  get size(): number {
    return this.#deps.underWay.size;
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#deps.underWay.idle();
  }

  /** No new jobs; those under way end at the next page as interrupted. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#deps.underWay.interruptAll();
    await this.idle();
    await this.worker.stop();
  }

  async #run(job: SyncJob, prepare: Prepare, signal: AbortSignal): Promise<SyncJob> {
    const { db, clock } = this.#deps;
    let prepared: Preparation;
    let claimed: SyncJob | null;
    try {
      signal.throwIfAborted();
      prepared = await prepare(job, signal);
      const { cursorBefore } = prepared;
      await this.worker.register();
      const now = clock();
      claimed = await db.write(() => syncJobs.claim(job.id, this.worker.id, cursorBefore, now));
    } catch (error) {
      return failJob(this.#deps, job, error, signal);
    }
    if (!claimed) {
      await prepared.feed.return(undefined);
      return db.read(() => syncJobs.get(job.userId, job.id));
    }
    return runJob(this.#deps, claimed, prepared.feed, { ...prepared.options, signal });
  }
}
