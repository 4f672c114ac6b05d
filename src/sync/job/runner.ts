import type { SyncJob } from "../../domain/jobs/sync-job.ts";
import { Semaphore } from "../../kernel/semaphore.ts";
import type { Database } from "../../storage/engine/database.ts";
import { standalone } from "../../storage/engine/unit.ts";
import { RetryingDatabase } from "./retrying-database.ts";
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

/** What a job needs before it can begin. */
export interface Preparation extends RunOptions {
  cursorBefore: unknown;
  feed: Feed;
}

/** Work that is no feed of records. It keeps in the database how far it has come. */
export interface Task {
  perform(db: Database, job: syncJobs.HeldJob, signal: AbortSignal): Promise<Completion>;
}

/** Where the records of one job come from. The database it is given waits where it is locked or away. */
export interface JobSource {
  /** What the job waits for before it takes a place among those that run. */
  admit?(db: Database, job: syncJobs.HeldJob, signal: AbortSignal): Promise<void>;
  /** The same where it need not wait; false where it must. */
  admitAtOnce?(db: Database, job: syncJobs.HeldJob, signal: AbortSignal): Promise<boolean>;
  /** Whether it waits for somebody else to be done with its account. */
  readonly isWaiting?: boolean;
  /** What it has not done when this process ends, another does. */
  readonly goesOn?: true;
  /** Whether any program may run it, and not only the one that was asked. */
  readonly isAnybodys?: boolean;
  /** The job has ended. */
  leave?(): void;
  /** Null where what it was admitted to is another by now, and it must be admitted again. */
  prepare(db: Database, job: syncJobs.HeldJob, signal: AbortSignal): Promise<Preparation | Task | null>;
  /** The external account it asks for, from the moment it is known. */
  readonly account?: AccountInUse | null;
}

/** Makes the source of a job. Of a runner in another thread nobody asks for it: the row in the database says enough. */
type MakeSource = (runner: SyncRunner) => JobSource;

/** Runs jobs: in this thread, or in another one of this process. */
export interface JobRunner {
  readonly worker: JobWorker;
  /** So many jobs are under way. */
  readonly size: number;
  /** So many of them take a place among those that may run at once. */
  readonly placesTaken: number;
  /** Adds a job and runs it in the background. Refused where one of the same user and source is under way. */
  start(newJob: syncJobs.NewJob, makeSource: MakeSource): Promise<SyncJob>;
  /** Goes on with a job that a process left behind; null where another did before. */
  resume(jobId: number, makeSource: MakeSource): Promise<SyncJob | null>;
  /** Takes what other programs left to whoever has room. */
  takeQueued(sourceOf: SourceOf): Promise<SyncJob[]>;
  /** Resolves when a job has ended. */
  end(jobId: number): Promise<unknown>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Ends jobs and frees accounts that carry this worker's id though nothing here is about them. */
  endLost(): Promise<void>;
  /** No new jobs; those under way end at the next batch as interrupted. */
  stop(): Promise<void>;
}

/** Makes the source of a job from its row. */
export type SourceOf = (job: syncJobs.QueuedJob, runner: SyncRunner) => JobSource;

/** The jobs this thread runs: a few at once, the others wait as pending. */
export class SyncRunner implements JobRunner {
  readonly worker: JobWorker;
  /** For the external accounts. */
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
    // Where there is no room now it is anybody's: whoever claims it first runs it.
    const isAnybodys = source.isAnybodys === true && this.#deps.db.isShared && this.#room <= 0;
    const workerId = isAnybodys ? null : this.worker.id;
    this.#starting += 1;
    try {
      const held = await this.#deps.db.write(() => syncJobs.create({ ...newJob, workerId }, now));
      this.#begin(held, source, isAnybodys);
      const { fence: _, ...job } = held;
      return job;
    } finally {
      this.#starting -= 1;
    }
  }

  async resume(jobId: number, makeSource: MakeSource): Promise<SyncJob | null> {
    await this.worker.register();
    this.#starting += 1;
    try {
      const job = await this.#deps.db.write(() => syncJobs.takeUp(jobId, this.worker.id));
      if (job) this.#begin(job, makeSource(this));
      return job;
    } finally {
      this.#starting -= 1;
    }
  }

  async takeQueued(sourceOf: SourceOf): Promise<SyncJob[]> {
    const room = this.#room;
    if (!this.#deps.db.isShared || room <= 0 || this.#stopping.signal.aborted) return [];
    await this.worker.register();
    this.#starting += 1;
    try {
      const taken = await this.#deps.db.write(() =>
        standalone(syncJobs.takeQueued(this.worker.id, room, [...this.#sources.keys()])),
      );
      for (const job of taken) this.#begin(job, sourceOf(job, this));
      return taken;
    } finally {
      this.#starting -= 1;
    }
  }

  /** Begins the jobs that were added under the id of this worker by another thread. */
  async takePending(sourceOf: SourceOf): Promise<SyncJob[]> {
    const pending = await this.#deps.db.read(() => syncJobs.listPendingOf(this.worker.id));
    const added = pending.filter(({ id }) => !this.#sources.has(id));
    for (const job of added) this.#begin(job, sourceOf(job, this));
    return added;
  }

  get #room(): number {
    return this.#concurrency - this.placesTaken;
  }

  #begin(job: syncJobs.HeldJob, source: JobSource, isAnybodys = false): void {
    const controller = new AbortController();
    if (this.#stopping.signal.aborted) controller.abort();
    this.#sources.set(job.id, source);
    const ended = this.#run(job, source, isAnybodys, controller.signal).finally(() => {
      this.#sources.delete(job.id);
      source.leave?.();
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

  /** Those that only wait for an account take none. */
  get placesTaken(): number {
    return this.size - [...this.#sources.values()].filter(({ isWaiting }) => isWaiting).length;
  }

  idle(): Promise<void> {
    return this.#deps.underWay.idle();
  }

  async stop(): Promise<void> {
    await this.stopJobs();
    await this.worker.stop();
  }

  /** Stops everything but the worker. */
  async stopJobs(): Promise<void> {
    this.#stopping.abort();
    const { db, log, underWay } = this.#deps;
    await db
      .write(() => syncJobs.requeue([this.worker.id], [...this.#sources.keys()]))
      .catch((error: unknown) => log.debug("jobs.not_requeued", { error }));
    underWay.interruptAll();
    await this.idle();
  }

  async endLost(): Promise<void> {
    await this.worker.endLost(this.#lostOf(await this.worker.listHeld()));
  }

  /** A job that was just added is perhaps not known here yet. */
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

  async #run(job: syncJobs.HeldJob, source: JobSource, isAnybodys: boolean, signal: AbortSignal): Promise<SyncJob> {
    const db = new RetryingDatabase(this.#deps.db, this.#deps, signal);
    const failure = (error: unknown): Outcome => ({ error: signal.aborted ? new Interrupted() : error });
    const stopping = this.#stopping.signal;
    let held = job;
    const isUntaken = () => isAnybodys && held === job;
    const end = (outcome: Outcome) =>
      source.goesOn && stopping.aborted && "error" in outcome
        ? this.#deps.db.write(() => syncJobs.release(held))
        : finishJob(this.#deps, held, outcome, source.account ?? null, stopping);
    const outcome = async (): Promise<Outcome | null> => {
      // Until its turn comes somebody else may run it, so that its account must be free for them.
      if (isUntaken()) {
        held = await this.#takeUp(db, job);
        if (!((await source.admitAtOnce?.(db, held, signal)) ?? true)) return null;
      }
      return this.#outcomeOf(db, held, source, signal);
    };
    for (;;) {
      if (!isUntaken()) {
        const refused = await this.#admit(db, held, source, signal).catch(failure);
        if (refused) return end(refused);
      }
      const ended = await this.#gate.pass(async () => {
        // Nobody has taken it up yet: it stays for another program.
        if (isUntaken() && stopping.aborted) return job;
        const come = await outcome().catch(failure);
        return come && (await end(come));
      });
      if (ended) return ended;
    }
  }

  async #takeUp(db: Database, { id }: syncJobs.HeldJob): Promise<syncJobs.HeldJob> {
    await this.worker.register(db);
    const held = await db.write(() => syncJobs.takeUp(id, this.worker.id));
    if (!held) throw new Interrupted();
    return held;
  }

  async #admit(db: Database, job: syncJobs.HeldJob, source: JobSource, signal: AbortSignal): Promise<void> {
    if (!source.admit) return;
    await this.worker.register(db);
    await source.admit(db, job, signal);
  }

  async #outcomeOf(
    db: Database,
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
    db: Database,
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
