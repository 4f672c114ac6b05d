import { Auth } from "./auth/auth.ts";
import { LastSeen } from "./auth/last-seen.ts";
import { createProvider, type Provider } from "./auth/oidc/provider.ts";
import { SetupToken } from "./auth/setup-token.ts";
import type { Scheduler } from "./sync/scheduler.ts";
import type { Awards } from "./awards/book.ts";
import { Gauges } from "./kernel/gauges.ts";
import type { PastLogs } from "./logbook/as-of.ts";
import type { Uploads } from "./logbook/uploads.ts";
import type { LogWatcher } from "./logbook/watch.ts";
import type { Feeds } from "./sync/feed/feeds.ts";
import type { JobRunner } from "./sync/job/runner.ts";
import type { World } from "./world.ts";

/** What is needed to identify a caller. It is opened first, so that the server answers while the rest is loading. */
export interface Entrance extends World {
  startedAt: number;
  gauges: Gauges;
  auth: Auth;
  /** The single sign-on provider; null if the operator configured none. */
  provider: Provider | null;
  lastSeen: LastSeen;
  setupToken: SetupToken;
  /** Resolves to the app when all features are loaded and started. */
  whole: () => Promise<App>;
}

/** The entrance and all features that `createApp` creates. */
export interface App extends Entrance {
  runner: JobRunner;
  awards: Awards;
  pasts: PastLogs;
  uploads: Uploads;
  feeds: Feeds;
  watch: LogWatcher;
  /** Called when the app stops, before it waits for requests. Returns a function that unregisters the task. */
  onStop(task: () => void): () => void;
  scheduler: Scheduler;
  /** The release of the country file in use. */
  countryFileMark: () => Promise<string>;
  start(): Promise<void>;
  /** Resolves when no feature is working any more. Requests can still arrive. */
  stop(): Promise<void>;
  /** Called after the last request: writes what is only held in memory. */
  settle(): Promise<void>;
}

export const openEntrance = (world: World, whole: Entrance["whole"]): Entrance => ({
  ...world,
  startedAt: world.clock(),
  gauges: new Gauges(world),
  auth: new Auth(world),
  provider: createProvider(world),
  lastSeen: new LastSeen(world),
  setupToken: new SetupToken(world),
  whole,
});
