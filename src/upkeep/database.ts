import type { Config } from "../config.ts";
import { migrationStates } from "../storage/engine/migrate.ts";
import type { Database, DatabaseOptions } from "../storage/engine/database.ts";
import { openDatabase } from "../storage/engine/connect.ts";

export { rollbackMigration } from "../storage/engine/migrate.ts";
export { compact } from "../storage/engine/sqlite-file.ts";

/** The database as it is, for as long as the work takes: nothing is migrated on the way. */
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

/** Which engine, where, how large, and which migrations it has. */
export const statusOf = async (db: Database) => ({
  engine: db.engine,
  location: db.location,
  sizeBytes: await db.sizeBytes(),
  migrations: await migrationStates(db),
});
