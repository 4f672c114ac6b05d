import type { Layers } from "../../domain/contact/layers.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import { byService, isService } from "../../domain/jobs/source.ts";
import { listFileKeys } from "../../domain/contact/records.ts";
import * as leftovers from "../../storage/log/leftovers.ts";
import * as qsoChanges from "../../storage/log/qso-changes.ts";
import * as qsos from "../../storage/log/qsos.ts";
import * as received from "../../storage/log/records.ts";
import * as tombstones from "../../storage/log/tombstones.ts";
import type { Scratch } from "../../storage/jobs/scratch.ts";
import type { Unit } from "../../storage/engine/unit.ts";
import { assign } from "../match/assign.ts";
import { getBundleKey, getServiceId, type Incoming, type Unreadable } from "../match/incoming.ts";
import { findKnown, judge, match, TOLERANCE } from "../match/match.ts";
import { Batch, canResurrectDeleted, type BatchContext, type BatchSetting } from "./batch.ts";
import { loadCandidates } from "./candidates.ts";

/** Decides what each record does. Nothing is written yet. */
export function* decideBatch(setting: BatchSetting, records: readonly (Incoming | Unreadable)[]): Unit<Batch> {
  const readable = records.filter(isReadable);
  const batch = new Batch(setting, yield* loadContext(setting, readable));
  const unknown = readable.filter((incoming) => !batch.applyKnown(incoming));
  for (const incoming of unknown) {
    if (batch.applyToMerged(incoming)) continue;
    const verdict = match(incoming, batch.findCandidates(incoming));
    if (verdict.kind === "deferred") batch.defer(incoming);
    else batch.apply(incoming, verdict);
  }
  for (const record of records) if (!isReadable(record)) batch.reject(record, record);
  return batch;
}

const isReadable = (record: Incoming | Unreadable): record is Incoming => "key" in record;

/** Decides the deferred records after the whole download has been read. */
export function* decideDeferred(setting: BatchSetting, records: readonly Incoming[]): Unit<Batch> {
  const { job, memory } = setting;
  const batch = new Batch(setting, yield* loadContext(setting, records));
  const { candidates } = batch;
  const known = (incoming: Incoming) => findKnown(incoming, batch.findCandidates(incoming));
  const place = (incoming: Incoming) => {
    const qso = known(incoming);
    batch.apply(incoming, qso ? { kind: "match", qso } : { kind: "new" });
  };
  const open = new Set(records.filter((incoming) => !known(incoming)));
  for (const incoming of records) if (!open.has(incoming)) place(incoming);
  for (const incoming of open) {
    const judgement = judge(incoming, batch.findCandidates(incoming), memory.cameBefore);
    if (judgement === null) continue;
    open.delete(incoming);
    if (judgement.kind === "match") batch.apply(incoming, judgement);
    else
      batch.leaveUnmatched(
        incoming,
        judgement.contacts,
        `differs in ${judgement.names.join(", ")} from the QSO of the same minute`,
      );
  }
  const bundles = Map.groupBy(open, getBundleKey);
  const free = candidates.list().filter((qso) => !batch.isTaken(qso));
  const { matched, ambiguous, unclaimed } = assign(
    [...bundles.values()].map(([incoming]) => incoming!),
    free,
  );
  for (const [incoming, { id }] of matched) {
    for (const part of bundles.get(getBundleKey(incoming))!) {
      if (!isService(job.source) && part !== incoming) place(part);
      else batch.apply(part, { kind: "match", qso: candidates.get(id) });
    }
  }
  for (const [incoming, candidates] of ambiguous) {
    for (const part of bundles.get(getBundleKey(incoming))!) batch.leaveUnmatched(part, candidates);
  }
  for (const incoming of unclaimed) for (const part of bundles.get(getBundleKey(incoming))!) place(part);
  return batch;
}

/** Decides a correction that a program sends for its own contact; null if the program deletes it. */
export function* decideCorrection(
  setting: BatchSetting,
  client: string | null,
  qso: Qso,
  incoming: Incoming | null,
): Unit<Batch> {
  const batch = new Batch(setting, yield* loadContext(setting, incoming ? [incoming] : []));
  batch.candidates.put(qso);
  if (incoming) batch.correct(incoming, qso, yield* received.listKeysOf(qso.id, client));
  else batch.remove(qso);
  return batch;
}

/** Loads everything that is needed to decide the records of a batch. */
function* loadContext({ job, memory }: BatchSetting, records: readonly Incoming[]): Unit<BatchContext> {
  const contacts = yield* loadCandidates(job.userId, records, memory.overlay);
  const deletedContacts = yield* loadTombstones(job.userId, records);
  const known = yield* loadKnown(job, records);
  const tombstones = deletedContacts.flatMap(({ mergedInto }) => mergedInto ?? []);
  const { merged, into } = yield* loadMerged(job.userId, [...tombstones, ...known.values()], contacts, memory.overlay);
  for (const [key, id] of known) known.set(key, merged.get(id) ?? id);
  const ids = memory.hasLeftovers ? records.map(getServiceId).filter((id) => id !== null) : [];
  const waiting = yield* leftovers.findWaiting(job.userId, job.source, ids);
  const deleted = deletedContacts.flatMap(({ mergedInto, qsoId }) =>
    mergedInto === null && qsoId !== null ? qsoId : [],
  );
  const layersAtDeletion =
    canResurrectDeleted(job) || records.some(({ isNew }) => isNew)
      ? yield* qsoChanges.loadServiceLayersAtDeletion(deleted)
      : new Map<number, Layers>();
  const all = [...contacts, ...into];
  const brings = records.some(({ record }) => record.brought);
  const former = brings ? yield* received.listFormer(all.map(({ id }) => id)) : new Map<number, Set<string>>();
  return { contacts: all, deletedContacts, merged, waiting, known, layersAtDeletion, former };
}

/** The contacts that a file's records got in earlier imports. */
function* loadKnown({ userId, source }: BatchSetting["job"], incoming: readonly Incoming[]): Unit<Map<string, number>> {
  if (source !== "file") return new Map();
  return yield* received.listKnown(
    userId,
    incoming.flatMap(({ record }) => listFileKeys(record)),
  );
}

function* loadTombstones(userId: number, records: readonly Incoming[]): Unit<readonly tombstones.Tombstone[]> {
  if (records.length === 0) return [];
  const times = records.map(({ key }) => key.at);
  const calls = [...new Set(records.map(({ key }) => key.call))];
  return yield* tombstones.findMeant(userId, {
    calls,
    from: Math.min(...times) - TOLERANCE,
    to: Math.max(...times) + TOLERANCE,
    ids: byService((service) => records.flatMap(({ ids }) => ids[service] ?? [])),
  });
}

/** Loads the contacts that these ids stand for after merges. They can be far outside the time ranges of the records. */
function* loadMerged(
  userId: number,
  given: readonly number[],
  contacts: readonly Qso[],
  overlay: Scratch | null,
): Unit<{ merged: ReadonlyMap<number, number>; into: Qso[] }> {
  const ids = [...new Set(given)];
  if (ids.length === 0) return { merged: new Map(), into: [] };
  const merged = yield* tombstones.findMergeTargets(userId, ids);
  const known = new Set(contacts.map(({ id }) => id));
  const missing = [...new Set(merged.values())].filter((id) => !known.has(id));
  const into = (yield* qsos.listByIds(missing)).map((qso) => overlay?.find(qso.id) ?? qso);
  return { merged, into };
}
