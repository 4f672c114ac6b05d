import type { CallFacts } from "../../domain/call-facts.ts";
import { Stretches } from "../../domain/stretches.ts";
import type { JobProgress } from "../../domain/sync-job.ts";
import { flatten, type Flat } from "../../storage/flat.ts";
import type { BatchPacer } from "../../storage/pacer.ts";
import type * as syncJobs from "../../storage/sync-jobs.ts";
import * as users from "../../storage/users.ts";
import type { World } from "../../world.ts";
import type { Incoming, Unreadable } from "../match/incoming.ts";
import { Batch } from "./batch.ts";
import { writeBatchWork, type BatchAnswer } from "./beside.ts";
import { decideAll, surroundingsOf } from "./decisions.ts";
import { Interrupted } from "./end.ts";
import type { JobMemory } from "./memory.ts";

/** A report of what the log knows takes far longer to look up than the one before, and the pacer only finds that out. */
const LOOKED_UP_AT_ONCE = 250;
/** Until it is looked whether others should have their turn: a record takes a tenth of a millisecond. */
const DECIDED_AT_ONCE = 10;

type Records = readonly (Incoming | Unreadable)[];

interface UnderWay {
  batch: Batch;
  records: Records;
  progress: JobProgress;
  /** The version of the log that it was decided for. */
  before: number;
  answer: Promise<BatchAnswer>;
}

interface Setting {
  deps: Pick<World, "db" | "clock" | "ticks" | "turn">;
  job: syncJobs.HeldJob;
  memory: JobMemory;
  facts: CallFacts;
  pacer: BatchPacer;
  /** Decides and writes records at once, where nothing else is under way. */
  anew: (records: Records, progress: JobProgress) => Promise<void>;
  onWritten: (progress: JobProgress) => void;
}

/**
 * Decides a batch while the one before is written. That changes the log, so what may have to do with it waits for the
 * batch after. Where anybody else changes the log between deciding and writing, a batch is decided anew.
 */
export class Ahead {
  readonly #setting: Setting;
  #underWay: UnderWay | null = null;
  #waiting: Incoming[] = [];

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  async write(given: Records, progress: JobProgress): Promise<void> {
    const { deps, pacer } = this.#setting;
    // Of records that nobody can give a place only so many are kept, by all batches together.
    if (this.#underWay?.batch.keepsRecords) await this.#settle();
    const last = this.#underWay;
    const records = this.#thoseFreeOf(last, [...this.#waiting.splice(0), ...given]);
    const { batch, versions } = await this.#decided(records);
    const written = await this.#settle();
    const known = written ? [written.before, written.after] : [versions[0]];
    const isSound = (last === null || (written !== null && !last.batch.touches(batch))) && isWithin(versions, known);
    if (records.length === 0) return;
    if (!isSound) return this.#setting.anew(records, progress);
    const plan = batch.plan();
    await deps.turn();
    const flat = flatten(plan);
    await deps.turn();
    this.#send(batch, flat, records, progress, written?.after ?? versions[0]!);
    await deps.turn();
    if (deps.db.writesBeside) return;
    await pacer.part(() => this.#settle());
    pacer.nextBatch();
  }

  /** Ends when all is written. */
  async finish(progress: JobProgress): Promise<void> {
    await this.#settle();
    if (this.#waiting.length > 0) await this.write([], progress);
    await this.#settle();
  }

  /** Ends when nothing is under way any more, however that went. */
  async quiet(): Promise<void> {
    await this.#underWay?.answer.catch(() => {});
  }

  /** Records of one call stay in their order. */
  #thoseFreeOf(last: UnderWay | null, records: Records): Records {
    if (last === null) return records;
    const { bench } = last.batch;
    const calls = new Set(records.flatMap((one) => ("key" in one && bench.knows(one) ? one.key.call : [])));
    const waits = (one: Incoming | Unreadable): one is Incoming => "key" in one && calls.has(one.key.call);
    this.#waiting = records.filter(waits);
    return records.filter((one) => !waits(one));
  }

  async #decided(records: Records): Promise<{ batch: Batch; versions: readonly number[] }> {
    const { deps, job, memory, facts, pacer } = this.#setting;
    const batch = new Batch({ job, memory, facts, now: deps.clock() });
    const versions = new Set<number>();
    const stretches = new Stretches(deps);
    for (let at = 0; at < records.length;) {
      const some = records.slice(at, at + Math.min(pacer.size, LOOKED_UP_AT_ONCE));
      at += some.length;
      const { version, around } = await pacer.part(() =>
        deps.db.read(function* () {
          return { version: yield* users.logVersion(job.userId), around: yield* surroundingsOf(job, some, memory) };
        }),
      );
      versions.add(version);
      batch.meet(around);
      for (let from = 0; from < some.length; from += DECIDED_AT_ONCE) {
        decideAll(batch, some.slice(from, from + DECIDED_AT_ONCE), facts);
        batch.makeRows();
        await stretches.pause();
      }
      if (deps.db.writesBeside) pacer.nextBatch();
    }
    return { batch, versions: [...versions] };
  }

  #send(batch: Batch, plan: Flat, records: Records, progress: JobProgress, before: number): void {
    const { deps, job, memory } = this.#setting;
    const { id, userId, fence } = job;
    const order = { job: { id, userId, fence }, now: deps.clock(), version: before, plan, progress };
    const answer = deps.db.inBackground(writeBatchWork, { ...order, ...memory.with(batch.counts) });
    // Whoever waits for it hears of it.
    answer.catch(() => {});
    this.#underWay = { batch, records, progress, before, answer };
  }

  /** The versions of the log before and after what was under way; null where nothing was, or it was decided anew. */
  async #settle(): Promise<{ before: number; after: number } | null> {
    const last = this.#underWay;
    if (last === null) return null;
    const { deps, memory, anew, onWritten } = this.#setting;
    const answer = await last.answer.finally(() => (this.#underWay = null));
    if (answer.kind === "interrupted") throw new Interrupted();
    if (answer.kind === "changed") {
      await anew(last.records, last.progress);
      return null;
    }
    memory.remember(last.batch.asWritten(answer.added));
    onWritten(last.progress);
    await deps.db.catchUp();
    return { before: last.before, after: answer.version };
  }
}

const isWithin = (versions: readonly number[], known: readonly (number | undefined)[]): boolean =>
  versions.every((version) => known.includes(version));
