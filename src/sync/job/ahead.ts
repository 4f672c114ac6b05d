import type { CallFacts } from "../../domain/call-facts.ts";
import { Stretches } from "../../domain/stretches.ts";
import type { JobProgress } from "../../domain/sync-job.ts";
import { flatten, type Flat } from "../../storage/flat.ts";
import { isChange } from "../../storage/log-changes.ts";
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

/** So many batches while another is decided: one is written, and one waits, so that nobody who writes waits for it. */
const MOST_UNDER_WAY = 2;

interface UnderWay {
  batch: Batch;
  records: Records;
  progress: JobProgress;
  /** Of the log, when it is written. */
  version: number;
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
 * Decides a batch while those before are written. They change the log, so what may have to do with them waits. Each is
 * written where the log is as those before leave it; where it is not, as after a change by anybody else, it is decided anew.
 */
export class Ahead {
  readonly #setting: Setting;
  #underWay: readonly UnderWay[] = [];
  #waiting: Incoming[] = [];

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  async write(given: Records, progress: JobProgress): Promise<void> {
    const { deps, pacer } = this.#setting;
    const records = await this.#thoseFree([...this.#waiting.splice(0), ...given]);
    if (records.length === 0) return;
    const { batch, versions } = await this.#decided(records);
    // What changes the log while others are under way makes one of them, or this one, be decided anew.
    const isSound = this.#underWay.length > 0 || versions.length === 1;
    if (!isSound || this.#underWay.some((one) => one.batch.touches(batch))) {
      await this.#settle(0);
      return this.#setting.anew(records, progress);
    }
    const plan = batch.plan();
    await deps.turn();
    const flat = flatten(plan);
    await deps.db.catchUp();
    await deps.turn();
    const before = this.#underWay.at(-1)?.version ?? versions[0]!;
    const version = isChange(plan.change) ? before + 1 : before;
    const answer = this.#sent(batch, flat, progress, before);
    this.#underWay = [...this.#underWay, { batch, records, progress, version, answer }];
    await deps.turn();
    if (deps.db.writesBeside) return this.#settle(MOST_UNDER_WAY);
    await pacer.part(() => this.#settle(0));
    pacer.nextBatch();
  }

  /** Ends when all is written. */
  async finish(progress: JobProgress): Promise<void> {
    await this.#settle(0);
    if (this.#waiting.length > 0) await this.write([], progress);
    await this.#settle(0);
  }

  /** Ends when nothing is under way any more, however that went. */
  async quiet(): Promise<void> {
    await Promise.allSettled(this.#underWay.map(({ answer }) => answer));
  }

  /**
   * Those that have nothing to do with what is under way; records of one call stay in their order. Of records that
   * nobody can give a place only so many are kept, by all batches together.
   */
  async #thoseFree(records: Records): Promise<Records> {
    if (this.#underWay.some(({ batch }) => batch.keepsRecords)) await this.#settle(0);
    const benches = this.#underWay.map(({ batch }) => batch.bench);
    const isKnown = (one: Incoming) => benches.some((bench) => bench.knows(one));
    const calls = new Set(records.flatMap((one) => ("key" in one && isKnown(one) ? one.key.call : [])));
    const waits = (one: Incoming | Unreadable): one is Incoming => "key" in one && calls.has(one.key.call);
    const waiting = records.filter(waits);
    if (waiting.length > records.length / 2) {
      await this.#settle(0);
      return records;
    }
    this.#waiting = waiting;
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

  #sent(batch: Batch, plan: Flat, progress: JobProgress, version: number): Promise<BatchAnswer> {
    const { deps, job, memory } = this.#setting;
    const { id, userId, fence } = job;
    const others = this.#underWay.map((one) => one.batch.counts);
    const { fetched: placed } = memory.with(...others).stats;
    const counts = memory.with(...others, batch.counts);
    const order = { job: { id, userId, fence }, now: deps.clock(), version, placed, plan, progress, ...counts };
    const write = () => deps.db.inBackground(writeBatchWork, order);
    const last = this.#underWay.at(-1);
    const answer = last && !deps.db.keepsOrder ? last.answer.then(write, write) : write();
    // Whoever waits for it hears of it.
    answer.catch(() => {});
    return answer;
  }

  /** Ends when so many are under way at most. What was decided behind one that is decided anew is so too. */
  async #settle(most: number): Promise<void> {
    const { memory, anew, onWritten } = this.#setting;
    while (this.#underWay.length > most) {
      const { batch, records, progress, answer } = this.#underWay[0]!;
      const given = await answer.finally(() => (this.#underWay = this.#underWay.slice(1)));
      if (given.kind === "interrupted") throw new Interrupted();
      if (given.kind === "changed") {
        await anew(records, progress);
        most = 0;
        continue;
      }
      memory.remember(batch.asWritten(given.added));
      onWritten(progress);
    }
  }
}
