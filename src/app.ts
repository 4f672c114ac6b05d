import { Auth } from "./auth/auth.ts";
import { LastSeen } from "./auth/last-seen.ts";
import { createProvider, type Provider } from "./auth/oidc/provider.ts";
import { SetupToken } from "./auth/setup-token.ts";
import { FairShare } from "./server/http/fair-share.ts";
import { Gauges } from "./kernel/gauges.ts";
import { hasDiskSpace } from "./people/disk.ts";
import { finishDeletions } from "./people/users.ts";
import type { LogEvent } from "./kernel/log-events.ts";
import { MINUTE, SECOND, type Cancel } from "./kernel/clock.ts";
import { Awards } from "./awards/book.ts";
import { getCountryFileMark } from "./callsign/country-file-place.ts";
import { followCountryFile } from "./callsign/country-tables.ts";
import { Scheduler } from "./sync/scheduler.ts";
import { deriveOutdated } from "./contacts/derive-again.ts";
import { PastLogs, PATIENCE_MS } from "./logbook/as-of.ts";
import { Uploads } from "./logbook/uploads.ts";
import { LogWatcher } from "./logbook/watch.ts";
import { Feeds } from "./sync/feed/feeds.ts";
import { RetryingDatabase } from "./sync/job/retrying-database.ts";
import { JobsThread } from "./sync/job/jobs-thread.ts";
import { SyncRunner, type JobRunner } from "./sync/job/runner.ts";
import { recover } from "./sync/job/worker.ts";
import type { World } from "./world.ts";

/** What was broken off while the database was away is gone on with, whoever began it. */
const DELETIONS_FINISHED_EVERY = 10 * MINUTE;
const CLOCKS_COMPARED_EVERY = 1 * MINUTE;
const DISK_LOOKED_AT_EVERY = 10 * MINUTE;
const COUNTRY_FILE_LOOKED_FOR_EVERY = 5 * SECOND;

/** Everything a server needs: the world, and the features that `createApp` makes. */
export interface App extends World {
  startedAt: number;
  gauges: Gauges;
  auth: Auth;
  /** The single sign-on provider, or null if none is configured. */
  provider: Provider | null;
  lastSeen: LastSeen;
  setupToken: SetupToken;
  runner: JobRunner;
  awards: Awards;
  pasts: PastLogs;
  uploads: Uploads;
  fairShare: FairShare;
  feeds: Feeds;
  watch: LogWatcher;
  /** Calls the task when the app stops, before it waits for requests. Returns a function that removes the task. */
  onStop(task: () => void): () => void;
  scheduler: Scheduler;
  /** The release of the country file in use. */
  countryFileMark: () => string;
  start(): Promise<void>;
  /** Resolves when no feature works any more. Requests can still arrive. */
  stop(): Promise<void>;
  /** Call it after the last request: writes what is still in memory. */
  settle(): Promise<void>;
}

/** The only place that makes all features. */
export const createApp = (world: World): App => {
  const gauges = new Gauges(world);
  const lastSeen = new LastSeen(world);
  const awards = new Awards(world);
  const pasts = new PastLogs(world, { patienceMs: PATIENCE_MS });
  const { db, config } = world;
  const runner = db.jobsThread ? new JobsThread(world, db.jobsThread) : new SyncRunner(world, config.syncConcurrency);
  const scheduler = new Scheduler(world, runner);
  world.underWay.onBegun = (ended) => {
    gauges.begin();
    void ended.catch(() => {}).finally(() => gauges.end());
  };
  const watch = new LogWatcher(world);
  const stopping = new AbortController();
  const endings = new Set<() => void>();
  let behind: Promise<unknown> = Promise.resolve();
  const callOffs: Cancel[] = [];
  /** Another instance may have installed another country file. */
  const followOthers = () =>
    void followCountryFile({ db: world.db, dataDir: world.config.dataDir }).catch((error: unknown) =>
      world.log.warn("country_file.update_failed", { error }),
    );
  const app: App = {
    ...world,
    startedAt: world.clock(),
    gauges,
    auth: new Auth(world),
    provider: createProvider(world),
    lastSeen,
    setupToken: new SetupToken(world),
    runner,
    awards,
    pasts,
    uploads: new Uploads(world),
    fairShare: new FairShare(),
    feeds: new Feeds(world),
    watch,
    onStop(task) {
      endings.add(task);
      return () => void endings.delete(task);
    },
    scheduler,
    countryFileMark: () => getCountryFileMark(config.dataDir),
    async start() {
      await recover(world);
      const failing = (event: LogEvent) => (error: unknown) => world.log.error(event, { error });
      const patient = { ...world, db: new RetryingDatabase(world.db, world, stopping.signal) };
      const finish = () => finishDeletions(patient, () => stopping.signal.aborted).catch(failing("deletions.failed"));
      behind = Promise.all([finish(), deriveOutdated(patient, stopping.signal).catch(failing("derive.failed"))]);
      const compare = () =>
        void world.compareClocks().catch((error) => world.log.debug("clocks.compare_failed", { error }));
      callOffs.push(world.every(DELETIONS_FINISHED_EVERY, () => (behind = behind.then(finish))));
      callOffs.push(world.every(CLOCKS_COMPARED_EVERY, compare));
      callOffs.push(world.every(DISK_LOOKED_AT_EVERY, () => void hasDiskSpace(world)));
      if (world.db.isShared) callOffs.push(world.every(COUNTRY_FILE_LOOKED_FOR_EVERY, followOthers));
      scheduler.start();
    },
    /** The metronome first, then what runs. */
    async stop() {
      stopping.abort();
      for (const callOff of callOffs) callOff();
      for (const end of endings) end();
      const unwatched = watch.stop();
      const quiet = scheduler.stop();
      await runner.stop();
      await quiet;
      await unwatched;
      await behind;
    },
    async settle() {
      await lastSeen.stop();
      await pasts.close();
    },
  };
  return app;
};
