import type { CallFacts } from "../../domain/call-facts.ts";
import { derive, RULES_VERSION } from "../../domain/derive.ts";
import { sameLayers } from "../../domain/layers.ts";
import { ORIGIN_OF } from "../../domain/origins/origins.ts";
import type { Qso } from "../../domain/qso.ts";
import type { Source } from "../../domain/source.ts";
import type { SyncJob } from "../../domain/sync-job.ts";
import * as qsoChanges from "../../storage/qso-changes.ts";
import * as qsos from "../../storage/qsos.ts";
import type { Unit } from "../../storage/unit.ts";
import { differences, lostWords, type Kept } from "./kept.ts";

/** What becomes of a contact when a job is taken back. */
export interface Fate {
  /** As it stands. */
  qso: Qso;
  /** As it will be; null where it goes. */
  left: Qso | null;
  /** As it is when it goes, or as it will be. */
  last: Qso;
  kept: Kept[];
  /** What other jobs changed later, and goes as well. */
  taken: qsoChanges.OthersChange[];
}

interface Fates {
  fates: Fate[];
  /** From before which change to go on; 0 behind the last. */
  before: number;
}

/**
 * What becomes of the contacts that a job changed, from before a change on, newest first. Each is decided as a whole, so
 * that a person may change it before or after, and no contact is ever taken back by half.
 */
export function* fatesOf(job: SyncJob, before: number | null, most: number, facts: CallFacts): Unit<Fates> {
  const listed = yield* qsoChanges.listBefore(job.id, before, most);
  if (listed.length === 0) return { fates: [], before: 0 };
  const changed = [...new Set(listed.map(({ qsoId }) => qsoId))];
  const own = Map.groupBy(yield* qsoChanges.listOf(job.id, changed), ({ qsoId }) => qsoId);
  // A contact of which the job made a newer change had its turn with that.
  const ids = listed.flatMap(({ id, qsoId }) => (own.get(qsoId)![0]!.id === id ? [qsoId] : []));
  const contacts = new Map((yield* qsos.listByIds(ids)).map((qso) => [qso.id, qso]));
  const oldest = Math.min(...[...own.values()].map((changes) => changes.at(-1)!.id));
  const others = Map.groupBy(yield* qsoChanges.listByOthers(job.id, oldest, ids), ({ qsoId }) => qsoId);
  const fates = ids.flatMap((id) => {
    const qso = contacts.get(id);
    if (qso?.userId !== job.userId) return [];
    return [fateOf(qso, own.get(id)!, others.get(id) ?? [], job.source, facts)];
  });
  return { fates, before: listed.length < most ? 0 : listed.at(-1)!.id };
}

const fateOf = (
  qso: Qso,
  /** Newest first. */
  changes: readonly qsoChanges.Change[],
  others: readonly qsoChanges.OthersChange[],
  source: Source,
  facts: CallFacts,
): Fate => {
  const later = others.filter(({ id }) => id > changes.at(-1)!.id);
  let last = qso;
  let kept: Kept[] = [];
  for (const { before, after } of changes) {
    if (before === null) return { qso, left: null, last, kept: lostWords(last, after), taken: later };
    // The columns follow from the layers, so a contact derived anew since is still as the job left it.
    const untouched = sameLayers(qsos.layersOf(last), qsos.layersOf(after));
    const restored = untouched ? before : withoutJob(last, before, after, source, facts);
    kept = untouched ? [] : differences(qso.id, before, restored);
    last = { ...restored, id: qso.id, userId: qso.userId };
  }
  // Of a service the whole layer goes back; of a file only the fields that are still as it set them.
  const taken = source === "file" ? [] : later.filter((change) => change.source === source);
  return { qso, left: last, last, kept, taken };
};

/** The contact with the job's own layer as it was, and everything others said later. */
const withoutJob = (
  qso: Qso,
  before: qsos.Snapshot,
  after: qsos.Snapshot,
  source: Source,
  facts: CallFacts,
): qsos.Snapshot => {
  const layers = ORIGIN_OF[source].takeBack(qsos.layersOf(qso), before, after);
  const derived = derive(layers, facts);
  if (derived === null) return before;
  return { ...qsos.snapshotOf(qso), ...derived, ...layers, rulesVersion: RULES_VERSION };
};
