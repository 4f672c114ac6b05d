import type { CallFacts } from "../../domain/call-facts.ts";
import type { Qso } from "../../domain/qso.ts";
import type { SyncJob } from "../../domain/sync-job.ts";
import { byService, isService } from "../../domain/source.ts";
import * as leftovers from "../../storage/leftovers.ts";
import * as qsos from "../../storage/qsos.ts";
import * as tombstones from "../../storage/tombstones.ts";
import type { Unit } from "../../storage/unit.ts";
import { assign } from "../match/assign.ts";
import { bundleOf, idOf, type Incoming, type Unreadable } from "../match/incoming.ts";
import { findKnown, judge, match, TOLERANCE } from "../match/match.ts";
import { Batch } from "./batch.ts";
import { loadWorkbench, type Workbench } from "./candidates.ts";
import type { JobMemory } from "./memory.ts";

type Job = Pick<SyncJob, "id" | "userId" | "source" | "options" | "dryRun">;

/** Decides what becomes of one batch of records. */
export function* draftBatch(
  job: Job,
  records: readonly (Incoming | Unreadable)[],
  memory: JobMemory,
  facts: CallFacts,
  now: number,
): Unit<Batch> {
  const readable = records.filter((record): record is Incoming => "key" in record);
  const { bench, batch } = yield* begin(job, readable, memory, facts, now);
  for (const incoming of readable) {
    if (batch.applyToMerged(incoming)) continue;
    const verdict = match(incoming, bench.candidatesFor(incoming), batch.isTaken, facts);
    if (verdict.kind === "deferred") batch.defer(incoming);
    else batch.apply(incoming, verdict);
  }
  for (const record of records) if (!("key" in record)) batch.reject(record, record);
  return batch;
}

/** Decides what becomes of records that were deferred, now that the whole download is known. */
export function* draftSettlement(
  job: Job,
  records: readonly Incoming[],
  memory: JobMemory,
  facts: CallFacts,
  now: number,
): Unit<Batch> {
  const { bench, batch } = yield* begin(job, records, memory, facts, now);
  const known = (incoming: Incoming) => findKnown(incoming, bench.candidatesFor(incoming), batch.isTaken, facts);
  const place = (incoming: Incoming) => {
    const qso = known(incoming);
    batch.apply(incoming, qso ? { kind: "match", qso } : { kind: "new" });
  };
  const open = new Set(records.filter((incoming) => !known(incoming)));
  for (const incoming of records) if (!open.has(incoming)) place(incoming);
  for (const incoming of open) {
    const judgement = judge(incoming, bench.candidatesFor(incoming), batch.isTaken, facts, memory.cameBefore);
    if (judgement === null) continue;
    open.delete(incoming);
    if (judgement.kind === "match") batch.apply(incoming, judgement);
    else
      batch.leave(incoming, judgement.contacts, `differs in ${judgement.names.join(", ")} from the QSO of its minute`);
  }
  const bundles = Map.groupBy(open, bundleOf);
  const free = bench.all().filter((qso) => !batch.isTaken(qso));
  const { matched, ambiguous, unclaimed } = assign(
    [...bundles.values()].map(([incoming]) => incoming!),
    free,
  );
  for (const [incoming, { id }] of matched) {
    for (const part of bundles.get(bundleOf(incoming))!) {
      if (!isService(job.source) && part !== incoming) place(part);
      else batch.apply(part, { kind: "match", qso: bench.get(id) });
    }
  }
  for (const [incoming, candidates] of ambiguous) {
    for (const part of bundles.get(bundleOf(incoming))!) batch.leave(part, candidates);
  }
  for (const incoming of unclaimed) for (const part of bundles.get(bundleOf(incoming))!) place(part);
  return batch;
}

/** What a program tells otherwise of a contact that it told of; null where it takes the contact back. */
export function* draftCorrection(
  job: Job,
  { qso, incoming }: { qso: Qso; incoming: Incoming | null },
  memory: JobMemory,
  facts: CallFacts,
  now: number,
): Unit<Batch> {
  const { bench, batch } = yield* begin(job, incoming ? [incoming] : [], memory, facts, now);
  bench.put(qso);
  if (incoming) batch.correct(incoming, qso);
  else batch.remove(qso);
  return batch;
}

/** Loads everything that the records of a batch may have to do with. */
function* begin(job: Job, records: readonly Incoming[], memory: JobMemory, facts: CallFacts, now: number) {
  const bench = yield* loadWorkbench(job.userId, records, memory.overlay);
  const buried = yield* loadTombstones(job, records);
  const merged = yield* loadMerged(job.userId, buried, bench, memory);
  const ids = memory.hasLeftovers ? records.map(idOf).filter((id) => id !== null) : [];
  const waiting = yield* leftovers.findWaiting(job.userId, job.source, ids);
  return { bench, batch: new Batch({ job, memory, facts, now, bench, buried, merged, waiting }) };
}

function* loadTombstones(job: Job, records: readonly Incoming[]): Unit<readonly tombstones.Tombstone[]> {
  if (records.length === 0) return [];
  const times = records.map(({ key }) => key.at);
  const calls = [...new Set(records.map(({ key }) => key.call))];
  return yield* tombstones.findMeant(job.userId, {
    calls,
    from: Math.min(...times) - TOLERANCE,
    to: Math.max(...times) + TOLERANCE,
    ids: byService((service) => records.flatMap(({ ids }) => ids[service] ?? [])),
    // A person who deletes a contact may bring it back by a file. One that was merged is in the log already.
    onlyMerged: job.source === "file" || job.options.resurrect === true,
  });
}

/** The contacts that others were merged into, by what was merged into them: they may be far from where a record looks. */
function* loadMerged(
  userId: number,
  buried: readonly tombstones.Tombstone[],
  bench: Workbench,
  { overlay }: JobMemory,
): Unit<ReadonlyMap<number, number>> {
  const ids = [...new Set(buried.flatMap(({ mergedInto }) => mergedInto ?? []))];
  if (ids.length === 0) return new Map();
  const now = yield* tombstones.whereabouts(userId, ids);
  const missing = [...new Set(now.values())].filter((id) => !bench.has(id));
  for (const qso of yield* qsos.listByIds(missing)) bench.put(overlay?.find(qso.id) ?? qso);
  return now;
}
