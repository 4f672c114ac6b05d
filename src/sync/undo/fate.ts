import type { CallFacts } from "../../domain/call-facts.ts";
import { derive, RULES_VERSION } from "../../domain/derive.ts";
import { sameLayers, type Layers } from "../../domain/layers.ts";
import { ORIGIN_OF } from "../../domain/origins/origins.ts";
import { SERVICE_ORIGINS } from "../../domain/origins/services.ts";
import type { Qso } from "../../domain/qso.ts";
import { isService, SERVICES, type Source } from "../../domain/source.ts";
import type { SyncJob } from "../../domain/sync-job.ts";
import { withoutTakenBack, type PastChange } from "../../domain/taken-back.ts";
import * as jobRepeats from "../../storage/job-repeats.ts";
import type { Repeat } from "../../storage/job-repeats.ts";
import * as qsoChanges from "../../storage/qso-changes.ts";
import * as qsos from "../../storage/qsos.ts";
import * as tombstones from "../../storage/tombstones.ts";
import type { Unit } from "../../storage/unit.ts";
import { mergedLayers } from "../repair/merge.ts";
import { differences, lostWords, toldByAnother, type Kept } from "./kept.ts";

/** What becomes of a contact when a job is taken back. */
export interface Fate {
  /** As it stands; null where the job deleted it. */
  qso: Qso | null;
  /** As it will be; null where it goes. */
  left: Qso | null;
  /** As it is when it goes, or as it will be. */
  last: Qso;
  kept: Kept[];
  /** What other jobs changed later, and goes as well. */
  taken: qsoChanges.OthersChange[];
  /** Another import that told of the contact too: it stays, and what the job did to it is that import's. */
  heir: number | null;
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
  const stories = yield* qsoChanges.storiesOf(job.id, changed);
  // A contact of which the job made a newer change had its turn with that.
  const ids = listed.flatMap(({ id, qsoId }) => (stories.get(qsoId)!.own[0]?.id === id ? [qsoId] : []));
  const gone = yield* goneOf(job, ids, stories);
  const first = new Map(ids.map((id) => [id, stories.get(id)!.own.at(-1)!.id]));
  const absorbed = yield* absorbedBy(job, ids);
  const repeats = isImport(job) ? yield* jobRepeats.find(job.userId, job.id, first) : new Map<number, Repeat>();
  const fates = ids.flatMap((id) => {
    const story = stories.get(id)!;
    if (story.qso === null) return gone.has(id) ? [comeBack(id, job, story, gone.get(id)!, facts)] : [];
    return story.qso.userId === job.userId
      ? [fateOf(story.qso, story, { repeat: repeats.get(id) ?? null, absorbed: absorbed.get(id) ?? [] }, job, facts)]
      : [];
  });
  return { fates, before: listed.length < most ? 0 : listed.at(-1)!.id };
}

/** The contacts that the job deleted, each with the one it was merged into. What added them may be taken back by now. */
function* goneOf(
  { id: jobId }: SyncJob,
  ids: readonly number[],
  stories: ReadonlyMap<number, qsoChanges.ContactStory>,
): Unit<Map<number, Qso | null>> {
  const isGone = ({ qso, own }: qsoChanges.ContactStory) =>
    qso === null && own[0]!.after === null && own.at(-1)!.before !== null;
  const gone = ids.filter((id) => isGone(stories.get(id)!));
  if (gone.length === 0) return new Map();
  const unborn = new Set(yield* qsoChanges.listUnborn(gone));
  const merged = yield* tombstones.listMerged(jobId, gone);
  const into = new Map((yield* qsos.listByIds(merged.map(({ mergedInto }) => mergedInto))).map((qso) => [qso.id, qso]));
  const partnerOf = (id: number) => merged.find(({ qsoId }) => qsoId === id)?.mergedInto;
  return new Map(gone.filter((id) => !unborn.has(id)).map((id) => [id, into.get(partnerOf(id) ?? 0) ?? null]));
}

/** What was said of the contacts that were merged into each of these, without what the job said of them. */
function* absorbedBy({ id, userId }: SyncJob, ids: readonly number[]): Unit<Map<number, Layers[]>> {
  const merged = yield* tombstones.listMergedInto(userId, ids);
  const absorbed = new Map<number, Layers[]>();
  if (merged.length === 0) return absorbed;
  const stories = yield* qsoChanges.storiesOf(
    id,
    merged.map(({ qsoId }) => qsoId),
  );
  for (const { qsoId, into } of merged) {
    const all = stories.get(qsoId)?.all ?? [];
    const at = all.findIndex(({ after }) => after === null);
    if (at < 0) continue;
    const layers = withoutTakenBack(qsos.layersOf(all[at]!.before!), all.slice(at + 1));
    absorbed.set(into, [...(absorbed.get(into) ?? []), layers]);
  }
  return absorbed;
}

/** The contact before a change, without what jobs said that were taken back since. */
const stateBefore = (
  { id, before }: Pick<qsoChanges.Change, "id" | "before">,
  { all }: qsoChanges.ContactStory,
  facts: CallFacts,
): qsos.Snapshot => {
  const earlier = all.filter((one) => one.id < id);
  const left = { ...before!, ...withoutTakenBack(qsos.layersOf(before!), earlier) };
  return qsoChanges.snapshotFrom(derive(left, facts) ? left : before!, facts);
};

/** What services said of it since, they said of the contact it was merged into. */
const comeBack = (
  id: number,
  { userId }: SyncJob,
  story: qsoChanges.ContactStory,
  into: Qso | null,
  facts: CallFacts,
): Fate => {
  const before = stateBefore(story.own.at(-1)!, story, facts);
  const said = qsos.layersOf(before);
  const layers = SERVICES.reduce(
    (known, service) => (into ? SERVICE_ORIGINS[service].comeBack(known, into) : known),
    said,
  );
  const left = { ...(sameLayers(layers, said) ? before : derivedFrom(before, layers, facts)!), id, userId };
  return { qso: null, left, last: left, kept: [], taken: [], heir: null };
};

const fateOf = (
  qso: Qso,
  story: qsoChanges.ContactStory,
  { repeat, absorbed }: { repeat: Repeat | null; absorbed: readonly Layers[] },
  job: SyncJob,
  facts: CallFacts,
): Fate => {
  const { own: changes, later, all } = story;
  const heir = heirOf(changes, later, repeat, job);
  if (heir !== null) return { qso, left: qso, last: qso, kept: [toldByAnother(qso, heir)], taken: [], heir };
  let last = qso;
  let kept: Kept[] = [];
  for (const change of changes) {
    const { id, before, after } = change;
    if (after === null) continue;
    if (before === null) {
      // What others were merged into stays with what they brought.
      const left = withoutRecordOf(last, story, absorbed, job, facts);
      if (left === null) return goneFate(qso, last, after, later);
      last = { ...left, id: qso.id, userId: qso.userId };
      kept = [];
      continue;
    }
    // The columns follow from the layers, so a contact derived anew since is still as the job left it.
    const isNewest = !all.some((one) => one.id > id && !one.isTakenBack && !one.isRollback);
    const untouched = isNewest && sameLayers(qsos.layersOf(last), qsos.layersOf(after));
    const whole = stateBefore(change, story, facts);
    const restored = untouched
      ? whole
      : (withoutJob(last, { before: whole, after, all }, job, facts) ?? (isMerge(job) ? null : whole));
    if (restored === null) return goneFate(qso, last, after, later);
    kept = untouched ? [] : differences(qso, whole, restored);
    last = { ...restored, id: qso.id, userId: qso.userId, createdAt: qso.createdAt };
  }
  // Of a service the whole layer goes back; of others only the fields that are still as they set them.
  const taken = isService(job.source) ? later.filter((change) => change.source === job.source) : [];
  return { qso, left: last, last, kept, taken, heir: null };
};

const goneFate = (qso: Qso, last: Qso, added: Layers, taken: qsoChanges.OthersChange[]): Fate => ({
  qso,
  left: null,
  last,
  kept: lostWords(last, added),
  taken,
  heir: null,
});

/** The other import that told everything of a contact, or that would have added it had this one not come first. */
const heirOf = (
  changes: qsoChanges.ContactStory["own"],
  later: readonly qsoChanges.OthersChange[],
  repeat: Repeat | null,
  job: SyncJob,
): number | null => {
  if (!isImport(job)) return null;
  if (repeat?.isWhole) return repeat.jobId;
  if (changes.at(-1)!.before !== null) return null;
  return repeat?.jobId ?? later.find((change) => isImport(change) && change.after !== null)?.jobId ?? null;
};

const isImport = ({ source }: { source: Source }): boolean => source === "file" || source === "feed";

/** The contact with the job's own layer as it was, and everything others said later; null where nothing is left. */
const withoutJob = (
  qso: Qso,
  { before, after, all }: { before: Layers; after: Layers; all: readonly PastChange[] },
  job: SyncJob,
  facts: CallFacts,
): qsos.Snapshot | null => {
  const said = qsos.layersOf(qso);
  const withoutOwn = isService(job.source) ? said : { ...said, own: withoutTakenBack(said, all).own };
  const layers = isMerge(job)
    ? withoutMerged(withoutOwn, before, after)
    : ORIGIN_OF[job.source].takeBack(withoutOwn, before, after);
  return derivedFrom(qsos.snapshotOf(qso), layers, facts);
};

const isMerge = ({ options }: SyncJob): boolean => options.repair?.change.kind === "merge";

/** What is left of a contact that others were merged into without the record of the job that added it. */
const withoutRecordOf = (
  qso: Qso,
  { all }: qsoChanges.ContactStory,
  absorbed: readonly Layers[],
  { source }: SyncJob,
  facts: CallFacts,
): qsos.Snapshot | null => {
  if (absorbed.length === 0) return null;
  const said = qsos.layersOf(qso);
  const left = isService(source)
    ? SERVICE_ORIGINS[source].withoutMain(said)
    : { ...said, own: withoutTakenBack(said, all).own };
  const layers = absorbed.reduce(mergedLayers, left);
  return derivedFrom(qsos.snapshotOf(qso), layers, facts);
};

/** The words that a merge brought here go back with the contact they came from. */
const withoutMerged = (layers: Layers, before: Layers, after: Layers): Layers =>
  SERVICES.reduce((known, service) => SERVICE_ORIGINS[service].parted(known, before, after), layers);

/** Null where the layers make no contact. */
const derivedFrom = (qso: qsos.Snapshot, layers: Layers, facts: CallFacts): qsos.Snapshot | null => {
  const derived = derive(layers, facts);
  return derived && { ...qso, ...derived, ...layers, rulesVersion: RULES_VERSION };
};
