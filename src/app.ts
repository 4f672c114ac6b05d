import { Auth } from "./auth/auth.ts";
import { LastSeen } from "./auth/last-seen.ts";
import { providerOf, type Provider } from "./auth/oidc/provider.ts";
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

/** What there must be to say who comes in: it is there first, so that a server answers while the rest is loaded. */
export interface Entrance extends World {
  startedAt: number;
  gauges: Gauges;
  auth: Auth;
  /** Where people may sign in beside here; null where the operator named nobody. */
  provider: Provider | null;
  lastSeen: LastSeen;
  setupToken: SetupToken;
  /** Every feature, as soon as they are loaded and have started. */
  whole: () => Promise<App>;
}

/** Everything: the entrance, and the features that `createApp` wires together. */
export interface App extends Entrance {
  runner: JobRunner;
  awards: Awards;
  pasts: PastLogs;
  uploads: Uploads;
  feeds: Feeds;
  watch: LogWatcher;
  /** Called when the app stops, before it waits for requests; gives what calls that off. */
  onStop(task: () => void): () => void;
  scheduler: Scheduler;
  /** The release of the country file in use. */
  countryFileMark: () => Promise<string>;
  start(): Promise<void>;
  /** Resolves when no work of the features is under way; requests may still come. */
  stop(): Promise<void>;
  /** After the last request: keeps what was only noted. */
  settle(): Promise<void>;
}

export const openEntrance = (world: World, whole: Entrance["whole"]): Entrance => ({
  ...world,
  startedAt: world.clock(),
  gauges: new Gauges(world),
  auth: new Auth(world),
  provider: providerOf(world),
  lastSeen: new LastSeen(world),
  setupToken: new SetupToken(world),
  whole,
});
