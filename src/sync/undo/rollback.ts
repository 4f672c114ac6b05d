import { withCallFacts } from "../../callsign/facts.ts";
import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { AppError } from "../../kernel/errors.ts";
import { ID_COLUMN } from "../../domain/contact/qso.ts";
import {
  toPreviewed,
  type PreviewedContact,
  type PreviewedContacts,
  type StoppedJob,
} from "../../domain/jobs/rollback-words.ts";
import { isService, SERVICES, type Service } from "../../domain/jobs/source.ts";
import { assertCanTakeBack, type SyncJob } from "../../domain/jobs/sync-job.ts";
import { providers } from "../../providers/registry.ts";
import { scheduleAfterRollback } from "../schedule.ts";
import { defineWork, definePreview } from "../../storage/engine/database.ts";
import * as feedNames from "../../storage/jobs/feed-names.ts";
import { cutLongTexts } from "../../kernel/text.ts";
import { readWholeLog } from "../../storage/log/large-log.ts";
import * as leftovers from "../../storage/log/leftovers.ts";
import * as qsoChanges from "../../storage/log/qso-changes.ts";
import * as records from "../../storage/log/records.ts";
import { changeLog } from "../../storage/log/log-changes.ts";
import * as repairTargets from "../../storage/jobs/repair-targets.ts";
import type { Waiting } from "../../storage/engine/reader-threads.ts";
import * as syncCursors from "../../storage/jobs/sync-cursors.ts";
import * as syncJobs from "../../storage/jobs/sync-jobs.ts";
import * as tombstones from "../../storage/log/tombstones.ts";
import { lockUser, tellProgress, type Unit } from "../../storage/engine/unit.ts";
import * as users from "../../storage/people/users.ts";
import type { World } from "../../world.ts";
import { planRollback, type ContactPlan } from "./plan.ts";
import type { KeptField } from "./kept-fields.ts";
import { NO_COUNTS, addCounts, type RollbackCounts } from "./counts.ts";

type Deps = Pick<World, "db" | "clock" | "config" | "underWay" | "sleep" | "turn">;

interface Request {
  userId: number;
  jobId: number;
  /** The user who asked, or null for the operator. */
  by: number | null;
  /** Also roll back a completed import. */
  undo?: boolean;
}

interface Order extends Required<Request> {
  now: number;
  dataDir: string;
  /** Whether the rollback starts now or continues an earlier slice. */
  begins: boolean;
  /** Contacts per transaction. */
  most: number;
}

export interface RollbackPreview extends Omit<RollbackCounts, "kept"> {
  /** At most the first of the kept values. */
  kept: KeptField[];
  /** The number of kept values, including those that are not listed. */
  keptTotal: number;
  /** Active jobs of the user that are stopped first. */
  stopped: StoppedJob[];
  /** How many contacts keep later values. */
  staying: number;
  contacts: PreviewedContacts;
}

/** The progress of a rollback, stored after each slice. */
interface Progress extends RollbackCounts {
  /** Continue with changes before this id. Null at the start, 0 after the last change. */
  before: number | null;
  stopped: StoppedJob[];
  /** The services whose next syncs bring back what was removed. */
  due: Service[];
}

interface Slice {
  job: SyncJob;
  progress: Progress;
}

/** Kept values that are listed by name. The counts include all of them. */
const MAX_KEPT_LISTED = 1_000;
/** Another process may hold the database or continue the same rollback. */
const PAUSE_WHERE_BUSY_MS = 100;
const MAX_CONFLICTS = 6;

/** Cancels a failed or stale job, or undoes a completed import. Returns what happened to its contacts. */
export const cancelJob = async (
  deps: Deps,
  request: Request,
): Promise<{ job: SyncJob; counts: RollbackCounts; stopped: StoppedJob[] }> => {
  const { db, underWay } = deps;
  const { userId, jobId } = request;
  const begun = await db.inWorker(rollBackWork, orderOf(deps, request, true), { userId });
  for (const { jobId: id } of [request, ...begun.progress.stopped]) underWay.interrupt(id);
  const { job, progress } = (await runToEnd(deps, { userId, jobId }, begun))!;
  const { stopped, due: _, before: __, ...counts } = progress;
  return { job, counts, stopped };
};

/** Previews a cancellation. */
export const previewCancel = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  request: Request,
  waiting: Waiting = {},
): Promise<RollbackPreview> => readWholeLog(deps.db, previewWork, orderOf(deps, request, true), waiting);

/** Continues rollbacks that were interrupted by a stop or a crash, except those that this process is running. */
export const finishRollbacks = async (
  deps: Deps & Pick<World, "log">,
  isStopping: () => boolean = () => false,
): Promise<void> => {
  for (const { id: jobId, userId } of await deps.db.read(syncJobs.listRollingBack)) {
    if (deps.underWay.rollingBack.has(jobId) || isStopping()) continue;
    deps.log.info("rollback.resumed", { job: jobId, user: userId });
    await runToEnd(deps, { userId, jobId }, null, isStopping);
  }
};

/** Runs slice after slice. Each reads the progress from the database, whichever process made it. */
const runToEnd = async (
  deps: Deps,
  job: Pick<Request, "userId" | "jobId">,
  first: Slice | null,
  isStopping: () => boolean = () => false,
): Promise<Slice | null> => {
  const { db, sleep, turn, underWay } = deps;
  let slice = first;
  let misses = 0;
  underWay.rollingBack.add(job.jobId);
  try {
    while ((slice === null || slice.job.rollingBackSince !== null) && !isStopping()) {
      await turn();
      const order = orderOf(deps, { ...job, by: null }, false);
      const next: Slice | null = await db.inWorker(rollBackWork, order, { userId: job.userId }).catch(ignoreBusy);
      misses = next === null ? misses + 1 : 0;
      if (misses > MAX_CONFLICTS) throw createBusyError();
      if (next === null) {
        await sleep(PAUSE_WHERE_BUSY_MS * misses);
        continue;
      }
      slice = next;
    }
    return slice;
  } finally {
    underWay.rollingBack.delete(job.jobId);
  }
};

const ignoreBusy = (error: unknown): null => {
  if (error instanceof AppError && error.code === "unavailable") return null;
  throw error;
};

const createBusyError = (): AppError =>
  new AppError("unavailable", "The database is busy. The rollback continues automatically.", {
    retryAfterSeconds: 60,
  });

const orderOf = (
  { db, clock, config }: Pick<Deps, "db" | "clock" | "config">,
  { undo = false, ...request }: Request,
  begins: boolean,
): Order => ({ ...request, undo, begins, most: db.sliceSize, now: clock(), dataDir: config.dataDir });

/**
 * Rolls back a slice, newest change first: added contacts are removed, updated ones restored. The first slice refuses
 * what cannot be rolled back. A small job fits into it.
 */
function* rollBackSlice(order: Order, facts: CallFacts): Unit<Slice> {
  const { userId, jobId, now } = order;
  yield* lockUser(userId);
  if (order.begins) yield* begin(order);
  const job = yield* syncJobs.get(userId, jobId);
  const soFar = (yield* syncJobs.findRollback<Progress>(jobId))!;
  if (job.rollingBackSince === null) return { job, progress: soFar };
  const { contacts: plans, handovers, before } = yield* planRollback(job, soFar.before, order.most, facts);
  yield* write(job, plans, now);
  for (const [otherJobId, given] of Map.groupBy(handovers, (handover) => handover.adoptedBy.id)) {
    yield* qsoChanges.handOver(
      jobId,
      otherJobId,
      given.map(({ qsoId }) => qsoId),
    );
    yield* records.handOver(
      userId,
      otherJobId,
      given.flatMap(({ recordIds }) => recordIds),
    );
  }
  const later = yield* syncJobs.listLater(userId, [...new Set(plans.flatMap(listTakenJobs))]);
  const rewound = yield* rewindCursors(userId, later, now);
  const own = !isService(job.source) || job.dryRun || plans.length === 0 ? [] : [job.source];
  const progress: Progress = {
    ...soFar,
    ...addCounts(soFar, plans),
    before,
    due: [...new Set([...soFar.due, ...own, ...rewound])],
  };
  yield* syncJobs.setRollback(jobId, progress);
  yield* users.raiseLogVersion(userId);
  if (before > 0 || !(yield* cleanUp(jobId, order.most))) return { job, progress };
  yield* scheduleAfterRollback(userId, progress.due, now);
  return { job: yield* syncJobs.cancel(jobId, now), progress };
}

export const rollBackWork = defineWork("sync.rollBack", "write", rollBackSlice, withCallFacts);

function* begin({ userId, jobId, by, undo, now }: Order): Unit<void> {
  const job = yield* syncJobs.get(userId, jobId);
  assertCanTakeBack(job, { undo, now });
  yield* syncJobs.assertNoRollback(userId);
  const beside = (yield* hasLeftTraces(job)) ? yield* syncJobs.failOtherActive(userId, jobId, now) : [];
  yield* syncJobs.beginRollback(jobId, by, now);
  const turnedAway = job.source === "repair" ? yield* syncJobs.listSkippedSyncs(userId, jobId) : [];
  const missed = yield* rewindCursors(userId, [job, ...turnedAway], now);
  const due = beside.flatMap(({ source }) => (isService(source) ? [source] : []));
  const progress: Progress = {
    ...NO_COUNTS,
    before: null,
    stopped: beside.map(toStopped),
    due: [...due, ...(turnedAway.length > 0 ? missed : [])],
  };
  yield* syncJobs.setRollback(jobId, progress);
}

const toStopped = ({ id, source }: Pick<SyncJob, "id" | "source">): StoppedJob => ({ jobId: id, source });

/**
 * Whether there is anything to undo. A sync that runs at the same time may have skipped records of this job as known
 * and would then move its cursor past them.
 */
function* hasLeftTraces({ id, dryRun }: SyncJob): Unit<boolean> {
  return !dryRun && ((yield* qsoChanges.isMoreThan(id, 0)) || (yield* leftovers.isTouchedBy(id)));
}

function* write({ id: jobId, userId }: SyncJob, plans: readonly ContactPlan[], now: number): Unit<void> {
  const gone = plans.filter(({ left }) => left === null);
  const back = plans.flatMap(({ qso, left }) => (qso === null && left ? [left] : []));
  const change = {
    removed: gone.map(({ qso }) => qso!),
    replaced: plans.flatMap(({ qso, left }) =>
      qso && left && left !== qso ? [{ id: qso.id, before: qso, after: left }] : [],
    ),
    broughtBack: back,
  };
  yield* changeLog(userId, change, { cause: "rollback", now });
  yield* feedNames.forget(gone.map(({ last }) => last.id));
  yield* tombstones.removeOf(
    jobId,
    back.map(({ id }) => id),
  );
  yield* leftovers.reopenKnownAs(userId, gone.flatMap(listIds));
}

const listIds = ({ last }: ContactPlan): string[] =>
  SERVICES.map((service) => last[ID_COLUMN[service]]).filter((id) => id !== null);

const listTakenJobs = ({ takenFromOthers }: ContactPlan): number[] => takenFromOthers.map(({ jobId }) => jobId);

/**
 * Reopens leftovers that the job resolved and removes those it stored. Returns false if there are more than fit into
 * one slice.
 */
function* cleanUp(jobId: number, most: number): Unit<boolean> {
  if ((yield* repairTargets.removeOf(jobId, most)) >= most) return false;
  if ((yield* leftovers.reopen(jobId, most)) >= most) return false;
  return (yield* leftovers.removeOf(jobId, most)) < most;
}

/** Makes the same decisions as a rollback on one snapshot, and writes nothing. */
function* preview({ userId, jobId, undo, now, most }: Order, facts: CallFacts): Unit<RollbackPreview> {
  const job = yield* syncJobs.get(userId, jobId);
  assertCanTakeBack(job, { undo, now });
  yield* syncJobs.assertNoRollback(userId);
  const beside = (yield* hasLeftTraces(job)) ? yield* syncJobs.listOtherActive(userId, jobId) : [];
  const kept: KeptField[] = [];
  const contacts = { deleted: [], restored: [], stays: [] };
  let staying = 0;
  let counts = NO_COUNTS;
  const changes = yield* qsoChanges.count(jobId);
  let read = 0;
  for (let from: number | null = null; from !== 0;) {
    const { contacts: plans, before }: { contacts: ContactPlan[]; before: number } = yield* planRollback(
      job,
      from,
      most,
      facts,
    );
    yield* tellProgress(Math.min(1, (read += most) / changes));
    counts = addCounts(counts, plans);
    const more = plans.flatMap((plan) => plan.kept).slice(0, MAX_KEPT_LISTED - kept.length);
    kept.push(...more.map((field) => cutLongTexts(field)));
    nameSome(contacts.deleted, plans, ({ left }) => left === null);
    nameSome(contacts.restored, plans, ({ left, stays }) => left !== null && !stays);
    staying += plans.filter(keepsSomething).length;
    nameSome(contacts.stays, plans, keepsSomething);
    from = before;
  }
  const { kept: keptTotal, ...others } = counts;
  kept.sort((a, b) => a.qsoId - b.qsoId);
  return { ...others, kept, keptTotal, stopped: beside.map(toStopped), staying, contacts };
}

const keepsSomething = ({ left, kept }: ContactPlan): boolean => left !== null && kept.length > 0;

const MAX_CONTACTS_LISTED = 100;

const nameSome = (
  named: PreviewedContact[],
  plans: readonly ContactPlan[],
  isMeant: (plan: ContactPlan) => boolean,
): void => {
  const more = plans.filter(isMeant).slice(0, MAX_CONTACTS_LISTED - named.length);
  named.push(...more.map(({ last }) => toPreviewed(last)));
};

export const previewWork = definePreview("sync.previewRollBack", preview, withCallFacts);

/**
 * Moves the cursors back so that the next syncs download again what the jobs brought. Returns the services concerned.
 */
function* rewindCursors(userId: number, jobs: readonly SyncJob[], now: number): Unit<Service[]> {
  const rewound: Service[] = [];
  for (const service of SERVICES) {
    // A job that never started brought nothing and has no cursor.
    const concerned = jobs.filter(
      ({ source, dryRun, startedAt }) => source === service && !dryRun && startedAt !== null,
    );
    if (concerned.length === 0) continue;
    const current = yield* syncCursors.find(userId, service);
    const wanted = concerned.map(({ cursorBefore, options: { full = false, since = null } }) =>
      providers[service].rewind(cursorBefore, { full, since }),
    );
    yield* syncCursors.set(userId, service, wanted.reduce(pickEarlier, current), now);
    rewound.push(service);
  }
  return rewound;
}

/** Combines the earlier parts of two cursors. No cursor means a full download. */
const pickEarlier = (a: unknown, b: unknown): unknown => {
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") {
    if (a === null || b === null) return null;
    return (a as string) < (b as string) ? a : b;
  }
  const other = b as Record<string, unknown>;
  return Object.fromEntries(Object.entries(a).map(([name, value]) => [name, pickEarlier(value, other[name] ?? null)]));
};
