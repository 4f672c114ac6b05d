import type { Fields } from "../domain/adif-record.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import { derive, RULES_VERSION } from "../domain/derive.ts";
import { sameLayers, type FileRecord, type Layers, type OwnLayer } from "../domain/layers.ts";
import type { Provider } from "../domain/provider.ts";
import type { Qso } from "../domain/qso.ts";
import { SERVICES, type Service, type Source } from "../domain/source.ts";
import { assertCanTakeBack, type SyncJob } from "../domain/sync-job.ts";
import * as leftovers from "../storage/leftovers.ts";
import * as qsoChanges from "../storage/qso-changes.ts";
import * as qsos from "../storage/qsos.ts";
import * as syncCursors from "../storage/sync-cursors.ts";
import * as syncJobs from "../storage/sync-jobs.ts";
import { attempt, type Unit } from "../storage/unit.ts";
import * as users from "../storage/users.ts";
import { isSpoken } from "./diff.ts";

/** What another source or a person said after the job, and a rollback therefore leaves. */
export interface Kept {
  qsoId: number;
  field: string;
  value: unknown;
  reason: string;
}

export interface RollbackResult {
  deleted: number;
  restored: number;
  kept: Kept[];
}

export interface RollbackOrder {
  userId: number;
  jobId: number;
  /** Who asked, or null for the operator. */
  by: number | null;
  /** Of a completed import. */
  undo: boolean;
  now: number;
}

interface Tools {
  facts: CallFacts;
  rewind: Record<Service, Provider["rewind"]>;
}

const CHANGES_AT_ONCE = 500;

/** Takes a job back, newest change first: what it added goes, what it updated is as it was before. */
export function* rollBack(order: RollbackOrder, tools: Tools): Unit<{ job: SyncJob; result: RollbackResult }> {
  const { userId, jobId, by, undo, now } = order;
  const job = yield* syncJobs.get(userId, jobId);
  assertCanTakeBack(job, { undo, now });
  const taken: Taken = { deleted: new Map(), restored: new Map(), laterJobs: new Set() };
  for (let before = Infinity; ;) {
    const changes = yield* qsoChanges.listBackwards(jobId, Math.min(before, Number.MAX_SAFE_INTEGER), CHANGES_AT_ONCE);
    if (changes.length === 0) break;
    for (const change of changes) yield* takeBack(change, job, taken, tools.facts);
    before = changes.at(-1)!.id;
  }
  yield* rewindCursors(job, [...taken.laterJobs], tools.rewind, now);
  yield* leftovers.reopen(jobId);
  yield* leftovers.reopenKnownAs(userId, idsOf([...taken.deleted.values()]));
  yield* leftovers.removeOf(jobId);
  yield* users.raiseLogVersion(userId);
  return { job: yield* syncJobs.cancel(jobId, by, now), result: resultOf(taken) };
}

/** What became of each contact, however often the job had changed it. */
interface Taken {
  deleted: Map<number, Deleted>;
  restored: Map<number, Kept[]>;
  /** Other jobs that had spoken of contacts that went. */
  laterJobs: Set<number>;
}

interface Deleted {
  qso: Qso;
  lost: Kept[];
}

const resultOf = ({ deleted, restored }: Taken): RollbackResult => ({
  deleted: deleted.size,
  restored: restored.size,
  kept: [...[...restored.values()].flat(), ...[...deleted.values()].flatMap(({ lost }) => lost)].sort(
    (a, b) => a.qsoId - b.qsoId,
  ),
});

const idsOf = (deleted: readonly Deleted[]): string[] =>
  deleted.flatMap(({ qso: { firstId, secondId } }) => [firstId, secondId].filter((id) => id !== null));

/** What a rollback would do: it is done, and that is taken back. */
export function* previewRollBack(order: RollbackOrder, tools: Tools): Unit<RollbackResult> {
  const done = yield* attempt<never>(
    function* () {
      throw new Previewed((yield* rollBack(order, tools)).result);
    },
    (error) => error instanceof Previewed,
  );
  return (done.refused as Previewed).result;
}

class Previewed extends Error {
  readonly result: RollbackResult;

  constructor(result: RollbackResult) {
    super("previewed");
    this.result = result;
  }
}

function* takeBack(change: qsoChanges.Change, job: SyncJob, taken: Taken, facts: CallFacts): Unit<void> {
  const qso = yield* qsos.find(job.userId, change.qsoId);
  if (!qso) return;
  const { before } = change;
  if (before === null) {
    for (const later of yield* qsoChanges.jobsAfter(qso.id, change.id, job.id)) taken.laterJobs.add(later);
    yield* qsos.remove([qso.id]);
    taken.deleted.set(qso.id, { qso, lost: lostWords(qso, change.after) });
    taken.restored.delete(qso.id);
    return;
  }
  // The columns follow from the layers, so a contact derived anew since is still as the job left it.
  const untouched = sameLayers(qsos.layersOf(qso), qsos.layersOf(change.after));
  const restored = untouched ? before : withoutJob(qso, before, change.after, job.source, facts);
  yield* qsos.replace(qso.id, restored, qso);
  taken.restored.set(qso.id, untouched ? [] : differences(qso.id, before, restored));
}

/** The contact with the job's own layer as it was, and everything others said later. */
const withoutJob = (
  qso: Qso,
  before: qsos.Snapshot,
  after: qsos.Snapshot,
  source: Source,
  facts: CallFacts,
): qsos.Snapshot => {
  const layers: Layers = {
    ...qsos.layersOf(qso),
    ...(source === "file" ? { own: ownWithoutFile(qso.own, before.own, after.own) } : { [source]: before[source] }),
  };
  const derived = derive(layers, facts);
  if (derived === null) return before;
  return { ...qsos.snapshotOf(qso), ...derived, ...layers, rulesVersion: RULES_VERSION };
};

/** What was typed meanwhile stays, and what other files said. */
const ownWithoutFile = (own: OwnLayer | null, before: OwnLayer | null, after: OwnLayer | null): OwnLayer | null => {
  const { typed } = own ?? {};
  const file = withoutRecord(own?.file, before?.file, after?.file);
  const report = withoutRecord(own?.report, before?.report, after?.report);
  const left: OwnLayer = { ...(file && { file }), ...(report && { report }), ...(typed && { typed }) };
  return Object.keys(left).length > 0 ? left : null;
};

/** No download brings the word of a later file back, so only the fields go that are still as the import set them. */
const withoutRecord = (
  now: FileRecord | undefined,
  before: FileRecord | undefined,
  after: FileRecord | undefined,
): FileRecord | undefined => {
  if (!now || Bun.deepEquals(now, after)) return before;
  // The later file said these too, and is known by them when it comes again.
  const key = before ? {} : keyIn(now.fields);
  const fields = { ...takenOut(now.fields, before?.fields ?? {}, after?.fields ?? {}), ...key };
  const types = takenOut(now.types ?? {}, before?.types ?? {}, after?.types ?? {});
  const { types: _, ...rest } = now;
  return { ...rest, fields, ...(Object.keys(types).length > 0 && { types }) };
};

const KEY =
  "CALL QSO_DATE TIME_ON TIME_OFF BAND FREQ MODE SUBMODE STATION_CALLSIGN PROP_MODE SAT_NAME APP_QRZLOG_LOGID " +
  "APP_LOTW_OWNCALL APP_LOTW_QSO_TIMESTAMP APP_LOTW_MODE";

const keyIn = (fields: Fields): Fields =>
  Object.fromEntries(KEY.split(" ").flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));

/** The values now, but those that one change set as they were before it. */
const takenOut = (now: Fields, before: Fields, after: Fields): Fields => {
  const left = { ...now };
  for (const name of Object.keys({ ...before, ...after })) {
    if (after[name] === before[name] || now[name] !== after[name]) continue;
    if (before[name] === undefined) delete left[name];
    else left[name] = before[name];
  }
  return left;
};

const differences = (qsoId: number, before: qsos.Snapshot, restored: qsos.Snapshot): Kept[] =>
  (Object.keys(restored) as (keyof qsos.Snapshot)[])
    .filter((field) => isSpoken(field) && restored[field] !== before[field])
    .map((field) => ({ qsoId, field, value: restored[field], reason: "said later by another source or a person" }));

/** A contact that goes takes with it what others said of it meanwhile: the preview names that. */
const lostWords = (qso: Qso, added: qsos.Snapshot): Kept[] => {
  const lost: Kept[] = [];
  for (const service of SERVICES) {
    if (qso[service] !== null && added[service] === null) {
      const reason = "deleted with the contact; its next sync brings it back";
      lost.push({ qsoId: qso.id, field: service, value: null, reason });
    }
  }
  if (qso.own?.typed && !Bun.deepEquals(qso.own.typed, added.own?.typed)) {
    lost.push({ qsoId: qso.id, field: "own", value: null, reason: "typed by hand; deleted with the contact" });
  }
  if (!Bun.deepEquals(filesOf(qso), filesOf(added))) {
    const reason = "from a file imported later; deleted with the contact, import the file again";
    lost.push({ qsoId: qso.id, field: "own", value: null, reason });
  }
  return lost;
};

/** Where the next sync must begin to bring back what was taken: nothing is lost. */
function* rewindCursors(job: SyncJob, laterIds: readonly number[], rewind: Tools["rewind"], now: number): Unit<void> {
  const later = yield* syncJobs.listLater(job.userId, laterIds);
  for (const service of SERVICES) {
    // A job that never began has brought nothing, and does not know where it would have begun.
    const concerned = [job, ...later].filter(
      ({ source, dryRun, startedAt }) => source === service && !dryRun && startedAt !== null,
    );
    if (concerned.length === 0) continue;
    const current = yield* syncCursors.find(job.userId, service);
    const wanted = concerned.map(({ cursorBefore, options: { full = false, since = null } }) =>
      rewind[service](cursorBefore, { full, since }),
    );
    yield* syncCursors.set(job.userId, service, wanted.reduce(earlierOf, current), now);
  }
}

const filesOf = ({ own }: Pick<Layers, "own">) => [own?.file ?? null, own?.report ?? null];

/** Of two cursors the part that reaches further back; without one, everything is asked for. */
const earlierOf = (a: unknown, b: unknown): unknown => {
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") {
    if (a === null || b === null) return null;
    return (a as string) < (b as string) ? a : b;
  }
  const other = b as Record<string, unknown>;
  return Object.fromEntries(Object.entries(a).map(([name, value]) => [name, earlierOf(value, other[name] ?? null)]));
};
