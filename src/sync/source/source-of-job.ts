import type { Service } from "../../domain/jobs/source.ts";
import type { HeldJob } from "../../storage/jobs/sync-jobs.ts";
import type { World } from "../../world.ts";
import type { JobSource, SyncRunner } from "../job/runner.ts";
import { RepairSource } from "../repair/run.ts";
import { FileImport } from "./file.ts";
import { ServiceSync } from "./service.ts";

/** Makes the source of a job from its row. */
export const createJobSource = (world: World, job: HeldJob, runner: SyncRunner): JobSource => {
  const { userId, source, trigger, options, dryRun, attempt, confirmed: confirm, uploadFile } = job;
  if (source === "repair") return new RepairSource(world);
  if (source === "file") return new FileImport(world, { userId, path: uploadFile!, isUpload: true, dryRun });
  const order = { userId, source: source as Service, trigger, options, dryRun, attempt, confirm };
  return new ServiceSync(world, order, runner);
};
