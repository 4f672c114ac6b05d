import { finishDeletions } from "./admin/users.ts";
import { Auth } from "./auth/auth.ts";
import { countryFileVersion } from "./callsign/facts.ts";
import { LastSeen } from "./auth/last-seen.ts";
import { SetupToken } from "./auth/setup-token.ts";
import { Scheduler } from "./auto-sync/scheduler.ts";
import { Gauges } from "./gauges.ts";
import { SyncRunner } from "./sync/runner.ts";
import { recover } from "./sync/recovery.ts";
import type { World } from "./world.ts";

/** The features, wired together: the only place that knows them all. */
export interface App extends World {
  startedAt: number;
  gauges: Gauges;
  auth: Auth;
  lastSeen: LastSeen;
  runner: SyncRunner;
  scheduler: Scheduler;
  setupToken: SetupToken;
  /** The release of the country file in use. */
  countryFileVersion: () => Promise<string>;
  start(): Promise<void>;
  /** Resolves when no work of the features is under way. */
  stop(): Promise<void>;
}

export const createApp = (world: World): App => {
  const auth = new Auth(world);
  const lastSeen = new LastSeen(world);
  const runner = new SyncRunner(world, world.config.syncConcurrency);
  const scheduler = new Scheduler(world, runner);
  const gauges = new Gauges();
  let isStopping = false;
  let cleaning: Promise<void> = Promise.resolve();
  return {
    ...world,
    startedAt: world.clock(),
    gauges,
    auth,
    lastSeen,
    runner,
    scheduler,
    setupToken: new SetupToken(world.random),
    countryFileVersion: () => countryFileVersion(world.config.dataDir),
    async start() {
      await scheduler.resume(await recover(world));
      cleaning = finishDeletions(world, () => isStopping).catch((error) =>
        world.log.error("deletions.failed", { error }),
      );
      scheduler.start();
      gauges.start();
    },
    /** The metronome first, then what runs, then what was only noted. */
    async stop() {
      isStopping = true;
      gauges.stop();
      const quiet = scheduler.stop();
      await runner.stop();
      await quiet;
      await cleaning;
      await lastSeen.flush();
    },
  };
};
