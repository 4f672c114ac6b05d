import type { AdifRecord } from "../../domain/contact/adif-record.ts";
import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { listContradictions } from "../../domain/contact/details.ts";
import { derive, RULES_VERSION } from "../../domain/contact/derive.ts";
import { differInPartsOnly, NO_LAYERS, sameLayers, type Layers } from "../../domain/contact/layers.ts";
import { ORIGIN_OF } from "../../domain/origins/origins.ts";
import { countCharacters, MAX_CONTACT_LENGTH } from "../../domain/contact/record-size.ts";
import { listFileKeys, listRecords, getSlot, removeFormer } from "../../domain/contact/records.ts";
import { replaceRecords } from "../../domain/origins/owner.ts";
import { SERVICE_ORIGINS } from "../../domain/origins/services.ts";
import { ID_COLUMN, type Derived, type Qso } from "../../domain/contact/qso.ts";
import { isService, type Source } from "../../domain/jobs/source.ts";
import {
  MAX_REJECTED_STORED,
  NO_REASONS,
  NO_STATS,
  type JobStats,
  type SyncJob,
  type UnchangedReasons,
} from "../../domain/jobs/sync-job.ts";
import * as leftovers from "../../storage/log/leftovers.ts";
import * as jobRepeats from "../../storage/jobs/job-repeats.ts";
import { changeLog } from "../../storage/log/log-changes.ts";
import { idGiven } from "../../storage/log/qso-changes.ts";
import * as qsos from "../../storage/log/qsos.ts";
import * as received from "../../storage/log/records.ts";
import * as tombstones from "../../storage/log/tombstones.ts";
import type { Unit } from "../../storage/engine/unit.ts";
import { getServiceId, type Incoming, type Unreadable } from "../match/incoming.ts";
import { hasSameId, meansDeleted, type Candidates } from "../match/match.ts";
import { CandidateIndex } from "./candidates.ts";
import { describeUndecided } from "../../domain/jobs/job-words.ts";
import type { BatchResult, JobState, Placed } from "./job-state.ts";

/** What every decision of a batch needs besides the records. */
export interface BatchSetting {
  job: Pick<SyncJob, "id" | "userId" | "source" | "options" | "dryRun">;
  memory: JobState;
  facts: CallFacts;
  now: number;
}

/** Only the user can bring back a contact they deleted: by importing a file or with the option `resurrect`. */
export const canResurrectDeleted = ({ source, options }: Pick<SyncJob, "source" | "options">): boolean =>
  source === "file" || options.resurrect === true;

/** What has to be loaded before the records of a batch can be decided. */
export interface BatchContext {
  /** Contacts that the records could mean. */
  contacts: readonly Qso[];
  /** Deleted contacts that the records could mean. */
  deletedContacts: readonly tombstones.Tombstone[];
  /** Merged contact id → the contact it was merged into. */
  merged: ReadonlyMap<number, number>;
  /** Open leftovers of earlier jobs, by fingerprint of the record. */
  waiting: ReadonlyMap<string, readonly number[]>;
  /** The contact that a file's record got in an earlier import. */
  known: ReadonlyMap<string, number>;
  /** What services said about deleted contacts that this batch brings back. */
  layersAtDeletion: ReadonlyMap<number, Layers>;
  /** Records that the contacts have or had, loaded only for exports that carry the records of a contact. */
  former: ReadonlyMap<number, ReadonlySet<string>>;
}

interface Change {
  before: Qso | null;
  after: Qso;
}

/** A batch of records: what each record does, and what the batch writes. */
export class Batch {
  readonly candidates = new CandidateIndex();
  readonly #setting: BatchSetting;
  readonly #context: BatchContext;
  readonly #stats: JobStats = { ...NO_STATS };
  readonly #reasons: UnchangedReasons = { ...NO_REASONS };
  readonly #deferred: Incoming[] = [];
  readonly #leftovers: leftovers.NewLeftover[] = [];
  /** The contacts that this batch adds or changes, each as it was before; null for an added one. */
  readonly #changed = new Map<number, Qso | null>();
  readonly #forDeleted: received.RecordsOfDeleted[] = [];
  readonly #resolved: number[] = [];
  readonly #taken = new Set<number>();
  readonly #placed: Omit<Placed, "qsoId">[] = [];
  readonly #gone: Qso[] = [];
  /** Records that an import repeats. They stay when the job that brought them first is rolled back. */
  readonly #repeats: jobRepeats.Repeat[] = [];
  #lastTemporaryId: number;

  constructor(setting: BatchSetting, context: BatchContext) {
    this.#setting = setting;
    this.#context = context;
    for (const qso of context.contacts) this.candidates.put(qso);
    this.#lastTemporaryId = -(setting.memory.overlay?.size ?? 0);
  }

  findCandidates(incoming: Incoming): Candidates {
    const { facts } = this.#setting;
    return { contacts: this.candidates.findCandidates(incoming), isTaken: this.isTaken, facts };
  }

  isTaken = ({ id }: Qso): boolean => this.#taken.has(id) || this.#setting.memory.taken.has(id);

  /** Postpones the record until the whole download has been read. */
  defer(incoming: Incoming): void {
    this.#deferred.push(incoming);
  }

  /** Merges the record into the contact it matched, or adds a new contact. */
  apply(incoming: Incoming, verdict: { kind: "match"; qso: Qso } | { kind: "new" }): void {
    if (verdict.kind === "match") return this.#merge(incoming, verdict.qso);
    const meant = this.#context.deletedContacts.filter((tombstone) => meansDeleted(incoming, tombstone));
    if (meant.some((tombstone) => this.#isInLog(incoming, tombstone)))
      return this.#unchanged(incoming, "deleted", null);
    const deleted = meant.filter(({ mergedInto }) => mergedInto === null);
    const resurrectsDeleted = canResurrectDeleted(this.#setting.job) || incoming.isNew === true;
    if (deleted.length === 0) this.#add(incoming);
    else if (resurrectsDeleted) this.#add(incoming, this.#context.layersAtDeletion.get(deleted.at(-1)!.qsoId ?? 0));
    else {
      this.#keepForDeleted(incoming, deleted.at(-1)!);
      this.#unchanged(incoming, "deleted", null);
    }
  }

  /** Stores what a service says about a deleted contact, in case the contact comes back. */
  #keepForDeleted({ source, record, part }: Incoming, { qsoId }: tombstones.Tombstone): void {
    if (!isService(source) || qsoId === null) return;
    const layers = ORIGIN_OF[source].merge(NO_LAYERS, record, part);
    this.#forDeleted.push({ qsoId, added: listRecords(layers) });
  }

  /**
   * Whether the record means a contact that was merged into one of the log. A different exchange makes it another
   * contact.
   */
  #isInLog({ record }: Incoming, { mergedInto }: tombstones.Tombstone): boolean {
    const into = mergedInto === null ? undefined : this.#context.merged.get(mergedInto);
    if (into === undefined || !this.candidates.has(into)) return false;
    const { own } = this.candidates.get(into);
    return !own?.file || !listContradictions(record.fields, own.file.fields).some(({ weight }) => weight !== "place");
  }

  /**
   * Applies a record whose service id belongs to a merged contact to the contact it was merged into. Returns false if
   * there is none.
   */
  applyToMerged(incoming: Incoming): boolean {
    const { source } = incoming;
    if (!isService(source)) return false;
    const { candidates } = this;
    const id = incoming.ids[source];
    const tombstone = this.#context.deletedContacts.find(
      (one) => one.mergedInto !== null && id !== null && one[ID_COLUMN[source]] === id,
    );
    const isKnown = () => candidates.findCandidates(incoming).some((qso) => qso[ID_COLUMN[source]] === id);
    const into = tombstone && this.#context.merged.get(tombstone.mergedInto!);
    if (into === undefined || !candidates.has(into) || isKnown()) return false;
    const qso = candidates.get(into);
    const heard = SERVICE_ORIGINS[source].mergeTwin(qsos.getLayers(qso), incoming.record, incoming.part);
    this.#becomes(incoming, qso, heard, null);
    return true;
  }

  /**
   * Skips a record that an earlier import brought with the same text, except for the records that it carries. Returns
   * false if the record is new.
   */
  applyKnown(incoming: Incoming): boolean {
    const { known } = this.#context;
    if (known.size === 0 || incoming.source !== "file") return false;
    const key = listFileKeys(incoming.record).find((one) => known.has(one));
    const id = key === undefined ? undefined : known.get(key);
    if (key === undefined || id === undefined || !this.candidates.has(id)) return false;
    const qso = this.candidates.get(id);
    if (incoming.record.brought) {
      const hasAnother = this.candidates
        .findCandidates(incoming)
        .some((one) => one !== qso && hasSameId(incoming, one));
      if (!hasAnother) this.#merge(incoming, qso);
      return !hasAnother;
    }
    this.#taken.add(id);
    this.#repeats.push({ qsoId: id, key });
    this.#unchanged(incoming, null, qso);
    return true;
  }

  /** Keeps a record as a leftover because several contacts could be meant. */
  leaveUnmatched(incoming: Incoming, candidates: readonly Qso[], reason = describeUndecided(candidates.length)): void {
    if (incoming.leftoverId !== undefined) return;
    this.#count("unmatched");
    this.#placed.push({ told: incoming, outcome: "unmatched", before: null, qso: null, reason });
    const { part, record } = incoming;
    const externalId = getServiceId(incoming) ?? hashRecord(record);
    this.#leftovers.push({
      kind: "unmatched",
      reason,
      part,
      externalId,
      record,
      candidates: candidates.map(({ id }) => id),
    });
  }

  /** Counts an unreadable record, and stores it unless the job has stored too many. */
  reject({ reason, record, part }: Unreadable, told: Incoming | Unreadable): void {
    this.#count("rejected");
    this.#placed.push({ told, outcome: "rejected", before: null, qso: null, reason });
    const kept = this.#setting.memory.rejectedKept + this.#leftovers.length;
    if (kept >= MAX_REJECTED_STORED) return;
    const externalId = hashRecord(record);
    this.#leftovers.push({ kind: "rejected", reason, part, externalId, record, candidates: [] });
  }

  /** Replaces what the program said earlier about a contact, in the records with these keys. */
  correct(incoming: Incoming, qso: Qso, keys: ReadonlySet<string>): void {
    const layers = replaceRecords(qsos.getLayers(qso), incoming.record, keys);
    if (sameLayers(layers, qsos.getLayers(qso))) for (const key of keys) this.#repeats.push({ qsoId: qso.id, key });
    this.#becomes(incoming, qso, layers, null);
  }

  /** Removes a contact that the program has deleted. */
  remove(qso: Qso): void {
    this.#gone.push(qso);
    this.#count("deleted");
  }

  /** Returns the result of a dry run. */
  preview(): BatchResult {
    const changed = this.#changedIds().map((id) => this.candidates.get(id));
    return this.#result([...this.#taken], changed);
  }

  /** Writes the whole batch and returns its result. */
  *write(): Unit<BatchResult> {
    const { job, now } = this.#setting;
    yield* leftovers.addMany(job, this.#leftovers, now);
    if (job.dryRun) return this.preview();
    const given = idGiven(yield* this.#writeContacts());
    return this.#result([...this.#taken].map(given), [], given);
  }

  #result(taken: readonly number[], overlay: readonly Qso[], given = (id: number) => id): BatchResult {
    const [stats, reasons, deferred] = [this.#stats, this.#reasons, this.#deferred];
    const placed = this.#placed.map((one) => ({ ...one, qsoId: one.qso && given(one.qso.id) }));
    return { stats, reasons, taken, deferred, overlay, leftovers: this.#leftovers, placed };
  }

  /** Writes each contact once, in its final state. Returns the ids of the added contacts, in order. */
  *#writeContacts(): Unit<number[]> {
    const { job, now } = this.#setting;
    const burials = this.#gone.map((qso) => ({ qso, jobId: job.id }));
    yield* tombstones.add(burials, now);
    const order = this.#changedIds();
    const replacement = (id: number) => ({ id, before: this.#changed.get(id)!, after: this.candidates.get(id) });
    const fresh = order.filter((id) => id < 0);
    const change = {
      added: fresh.map((id) => this.candidates.get(id)),
      replaced: order.filter((id) => id > 0).map(replacement),
      removed: this.#gone,
      order,
    };
    const added = yield* changeLog(job.userId, change, { jobId: job.id, now });
    yield* jobRepeats.add(job, this.#repeats);
    yield* received.keepForDeleted(job.userId, { jobId: job.id, now }, this.#forDeleted);
    if (this.#resolved.length > 0) yield* leftovers.resolve(this.#resolved, job.id, now);
    return added;
  }

  /** The changed contacts that still exist after the batch is written. */
  #changedIds(): number[] {
    const gone = new Set(this.#gone.map(({ id }) => id));
    return [...this.#changed.keys()].filter((id) => !gone.has(id));
  }

  #merge(incoming: Incoming, qso: Qso): void {
    const repeats = this.isTaken(qso);
    this.#taken.add(qso.id);
    const fresh = removeFormer(incoming.record, this.#context.former.get(qso.id));
    const layers = (repeats ? mergeRepeat : mergeRecord)(qsos.getLayers(qso), { ...incoming, record: fresh });
    this.#becomes(incoming, qso, layers, repeats ? "repeated" : null);
  }

  #becomes(incoming: Incoming, qso: Qso, layers: Layers, unchanged: keyof UnchangedReasons | null): void {
    const said = qsos.getLayers(qso);
    if (isTooLarge(incoming, layers) && !sameLayers(layers, said)) return this.#refuse(incoming, FULL);
    this.#repeat(incoming, qso);
    const isTheSame = differInPartsOnly(layers, said);
    if (isTheSame) this.#note({ before: qso, after: { ...qso, ...qsos.getLayers(layers) } });
    const derived = isTheSame || sameLayers(layers, said) ? null : derive(layers, this.#setting.facts);
    if (derived === null) return this.#unchanged(incoming, unchanged, qso);
    const after = this.#contact(derived, layers, qso);
    this.#change({ before: qso, after });
    this.#finish(incoming, "updated", { before: qso, qso: after, reason: null });
  }

  /** Records that the file or program gave the records of this contact again. */
  #repeat(incoming: Incoming, qso: Qso): void {
    if (isService(this.#setting.job.source) || qso.id < 0) return;
    const known = new Map(listRecords({ ...NO_LAYERS, own: qso.own }).map((named) => [getSlot(named), named]));
    for (const named of listRecords(mergeRecord(NO_LAYERS, incoming))) {
      const same = named.origin === "file" ? known.get(getSlot(named)) : undefined;
      if (same && Bun.deepEquals(same.record.fields, named.record.fields))
        this.#repeats.push({ qsoId: qso.id, key: same.key });
    }
  }

  /** `known` is what services said about the contact before it was deleted. */
  #add(incoming: Incoming, known: Layers = NO_LAYERS): void {
    const { job, facts, now } = this.#setting;
    const layers = mergeRecord(known, incoming);
    const derived = derive(layers, facts);
    if (derived === null) return this.#refuse(incoming, "no callsign or time");
    this.#lastTemporaryId -= 1;
    const id = this.#lastTemporaryId;
    const after = this.#contact(derived, layers, { id, userId: job.userId, createdAt: now });
    this.#taken.add(id);
    this.#change({ before: null, after });
    this.#finish(incoming, "added", { before: null, qso: after, reason: null });
  }

  /**
   * The spread of the largest object comes first: the engine copies it as a whole, while adding properties one by one
   * takes ten times as long.
   */
  #contact(derived: Derived, layers: Layers, known: Pick<Qso, "id" | "userId" | "createdAt">): Qso {
    const { id, userId, createdAt } = known;
    const updatedAt = this.#setting.now;
    return { ...derived, ...qsos.getLayers(layers), id, userId, createdAt, updatedAt, rulesVersion: RULES_VERSION };
  }

  /** Rejects a record that cannot be stored. A leftover was already counted by the job that stored it. */
  #refuse(incoming: Incoming, reason: string): void {
    if (incoming.leftoverId === undefined) this.reject({ ...incoming, reason }, incoming);
  }

  #note({ before, after }: Change): void {
    if (!this.#changed.has(after.id)) this.#changed.set(after.id, before);
    this.candidates.put(after);
  }

  #change(change: Change): void {
    this.#note(change);
    if (isNewlyConfirmed(change, this.#setting.job.source)) this.#stats.newlyConfirmed += 1;
  }

  #unchanged(incoming: Incoming, reason: keyof UnchangedReasons | null, qso: Qso | null): void {
    if (reason !== null && incoming.leftoverId === undefined) this.#reasons[reason] += 1;
    this.#finish(incoming, "unchanged", { before: qso, qso, reason });
  }

  /**
   * Counts a record that has found its contact. A leftover counts only if it changes something. If the same record was
   * waiting as a leftover, that older copy is settled too.
   */
  #finish(
    incoming: Incoming,
    outcome: "added" | "updated" | "unchanged",
    place: Pick<Placed, "before" | "qso" | "reason">,
  ): void {
    this.#placed.push({ told: incoming, outcome, ...place });
    const { leftoverId, part } = incoming;
    const name = leftovers.nameOf({ part, externalId: getServiceId(incoming) });
    if (leftoverId !== undefined) this.#resolved.push(leftoverId);
    else this.#resolved.push(...(this.#context.waiting.get(name) ?? []));
    if (leftoverId === undefined || outcome !== "unchanged") this.#count(outcome);
  }

  #count(outcome: "added" | "updated" | "deleted" | "unchanged" | "unmatched" | "rejected"): void {
    this.#stats[outcome] += 1;
    this.#stats.fetched += 1;
  }
}

const FULL = `the records of the QSO have more than ${MAX_CONTACT_LENGTH} characters`;
/** A short record is not counted while the contact has few. */
const FEW_RECORDS = 100;
const SHORT_RECORD_LENGTH = 20_000;

const isTooLarge = ({ record }: Incoming, layers: Layers): boolean => {
  const records = listRecords(layers);
  const isShort = !record.brought && countCharacters(record.fields) < SHORT_RECORD_LENGTH;
  if (isShort && records.length < FEW_RECORDS) return false;
  return records.reduce((sum, { record: { fields } }) => sum + countCharacters(fields), 0) > MAX_CONTACT_LENGTH;
};

/** Identifies a record without an id, so that repeating it does not store it twice. */
const hashRecord = (record: AdifRecord): string => `#${Bun.hash(JSON.stringify(record)).toString(36)}`;

const mergeRecord = (layers: Layers, { source, part, record }: Incoming): Layers =>
  ORIGIN_OF[source].merge(layers, record, part);

const mergeRepeat = (layers: Layers, incoming: Incoming): Layers =>
  ORIGIN_OF[incoming.source].mergeRepeat?.(layers, incoming.record) ?? mergeRecord(layers, incoming);

const isNewlyConfirmed = ({ before, after }: Change, source: Source): boolean =>
  ORIGIN_OF[source].confirms.some((name) => after[name] === true && before?.[name] !== true);
