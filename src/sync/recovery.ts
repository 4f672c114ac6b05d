import type { SyncJob } from "../domain/sync-job.ts";
import { sweepSpools } from "../providers/spool.ts";
import type { World } from "../world.ts";
import { sweepImports } from "./import-spool.ts";
import { spoolDirOf } from "./provider-deps.ts";
import { resolveDeadWorkers } from "./workers.ts";

/** Clears up after processes that died: their jobs fail and can be taken back, their spools go. */
export const recover = async (deps: Pick<World, "db" | "clock" | "log" | "config">): Promise<SyncJob[]> => {
  const { log, config } = deps;
  const failed = await resolveDeadWorkers(deps);
  const swept = sweepSpools(spoolDirOf(config.dataDir)) + sweepImports(config.dataDir);
  if (swept > 0) log.info("spools.swept", { files: swept });
  return failed;
};
