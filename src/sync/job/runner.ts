import type { Source } from "../../domain/jobs/source.ts";
import type { SyncJob } from "../../domain/jobs/sync-job.ts";
import { Semaphore } from "../../kernel/semaphore.ts";
import { standalone } from "../../storage/engine/unit.ts";
import { RetryingDatabase, type WorkDatabase } from "./retrying-database.ts";
import * as syncJobs from "../../storage/jobs/sync-jobs.ts";
import type { World } from "../../world.ts";
import { finishJob, Interrupted, type AccountInUse, type Completion, type Lost, type Outcome } from "./finish.ts";
import { KeyedLock } from "./keyed-lock.ts";
import { runJob, type Feed, type RunOptions } from "./run.ts";
import { JobWorker } from "./worker.ts";

type Deps = Pick<
  World,
  "db" | "clock" | "ticks" | "turn" | "every" | "random" | "log" | "sleep" | "underWay" | "config" | "callFacts"
>;

/** What a source returns before its job can start. */
export interface Preparation extends RunOptions {
  cursorBefore: unknown;
  feed: Feed;
}

/** Work without a feed of records. It stores its progress in the database. */
export interface Task {
  perform(db: WorkDatabase, job: syncJobs.HeldJob, signal: AbortSignal): Promise<Completion>;
}

/** Where the records of a job come from. The database it gets retries while the database is locked or unreachable. */
export interface JobSource {
  /** Waits until the job can start, before it takes one of the places for running jobs. */
  admit?(db: WorkDatabase, job: syncJobs.HeldJob, signal: AbortSignal): Promise<void>;
  /** Whether it waits for another job that uses the same account. */
  readonly isWaiting?: boolean;
  /** Whether another process continues the job if this one stops. */
  readonly canContinue?: true;
  /** Whether any process can run the job, not only the one that created it. */
  readonly runsAnywhere?: boolean;
  /** Called when the job has ended. */
  onEnd?(): void;
  /** Returns null if the account changed since the job was admitted; it must then be admitted again. */
  prepare(db: WorkDatabase, job: syncJobs.HeldJob, signal: AbortSignal): Promise<Preparation | Task | null>;
  /** The account at a service, as soon as it is known. */
  readonly account?: AccountInUse | null;
}

/** Makes the source of a job. A runner in another thread never calls it: it makes the source from the job's row. */
type MakeSource = (runner: SyncRunner) => JobSource;

/** Runs jobs, in this thread or in another thread of the process. */
export interface JobRunner {
  readonly worker: JobWorker;
  /** The number of jobs that run or wait. */
  readonly size: number;
  /** The number of jobs that count towards the limit of jobs running at the same time. */
  readonly runningCount: number;
  /**
   * Adds a job and runs it in the background. Refuses it if a job of the same user and source is active. On a server
   * database, a job for which there is no room here waits for the first server that has room.
   */
  start(newJob: syncJobs.NewJob, makeSource: MakeSource): Promise<SyncJob>;
  /** Claims jobs of these sources that no worker has, while there is room, and runs them. */
  takeQueued(sources: readonly Source[], sourceOf: SourceOf): Promise<SyncJob[]>;
  /** Resolves when the job has ended. */
  end(jobId: number): Promise<unknown>;
  /** Resolves when no job is running. */
  idle(): Promise<void>;
  /** Ends jobs and releases accounts that carry this worker's id although it does not work on them. */
  endLost(): Promise<void>;
  /** Accepts no new jobs. Running jobs end as interrupted after their current batch. */
  stop(): Promise<void>;
}

/** Makes the source of a job from its row. */
export type SourceOf = (job: syncJobs.HeldJob, runner: SyncRunner) => JobSource;

/** Runs jobs in this thread: a few at the same time, the others wait as pending. */
export class SyncRunner implements JobRunner {
  readonly worker: JobWorker;
  /** One lock for each external account. */
  readonly lines = new KeyedLock();
  readonly #deps: Deps;
  readonly #concurrency: number;
  readonly #gate: Semaphore;
  readonly #sources = new Map<number, JobSource>();
  readonly #stopping = new AbortController();
  #starting = 0;

  constructor(deps: Deps, concurrency: number, worker = new JobWorker(deps)) {
    this.#deps = deps;
    this.#concurrency = concurrency;
    this.#gate = new Semaphore(concurrency);
    this.worker = worker;
  }

  async start(newJob: syncJobs.NewJob, makeSource: MakeSource): Promise<SyncJob> {
    await this.worker.register();
    const source = makeSource(this);
    const now = this.#deps.clock();
    const isQueued = source.runsAnywhere === true && this.#deps.db.isShared && this.#room <= 0;
    const workerId = isQueued ? null : this.worker.id;
    this.#starting += 1;
    try {
      const held = await this.#deps.db.write(() => syncJobs.create({ ...newJob, workerId }, now));
      if (!isQueued) this.#begin(held, source);
      return syncJobs.toSyncJob(held);
    } finally {
      this.#starting -= 1;
    }
  }

  async takeQueued(sources: readonly Source[], sourceOf: SourceOf): Promise<SyncJob[]> {
    const { db } = this.#deps;
    const room = this.#room;
    if (room <= 0 || this.#stopping.signal.aborted) return [];
    if (!(await db.read(() => syncJobs.isAnyQueued(sources)))) return [];
    await this.worker.register();
    this.#starting += 1;
    try {
      const taken = await db.write(() => standalone(syncJobs.takeQueued(this.worker.id, sources, room)));
      for (const job of taken) this.#begin(job, sourceOf(job, this));
      return taken;
    } finally {
      this.#starting -= 1;
    }
  }

  /** Starts the pending jobs that another thread added under this worker's id. */
  async takePending(sourceOf: SourceOf): Promise<SyncJob[]> {
    const pending = await this.#deps.db.read(() => syncJobs.listPendingOf(this.worker.id));
    const added = pending.filter(({ id }) => !this.#sources.has(id));
    for (const job of added) this.#begin(job, sourceOf(job, this));
    return added;
  }

  get #room(): number {
    return this.#concurrency - this.runningCount;
  }

  #begin(job: syncJobs.HeldJob, source: JobSource): void {
    const controller = new AbortController();
    if (this.#stopping.signal.aborted) controller.abort();
    this.#sources.set(job.id, source);
    const ended = this.#run(job, source, controller.signal).finally(() => {
      this.#sources.delete(job.id);
      source.onEnd?.();
    });
    ended.catch((error) => this.#deps.log.error("job.lost", { job: job.id, error }));
    this.#deps.underWay.add(job.id, { userId: job.userId, controller, ended });
  }

  end(jobId: number): Promise<SyncJob | null> {
    return this.#deps.underWay.end(jobId);
  }

  get size(): number {
    return this.#deps.underWay.size;
  }

  /** Jobs that wait for an account are not counted. */
  get runningCount(): number {
    return this.size - [...this.#sources.values()].filter(({ isWaiting }) => isWaiting).length;
  }

  idle(): Promise<void> {
    return this.#deps.underWay.idle();
  }

  async stop(): Promise<void> {
    await this.stopJobs();
    await this.worker.stop();
  }

  async stopJobs(): Promise<void> {
    this.#stopping.abort();
    const { db, log, underWay } = this.#deps;
    await db
      .write(() => syncJobs.requeue([this.worker.id]))
      .catch((error: unknown) => log.debug("jobs.requeue_failed", { error }));
    underWay.interruptAll();
    await this.idle();
  }

  async endLost(): Promise<void> {
    await this.worker.endLost(this.#lostOf(await this.worker.listHeld()));
  }

  /** While a job is being added, it is not in the list of this runner yet. */
  #lostOf({ jobIds, leases: known }: Lost): Lost {
    if (this.#starting > 0) return { jobIds: [], leases: [] };
    const inUse = [...this.#sources.values()].flatMap(({ account }) =>
      account && account.lease !== "none" ? [account.credentials] : [],
    );
    return {
      jobIds: jobIds.filter((jobId) => !this.#sources.has(jobId)),
      leases: known.filter(
        ({ source, loginHash }) => !inUse.some((one) => one.source === source && one.loginHash === loginHash),
      ),
    };
  }

  async #run(job: syncJobs.HeldJob, source: JobSource, signal: AbortSignal): Promise<SyncJob> {
    const db = new RetryingDatabase(this.#deps.db, this.#deps, signal);
    const toFailure = (error: unknown): Outcome => ({ error: signal.aborted ? new Interrupted() : error });
    const stopping = this.#stopping.signal;
    const end = (outcome: Outcome) =>
      source.canContinue && stopping.aborted && "error" in outcome
        ? this.#deps.db.write(() => syncJobs.release(job))
        : finishJob(this.#deps, { job, account: source.account ?? null, stopping }, outcome);
    for (;;) {
      const refused = await this.#admit(db, job, source, signal).catch(toFailure);
      if (refused) return end(refused);
      const ended = await this.#gate.run(async () => {
        const outcome = await this.#outcomeOf(db, job, source, signal).catch(toFailure);
        return outcome && (await end(outcome));
      });
      if (ended) return ended;
    }
  }

  async #admit(db: WorkDatabase, job: syncJobs.HeldJob, source: JobSource, signal: AbortSignal): Promise<void> {
    if (!source.admit) return;
    await this.worker.register(db);
    await source.admit(db, job, signal);
  }

  async #outcomeOf(
    db: WorkDatabase,
    job: syncJobs.HeldJob,
    source: JobSource,
    signal: AbortSignal,
  ): Promise<Outcome | null> {
    signal.throwIfAborted();
    const prepared = await source.prepare(db, job, signal);
    if (prepared === null) return null;
    if ("perform" in prepared) return prepared.perform(db, await this.#claim(db, job, null), signal);
    try {
      const claimed = await this.#claim(db, job, prepared.cursorBefore, source.account);
      return await runJob({ ...this.#deps, db }, claimed, prepared.feed, prepared, signal);
    } finally {
      await prepared.feed.return(undefined).catch(() => {});
    }
  }

  async #claim(
    db: WorkDatabase,
    job: syncJobs.HeldJob,
    cursorBefore: unknown,
    account: AccountInUse | null = null,
  ): Promise<syncJobs.HeldJob> {
    await this.worker.register(db);
    const now = this.#deps.clock();
    const loginHash = account?.credentials.loginHash ?? null;
    const claimed = await db.write(() =>
      syncJobs.claim(job.id, this.worker.id, cursorBefore, now, job.fence, loginHash),
    );
    if (!claimed) throw new Interrupted();
    return claimed;
  }
}
