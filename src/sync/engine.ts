import { AppError } from "../domain/errors.ts";
import { SyncError, type Body, type SyncErrorCode } from "../domain/provider.ts";
import type { FileRecord, Part } from "../domain/layers.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import type { JobProgress, JobStats, SyncJob, UnchangedReasons } from "../domain/sync-job.ts";
import { gainsOfJob } from "../awards/gains.ts";
import { autoSyncFailed, syncCompleted } from "../schedule/moves.ts";
import * as leftovers from "../storage/leftovers.ts";
import * as syncCursors from "../storage/sync-cursors.ts";
import * as syncJobs from "../storage/sync-jobs.ts";
import type { Unit } from "../storage/unit.ts";
import * as users from "../storage/users.ts";
import * as workers from "../storage/workers.ts";
import type { World } from "../world.ts";
import type { PageDraft, PageResult } from "./draft.ts";
import { readIncoming, type Incoming, type Unreadable } from "./incoming.ts";
import { PagePacer } from "./pacer.ts";
import { draftPage, draftSettlement, partsOf } from "./page.ts";
import { neighboursOf } from "./stretches.ts";
import { Workbench } from "./workbench.ts";

/** Where the bodies of a job come from; at its end the cursor for the next one. */
export type Feed = AsyncGenerator<Body, unknown, undefined>;

export type EngineDeps = Pick<World, "db" | "clock" | "ticks" | "turn" | "log">;

export interface RunOptions {
  facts: CallFacts;
  signal: AbortSignal;
  /** Whether and where the cursor goes when the job completes. */
  cursorTo?: (after: unknown) => unknown;
  /** What else completing this job means to its account, in the transaction that completes it. */
  onComplete?: (job: SyncJob) => Unit<void>;
  onProgress?: (progress: JobProgress, stats: JobStats) => void;
  pacer?: PagePacer;
  mostRecordsAPage?: number;
}

/** So many new contacts change what the query planner should know. */
const WORTH_ANALYZING = 2_000;

/** Runs a claimed job to its end: every body is applied in pages, each one transaction. Never throws. */
export const runJob = async (deps: EngineDeps, job: SyncJob, feed: Feed, options: RunOptions): Promise<SyncJob> => {
  const run = new JobRun(deps, job, options);
  try {
    return await run.toEnd(feed);
  } catch (error) {
    return await failJob(deps, job, error, options.signal);
  } finally {
    await feed.return(undefined).catch(() => {});
  }
};

/** The job was cancelled by somebody else: it writes nothing more. */
class NoLongerRunning extends Error {}

class JobRun {
  readonly #deps: EngineDeps;
  readonly #job: SyncJob;
  readonly #options: RunOptions;
  readonly #pacer: PagePacer;
  readonly #stats: JobStats;
  readonly #reasons: UnchangedReasons;
  readonly #taken = new Set<number>();
  readonly #aside: Incoming[] = [];
  readonly #asideNames = new Set<string>();
  readonly #overlay: Workbench | null;
  #rejectedKept = 0;
  #hasLeftovers = false;
  #progress = { phase: "", done: 0, total: 0 };

  constructor(deps: EngineDeps, job: SyncJob, options: RunOptions) {
    this.#deps = deps;
    this.#job = job;
    this.#options = options;
    this.#pacer = options.pacer ?? new PagePacer(deps, options.mostRecordsAPage);
    this.#stats = { ...job.stats };
    this.#reasons = { ...job.reasons };
    this.#overlay = job.dryRun ? new Workbench() : null;
  }

  async toEnd(feed: Feed): Promise<SyncJob> {
    const { userId, source } = this.#job;
    this.#hasLeftovers = await this.#deps.db.read(() => leftovers.hasOpen(userId, source));
    let step = await feed.next();
    while (!step.done) {
      await this.#applyBody(step.value);
      step = await feed.next();
    }
    await this.#offerLeftovers();
    await this.#settle();
    return this.#complete(step.value);
  }

  async #applyBody({ phase, part, count, total, rejected, records }: Body): Promise<void> {
    if (phase !== this.#progress.phase) this.#progress = { phase, done: 0, total: 0 };
    this.#progress.total = total ?? this.#progress.total + count;
    let waiting: (Incoming | Unreadable)[] = rejected.map(({ reason, excerpt }) => ({
      reason,
      record: { fields: { APP_QSOLOG_EXCERPT: excerpt } },
      part: part as Part,
    }));
    let left = count;
    const { most } = this.#pacer;
    // A few records at the end would cost as much as a page of their own.
    const takesTheRest = () => left > 0 && left < this.#pacer.size / 2 && waiting.length + left <= most;
    for await (const batch of records()) {
      for (const record of batch) {
        const { source } = this.#job;
        waiting.push(readIncoming(record as FileRecord, source, part as Part, this.#options.facts));
        left -= 1;
        if (waiting.length < this.#pacer.size || takesTheRest()) continue;
        await this.#writeNext(waiting);
        waiting = [];
      }
    }
    if (waiting.length > 0) await this.#writeNext(waiting);
  }

  async #writeNext(records: readonly (Incoming | Unreadable)[]): Promise<void> {
    this.#progress.done += records.length;
    await this.#write(records, { ...this.#progress });
  }

  async #write(records: readonly (Incoming | Unreadable)[], progress: JobProgress): Promise<void> {
    const { facts } = this.#options;
    const now = this.#deps.clock();
    await this.#inPage(progress, () => draftPage(this.#job, records, this.#memory(), facts, now));
  }

  /** Records that earlier jobs could not match may have their contact by now. */
  async #offerLeftovers(): Promise<void> {
    let afterId = 0;
    for (;;) {
      const kept = await this.#deps.db.read(() =>
        leftovers.listOpen(this.#job.userId, this.#job.source, afterId, this.#pacer.most),
      );
      if (kept.length === 0) return;
      afterId = kept.at(-1)!.id;
      const readable = kept.flatMap(({ id, jobId, record, part }) => {
        if (jobId === this.#job.id) return [];
        const incoming = readIncoming(record, this.#job.source, part, this.#options.facts);
        return "key" in incoming ? [{ ...incoming, leftoverId: id }] : [];
      });
      if (readable.length > 0) await this.#write(readable, { phase: "leftovers", done: readable.length });
    }
  }

  /** What was set aside is assigned when everything else has its place, all that may mean the same contact at once. */
  async #settle(): Promise<void> {
    const groups = neighboursOf(this.#aside);
    let page: Incoming[] = [];
    let done = 0;
    const settle = async () => {
      if (page.length === 0) return;
      const records = page;
      page = [];
      done += records.length;
      const progress = { phase: "matching", done, total: this.#aside.length };
      const { facts } = this.#options;
      const now = this.#deps.clock();
      await this.#inPage(progress, () => draftSettlement(this.#job, records, this.#memory(), facts, now));
    };
    for (const records of groups) {
      if (page.length > 0 && page.length + records.length > this.#pacer.size) await settle();
      page.push(...records);
    }
    await settle();
  }

  /**
   * A page is decided by reading and then written, in one transaction with what the job has come to. Where the log
   * changed in between, it is decided again. What it gives is remembered only once it is committed.
   */
  async #inPage(progress: JobProgress, draft: () => Unit<PageDraft>): Promise<void> {
    this.#options.signal.throwIfAborted();
    const job = this.#job;
    const { db } = this.#deps;
    const [stats, reasons] = [this.#stats, this.#reasons];
    const now = this.#deps.clock();
    const drafted = await this.#pacer.part(() =>
      db.read(function* () {
        return { version: yield* users.logVersion(job.userId), page: yield* draft() };
      }),
    );
    const result = await this.#pacer.part(() =>
      db.write(function* () {
        if (!(yield* syncJobs.isRunning(job.id))) return null;
        const isCurrent = (yield* users.logVersion(job.userId)) === drafted.version;
        const page = isCurrent ? drafted.page : yield* draft();
        yield* page.write();
        yield* syncJobs.setProgress(job.id, sum(stats, page.result.stats), sum(reasons, page.result.reasons), progress);
        yield* workers.beatOf(job.id, now);
        return page.result;
      }),
    );
    if (result === null) throw new NoLongerRunning();
    this.#pacer.nextPage();
    this.#remember(result);
    this.#options.onProgress?.(progress, this.#stats);
    await this.#deps.db.catchUp();
  }

  #remember(result: PageResult): void {
    Object.assign(this.#stats, sum(this.#stats, result.stats));
    Object.assign(this.#reasons, sum(this.#reasons, result.reasons));
    for (const id of result.taken) this.#taken.add(id);
    for (const incoming of result.aside) this.#setAside(incoming);
    for (const qso of result.overlay) this.#overlay?.put(qso);
    this.#rejectedKept += result.leftovers.filter(({ kind }) => kind === "rejected").length;
  }

  /** What an earlier job kept of a record that came again is of no use any more. */
  #setAside(incoming: Incoming): void {
    const name = leftovers.nameOf({ part: incoming.part, externalId: partsOf(incoming) });
    if (incoming.leftoverId !== undefined && this.#asideNames.has(name)) return;
    this.#asideNames.add(name);
    this.#aside.push(incoming);
  }

  #memory() {
    return {
      taken: this.#taken,
      overlay: this.#overlay,
      rejectedKept: this.#rejectedKept,
      hasLeftovers: this.#hasLeftovers,
    };
  }

  async #complete(after: unknown): Promise<SyncJob> {
    const { db, clock } = this.#deps;
    const { cursorTo, onComplete } = this.#options;
    const job = this.#job;
    const [stats, reasons] = [this.#stats, this.#reasons];
    this.#options.signal.throwIfAborted();
    const gains = job.dryRun ? null : await gainsOfJob(db, job.id, job.userId);
    const now = clock();
    const completed = await db.write(function* () {
      yield* syncJobs.setProgress(job.id, stats, reasons, { phase: "done", done: stats.fetched });
      const cursor = job.dryRun || !cursorTo ? null : cursorTo(after);
      const ended = yield* syncJobs.complete(job.id, cursor, gains, now);
      if (!ended) return null;
      if (cursor !== null && job.source !== "file") yield* syncCursors.set(job.userId, job.source, cursor, now);
      if (!job.dryRun) yield* users.raiseLogVersion(job.userId);
      if (onComplete) yield* onComplete(ended);
      if (!job.dryRun) yield* syncCompleted(ended);
      return ended;
    });
    if (!completed) throw new NoLongerRunning();
    if (stats.added >= WORTH_ANALYZING) await db.analyze();
    return completed;
  }
}

const sum = <T extends object>(a: T, b: T): T =>
  Object.fromEntries(
    Object.entries(a).map(([name, value]) => [name, value + (b as Record<string, number>)[name]!]),
  ) as T;

/** Ends a job that cannot begin or go on, with the reason in words. */
export const failJob = (
  { db, clock, log }: EngineDeps,
  job: SyncJob,
  error: unknown,
  signal: AbortSignal,
): Promise<SyncJob> => {
  const { code, message } = reasonOf(error, signal);
  if (code === "internal") log.error("job.failed", { job: job.id, source: job.source, error });
  const now = clock();
  const retryAfterSeconds = error instanceof SyncError ? error.retryAfterSeconds : undefined;
  return db.write(function* () {
    const failed = yield* syncJobs.fail(job.id, code, message, now);
    yield* users.raiseLogVersion(job.userId);
    if (failed) yield* autoSyncFailed(failed, retryAfterSeconds ?? null, now);
    // A job may be gone with its user.
    const gone: SyncJob = { ...job, status: "failed", finishedAt: now, error: { code, message } };
    return failed ?? (yield* syncJobs.find(job.userId, job.id)) ?? gone;
  });
};

const reasonOf = (error: unknown, signal: AbortSignal): { code: SyncErrorCode; message: string } => {
  if (signal.aborted || error instanceof NoLongerRunning) {
    return { code: "interrupted", message: "The job was stopped before it was done." };
  }
  if (error instanceof SyncError) return error;
  if (error instanceof AppError) return { code: "internal", message: error.message };
  return { code: "internal", message: "Something went wrong. The log of the server says what." };
};
