import type { CallFacts } from "../../domain/radio/call-facts.ts";
import type { Told } from "../../domain/jobs/feed.ts";
import type { Fields } from "../../domain/contact/adif-record.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import type { JobStats, SyncJob, UnchangedReasons } from "../../domain/jobs/sync-job.ts";
import * as feedNames from "../../storage/jobs/feed-names.ts";
import * as leftovers from "../../storage/log/leftovers.ts";
import * as qsos from "../../storage/log/qsos.ts";
import type { Unit } from "../../storage/engine/unit.ts";
import type { Batch, BatchSetting } from "../job/batch.ts";
import { loadCandidateIndex } from "../job/candidates.ts";
import { decideBatch, decideCorrection, decideDeferred } from "../job/decide.ts";
import { JobState, type Placed } from "../job/job-state.ts";
import { readIncoming, type Incoming, type Unreadable } from "../match/incoming.ts";
import { findKnown } from "../match/match.ts";

type Job = Pick<SyncJob, "id" | "userId" | "source" | "client" | "options" | "dryRun" | "stats" | "reasons">;

/** What happened to one entry that a program sent. */
export interface Placement {
  outcome: Placed["outcome"] | "deleted";
  /** The contact before and after the entry, or null if there was none. */
  before: Qso | null;
  after: Qso | null;
  qsoId: number | null;
  reason: string | null;
}

export interface AppliedFeed {
  /** In the order in which the program sent the entries. */
  placements: Placement[];
  stats: JobStats;
  reasons: UnchangedReasons;
}

/** Applies every entry to the log as part of the feed's open job. A dry run writes nothing. */
export function* applyFeed(job: Job, told: readonly Told[], facts: CallFacts, now: number): Unit<AppliedFeed> {
  const deferred: Incoming[] = [];
  const memory = new JobState(job, yield* leftovers.hasOpen(job.userId, job.source), null, deferred);
  // If a program sends the same minute again, it corrects its earlier entry; this is not a second contact.
  memory.cameBefore = true;
  return yield* new FeedApplier(job, { job, memory, facts, now }, deferred).applyAll(told);
}

class FeedApplier {
  readonly #job: Job;
  readonly #setting: BatchSetting;
  /** Records that are decided after the others. */
  readonly #deferred: Incoming[];

  constructor(job: Job, setting: BatchSetting, deferred: Incoming[]) {
    this.#job = job;
    this.#setting = setting;
    this.#deferred = deferred;
  }

  *applyAll(told: readonly Told[]): Unit<AppliedFeed> {
    const placements: Placement[] = [];
    let fresh: Told[] = [];
    for (const one of told) {
      const known = yield* this.#named(one);
      if (one.kind === "contact" && known === null) {
        fresh.push(one);
        continue;
      }
      placements.push(...(yield* this.#contacts(fresh)));
      fresh = [];
      placements.push(yield* this.#again(one, known));
    }
    placements.push(...(yield* this.#contacts(fresh)));
    return { placements, ...this.#setting.memory.counts };
  }

  *#named({ name }: Told): Unit<Qso | null | "gone"> {
    const { userId, client } = this.#job;
    const id = name === undefined ? null : yield* feedNames.find({ userId, client: client!, name });
    return id === null ? null : ((yield* qsos.find(userId, id)) ?? "gone");
  }

  *#again(told: Told, known: Qso | null | "gone"): Unit<Placement> {
    if (known === "gone") return { ...NOWHERE, reason: REASON_WORDS.deleted! };
    return yield* told.kind === "delete" ? this.#takeBack(told, known) : this.#correct(told, known);
  }

  *#contacts(told: readonly Told[]): Unit<Placement[]> {
    if (told.length === 0) return [];
    const records = told.map(({ name, fields }) => {
      const record = this.#read(removeEmpty(fields));
      return "key" in record && name !== undefined ? { ...record, isNew: true as const } : record;
    });
    const places = new Map<Incoming | Unreadable, Placed>();
    const write = (draft: Unit<Batch>) => this.#write(draft, places);
    yield* write(decideBatch(this.#setting, records));
    const deferred = this.#deferred.splice(0);
    if (deferred.length > 0) yield* write(decideDeferred(this.#setting, deferred));
    const placements = records.map((record) => toPlacement(places.get(record)!, null));
    for (const [at, { name }] of told.entries()) yield* this.#remember(name, placements[at]!.qsoId);
    return placements;
  }

  *#correct(told: Told, known: Qso | null): Unit<Placement> {
    if (!known) return (yield* this.#contacts([told]))[0]!;
    const incoming = this.#read(told.fields);
    const places = new Map<Incoming | Unreadable, Placed>();
    const draft =
      "key" in incoming
        ? decideCorrection(this.#setting, this.#job.client, known, incoming)
        : decideBatch(this.#setting, [incoming]);
    yield* this.#write(draft, places);
    return toPlacement(places.get(incoming)!, known);
  }

  /** Without a name, the fields decide which contact is meant. */
  *#takeBack({ name, fields }: Told, named: Qso | null): Unit<Placement> {
    const qso = named ?? (fields === undefined ? null : yield* this.#meant(fields));
    if (!qso) return { ...NOWHERE, reason: "no such contact in the log" };
    const { userId, client, dryRun } = this.#job;
    yield* this.#write(decideCorrection(this.#setting, client, qso, null), new Map());
    if (name !== undefined && !dryRun) yield* feedNames.remove({ userId, client: client!, name });
    return { outcome: "deleted", before: qso, after: null, qsoId: qso.id, reason: null };
  }

  *#meant(fields: Fields): Unit<Qso | null> {
    const incoming = this.#read(fields);
    if (!("key" in incoming)) return null;
    const { facts } = this.#setting;
    const index = yield* loadCandidateIndex(this.#job.userId, [incoming], null);
    return findKnown(incoming, { contacts: index.findCandidates(incoming), isTaken: () => false, facts });
  }

  #read(fields: Fields = {}): Incoming | Unreadable {
    return readIncoming({ fields }, this.#job.source, "record", this.#setting.facts);
  }

  *#write(draft: Unit<Batch>, places: Map<Incoming | Unreadable, Placed>): Unit<void> {
    const batch = yield* draft;
    const result = this.#job.dryRun ? batch.preview() : yield* batch.write();
    for (const placed of result.placed) places.set(placed.told, placed);
    this.#setting.memory.remember(result);
  }

  *#remember(name: string | undefined, qsoId: number | null): Unit<void> {
    const { userId, client, dryRun } = this.#job;
    if (name !== undefined && qsoId !== null && !dryRun) yield* feedNames.put({ userId, client: client!, name }, qsoId);
  }
}

/** For a new contact, an empty field says nothing. */
const removeEmpty = (fields: Fields = {}): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));

const NOWHERE = { outcome: "unchanged", before: null, after: null, qsoId: null } as const;

const toPlacement = ({ outcome, before, qso, qsoId, reason }: Placed, known: Qso | null): Placement => ({
  outcome,
  before: known ?? before,
  after: qso,
  qsoId,
  reason: reason === null ? null : (REASON_WORDS[reason] ?? reason),
});

const REASON_WORDS: Record<string, string> = {
  deleted: "deleted in the log before, so not added again",
  repeated: "sent twice",
};
