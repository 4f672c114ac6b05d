import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { derive, RULES_VERSION } from "../../domain/contact/derive.ts";
import { NO_LAYERS, sameLayers, saySame, type Layers } from "../../domain/contact/layers.ts";
import { ORIGIN_OF } from "../../domain/origins/origins.ts";
import { SERVICE_ORIGINS } from "../../domain/origins/services.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import { isService, SERVICES, type Source } from "../../domain/jobs/source.ts";
import type { SyncJob } from "../../domain/jobs/sync-job.ts";
import { replacedIn, withoutTakenBack, type PastChange } from "../../domain/contact/taken-back.ts";
import * as jobRepeats from "../../storage/jobs/job-repeats.ts";
import * as qsoChanges from "../../storage/log/qso-changes.ts";
import * as qsos from "../../storage/log/qsos.ts";
import * as records from "../../storage/log/records.ts";
import * as tombstones from "../../storage/log/tombstones.ts";
import type { Unit } from "../../storage/engine/unit.ts";
import { mergedLayers } from "../repair/merge.ts";
import { differences, lostWords, toldByAnother, type KeptField } from "./kept-fields.ts";

/** What becomes of a contact when a job is taken back. */
export interface ContactPlan {
  /** As it stands; null where the job deleted it. */
  qso: Qso | null;
  /** As it will be; null where it goes. */
  left: Qso | null;
  /** As it is when it goes, or as it will be. */
  last: Qso;
  /** Whether nobody sees a difference. */
  stays: boolean;
  kept: KeptField[];
  /** What other jobs changed later, and goes as well. */
  taken: qsoChanges.OthersChange[];
}

/** Records of a contact that another job gave too: they stay, and what the job did to the contact is that other's. */
interface Legacy {
  qsoId: number;
  heir: jobRepeats.Heir;
  recordIds: readonly number[];
}

interface Fates {
  fates: ContactPlan[];
  legacies: Legacy[];
  /** From before which change to go on; 0 behind the last. */
  before: number;
}

/**
 * What becomes of the contacts that a job changed, from before a change on, newest first. Each is decided as a whole, so
 * that a person may change it before or after, and no contact is ever taken back by half.
 */
export function* planRollback(job: SyncJob, before: number | null, most: number, facts: CallFacts): Unit<Fates> {
  const listed = yield* qsoChanges.listBefore(job.id, before, most);
  if (listed.length === 0) return { fates: [], legacies: [], before: 0 };
  const changed = [...new Set(listed.map(({ qsoId }) => qsoId))];
  const stories = yield* qsoChanges.storiesOf(job.id, changed);
  // A contact of which the job made a newer change had its turn with that.
  const ids = listed.flatMap(({ id, qsoId }) => (stories.get(qsoId)!.own[0]?.id === id ? [qsoId] : []));
  const gone = yield* goneOf(job, ids, stories);
  const absorbed = yield* absorbedBy(job, ids);
  const given = yield* givenBy(job, ids);
  const fates = ids.flatMap((id) => {
    const story = stories.get(id)!;
    if (story.qso === null) return gone.has(id) ? [comeBack(id, job, story, gone.get(id)!, facts)] : [];
    return story.qso.userId === job.userId
      ? [fateOf(story.qso, story, { given: given.get(id) ?? [], absorbed: absorbed.get(id) ?? [] }, job, facts)]
      : [];
  });
  const legacies = [...given].flatMap(([qsoId, records]) => legacyOf(qsoId, records));
  return { fates, legacies, before: listed.length < most ? 0 : listed.at(-1)!.id };
}

/** A record that the job gave of a contact, and another job that gave it too. */
interface Given extends records.GivenRecord {
  heir: jobRepeats.Heir | null;
}

function* givenBy(job: SyncJob, ids: readonly number[]): Unit<Map<number, Given[]>> {
  if (!isImport(job) || ids.length === 0) return new Map();
  const rows = yield* records.listGivenBy(job.id, ids);
  const heirs = yield* jobRepeats.find(
    job.userId,
    job.id,
    rows.map(({ id }) => id),
  );
  return Map.groupBy(
    rows.map((row) => ({ ...row, heir: heirs.get(row.id) ?? null })),
    ({ qsoId }) => qsoId,
  );
}

const legacyOf = (qsoId: number, given: readonly Given[]): Legacy[] => {
  const again = given.filter(({ heir }) => heir !== null);
  return again.length === 0 ? [] : [{ qsoId, heir: again[0]!.heir!, recordIds: again.map(({ id }) => id) }];
};

/** The contacts that the job deleted, each with the one it was merged into. What added them may be taken back by now. */
function* goneOf(
  { id: jobId }: SyncJob,
  ids: readonly number[],
  stories: ReadonlyMap<number, qsoChanges.ContactStory>,
): Unit<Map<number, Qso | null>> {
  const isGone = (story: qsoChanges.ContactStory) =>
    story.qso === null &&
    story.own[0]!.after === null &&
    story.own.at(-1)!.before !== null &&
    (!isUnborn(story) || isLeftToFiles(story, saidBefore(story.own.at(-1)!, story)));
  const gone = ids.filter((id) => isGone(stories.get(id)!));
  if (gone.length === 0) return new Map();
  const merged = yield* tombstones.listMerged(jobId, gone);
  const into = new Map((yield* qsos.listByIds(merged.map(({ mergedInto }) => mergedInto))).map((qso) => [qso.id, qso]));
  const partnerOf = (id: number) => merged.find(({ qsoId }) => qsoId === id)?.mergedInto;
  return new Map(gone.map((id) => [id, into.get(partnerOf(id) ?? 0) ?? null]));
}

/** Whether every job that added the contact is taken back. */
const isUnborn = ({ all }: qsoChanges.ContactStory): boolean => {
  const births = all.filter(({ before, isRollback }) => before === null && !isRollback);
  return births.length > 0 && births.every(({ isTakenBack }) => isTakenBack);
};

/** Whether a file added the contact and another file or program has it, too: then it stays without the first. */
const isLeftToFiles = ({ all }: qsoChanges.ContactStory, { own }: Layers): boolean => {
  const birth = all.findLast(({ before }) => before === null);
  const isOfFiles = birth?.source === "file" || birth?.source === "feed";
  return isOfFiles && (own?.file ?? own?.report ?? own?.brought) !== undefined;
};

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

/** What was said of a contact before a change, without what jobs said that were taken back since. */
const saidBefore = (
  { id, before }: Pick<qsoChanges.Change, "id" | "before">,
  { all }: qsoChanges.ContactStory,
): Layers =>
  withoutTakenBack(
    qsos.layersOf(before!),
    all.filter((one) => one.id < id),
  );

/** The contact before a change, without what jobs said that were taken back since. */
const stateBefore = (
  change: Pick<qsoChanges.Change, "id" | "before">,
  story: qsoChanges.ContactStory,
  facts: CallFacts,
): qsos.Snapshot => {
  const { before } = change;
  const left = { ...before!, ...saidBefore(change, story) };
  return qsoChanges.snapshotFrom(derive(left, facts) ? left : before!, facts);
};

/** What services said of it since, they said of the contact it was merged into. */
const comeBack = (
  id: number,
  { userId }: SyncJob,
  story: qsoChanges.ContactStory,
  into: Qso | null,
  facts: CallFacts,
): ContactPlan => {
  const before = stateBefore(story.own.at(-1)!, story, facts);
  const said = qsos.layersOf(before);
  const layers = SERVICES.reduce(
    (known, service) => (into ? SERVICE_ORIGINS[service].comeBack(known, into) : known),
    said,
  );
  const left = { ...(sameLayers(layers, said) ? before : derivedFrom(before, layers, facts)!), id, userId };
  return { qso: null, left, last: left, stays: false, kept: [], taken: [] };
};

const fateOf = (
  qso: Qso,
  story: qsoChanges.ContactStory,
  { given, absorbed }: { given: readonly Given[]; absorbed: readonly Layers[] },
  job: SyncJob,
  facts: CallFacts,
): ContactPlan => {
  const { own: changes, others, later, all } = story;
  const [again] = legacyOf(qso.id, given);
  // What a program corrected, it goes on saying in the job that gave its correction again; a file does not speak for it.
  const isCorrection = changes.some((change) => change.after !== null && replacedIn(change).length > 0);
  const isWhole = again?.recordIds.length === given.length && (!isCorrection || again.heir.source === "feed");
  if (again && isWhole)
    return { qso, left: qso, last: qso, stays: true, kept: [toldByAnother(qso, again.heir.id)], taken: [] };
  const givenAgain = new Set(given.filter(({ heir }) => heir !== null).map(({ slot }) => slot));
  let last = qso;
  let kept: KeptField[] = [];
  let isGone = false;
  for (const change of changes) {
    const { id, before, after } = change;
    if (after === null) continue;
    if (before === null) {
      // What others were merged into stays with what they brought, and so does what another file has, too.
      const left = withoutRecordOf(last, story, { absorbed, givenAgain }, job, facts);
      if (left === null) return goneFate(qso, last, after, later);
      last = { ...left, id: qso.id, userId: qso.userId };
      isGone = false;
      const other = again?.heir.id ?? later.find((one) => isImport(one) && one.after !== null)?.jobId;
      kept = isImport(job) && other !== undefined ? [toldByAnother(qso, other)] : [];
      continue;
    }
    // The columns follow from the layers, so a contact derived anew since is still as the job left it.
    const isLater = (one: (typeof all)[number]) =>
      one.id > id && one.kind !== "unchanged" && !one.isTakenBack && !one.isRollback;
    const isAsLeft = !all.some(isLater) && saySame(qsos.layersOf(last), qsos.layersOf(after));
    const whole = stateBefore(change, story, facts);
    const left = withoutJob(last, { before: whole, after, all, givenAgain }, job, facts);
    const untouched = isAsLeft && (left === null || saySame(qsos.layersOf(left), qsos.layersOf(whole)));
    const restored = untouched
      ? { ...whole, own: left ? left.own : whole.own }
      : (left ?? (isMerge(job) ? null : whole));
    if (restored === null) return goneFate(qso, last, after, later);
    isGone = isImport(job) && (left === null || (isUnborn(story) && !isLeftToFiles(story, left)));
    kept = untouched ? [] : differences(qso, whole, restored);
    last = { ...restored, id: qso.id, userId: qso.userId, createdAt: qso.createdAt };
  }
  if (isGone) return goneFate(qso, last, all.findLast(({ before }) => before === null)?.after ?? NO_LAYERS, others);
  if (isUnseen(qso, last, changes)) return { qso, left: last, last, stays: true, kept: [], taken: [] };
  // Of a service the whole layer goes back; of others only the records and fields that it set itself.
  const taken = isService(job.source) ? later.filter((change) => change.source === job.source) : [];
  return { qso, left: last, last, stays: false, kept, taken };
};

/** Whether the job gave only records that said nothing alone, and nothing goes with them. */
const isUnseen = (qso: Qso, left: Qso, changes: qsoChanges.ContactStory["own"]): boolean =>
  saySame(qsos.layersOf(qso), qsos.layersOf(left)) &&
  changes.every(({ before, after }) => before && after && saySame(qsos.layersOf(before), qsos.layersOf(after)));

const goneFate = (qso: Qso, last: Qso, added: Layers, taken: readonly qsoChanges.OthersChange[]): ContactPlan => ({
  qso,
  left: null,
  last,
  stays: false,
  kept: lostWords(last, added),
  taken: taken.filter(({ kind }) => kind !== "unchanged"),
});

const isImport = ({ source }: { source: Source }): boolean => source === "file" || source === "feed";

/** The contact with the job's own layer as it was, and everything others said later; null where nothing is left. */
const withoutJob = (
  qso: Qso,
  {
    before,
    after,
    all,
    givenAgain,
  }: { before: Layers; after: Layers; all: readonly PastChange[]; givenAgain: ReadonlySet<string> },
  job: SyncJob,
  facts: CallFacts,
): qsos.Snapshot | null => {
  const said = qsos.layersOf(qso);
  const withoutOwn = isService(job.source) ? said : { ...said, own: withoutTakenBack(said, all, givenAgain).own };
  const layers = isMerge(job)
    ? withoutMerged(withoutOwn, before, after)
    : ORIGIN_OF[job.source].takeBack(withoutOwn, before, after);
  return derivedFrom(qsos.snapshotOf(qso), layers, facts);
};

const isMerge = ({ options }: SyncJob): boolean => options.repair?.change.kind === "merge";

/** What is left of a contact without the record of the job that added it; null where it goes with that. */
const withoutRecordOf = (
  qso: Qso,
  story: qsoChanges.ContactStory,
  { absorbed, givenAgain }: { absorbed: readonly Layers[]; givenAgain: ReadonlySet<string> },
  { source }: SyncJob,
  facts: CallFacts,
): qsos.Snapshot | null => {
  const said = qsos.layersOf(qso);
  const left = isService(source)
    ? SERVICE_ORIGINS[source].withoutMain(said)
    : { ...said, own: withoutTakenBack(said, story.all, givenAgain).own };
  if (absorbed.length === 0 && !isLeftToFiles(story, left)) return null;
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
