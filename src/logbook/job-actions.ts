import { rmSync } from "node:fs";
import { parseDay } from "../kernel/day.ts";
import { AppError } from "../kernel/errors.ts";
import { formatIsoDate } from "../kernel/instant.ts";
import type { Service } from "../domain/jobs/source.ts";
import { isActive, isStale, toJobView } from "../domain/jobs/sync-job.ts";
import * as syncJobs from "../storage/jobs/sync-jobs.ts";
import { cancelJob, previewCancel } from "../sync/undo/rollback.ts";
import { spoolImport } from "../sync/source/spool.ts";
import { startImport } from "../sync/source/file.ts";
import type { RollbackPreview } from "../sync/undo/rollback.ts";
import type { JobRunner } from "../sync/job/runner.ts";
import { startSync } from "../sync/source/service.ts";
import { requestStop } from "../sync/job/finish.ts";
import { failJobsOfDeadWorkers } from "../sync/job/worker.ts";
import type { World } from "../world.ts";
import { getActorId, getTrigger, type LogCaller } from "./caller.ts";
import type { AdifInput, Hearing, ImportOptions, JobDocument, RolledBackDocument, SyncOptions } from "./contract.ts";

type Deps = World & { runner: JobRunner };

/** Starts a sync with a service in the background. */
export const sync = async (
  deps: Deps,
  caller: LogCaller,
  source: Service,
  { dryRun, since, confirm, ...options }: SyncOptions = {},
  { onProgress }: Hearing = {},
): Promise<JobDocument> => {
  deps.limits.count("job", caller.owner.id);
  const day = since === undefined ? {} : { since: formatIsoDate(parseDay(String(since), "since")) };
  const job = await startSync(deps, deps.runner, {
    userId: caller.owner.id,
    source,
    trigger: getTrigger(caller),
    options: { ...options, ...day },
    dryRun,
    confirm,
    onProgress,
  });
  return { job: toJobView(job, deps.clock()) };
};

/** Starts importing a log. A stream is stored in a temporary file until the job has ended. */
export const importLog = async (
  deps: Deps,
  caller: LogCaller,
  input: AdifInput,
  { dryRun, warn, onProgress }: ImportOptions & Hearing = {},
): Promise<JobDocument> => {
  deps.limits.count("job", caller.owner.id);
  const path = typeof input === "string" ? input : await spoolImport(deps, input);
  const isUpload = path !== input;
  try {
    const order = { userId: caller.owner.id, path, isUpload, trigger: getTrigger(caller), dryRun, warn, onProgress };
    return { job: toJobView(await startImport(deps, deps.runner, order), deps.clock()) };
  } catch (error) {
    if (isUpload) rmSync(path, { force: true });
    throw error;
  }
};

/** Throws if an import is active, before anything is stored for another one. */
export const assertNoImport = async (world: World, { owner: { id } }: LogCaller): Promise<void> => {
  await failJobsOfDeadWorkers(world);
  const wanted = { userId: id, source: "file" as const, statuses: ["pending", "running"] as const, limit: 1 };
  const [active] = await world.db.read(() => syncJobs.list(wanted));
  if (!active) return;
  const way = isStale(active, world.clock())
    ? "It is stuck. Roll it back first."
    : "Wait until it finishes, or stop it.";
  const message = `Job ${active.id} is still importing a file. ${way}`;
  throw new AppError("conflict", message, { rule: "job_active", jobId: active.id });
};

interface TakingBack {
  jobId: number;
  /** Undo a completed import instead of rolling back a failed or stale job. */
  undo?: boolean;
}

/** Previews a rollback or an undo. */
export const previewOfTakingBack = async (
  world: World,
  caller: LogCaller,
  { jobId, undo }: TakingBack,
): Promise<RollbackPreview> => {
  world.limits.count("preview", caller.owner.id);
  await failJobsOfDeadWorkers(world);
  return previewCancel(world, { userId: caller.owner.id, jobId, by: getActorId(caller), undo }, caller);
};

/** Rolls back a failed or stale job, or undoes an import. A running job is stopped first. */
export const takeBack = async (
  world: World,
  caller: LogCaller,
  { jobId, undo }: TakingBack,
): Promise<RolledBackDocument> => {
  await failJobsOfDeadWorkers(world);
  const { job, counts } = await cancelJob(world, { userId: caller.owner.id, jobId, by: getActorId(caller), undo });
  const { deleted, restored, kept, later } = counts;
  return { job: toJobView(job, world.clock()), rollback: { deleted, restored, kept, later } };
};

/** Asks a job to stop. It ends as interrupted. */
export const stopJob = async (
  { db, clock, underWay }: Pick<World, "db" | "clock" | "underWay">,
  { owner: { id } }: LogCaller,
  jobId: number,
): Promise<JobDocument> => {
  const job = await db.read(() => syncJobs.get(id, jobId));
  const now = clock();
  if (underWay.interrupt(job.id) || !isActive(job)) return { job: toJobView(job, now) };
  return { job: toJobView(await db.write(() => requestStop(job, now)), now) };
};

/** Resolves to the job when it ends. A job of another process is returned immediately. */
export const untilEnd = async (
  { db, clock, underWay }: Pick<World, "db" | "clock" | "underWay">,
  { owner: { id } }: LogCaller,
  jobId: number,
): Promise<JobDocument> => {
  const ended = (await underWay.end(jobId)) ?? (await db.read(() => syncJobs.get(id, jobId)));
  return { job: toJobView(ended, clock()) };
};
