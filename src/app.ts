import { finishDeletions } from "./admin/users.ts";
import { Auth } from "./auth/auth.ts";
import { LastSeen } from "./auth/last-seen.ts";
import { Scheduler } from "./auto-sync/scheduler.ts";
import { SyncRunner } from "./sync/runner.ts";
import type { World } from "./world.ts";

/** The features, wired together: the only place that knows them all. */
export interface App extends World {
  startedAt: number;
  auth: Auth;
  lastSeen: LastSeen;
  runner: SyncRunner;
  scheduler: Scheduler;
  start(): void;
  /** Resolves when no work of the features is under way. */
  stop(): Promise<void>;
}

export const createApp = (world: World): App => {
  const auth = new Auth(world);
  const lastSeen = new LastSeen(world);
  const runner = new SyncRunner(world, world.config.syncConcurrency);
  const scheduler = new Scheduler(world, runner);
  let isStopping = false;
  let cleaning: Promise<void> = Promise.resolve();
  return {
    ...world,
    startedAt: world.clock(),
    auth,
    lastSeen,
    runner,
    scheduler,
    start() {
      cleaning = finishDeletions(world, () => isStopping).catch((error) =>
        world.log.error("deletions.failed", { error }),
      );
      scheduler.start();
    },
    /** The metronome first, then what runs, then what was only noted. */
    async stop() {
      isStopping = true;
      const quiet = scheduler.stop();
      await runner.stop();
      await quiet;
      await cleaning;
      await lastSeen.flush();
    },
  };
};
