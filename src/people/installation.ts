import { version } from "../../package.json";
import * as storedValues from "../storage/engine/installation.ts";
import * as autoSyncSettings from "../storage/jobs/auto-sync-settings.ts";
import * as system from "../storage/engine/system.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";

interface Running {
  startedAt: number;
  lastSeen: { flush(): Promise<void> };
  scheduler: { isRunning: boolean; lastTickAt: number | null };
}

/** Figures about the installation, for administrators. */
export const installation = async ({
  db,
  clock,
  lastSeen,
  scheduler,
  startedAt,
}: Pick<World, "db" | "clock"> & Running) => {
  await lastSeen.flush();
  return {
    ...(await db.read(() => system.figures(clock()))),
    databaseBytes: await db.sizeBytes(),
    scheduler: { running: scheduler.isRunning, lastTickAt: scheduler.lastTickAt },
    version,
    startedAt,
  };
};

/** The next scheduled syncs of all users, soonest first. */
export const listUpcomingSyncs = ({ db }: Pick<World, "db">, limit: number): Promise<autoSyncSettings.UpcomingSync[]> =>
  db.read(function* () {
    return (yield* autoSyncSettings.isThere()) ? yield* autoSyncSettings.listUpcoming(limit) : [];
  });

/** Counts of all users' jobs, for monitoring. */
export const countJobs = ({ db }: Pick<World, "db">) =>
  db.read(function* () {
    return {
      jobs: yield* system.jobCounts(),
      durations: yield* system.jobDurations(),
      successes: yield* system.lastSuccesses(),
    };
  });

/** Whether the database can be written now. */
export const takesWrites = async ({ db, log }: Pick<World, "db" | "log">): Promise<boolean> => {
  try {
    await db.write(users.touch);
    return true;
  } catch (error) {
    log.warn("readiness.failed", { error });
    return false;
  }
};

const ADDRESS = "address";

/** Stores where the server listens, so that commands can name the address. */
export const storeAddress = ({ db }: Pick<World, "db">, address: string): Promise<void> =>
  db.write(() => storedValues.replace(ADDRESS, address));

/** The public address, or that of the server that started last, or the configured one. */
export const findAddress = async ({ db, config }: Pick<World, "db" | "config">): Promise<string> => {
  const { baseUrl, host, port } = config;
  const stored = baseUrl === null ? await db.read(() => storedValues.find(ADDRESS)) : null;
  return baseUrl ?? stored ?? `http://${["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host}:${port}`;
};
