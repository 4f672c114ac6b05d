import { loadCallFacts } from "../../callsign/facts.ts";
import type { CallFacts } from "../../domain/call-facts.ts";
import { derive, RULES_VERSION } from "../../domain/derive.ts";
import { sameLayers } from "../../domain/layers.ts";
import { ORIGIN_OF } from "../../domain/origins/origins.ts";
import type { Provider } from "../../domain/provider.ts";
import { ID_COLUMN, type Qso } from "../../domain/qso.ts";
import { byService, SERVICES, type Service, type Source } from "../../domain/source.ts";
import { assertCanTakeBack, type SyncJob } from "../../domain/sync-job.ts";
import { defineBackgroundWork } from "../../storage/database.ts";
import * as leftovers from "../../storage/leftovers.ts";
import * as qsoChanges from "../../storage/qso-changes.ts";
import * as qsos from "../../storage/qsos.ts";
import * as syncCursors from "../../storage/sync-cursors.ts";
import * as syncJobs from "../../storage/sync-jobs.ts";
import type { Unit } from "../../storage/unit.ts";
import * as users from "../../storage/users.ts";
import type { World } from "../../world.ts";
import { differences, lostWords, previewed, type Kept } from "./preview.ts";

type Deps = Pick<World, "db" | "clock" | "config" | "underWay">;

interface Request {
  userId: number;
  jobId: number;
  /** Who asked, or null for the operator. */
  by: number | null;
  /** Of a completed import. */
  undo?: boolean;
}

interface Order extends Required<Request> {
  now: number;
  dataDir: string;
}

interface Tools {
  facts: CallFacts;
  rewind: Record<Service, Provider["rewind"]>;
}

export interface RollbackResult {
  deleted: number;
  restored: number;
  kept: Kept[];
}

/** Cancels a failed or stale job, or undoes a completed import, and gives what became of its contacts. */
export const cancelJob = async (deps: Deps, request: Request): Promise<{ job: SyncJob; result: RollbackResult }> => {
  const cancelled = await deps.db.inBackground(rollBackWork, orderOf(deps, request));
  deps.underWay.interrupt(request.jobId);
  return cancelled;
};

/** What cancelling would do. */
export const previewCancel = async (deps: Deps, request: Request): Promise<RollbackResult> =>
  (await deps.db.inBackground(previewWork, orderOf(deps, request))).result;

const orderOf = ({ clock, config }: Deps, { undo = false, ...request }: Request): Order => ({
  ...request,
  undo,
  now: clock(),
  dataDir: config.dataDir,
});

const prepare = async ({ dataDir }: Order): Promise<Tools> => {
  const { providers } = await import("../../providers/registry.ts");
  return { facts: await loadCallFacts(dataDir), rewind: byService((service) => providers[service].rewind) };
};

const CHANGES_AT_ONCE = 500;

/** Takes a job back, newest change first: what it added goes, what it updated is as it was before. */
function* rollBack(order: Order, tools: Tools): Unit<{ job: SyncJob; result: RollbackResult }> {
  const { userId, jobId, by, undo, now } = order;
  const job = yield* syncJobs.get(userId, jobId);
  assertCanTakeBack(job, { undo, now });
  const undone: Undone = { deleted: new Map(), restored: new Map(), laterJobs: new Set() };
  for (let before = Infinity; ;) {
    const changes = yield* qsoChanges.listBackwards(jobId, Math.min(before, Number.MAX_SAFE_INTEGER), CHANGES_AT_ONCE);
    if (changes.length === 0) break;
    for (const change of changes) yield* takeBack(change, job, undone, tools.facts);
    before = changes.at(-1)!.id;
  }
  yield* rewindCursors(job, [...undone.laterJobs], tools.rewind, now);
  yield* leftovers.reopen(jobId);
  yield* leftovers.reopenKnownAs(userId, idsOf([...undone.deleted.values()]));
  yield* leftovers.removeOf(jobId);
  yield* users.raiseLogVersion(userId);
  return { job: yield* syncJobs.cancel(jobId, by, now), result: resultOf(undone) };
}

export const rollBackWork = defineBackgroundWork("sync.rollBack", "write", rollBack, prepare);
export const previewWork = defineBackgroundWork(
  "sync.previewRollBack",
  "write",
  (order: Order, tools: Tools) => previewed(() => rollBack(order, tools)),
  prepare,
);

/** What became of each contact, however often the job had changed it. */
interface Undone {
  deleted: Map<number, Deleted>;
  restored: Map<number, Kept[]>;
  /** Other jobs that had spoken of contacts that went. */
  laterJobs: Set<number>;
}

interface Deleted {
  qso: Qso;
  lost: Kept[];
}

const resultOf = ({ deleted, restored }: Undone): RollbackResult => ({
  deleted: deleted.size,
  restored: restored.size,
  kept: [...[...restored.values()].flat(), ...[...deleted.values()].flatMap(({ lost }) => lost)].sort(
    (a, b) => a.qsoId - b.qsoId,
  ),
});

const idsOf = (deleted: readonly Deleted[]): string[] =>
  deleted.flatMap(({ qso }) => SERVICES.map((service) => qso[ID_COLUMN[service]]).filter((id) => id !== null));

function* takeBack(change: qsoChanges.Change, job: SyncJob, undone: Undone, facts: CallFacts): Unit<void> {
  const qso = yield* qsos.find(job.userId, change.qsoId);
  if (!qso) return;
  const { before } = change;
  if (before === null) {
    for (const later of yield* qsoChanges.jobsAfter(qso.id, change.id, job.id)) undone.laterJobs.add(later);
    yield* qsos.remove([qso.id]);
    undone.deleted.set(qso.id, { qso, lost: lostWords(qso, change.after) });
    undone.restored.delete(qso.id);
    return;
  }
  // The columns follow from the layers, so a contact derived anew since is still as the job left it.
  const untouched = sameLayers(qsos.layersOf(qso), qsos.layersOf(change.after));
  const restored = untouched ? before : withoutJob(qso, before, change.after, job.source, facts);
  yield* qsos.replace(qso.id, restored, qso);
  undone.restored.set(qso.id, untouched ? [] : differences(qso.id, before, restored));
}

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

/** Where the next sync must begin to bring back what was undone: nothing is lost. */
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

/** Of two cursors the part that reaches further back; without one, everything is asked for. */
const earlierOf = (a: unknown, b: unknown): unknown => {
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") {
    if (a === null || b === null) return null;
    return (a as string) < (b as string) ? a : b;
  }
  const other = b as Record<string, unknown>;
  return Object.fromEntries(Object.entries(a).map(([name, value]) => [name, earlierOf(value, other[name] ?? null)]));
};
