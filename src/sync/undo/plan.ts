import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { derive, RULES_VERSION } from "../../domain/contact/derive.ts";
import { NO_LAYERS, sameLayers, saySame, type Layers } from "../../domain/contact/layers.ts";
import { ORIGIN_OF } from "../../domain/origins/origins.ts";
import { SERVICE_ORIGINS } from "../../domain/origins/services.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import { isService, SERVICES, type Source } from "../../domain/jobs/source.ts";
import type { SyncJob } from "../../domain/jobs/sync-job.ts";
import { listReplaced, removeTakenBack } from "../../domain/contact/taken-back.ts";
import * as jobRepeats from "../../storage/jobs/job-repeats.ts";
import * as qsoChanges from "../../storage/log/qso-changes.ts";
import { takeStep } from "../../storage/log/page-bytes.ts";
import * as qsos from "../../storage/log/qsos.ts";
import * as records from "../../storage/log/records.ts";
import * as tombstones from "../../storage/log/tombstones.ts";
import type { Unit } from "../../storage/engine/unit.ts";
import { mergeLayers } from "../repair/merge.ts";
import { listDifferences, listLostValues, describeOtherImport, type KeptField } from "./kept-fields.ts";

/** What a rollback does with one contact. */
export interface ContactPlan {
  /** The contact now, or null if the job deleted it. */
  qso: Qso | null;
  /** The contact after the rollback, or null if it is removed. */
  left: Qso | null;
  /** The last state of the contact: `left`, or its state when it is removed. */
  last: Qso;
  /** Whether nothing visible changes. */
  stays: boolean;
  kept: KeptField[];
  /** Later changes of other jobs that are undone too. */
  takenFromOthers: qsoChanges.OthersChange[];
}

/** Records that another job gave the contact too. They stay and are attributed to that job. */
interface Handover {
  qsoId: number;
  adoptedBy: jobRepeats.OtherJob;
  recordIds: readonly number[];
}

interface RollbackPlan {
  contacts: ContactPlan[];
  handovers: Handover[];
  /** Continue with changes before this id; 0 after the last one. */
  before: number;
}

/**
 * Plans what happens to the contacts that a job changed, newest change first. Each contact is planned with all its
 * changes, so that it is never half rolled back, even if the user edits it between two slices.
 */
export function* planRollback(job: SyncJob, before: number | null, most: number, facts: CallFacts): Unit<RollbackPlan> {
  const next = yield* qsoChanges.listBefore(job.id, before, most);
  const listed = yield* takeStep(next);
  if (listed.length === 0) return { contacts: [], handovers: [], before: 0 };
  const changed = [...new Set(listed.map(({ qsoId }) => qsoId))];
  const stories = yield* qsoChanges.loadStories(job.id, changed);
  // A contact is planned with the newest change that the job made to it; skip it at older ones.
  const ids = listed.flatMap(({ id, qsoId }) => (stories.get(qsoId)!.own[0]?.id === id ? [qsoId] : []));
  const gone = yield* findRestorable(job, ids, stories);
  const absorbed = yield* listAbsorbed(job, ids);
  const given = yield* listGiven(job, ids);
  const contacts = ids.flatMap((id) => {
    const story = stories.get(id)!;
    const known = { job, facts, story, given: given.get(id) ?? [], absorbed: absorbed.get(id) ?? [] };
    if (story.qso === null) return gone.has(id) ? [planRestore(id, gone.get(id)!, known)] : [];
    return story.qso.userId === job.userId ? [planContact(story.qso, known)] : [];
  });
  const handovers = [...given].flatMap(([qsoId, records]) => buildHandovers(qsoId, records));
  return { contacts, handovers, before: listed.length < next.length || next.length === most ? listed.at(-1)!.id : 0 };
}

/** What is known about one contact. */
interface Known {
  job: SyncJob;
  facts: CallFacts;
  story: qsoChanges.ContactStory;
  given: readonly Given[];
  /** What the contacts that were merged into it said. */
  absorbed: readonly Layers[];
}

/** A record that the job gave a contact, with the other job that gave the same record. */
interface Given extends records.GivenRecord {
  adoptedBy: jobRepeats.OtherJob | null;
}

function* listGiven(job: SyncJob, ids: readonly number[]): Unit<Map<number, Given[]>> {
  if (!isImport(job) || ids.length === 0) return new Map();
  const rows = yield* records.listGivenBy(job.id, ids);
  const otherJobs = yield* jobRepeats.find(
    job.userId,
    job.id,
    rows.map(({ id }) => id),
  );
  return Map.groupBy(
    rows.map((row) => ({ ...row, adoptedBy: otherJobs.get(row.id) ?? null })),
    ({ qsoId }) => qsoId,
  );
}

const buildHandovers = (qsoId: number, given: readonly Given[]): Handover[] => {
  const again = given.filter(({ adoptedBy }) => adoptedBy !== null);
  return again.length === 0 ? [] : [{ qsoId, adoptedBy: again[0]!.adoptedBy!, recordIds: again.map(({ id }) => id) }];
};

/**
 * The contacts that the job deleted and that still have a reason to exist, each with the contact it was merged into.
 */
function* findRestorable(
  { id: jobId }: SyncJob,
  ids: readonly number[],
  stories: ReadonlyMap<number, qsoChanges.ContactStory>,
): Unit<Map<number, Qso | null>> {
  const isGone = (story: qsoChanges.ContactStory) =>
    story.qso === null &&
    story.own[0]!.after === null &&
    story.own.at(-1)!.before !== null &&
    (!isAdditionUndone(story) || isKeptByFiles(story, computeLayersBefore(story.own.at(-1)!, story)));
  const gone = ids.filter((id) => isGone(stories.get(id)!));
  if (gone.length === 0) return new Map();
  const merged = yield* tombstones.listMerged(jobId, gone);
  const into = new Map((yield* qsos.listByIds(merged.map(({ mergedInto }) => mergedInto))).map((qso) => [qso.id, qso]));
  const findPartner = (id: number) => merged.find(({ qsoId }) => qsoId === id)?.mergedInto;
  return new Map(gone.map((id) => [id, into.get(findPartner(id) ?? 0) ?? null]));
}

/** Whether every job that added the contact was rolled back. */
const isAdditionUndone = ({ all }: qsoChanges.ContactStory): boolean => {
  const births = all.filter(({ before, isRollback }) => before === null && !isRollback);
  return births.length > 0 && births.every(({ isTakenBack }) => isTakenBack);
};

/** Whether another file or program also has a contact that a file added. Then it stays. */
const isKeptByFiles = ({ all }: qsoChanges.ContactStory, { own }: Layers): boolean => {
  const birth = all.findLast(({ before }) => before === null);
  const isOfFiles = birth?.source === "file" || birth?.source === "feed";
  return isOfFiles && (own?.file ?? own?.report ?? own?.brought) !== undefined;
};

/** The layers of the contacts that were merged into each of these, without what this job said. */
function* listAbsorbed({ id, userId }: SyncJob, ids: readonly number[]): Unit<Map<number, Layers[]>> {
  const merged = yield* tombstones.listMergedInto(userId, ids);
  const absorbed = new Map<number, Layers[]>();
  if (merged.length === 0) return absorbed;
  const stories = yield* qsoChanges.loadStories(
    id,
    merged.map(({ qsoId }) => qsoId),
  );
  for (const { qsoId, into } of merged) {
    const all = stories.get(qsoId)?.all ?? [];
    const at = all.findIndex(({ after }) => after === null);
    if (at < 0) continue;
    const layers = removeTakenBack(qsos.getLayers(all[at]!.before!), all.slice(at + 1));
    absorbed.set(into, [...(absorbed.get(into) ?? []), layers]);
  }
  return absorbed;
}

/** The layers of a contact before a change, without jobs that were rolled back since. */
const computeLayersBefore = (
  { id, before }: Pick<qsoChanges.Change, "id" | "before">,
  { all }: qsoChanges.ContactStory,
): Layers =>
  removeTakenBack(
    qsos.getLayers(before!),
    all.filter((one) => one.id < id),
  );

/** The contact before a change, without jobs that were rolled back since. */
const computeStateBefore = (
  change: Pick<qsoChanges.Change, "id" | "before">,
  { story, facts }: Known,
): qsos.Snapshot => {
  const { before } = change;
  const left = { ...before!, ...computeLayersBefore(change, story) };
  return qsoChanges.buildSnapshot(derive(left, facts) ? left : before!, facts);
};

/** Restores a deleted contact. What services said since then was stored with the contact it was merged into. */
const planRestore = (id: number, into: Qso | null, known: Known): ContactPlan => {
  const { job, story, facts } = known;
  const before = computeStateBefore(story.own.at(-1)!, known);
  const said = qsos.getLayers(before);
  const layers = SERVICES.reduce((left, service) => (into ? SERVICE_ORIGINS[service].restore(left, into) : left), said);
  const restored = sameLayers(layers, said) ? before : deriveSnapshot(before, layers, facts)!;
  const left = { ...restored, id, userId: job.userId };
  return { qso: null, left, last: left, stays: false, kept: [], takenFromOthers: [] };
};

const planContact = (qso: Qso, known: Known): ContactPlan => {
  const { job, story, given } = known;
  const { own: changes, others, later, all } = story;
  const [again] = buildHandovers(qso.id, given);
  // A correction by a program can be attributed only to another job of that program, not to a file.
  const isCorrection = changes.some((change) => change.after !== null && listReplaced(change).length > 0);
  const isWhole = again?.recordIds.length === given.length && (!isCorrection || again.adoptedBy.source === "feed");
  if (again && isWhole) return planStay(qso, qso, [describeOtherImport(qso, again.adoptedBy.id)]);
  const givenAgain = new Set(given.filter(({ adoptedBy }) => adoptedBy !== null).map(({ slot }) => slot));
  let last = qso;
  let kept: KeptField[] = [];
  let isGone = false;
  for (const change of changes) {
    const { id, before, after } = change;
    if (after === null) continue;
    if (before === null) {
      // A contact that others were merged into, or that another file has too, keeps what those brought.
      const left = removeRecord(last, givenAgain, known);
      if (left === null) return planRemoval(qso, last, after, later);
      last = { ...left, id: qso.id, userId: qso.userId };
      isGone = false;
      const other = again?.adoptedBy.id ?? later.find((one) => isImport(one) && one.after !== null)?.jobId;
      kept = isImport(job) && other !== undefined ? [describeOtherImport(qso, other)] : [];
      continue;
    }
    // Columns are derived from the layers, so a contact that was only derived again counts as unchanged.
    const isLater = (one: (typeof all)[number]) =>
      one.id > id && one.kind !== "unchanged" && !one.isTakenBack && !one.isRollback;
    const isAsLeft = !all.some(isLater) && saySame(qsos.getLayers(last), qsos.getLayers(after));
    const whole = computeStateBefore(change, known);
    const left = removeJob(last, { before: whole, after }, givenAgain, known);
    const untouched = isAsLeft && (left === null || saySame(qsos.getLayers(left), qsos.getLayers(whole)));
    const restored = untouched
      ? { ...whole, own: left ? left.own : whole.own }
      : (left ?? (isMerge(job) ? null : whole));
    if (restored === null) return planRemoval(qso, last, after, later);
    isGone = isImport(job) && (left === null || (isAdditionUndone(story) && !isKeptByFiles(story, left)));
    kept = untouched ? [] : listDifferences(qso, whole, restored);
    last = { ...restored, id: qso.id, userId: qso.userId, createdAt: qso.createdAt };
  }
  if (isGone) return planRemoval(qso, last, all.findLast(({ before }) => before === null)?.after ?? NO_LAYERS, others);
  if (isInvisible(qso, last, changes)) return planStay(qso, last, []);
  // For a service the whole layer is undone; for other sources only the records and fields that the job set.
  const takenFromOthers = isService(job.source) ? later.filter((change) => change.source === job.source) : [];
  return { qso, left: last, last, stays: false, kept, takenFromOthers };
};

/** Whether the job only gave records that changed nothing visible, and none of them is removed with it. */
const isInvisible = (qso: Qso, left: Qso, changes: qsoChanges.ContactStory["own"]): boolean =>
  saySame(qsos.getLayers(qso), qsos.getLayers(left)) &&
  changes.every(({ before, after }) => before && after && saySame(qsos.getLayers(before), qsos.getLayers(after)));

const planStay = (qso: Qso, left: Qso, kept: KeptField[]): ContactPlan => ({
  qso,
  left,
  last: left,
  stays: true,
  kept,
  takenFromOthers: [],
});

const planRemoval = (qso: Qso, last: Qso, added: Layers, taken: readonly qsoChanges.OthersChange[]): ContactPlan => ({
  qso,
  left: null,
  last,
  stays: false,
  kept: listLostValues(last, added),
  takenFromOthers: taken.filter(({ kind }) => kind !== "unchanged"),
});

const isImport = ({ source }: { source: Source }): boolean => source === "file" || source === "feed";

/** The contact with the job's own layer as before, plus everything that others said later. Null if nothing is left. */
const removeJob = (
  qso: Qso,
  { before, after }: { before: Layers; after: Layers },
  givenAgain: ReadonlySet<string>,
  { job, story, facts }: Known,
): qsos.Snapshot | null => {
  const said = qsos.getLayers(qso);
  const withoutOwn = isService(job.source) ? said : { ...said, own: removeTakenBack(said, story.all, givenAgain).own };
  const layers = isMerge(job)
    ? removeMerged(withoutOwn, before, after)
    : ORIGIN_OF[job.source].takeBack(withoutOwn, before, after);
  return deriveSnapshot(qsos.toSnapshot(qso), layers, facts);
};

const isMerge = ({ options }: SyncJob): boolean => options.repair?.change.kind === "merge";

/** The contact without the record of the job that added it. Null if it is removed with that record. */
const removeRecord = (
  qso: Qso,
  givenAgain: ReadonlySet<string>,
  { job, story, absorbed, facts }: Known,
): qsos.Snapshot | null => {
  const said = qsos.getLayers(qso);
  const left = isService(job.source)
    ? SERVICE_ORIGINS[job.source].withoutMain(said)
    : { ...said, own: removeTakenBack(said, story.all, givenAgain).own };
  if (absorbed.length === 0 && !isKeptByFiles(story, left)) return null;
  const layers = absorbed.reduce(mergeLayers, left);
  return deriveSnapshot(qsos.toSnapshot(qso), layers, facts);
};

/** Moves the values that a merge brought back to the contact they came from. */
const removeMerged = (layers: Layers, before: Layers, after: Layers): Layers =>
  SERVICES.reduce((known, service) => SERVICE_ORIGINS[service].splitContact(known, before, after), layers);

/** Returns null if the layers make no contact. */
const deriveSnapshot = (qso: qsos.Snapshot, layers: Layers, facts: CallFacts): qsos.Snapshot | null => {
  const derived = derive(layers, facts);
  return derived && { ...qso, ...derived, ...layers, rulesVersion: RULES_VERSION };
};
