import type { Config } from "../config.ts";
import { migrationStates } from "../storage/engine/migrate.ts";
import type { Database, DatabaseOptions } from "../storage/engine/database.ts";
import { openDatabase } from "../storage/engine/connect.ts";
import * as syncJobs from "../storage/jobs/sync-jobs.ts";
import * as users from "../storage/people/users.ts";

export { rollbackMigration } from "../storage/engine/migrate.ts";
export { compact } from "../storage/engine/sqlite-file.ts";

/** Opens the database without migrating it, for as long as `work` runs. */
export const withDatabase = async <T>(
  { databaseUrl }: Pick<Config, "databaseUrl">,
  options: Pick<DatabaseOptions, "time" | "backgroundThread">,
  work: (db: Database) => Promise<T>,
): Promise<T> => {
  const db = await openDatabase(databaseUrl, options);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
};

/** The engine, location, size and migrations of a database. */
export const getStatus = async (db: Database) => ({
  engine: db.engine,
  location: db.location,
  sizeBytes: await db.sizeBytes(),
  migrations: await migrationStates(db),
});

/** How many jobs a completion offers. */
const MAX_JOBS = 20;

/** Usernames for completion. */
export const listUsernames = async (db: Database): Promise<string[]> =>
  (await db.read(() => users.list())).map(({ username }) => username);

/** The newest jobs of all users. */
export const listNewestJobs = (db: Database) => db.read(() => syncJobs.listNewestOfAll(MAX_JOBS));
