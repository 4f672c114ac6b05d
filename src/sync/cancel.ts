import { loadCallFacts } from "../callsign/facts.ts";
import { byService } from "../domain/source.ts";
import type { SyncJob } from "../domain/sync-job.ts";
import { defineAside } from "../storage/database.ts";
import type { World } from "../world.ts";
import { previewRollBack, rollBack, type RollbackOrder, type RollbackResult } from "./rollback.ts";

type Deps = Pick<World, "db" | "clock" | "config" | "underWay">;

interface Request {
  userId: number;
  jobId: number;
  by: number | null;
  undo?: boolean;
}

interface AsideOrder extends RollbackOrder {
  dataDir: string;
}

/** Cancels a failed or stale job, or undoes a completed import, and gives what became of its contacts. */
export const cancelJob = async (deps: Deps, request: Request): Promise<{ job: SyncJob; result: RollbackResult }> => {
  const taken = await deps.db.aside(rollBackAside, orderOf(deps, request));
  deps.underWay.interrupt(request.jobId);
  return taken;
};

/** What cancelling would do. */
export const previewCancel = (deps: Deps, request: Request): Promise<RollbackResult> =>
  deps.db.aside(previewAside, orderOf(deps, request));

const orderOf = ({ clock, config }: Deps, { undo = false, ...request }: Request): AsideOrder => ({
  ...request,
  undo,
  now: clock(),
  dataDir: config.dataDir,
});

const prepare = async ({ dataDir }: AsideOrder) => {
  const { providers } = await import("../providers/registry.ts");
  return { facts: await loadCallFacts(dataDir), rewind: byService((service) => providers[service].rewind) };
};

export const rollBackAside = defineAside("sync.rollBack", "write", rollBack, prepare);
export const previewAside = defineAside("sync.previewRollBack", "write", previewRollBack, prepare);
