import type { CallFacts } from "../domain/call-facts.ts";
import type { SyncJob } from "../domain/sync-job.ts";
import * as leftovers from "../storage/leftovers.ts";
import * as tombstones from "../storage/tombstones.ts";
import type { Unit } from "../storage/unit.ts";
import { assign } from "./assign.ts";
import { PageDraft, type JobMemory } from "./draft.ts";
import { idOf, type Incoming, type Unreadable } from "./incoming.ts";
import { isSameRecord, match, TOLERANCE } from "./match.ts";
import { loadWorkbench } from "./workbench.ts";

type Job = Pick<SyncJob, "id" | "userId" | "source" | "options" | "dryRun">;

/** Decides what becomes of one page of records. */
export function* draftPage(
  job: Job,
  records: readonly (Incoming | Unreadable)[],
  memory: JobMemory,
  facts: CallFacts,
  now: number,
): Unit<PageDraft> {
  const readable = records.filter((record): record is Incoming => "key" in record);
  const { bench, page } = yield* begin(job, readable, memory, facts, now);
  for (const incoming of readable) {
    const verdict = match(incoming, bench.candidatesFor(incoming), page.isTaken, facts);
    if (verdict.kind === "aside") page.setAside(incoming);
    else page.apply(incoming, verdict);
  }
  for (const record of records) if (!("key" in record)) page.reject(record);
  return page;
}

/** Decides what becomes of records that were set aside, now that the whole download is known. */
export function* draftSettlement(
  job: Job,
  records: readonly Incoming[],
  memory: JobMemory,
  facts: CallFacts,
  now: number,
): Unit<PageDraft> {
  const { bench, page } = yield* begin(job, records, memory, facts, now);
  const known = (incoming: Incoming) => bench.candidatesFor(incoming).find((qso) => isSameRecord(incoming, qso, facts));
  const heard = (incoming: Incoming) => {
    const qso = known(incoming);
    page.apply(incoming, qso ? { kind: "match", qso } : { kind: "new" });
  };
  const open = new Set(records.filter((incoming) => !known(incoming)));
  for (const incoming of records) if (!open.has(incoming)) heard(incoming);
  const parts = Map.groupBy(open, partsOf);
  const free = bench.all().filter((qso) => !page.isTaken(qso));
  const { matched, ambiguous, unclaimed } = assign(
    [...parts.values()].map(([incoming]) => incoming!),
    free,
  );
  for (const [incoming, { id }] of matched) {
    for (const part of parts.get(partsOf(incoming))!) page.apply(part, { kind: "match", qso: bench.get(id) });
  }
  for (const [incoming, candidates] of ambiguous) {
    for (const part of parts.get(partsOf(incoming))!) page.leave(part, candidates);
  }
  for (const incoming of unclaimed) for (const part of parts.get(partsOf(incoming))!) heard(part);
  return page;
}

/** Loads everything that the records of a page may have to do with. */
function* begin(job: Job, records: readonly Incoming[], memory: JobMemory, facts: CallFacts, now: number) {
  const bench = yield* loadWorkbench(job.userId, records, memory.overlay);
  const buried = yield* loadTombstones(job, records);
  const ids = memory.hasLeftovers ? records.map(idOf).filter((id) => id !== null) : [];
  const waiting = yield* leftovers.findWaiting(job.userId, job.source, ids);
  return { bench, page: new PageDraft({ job, memory, facts, now, bench, buried, waiting }) };
}

/** A service's answers to two questions about one contact, and a file's repeated records, go where one of them goes. */
export const partsOf = (incoming: Incoming): string => idOf(incoming) ?? JSON.stringify(incoming.key);

function* loadTombstones(job: Job, records: readonly Incoming[]): Unit<readonly tombstones.Tombstone[]> {
  if (job.source === "file" || job.options.resurrect || records.length === 0) return [];
  const times = records.map(({ key }) => key.at);
  const calls = [...new Set(records.map(({ key }) => key.call))];
  return yield* tombstones.findAround(
    job.userId,
    calls,
    Math.min(...times) - TOLERANCE,
    Math.max(...times) + TOLERANCE,
  );
}
