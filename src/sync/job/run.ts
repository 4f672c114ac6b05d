import { countCharacters } from "../../domain/contact/record-size.ts";
import type { FileRecord, Part } from "../../domain/contact/layers.ts";
import type { Body } from "../../domain/jobs/provider.ts";
import type { JobProgress, JobStats } from "../../domain/jobs/sync-job.ts";
import * as leftovers from "../../storage/log/leftovers.ts";
import { Scratch } from "../../storage/jobs/scratch.ts";
import * as syncJobs from "../../storage/jobs/sync-jobs.ts";
import { lockUser, type Unit } from "../../storage/engine/unit.ts";
import * as users from "../../storage/people/users.ts";
import type { World } from "../../world.ts";
import { readIncoming, type Incoming, type Unreadable } from "../match/incoming.ts";
import type { Batch, BatchSetting } from "./batch.ts";
import { decideBatch, decideDeferred } from "./decide.ts";
import { Deferred } from "./deferred.ts";
import { Interrupted, type Completion } from "./finish.ts";
import { JobState } from "./job-state.ts";
import type { WorkDatabase } from "./retrying-database.ts";

/** Yields the parts of a download and returns the cursor for the next one. */
export type Feed = AsyncGenerator<Body, unknown, undefined>;

export interface RunOptions {
  onProgress?: (progress: JobProgress, stats: JobStats) => void;
  maxBatchRecords?: number;
}

type Deps = Pick<World, "clock" | "turn" | "config" | "callFacts"> & { db: WorkDatabase };

/**
 * Each batch rewrites pages of ten indexes. With batches of 100 the database writes several times as much and takes
 * half as long again.
 */
const BATCH_SIZE = 500;
/** Limits the text of one batch, because a single record can have a million characters. */
const MAX_BATCH_CHARACTERS = 2_000_000;

/** Applies all records of a claimed job in batches, each in one transaction. An exception ends the job. */
export const runJob = async (
  deps: Deps,
  job: syncJobs.HeldJob,
  feed: Feed,
  options: RunOptions,
  signal: AbortSignal,
): Promise<Completion> => {
  const hasLeftovers = await deps.db.read(() => leftovers.hasOpen(job.userId, job.source));
  const { dataDir } = deps.config;
  const scratch = job.dryRun ? new Scratch(dataDir) : null;
  const deferred = new Deferred(dataDir);
  try {
    const memory = new JobState(job, hasLeftovers, scratch, deferred);
    const facts = await deps.callFacts();
    return await new JobRun(deps, { job, memory, facts }, deferred, options, signal).run(feed);
  } finally {
    scratch?.close();
    deferred.close();
  }
};

type Setting = Omit<BatchSetting, "job" | "now"> & { job: syncJobs.HeldJob };

class JobRun {
  readonly #deps: Deps;
  readonly #setting: Setting;
  readonly #deferred: Deferred;
  readonly #options: RunOptions;
  readonly #signal: AbortSignal;
  readonly #batchSize: number;
  #progress = { phase: "", done: 0, total: 0 };
  /** Records that were read but not written yet. */
  #read: (Incoming | Unreadable)[] = [];
  #weight = 0;

  constructor(deps: Deps, setting: Setting, deferred: Deferred, options: RunOptions, signal: AbortSignal) {
    this.#deps = deps;
    this.#setting = setting;
    this.#deferred = deferred;
    this.#options = options;
    this.#signal = signal;
    this.#batchSize = Math.min(BATCH_SIZE, options.maxBatchRecords ?? BATCH_SIZE);
  }

  async run(feed: Feed): Promise<Completion> {
    const cursorAfter = await this.#applyAll(feed);
    const { memory } = this.#setting;
    const { stats, reasons } = memory.counts;
    memory.cameBefore = stats.unchanged > reasons.repeated + reasons.deleted;
    await this.#offerLeftovers();
    await this.#settle();
    this.#signal.throwIfAborted();
    return { ...memory.counts, cursorAfter };
  }

  /** If a download breaks off, the records that arrived are still written. */
  async #applyAll(feed: Feed): Promise<unknown> {
    try {
      let step = await feed.next();
      while (!step.done) {
        await this.#applyBody(step.value);
        step = await feed.next();
      }
      await this.#writeRead();
      return step.value;
    } catch (error) {
      if (!this.#signal.aborted) await this.#writeRead().catch(() => {});
      throw error;
    }
  }

  /** A small body waits for the next one if more will follow: a batch costs about the same whatever its size. */
  async #applyBody({ phase, part, count, total, rejected, records }: Body): Promise<void> {
    if (phase !== this.#progress.phase) {
      await this.#writeRead();
      this.#progress = { phase, done: 0, total: 0 };
    }
    this.#progress.total = total ?? this.#progress.total + count;
    const { job, facts } = this.#setting;
    for (const { reason, excerpt } of rejected) {
      this.#add({ reason, record: { fields: { APP_QSOLOG_EXCERPT: excerpt } }, part: part as Part });
      if (this.#isFull) await this.#writeRead();
    }
    for await (const some of records()) {
      for (const record of some) {
        this.#add(readIncoming(record as FileRecord, job.source, part as Part, facts));
        if (this.#isFull) await this.#writeRead();
      }
    }
    const moreCome = total !== null && this.#progress.done + this.#read.length < total;
    if (!moreCome) await this.#writeRead();
  }

  #add(one: Incoming | Unreadable): void {
    this.#read.push(one);
    this.#weight += countAll(one.record);
  }

  get #isFull(): boolean {
    return this.#read.length >= this.#batchSize || this.#weight >= MAX_BATCH_CHARACTERS;
  }

  async #writeRead(): Promise<void> {
    const records = this.#read;
    [this.#read, this.#weight] = [[], 0];
    if (records.length === 0) return;
    this.#signal.throwIfAborted();
    this.#progress.done += records.length;
    await this.#write({ ...this.#progress }, decideBatch, records);
  }

  /** Retries records that earlier jobs could not match. */
  async #offerLeftovers(): Promise<void> {
    const { job, facts } = this.#setting;
    let afterId = 0;
    for (;;) {
      const kept = await this.#deps.db.read(() => leftovers.listOpen(job.userId, job.source, afterId, this.#batchSize));
      if (kept.length === 0) return;
      afterId = kept.at(-1)!.id;
      const readable = kept.flatMap(({ id, jobId, record, part }) => {
        if (jobId === job.id) return [];
        const incoming = readIncoming(record, job.source, part, facts);
        return "key" in incoming ? [{ ...incoming, leftoverId: id }] : [];
      });
      if (readable.length > 0) await this.#write({ phase: "leftovers", done: readable.length }, decideBatch, readable);
    }
  }

  /** Decides the deferred records, all that could mean the same contact together. */
  async #settle(): Promise<void> {
    const deferred = this.#deferred;
    let waiting: Incoming[] = [];
    let done = 0;
    const settle = async () => {
      if (waiting.length === 0) return;
      const records = waiting;
      waiting = [];
      done += records.length;
      await this.#write({ phase: "matching", done, total: deferred.size }, decideDeferred, records);
    };
    for (const records of deferred.groupNeighbours()) {
      if (waiting.length > 0 && waiting.length + records.length > this.#batchSize) await settle();
      waiting.push(...records);
    }
    await settle();
  }

  /**
   * Decides a batch from reads, then writes it with the job's progress in one transaction. If the log changed in
   * between, the batch is decided again. The job's state is updated only after the commit.
   */
  async #write<Record>(
    progress: JobProgress,
    decide: (setting: BatchSetting, records: readonly Record[]) => Unit<Batch>,
    records: readonly Record[],
  ): Promise<void> {
    this.#signal.throwIfAborted();
    const { job, memory } = this.#setting;
    const { db, clock, turn } = this.#deps;
    const now = clock();
    const draft = () => decide({ ...this.#setting, now }, records);
    const drafted = await db.read(function* () {
      return { version: yield* users.logVersion(job.userId), batch: yield* draft() };
    });
    const result = await db.write(function* () {
      yield* lockUser(job.userId);
      if (!(yield* syncJobs.canWrite(job, now))) throw new Interrupted();
      const isCurrent = (yield* users.logVersion(job.userId)) === drafted.version;
      const batch = isCurrent ? drafted.batch : yield* draft();
      const written = yield* batch.write();
      const { stats, reasons } = memory.sumWith(written);
      yield* syncJobs.setProgress(job.id, stats, reasons, progress);
      return written;
    });
    memory.remember(result);
    this.#options.onProgress?.(progress, memory.counts.stats);
    // Let the other jobs of this thread run.
    await turn();
  }
}

/** With the records that an export carries. */
const countAll = ({ fields, brought = [] }: FileRecord): number =>
  brought.reduce((sum, { record }) => sum + countCharacters(record.fields), countCharacters(fields));
