import { readRepairFields } from "../contacts/repair-fields.ts";
import { MINUTE, DAY } from "../kernel/clock.ts";
import { AppError, type FieldProblem, invalidFields } from "../kernel/errors.ts";
import { parseFilter } from "../domain/contact/qso-filter.ts";
import { FT_MODES, type FtModes, type Repair, type RepairChange } from "../domain/jobs/repair.ts";
import { SERVICES, type Service } from "../domain/jobs/source.ts";
import { toJobView } from "../domain/jobs/sync-job.ts";
import type { JobRunner } from "../sync/job/runner.ts";
import { readWholeLog } from "../storage/log/large-log.ts";
import * as syncJobs from "../storage/jobs/sync-jobs.ts";
import type { Unit } from "../storage/engine/unit.ts";
import { failJobsOfDeadWorkers } from "../sync/job/worker.ts";
import { previewRepairWork, type RepairPreview } from "../sync/repair/preview.ts";
import { resumeRepairs, startRepair } from "../sync/repair/run.ts";
import type { World } from "../world.ts";
import { getTrigger, type LogCaller } from "./caller.ts";
import type { Hearing, JobDocument, RepairRequest } from "./contract.ts";

type Deps = World & { runner: JobRunner };

/** Previews a bulk edit: counts, ten examples, and what awards would gain and lose. */
export const previewRepair = async (
  deps: Pick<World, "db" | "clock" | "config" | "limits">,
  caller: LogCaller,
  request: RepairRequest,
): Promise<{ preview: RepairPreview }> => previewOf(deps, caller, await readRepair(deps, caller.owner.id, request));

export const previewOf = async (
  { db, clock, config, limits }: Pick<World, "db" | "clock" | "config" | "limits">,
  caller: LogCaller,
  repair: Repair,
): Promise<{ preview: RepairPreview }> => {
  const userId = caller.owner.id;
  limits.count("preview", userId);
  const order = { userId, repair, now: clock(), dataDir: config.dataDir };
  return { preview: await readWholeLog(db, previewRepairWork, order, caller) };
};

/** Starts a bulk edit. */
export const repair = async (
  deps: Deps,
  caller: LogCaller,
  request: RepairRequest,
  hearing: Hearing = {},
): Promise<JobDocument> => beginRepair(deps, caller, await readRepair(deps, caller.owner.id, request), hearing);

export const beginRepair = async (
  deps: Deps,
  caller: LogCaller,
  wanted: Repair,
  { onProgress }: Hearing = {},
): Promise<JobDocument> => {
  deps.limits.count("job", caller.owner.id);
  await failJobsOfDeadWorkers(deps);
  await resumeRepairs(deps, deps.runner);
  const order = { userId: caller.owner.id, trigger: getTrigger(caller), repair: wanted, onProgress };
  return { job: toJobView(await startRepair(deps, deps.runner, order), deps.clock()) };
};

/** Parses a bulk edit. Throws with all problems at once. */
const readRepair = async (
  { db, clock }: Pick<World, "db" | "clock">,
  userId: number,
  { filter, ofJob, ...request }: RepairRequest,
): Promise<Repair> => {
  const words = Object.fromEntries(Object.entries(filter).filter(([, text]) => text !== undefined));
  parseFilter(words);
  const change = readChange(request, clock());
  if (ofJob === undefined) return { choice: { filter: words }, change };
  if (change.kind !== "takeOut") throw invalidFields([ONLY_TAKEN_OUT]);
  const broughtBy = await db.read(() => listJobsOfAccount(userId, ofJob, change.service));
  return { choice: { filter: words, broughtBy }, change };
};

const ONLY_TAKEN_OUT: FieldProblem = {
  path: "ofJob",
  message: "Name a job only when you remove the data of a service.",
};

/** All syncs of the account that the given job used. Throws if it is not known what they brought. */
function* listJobsOfAccount(userId: number, jobId: number, service: Service): Unit<number[]> {
  const { source } = yield* syncJobs.get(userId, jobId);
  if (source !== service) {
    throw invalidFields([
      { path: "ofJob", message: `Job ${jobId} is not a sync of the service whose data you want to remove.` },
    ]);
  }
  const jobs = yield* syncJobs.listOfAccount(userId, jobId);
  const pruned = jobs.find(({ prunedAt }) => prunedAt !== null);
  if (!pruned) return jobs.map(({ id }) => id);
  const message = `The change records of job ${pruned.id} were removed, so qsolog cannot tell what its account brought.`;
  throw new AppError("conflict", message, { rule: "job_pruned" });
}

const FARTHEST = 370 * DAY;

const readChange = (
  {
    set = {},
    clear = [],
    shiftMinutes = 0,
    byFrequency = false,
    ftModes,
    ...others
  }: Omit<RepairRequest, "filter" | "ofJob">,
  now: number,
): RepairChange => {
  const { fields, problems } = readRepairFields(set, clear, now);
  const wrong: FieldProblem[] = [...problems];
  const oneOf = <T extends string>(path: string, words: readonly T[], text: string | undefined): T | undefined => {
    const found = words.find((word) => word === text);
    if (text !== undefined && found === undefined) {
      wrong.push({ path, message: `${JSON.stringify(text)} is not one of ${words.join(", ")}.` });
    }
    return found;
  };
  const shiftMs = Math.round(shiftMinutes * MINUTE);
  if (!(Math.abs(shiftMs) <= FARTHEST)) {
    wrong.push({ path: "shiftMinutes", message: "Move the time by at most 370 days." });
  }
  const ft = oneOf<FtModes>("ftModes", FT_MODES, ftModes);
  const service = oneOf<Service>("takeOut", SERVICES, others.takeOut);
  const edits = Object.keys(fields).length > 0 || shiftMs !== 0 || byFrequency || ft !== undefined;
  const wanted = [edits, others.delete === true, others.takeOut !== undefined].filter(Boolean).length;
  if (wrong.length === 0 && wanted !== 1) wrong.push(wanted === 0 ? NOTHING_TO_DO : TOO_MUCH);
  if (wrong.length > 0) throw invalidFields(wrong);
  if (others.delete) return { kind: "delete" };
  if (service) return { kind: "takeOut", service };
  return {
    kind: "edit",
    fields,
    ...(shiftMs !== 0 && { shiftMs }),
    ...(byFrequency && { byFrequency }),
    ...(ft && { ftModes: ft }),
  };
};

const NOTHING_TO_DO: FieldProblem = {
  path: "set",
  message:
    "Choose a change: set or clear fields, move the time, change FT8 and FT4, remove a service's data, or delete.",
};
const TOO_MUCH: FieldProblem = {
  path: "delete",
  message: "Deleting contacts and removing a service's data cannot be combined with other changes.",
};
