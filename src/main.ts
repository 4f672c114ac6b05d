import { statSync, renameSync } from "node:fs";
import { getLogFile, type Config } from "./config.ts";
import { BACKGROUND_THREAD } from "./worker/thread.ts";
import { createApp, type App } from "./app.ts";
import { storeAddress } from "./people/installation.ts";
import { needsSetUp } from "./people/account.ts";
import { MINUTE, type Clock } from "./kernel/clock.ts";
import { AppError } from "./kernel/errors.ts";
import { describeFileError } from "./kernel/files.ts";
import { openLog, type Log, type LogEcho } from "./kernel/log.ts";
import type { PageRoute } from "./server/pages/page-route.ts";
import { createServer } from "./server/server.ts";
import { compareSettings } from "./upkeep/shared-settings.ts";
import { AutomaticBackups, type MakeBackup } from "./upkeep/automatic-backups.ts";
import { openWorld, prepareDataDir, settleSecret, sweepKilledCopies, type World } from "./world.ts";

const START_AGAIN_AFTER_MS = 1_000;

interface Options {
  clock: Clock;
  random: World["random"];
  /** Prints messages for the operator who started the server. */
  say: (words: string) => void;
  /** Where the log is also printed. */
  echoLogTo: LogEcho | null;
  migrate: boolean;
  /** How automatic backups are made. Without it there are none. */
  makeBackup?: MakeBackup;
  /** Pages in addition to those of the program. */
  morePages?: readonly PageRoute[];
}

interface RunningServer {
  url: string;
  reopenLog: () => void;
  /** Resolves when nothing is running any more. */
  stop: () => Promise<void>;
}

const LOG_SIZE_CHECKED_EVERY = 1 * MINUTE;
/** Where nothing else rotates the log, as in a container, it is renamed at this size. */
const MAX_LOG_BYTES = 100_000_000;

/** Starts everything in order: data folder, log, world, app, address, jobs. `stop` goes the same way back. */
export const serve = async (config: Config, options: Options): Promise<RunningServer> => {
  const { clock, random, say } = options;
  prepareDataDir(config);
  const log = openServerLog(config, options);
  sweepKilledCopies(config);
  const world = await openWorld(config, {
    clock,
    random,
    log,
    backgroundThread: BACKGROUND_THREAD,
    migrate: options.migrate,
    onCopy: (file) => say(`The database was upgraded. A copy from before is in ${file}`),
  });
  const app = createApp(world);
  const server = createServer(app, { morePages: options.morePages });
  let stopRotating = () => {};
  const backups = options.makeBackup && new AutomaticBackups(world, options.makeBackup);
  const end = async () => {
    stopRotating();
    await backups?.stop();
    await Promise.all([app.stop(), server.stop()]);
    await app.settle();
    await world.db.close();
  };
  try {
    await world.db.watchFile?.(Buffer.from(random(4)).readUInt32BE(), (message) =>
      log.error("database.replaced", { message }),
    );
    await settleSecret(world);
    if (world.db.isShared) await warnOfDifferentSettings(world, say);
    const address = await server.listen();
    const url = config.baseUrl ?? address;
    await storeAddress(world, address);
    log.info("server.started", { url, address, database: world.db.location });
    say(`database: ${world.db.location}`);
    if (await needsSetUp(world)) {
      say(`To create the first user, open ${url}/setup?token=${await app.setupToken.settle()}`);
    }
    if (url !== address) say(`public address: ${url}`);
    say(`qsolog is listening on ${address}`);
    await startPatiently(app, log);
    const reopenLog = () => {
      log.reopen();
      world.db.jobsThread?.tell({ kind: "reopenLog" });
    };
    backups?.start();
    stopRotating = world.every(LOG_SIZE_CHECKED_EVERY, () => rotateLargeLog(getLogFile(config), reopenLog));
    return {
      url,
      reopenLog,
      async stop() {
        log.info("server.stopping");
        await end();
        log.info("server.stopped");
        log.close();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
};

/** Connections that come before the jobs start can take all descriptors. That passes, and must not end the server. */
const startPatiently = async (app: App, log: Log): Promise<void> => {
  for (;;) {
    try {
      return await app.start();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EMFILE") throw error;
      log.warn("server.start_delayed", { error });
      await app.sleep(START_AGAIN_AFTER_MS);
    }
  }
};

const warnOfDifferentSettings = async (world: World, say: Options["say"]): Promise<void> => {
  const settings = await compareSettings(world);
  if (settings.length === 0) return;
  world.log.warn("settings.differ", { settings });
  say(`Another instance on this database has different settings: ${settings.join(", ")}.`);
};

/** Keeps one older file. Nothing is truncated: the server goes on in a new file. */
export const rotateLargeLog = (file: string, reopen: () => void, maxBytes = MAX_LOG_BYTES): void => {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found?.isFile() || found.size <= maxBytes) return;
    renameSync(file, `${file}.old`);
    reopen();
  } catch {
    // The directory cannot be written. The log goes on in its file.
  }
};

const openServerLog = (config: Config, { clock, echoLogTo }: Options): Log => {
  const file = getLogFile(config);
  try {
    return openLog({ file, level: config.logLevel, clock, echoTo: echoLogTo });
  } catch (error) {
    throw new AppError("unavailable", `Could not open the log file ${file}: ${describeFileError(error)}.`);
  }
};
