import type { Config } from "./config.ts";
import { BACKGROUND_THREAD } from "./background/thread.ts";
import { createApp } from "./app.ts";
import { needsSetUp } from "./people/account.ts";
import type { Clock } from "./domain/clock.ts";
import { AppError } from "./domain/errors.ts";
import { openLog, type Log } from "./log.ts";
import { createServer } from "./server/server.ts";
import { openWorld, prepareDataDir, settleSecret, type World } from "./world.ts";

interface Options {
  clock: Clock;
  random: World["random"];
  /** Words for whoever started the server. */
  say: (words: string) => void;
  echoLog: boolean;
  migrate: boolean;
  /** Shows every view with canned data too. */
  gallery?: boolean;
}

export interface RunningServer {
  url: string;
  reopenLog: () => void;
  /** Resolves when nothing runs any more. */
  stop: () => Promise<void>;
}

/** Starts everything in order: configuration, world, features, address. `stop` goes the same way back. */
export const serve = async (config: Config, options: Options): Promise<RunningServer> => {
  const { clock, random, say, echoLog } = options;
  prepareDataDir(config);
  const log = openServerLog(config, clock, echoLog ? say : undefined);
  const world = await openWorld(config, {
    clock,
    random,
    log,
    backgroundThread: BACKGROUND_THREAD,
    migrate: options.migrate,
  });
  const app = createApp(world);
  try {
    await settleSecret(world);
    await app.start();
    const server = createServer(app, { morePages: options.gallery ? await galleryPages() : [] });
    const address = await server.listen();
    const url = config.baseUrl ?? address;
    log.info("server.started", { url, database: world.db.location });
    say(`database: ${world.db.location}`);
    if (await needsSetUp(world)) {
      say(`To make the first user, open ${url}/setup?token=${await app.setupToken.settle()}`);
    }
    say(`qsolog is listening on ${url}`);
    return {
      url,
      reopenLog: () => log.reopen(),
      async stop() {
        log.info("server.stopping");
        await Promise.all([app.stop(), server.stop()]);
        await app.settle();
        await world.db.close();
        log.info("server.stopped");
        log.close();
      },
    };
  } catch (error) {
    await app.stop();
    await app.settle();
    await world.db.close();
    throw error;
  }
};

const galleryPages = async () => (await import("./server/gallery/pages.tsx")).GALLERY_PAGES;

const openServerLog = (config: Config, clock: Clock, echo?: (line: string) => void): Log => {
  try {
    return openLog({ file: config.logFile, level: config.logLevel, clock, echo });
  } catch (error) {
    throw new AppError("unavailable", `The log file ${config.logFile} cannot be opened: ${(error as Error).message}`);
  }
};
