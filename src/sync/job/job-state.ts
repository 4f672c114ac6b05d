import type { Qso } from "../../domain/contact/qso.ts";
import type { JobStats, SyncJob, UnchangedReasons } from "../../domain/jobs/sync-job.ts";
import type * as leftovers from "../../storage/log/leftovers.ts";
import type { Scratch } from "../../storage/jobs/scratch.ts";
import type { Incoming, Unreadable } from "../match/incoming.ts";
import { Deferred } from "./deferred.ts";
import { IdSet } from "../../kernel/id-set.ts";

/** What a batch has come to, once it is written. */
export interface BatchResult {
  stats: JobStats;
  reasons: UnchangedReasons;
  /** The contacts it added or matched. */
  taken: readonly number[];
  deferred: readonly Incoming[];
  leftovers: readonly leftovers.NewLeftover[];
  /** The contacts as a dry run would have left them. */
  overlay: readonly Qso[];
  placed: readonly Placed[];
}

/** What became of a record. */
export interface Placed {
  told: Incoming | Unreadable;
  outcome: "added" | "updated" | "unchanged" | "unmatched" | "rejected";
  before: Qso | null;
  /** The contact it went to, as it is now. */
  qso: Qso | null;
  qsoId: number | null;
  reason: string | null;
}

/** What a job remembers from batch to batch. */
export class JobState {
  /** The contacts it added or matched: nothing else may match them again. */
  readonly taken = new IdSet();
  /** Records that find their contact when everything else has its place. */
  readonly deferred: Deferred;
  /** What a dry run would have written. */
  readonly overlay: Scratch | null;
  /** Whether records of earlier jobs wait for their contact. */
  readonly hasLeftovers: boolean;
  /** Whether the download told something in the words of an earlier one; known when all of it was read. */
  cameBefore = false;
  #stats: JobStats;
  #reasons: UnchangedReasons;
  #rejectedKept = 0;

  constructor(
    { stats, reasons }: Pick<SyncJob, "stats" | "reasons">,
    hasLeftovers: boolean,
    overlay: Scratch | null = null,
    deferred = new Deferred(),
  ) {
    this.#stats = stats;
    this.#reasons = reasons;
    this.overlay = overlay;
    this.deferred = deferred;
    this.hasLeftovers = hasLeftovers;
  }

  get stats(): JobStats {
    return this.#stats;
  }

  get reasons(): UnchangedReasons {
    return this.#reasons;
  }

  get rejectedKept(): number {
    return this.#rejectedKept;
  }

  /** The counts with a batch that is being written. */
  with({ stats, reasons }: Pick<BatchResult, "stats" | "reasons">): { stats: JobStats; reasons: UnchangedReasons } {
    return { stats: sum(this.#stats, stats), reasons: sum(this.#reasons, reasons) };
  }

  remember(result: BatchResult): void {
    const { stats, reasons } = this.with(result);
    this.#stats = stats;
    this.#reasons = reasons;
    for (const id of result.taken) this.taken.add(id);
    for (const incoming of result.deferred) this.deferred.add(incoming);
    this.overlay?.putMany(result.overlay);
    this.#rejectedKept += result.leftovers.filter(({ kind }) => kind === "rejected").length;
  }
}

const sum = <T extends object>(a: T, b: T): T =>
  Object.fromEntries(
    Object.entries(a).map(([name, value]) => [name, value + (b as Record<string, number>)[name]!]),
  ) as T;
