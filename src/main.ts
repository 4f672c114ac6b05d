import type { Config } from "./config.ts";
import { BACKGROUND_THREAD } from "./worker/thread.ts";
import { createApp } from "./app.ts";
import { needsSetUp } from "./people/account.ts";
import type { Clock } from "./kernel/clock.ts";
import { AppError } from "./kernel/errors.ts";
import { describeFileError } from "./kernel/file-errors.ts";
import { openLog, type Log } from "./kernel/log.ts";
import type { PageRoute } from "./server/pages/page-route.ts";
import { createServer } from "./server/server.ts";
import { openWorld, prepareDataDir, settleSecret, sweepKilledCopies, type World } from "./world.ts";

interface Options {
  clock: Clock;
  random: World["random"];
  /** Prints messages for the operator who started the server. */
  say: (words: string) => void;
  echoLog: boolean;
  migrate: boolean;
  /** Pages in addition to those of the program. */
  morePages?: readonly PageRoute[];
}

export interface RunningServer {
  url: string;
  reopenLog: () => void;
  /** Resolves when nothing is running any more. */
  stop: () => Promise<void>;
}

/** Starts everything in order: data folder, log, world, app, address, jobs. `stop` goes the same way back. */
export const serve = async (config: Config, options: Options): Promise<RunningServer> => {
  const { clock, random, say, echoLog } = options;
  prepareDataDir(config);
  const log = openServerLog(config, clock, echoLog ? say : undefined);
  sweepKilledCopies(config);
  const world = await openWorld(config, {
    clock,
    random,
    log,
    backgroundThread: BACKGROUND_THREAD,
    migrate: options.migrate,
  });
  const app = createApp(world);
  const server = createServer(app, { morePages: options.morePages });
  const end = async () => {
    await Promise.all([app.stop(), server.stop()]);
    await app.settle();
    await world.db.close();
  };
  try {
    await world.db.watchFile?.(Buffer.from(random(4)).readUInt32BE(), (message) =>
      log.error("database.replaced", { message }),
    );
    await settleSecret(world);
    const address = await server.listen();
    const url = config.baseUrl ?? address;
    log.info("server.started", { url, address, database: world.db.location });
    say(`database: ${world.db.location}`);
    if (await needsSetUp(world)) {
      say(`To create the first user, open ${url}/setup?token=${await app.setupToken.settle()}`);
    }
    if (url !== address) say(`public address: ${url}`);
    say(`qsolog is listening on ${address}`);
    await app.start();
    return {
      url,
      reopenLog() {
        log.reopen();
        world.db.jobsThread?.tell({ kind: "reopenLog" });
      },
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

const openServerLog = (config: Config, clock: Clock, echo?: (line: string) => void): Log => {
  try {
    return openLog({ file: config.logFile, level: config.logLevel, clock, echo });
  } catch (error) {
    throw new AppError("unavailable", `Could not open the log file ${config.logFile}: ${describeFileError(error)}.`);
  }
};
