import { withCallFacts } from "../../callsign/facts.ts";
import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { ORIGIN_OF } from "../../domain/origins/origins.ts";
import { parseFilter } from "../../domain/contact/qso-filter.ts";
import type { Settlement } from "../../domain/jobs/reconcile.ts";
import type { Repair, RepairChoice } from "../../domain/jobs/repair.ts";
import { NO_REASONS, type JobProgress, type JobStats, type SyncJob } from "../../domain/jobs/sync-job.ts";
import { defineWork } from "../../storage/engine/database.ts";
import * as feedNames from "../../storage/jobs/feed-names.ts";
import * as leftovers from "../../storage/log/leftovers.ts";
import { changeLog } from "../../storage/log/log-changes.ts";
import { takeStep } from "../../storage/log/page-bytes.ts";
import * as qsos from "../../storage/log/qsos.ts";
import * as repairTargets from "../../storage/jobs/repair-targets.ts";
import * as syncCursors from "../../storage/jobs/sync-cursors.ts";
import * as syncJobs from "../../storage/jobs/sync-jobs.ts";
import * as tombstones from "../../storage/log/tombstones.ts";
import { lockUser, type Unit } from "../../storage/engine/unit.ts";
import { Outcomes, type Outcome } from "./outcome.ts";

interface SliceOrder {
  userId: number;
  jobId: number;
  /** The fence of the worker that has claimed the job. */
  fence: number;
  /** Contacts per transaction. */
  most: number;
  now: number;
  dataDir: string;
}

interface Slice {
  stats: JobStats;
  progress: JobProgress;
  isLast: boolean;
}

export type Target = Pick<repairTargets.Target, "qsoId" | "otherId">;

const repairOf = ({ options }: Pick<SyncJob, "options">): Repair => options.repair!;

/** The items of a selection that names them. */
export const listNamed = (choice: Exclude<RepairChoice, { filter: unknown }>): Target[] =>
  "pairs" in choice
    ? choice.pairs.map(([qsoId, otherId]) => ({ qsoId, otherId }))
    : choice.leftovers.map(([otherId, qsoId]) => ({ qsoId, otherId }));

/** Stores what is selected when the job begins. Returns the number of items. */
function* choose(job: SyncJob): Unit<number> {
  const { choice } = repairOf(job);
  if ("filter" in choice) {
    return yield* repairTargets.choose(job.id, job.userId, parseFilter(choice.filter), choice.broughtBy);
  }
  const named = listNamed(choice);
  yield* repairTargets.add(job.id, job.userId, named);
  return named.length;
}

/** Edits the next contacts and stores the job's progress in one transaction. Returns null if the job has ended. */
function* repairSlice({ userId, jobId, fence, most, now }: SliceOrder, facts: CallFacts): Unit<Slice | null> {
  yield* lockUser(userId);
  if (!(yield* syncJobs.canWrite({ id: jobId, fence }, now))) return null;
  const job = yield* syncJobs.get(userId, jobId);
  const before = job.progress ?? { phase: "repairing", done: 0, total: yield* choose(job) };
  const next = yield* repairTargets.next(jobId, most);
  const targets = yield* takeStep(next);
  const outcomes = new Outcomes(facts, now);
  yield* computeOutcomes(userId, repairOf(job), targets, outcomes);
  yield* write(job, outcomes, now);
  yield* repairTargets.remove(targets.map(({ id }) => id));
  const stats = countAdded(job.stats, outcomes);
  const progress = { ...before, done: before.done + targets.length };
  yield* syncJobs.setProgress(jobId, stats, NO_REASONS, progress);
  const isLast = targets.length === next.length && next.length < most;
  if (isLast) yield* forgetService(job, now);
  return { stats, progress, isLast };
}

/**
 * After a service was removed from all contacts, its leftovers are dropped and its next download starts from the
 * beginning.
 */
function* forgetService(job: SyncJob, now: number): Unit<void> {
  const { change, choice } = repairOf(job);
  if (change.kind !== "takeOut") return;
  yield* syncCursors.set(job.userId, change.service, null, now);
  const isWhole = "filter" in choice && Object.keys(choice.filter).length === 0;
  const { broughtBy } = "filter" in choice ? choice : {};
  if (isWhole) yield* leftovers.resolveAllOf(job.userId, change.service, job.id, now, broughtBy);
}

export const sliceWork = defineWork("repair.slice", "write", repairSlice, withCallFacts);

/** Computes the outcome for each contact, including contacts that an earlier change of this slice touched. */
export function* computeOutcomes(
  userId: number,
  { change }: Repair,
  targets: readonly Target[],
  outcomes: Outcomes,
): Unit<void> {
  if (change.kind === "settle") return yield* settle(userId, change.act, targets, outcomes);
  const ids = targets.flatMap(({ qsoId, otherId }) => [qsoId, otherId].filter((id) => id !== null));
  const found = yield* qsos.listByIds([...new Set(ids)]);
  const own = new Map(found.filter((qso) => qso.userId === userId).map((qso) => [qso.id, qso]));
  for (const { qsoId, otherId } of targets) {
    const other = otherId === null ? undefined : outcomes.getCurrent(own.get(otherId));
    outcomes.add(change, outcomes.getCurrent(own.get(qsoId!)), other);
  }
}

function* settle(userId: number, act: Settlement, targets: readonly Target[], outcomes: Outcomes): Unit<void> {
  const found = yield* qsos.listByIds(targets.flatMap(({ qsoId }) => qsoId ?? []));
  const own = new Map(found.filter((qso) => qso.userId === userId).map((qso) => [qso.id, qso]));
  const waiting = yield* leftovers.listWaiting(
    userId,
    targets.flatMap(({ otherId }) => otherId ?? []),
  );
  for (const { qsoId, otherId } of targets) {
    const leftover = waiting.find(({ id }) => id === otherId);
    outcomes.settle(act, leftover, qsoId === null ? undefined : outcomes.getCurrent(own.get(qsoId)));
  }
}

function* write({ id: jobId, userId }: SyncJob, outcomes: Outcomes, now: number): Unit<void> {
  const { all, added: fresh, settled } = outcomes;
  if (settled.length > 0) yield* leftovers.resolve(settled, jobId, now);
  const buried = all.filter(({ isDeleted }) => isDeleted);
  yield* tombstones.add(
    buried.map(({ before, mergedInto }) => ({ qso: before, jobId, mergedInto })),
    now,
  );
  const change = {
    added: fresh,
    replaced: all.flatMap(({ before, after }) => (after ? [{ id: before.id, before, after }] : [])),
    removed: all.filter(({ after }) => after === null).map(({ before }) => before),
  };
  yield* changeLog(userId, change, { jobId, now });
  // A contact that was not deleted by the user can come back with the next download; a program then names it again.
  yield* feedNames.forget(all.flatMap(({ before, after, isDeleted }) => (after || isDeleted ? [] : [before.id])));
}

const countAdded = (before: JobStats, outcomes: Outcomes): JobStats => {
  const { changed, deleted, unchanged, refused } = outcomes.counts;
  const rejected = refused.reduce((sum, { contacts }) => sum + contacts, 0);
  return {
    ...before,
    fetched: before.fetched + outcomes.added.length + changed + deleted + unchanged + rejected,
    added: before.added + outcomes.added.length,
    updated: before.updated + changed,
    deleted: before.deleted + deleted,
    unchanged: before.unchanged + unchanged,
    rejected: before.rejected + rejected,
    newlyConfirmed: before.newlyConfirmed + outcomes.all.filter(isNewlyConfirmed).length,
  };
};

const isNewlyConfirmed = ({ before, after }: Outcome): boolean =>
  ORIGIN_OF.repair.confirms.some((name) => after?.[name] === true && !before[name]);
