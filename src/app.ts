import { finishDeletions } from "./admin/users.ts";
import { recover } from "./sync/recovery.ts";
import type { World } from "./world.ts";

/** The features, wired together: the only place that knows them all. */
export interface App extends World {
  startedAt: number;
  start(): Promise<void>;
  /** Resolves when no work of the features is under way. */
  stop(): Promise<void>;
}

export const createApp = (world: World): App => {
  let isStopping = false;
  let cleaning: Promise<void> = Promise.resolve();
  return {
    ...world,
    startedAt: world.clock(),
    async start() {
      await recover(world);
      cleaning = finishDeletions(world, () => isStopping).catch((error) =>
        world.log.error("deletions.failed", { error }),
      );
    },
    async stop() {
      isStopping = true;
      await cleaning;
    },
  };
};
