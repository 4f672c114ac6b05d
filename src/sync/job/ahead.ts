import type { CallFacts } from "../../domain/call-facts.ts";
import { Stretches } from "../../domain/stretches.ts";
import type { JobProgress } from "../../domain/sync-job.ts";
import { flatten, type Flat } from "../../storage/flat.ts";
import { isChange } from "../../storage/log-changes.ts";
import type { BatchPacer } from "../../storage/pacer.ts";
import { idGiven } from "../../storage/qso-changes.ts";
import type * as syncJobs from "../../storage/sync-jobs.ts";
import * as users from "../../storage/users.ts";
import type { Unit } from "../../storage/unit.ts";
import type { World } from "../../world.ts";
import type { Incoming, Unreadable } from "../match/incoming.ts";
import { Batch, type Surroundings, type Traces } from "./batch.ts";
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

/** The contacts of a batch are many megabytes: nothing of them is kept while it is written. */
interface UnderWay {
  traces: Traces;
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
    // Here, where nothing is known of a batch but what is under way, garbage is collected.
    await deps.db.catchUp();
    const records = await this.#thoseFree([...this.#waiting.splice(0), ...given]);
    if (records.length === 0) return;
    if (!(await this.#begin(records, progress))) {
      await this.#settle(0);
      return this.#setting.anew(records, progress);
    }
    await deps.turn();
    if (deps.db.writesBeside) return this.#settle(MOST_UNDER_WAY);
    await pacer.part(() => this.#settle(0));
    pacer.nextBatch();
  }

  /** Decides records and has them written; false where that would not be sound. */
  async #begin(records: Records, progress: JobProgress): Promise<boolean> {
    const { deps } = this.#setting;
    const { batch, versions } = await this.#decided(records);
    // What changes the log while others are under way makes one of them, or this one, be decided anew.
    const isSound = this.#underWay.length > 0 || versions.length === 1;
    if (!isSound || this.#underWay.some(({ traces }) => batch.meets(traces))) return false;
    const plan = batch.plan();
    await deps.turn();
    const flat = flatten(plan);
    await deps.turn();
    const before = this.#underWay.at(-1)?.version ?? versions[0]!;
    const version = isChange(plan.change) ? before + 1 : before;
    const traces = batch.traces();
    const answer = this.#sent(traces, flat, progress, before);
    this.#underWay = [...this.#underWay, { traces, records, progress, version, answer }];
    return true;
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
    if (this.#underWay.some(({ traces }) => traces.leftovers.length > 0)) await this.#settle(0);
    const isKnown = (one: Incoming) => this.#underWay.some(({ traces }) => traces.index.knows(one));
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
      const { version, around } = await pacer.part(() => deps.db.read(() => this.#surroundings(some)));
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

  /** Into a log that was empty, only what may mean a contact that this job wrote is looked up. */
  *#surroundings(records: Records): Unit<{ version: number; around: Surroundings }> {
    const { job, memory } = this.#setting;
    const version = yield* users.logVersion(job.userId);
    const last = this.#underWay.at(-1)?.version ?? memory.firstLoad?.version;
    // What else it may be, somebody else has made of it.
    if (last === undefined || version > last) memory.firstLoad = null;
    const { firstLoad } = memory;
    const wanted = firstLoad ? records.filter((one) => "key" in one && firstLoad.mayMean(one)) : records;
    return { version, around: yield* surroundingsOf(job, wanted, memory) };
  }

  #sent(traces: Traces, plan: Flat, progress: JobProgress, version: number): Promise<BatchAnswer> {
    const { deps, job, memory } = this.#setting;
    const { id, userId, fence } = job;
    const others = this.#underWay.map((one) => one.traces);
    const { fetched: placed } = memory.with(...others).stats;
    const counts = memory.with(...others, traces);
    const order = { job: { id, userId, fence }, now: deps.clock(), version, placed, plan, progress, ...counts };
    const write = () => deps.db.inBackground(writeBatchWork, order, { userId });
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
      const { traces, records, progress, version, answer } = this.#underWay[0]!;
      const given = await answer.finally(() => (this.#underWay = this.#underWay.slice(1)));
      if (given.kind === "interrupted") throw new Interrupted();
      if (given.kind === "changed") {
        await anew(records, progress);
        most = 0;
        continue;
      }
      memory.remember({ ...traces, taken: traces.taken.map(idGiven(given.added)) });
      if (memory.firstLoad) memory.firstLoad.version = version;
      onWritten(progress);
    }
  }
}
