import type { Qso } from "../../domain/contact/qso.ts";
import type { JobStats, UnchangedReasons } from "../../domain/jobs/sync-job.ts";
import type * as leftovers from "../../storage/log/leftovers.ts";
import type { Scratch } from "../../storage/jobs/scratch.ts";
import type { Incoming, Unreadable } from "../match/incoming.ts";
import type { Deferred } from "./deferred.ts";

interface Counts {
  stats: JobStats;
  reasons: UnchangedReasons;
}

/** The result of a batch after it was written. */
export interface BatchResult extends Counts {
  /** Ids of the contacts that it added or matched. */
  taken: readonly number[];
  deferred: readonly Incoming[];
  leftovers: readonly leftovers.NewLeftover[];
  /** The contacts that a dry run would have written. */
  overlay: readonly Qso[];
  placed: readonly Placed[];
}

export interface Placed {
  told: Incoming | Unreadable;
  outcome: "added" | "updated" | "unchanged" | "unmatched" | "rejected";
  before: Qso | null;
  /** The contact the record belongs to, in its current state. */
  qso: Qso | null;
  qsoId: number | null;
  reason: string | null;
}

/** What a job remembers between batches. */
export class JobState {
  counts: Counts;
  /** The contacts it added or matched. No other record of the job can match them. */
  readonly taken = new Set<number>();
  /** Records that are decided after the whole download. */
  readonly deferred: Pick<Incoming[] | Deferred, "push">;
  /** The contacts that a dry run would have written. */
  readonly overlay: Scratch | null;
  /** Whether earlier jobs left unmatched records. */
  readonly hasLeftovers: boolean;
  /** Whether the download repeats a record of an earlier one. Only known after all of it was read. */
  cameBefore = false;
  /** The number of rejected records that it stored. */
  rejectedKept = 0;

  constructor(
    { stats, reasons }: Counts,
    hasLeftovers: boolean,
    overlay: Scratch | null = null,
    deferred: Pick<Incoming[] | Deferred, "push"> = [],
  ) {
    this.counts = { stats, reasons };
    this.overlay = overlay;
    this.deferred = deferred;
    this.hasLeftovers = hasLeftovers;
  }

  /** The counts including a batch that is being written. */
  sumWith({ stats, reasons }: Counts): Counts {
    return { stats: sum(this.counts.stats, stats), reasons: sum(this.counts.reasons, reasons) };
  }

  remember(result: BatchResult): void {
    this.counts = this.sumWith(result);
    for (const id of result.taken) this.taken.add(id);
    for (const incoming of result.deferred) this.deferred.push(incoming);
    this.overlay?.putMany(result.overlay);
    this.rejectedKept += result.leftovers.filter(({ kind }) => kind === "rejected").length;
  }
}

const sum = <T extends object>(a: T, b: T): T =>
  Object.fromEntries(
    Object.entries(a).map(([name, value]) => [name, value + (b as Record<string, number>)[name]!]),
  ) as T;
