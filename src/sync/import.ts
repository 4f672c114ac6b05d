import type { JobTrigger, SyncJob } from "../domain/sync-job.ts";
import type { World } from "../world.ts";
import type { RunOptions } from "./engine.ts";
import { assertAdif, fileFeed, type Warn } from "./file-feed.ts";
import type { SyncRunner } from "./runner.ts";

export interface ImportOrder {
  userId: number;
  path: string;
  trigger: JobTrigger;
  dryRun?: boolean;
  warn?: Warn;
  onProgress?: RunOptions["onProgress"];
}

/** Starts importing an ADIF file into a log; refuses what is no ADIF before any job is made. */
export const startImport = async (
  world: Pick<World, "callFacts">,
  runner: SyncRunner,
  { userId, path, trigger, dryRun, warn, onProgress }: ImportOrder,
): Promise<SyncJob> => {
  await assertAdif(path);
  return runner.start({ userId, source: "file", trigger, dryRun }, async () => ({
    cursorBefore: null,
    feed: fileFeed(path, warn),
    options: { facts: await world.callFacts(), onProgress },
  }));
};
