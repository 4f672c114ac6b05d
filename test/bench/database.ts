import { Database as Connection } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Role } from "../../src/domain/user.ts";
import type { Database } from "../../src/storage/database.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openDatabase } from "../../src/storage/open.ts";
import * as users from "../../src/storage/users.ts";
import { many, script } from "../../src/storage/unit.ts";
import { TIME } from "../../src/time.ts";
import { startPostgres } from "../support/postgres.ts";
import { processorTaken } from "./machine.ts";

const NOW = Date.UTC(2026, 7, 1);

/** A migrated database in a directory of its own, gone when the work is done. */
export const withDatabase = async (work: (db: Database, file: string) => Promise<void>): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  const file = join(directory, "qsolog.db");
  const db = await openDatabase(file, { time: TIME });
  try {
    await migrate(db, NOW);
    await work(db, file);
  } finally {
    await db.close();
    rmSync(directory, { recursive: true });
  }
};

/** A database that is to be filled, on either engine. */
export interface Filled {
  db: Database;
  /** Fills tables without their indexes, which come back, analysed, when all is in. */
  unindexed(fill: () => Promise<void>): Promise<void>;
  /** The processor time in milliseconds that this process took so far, and the server with it. */
  taken(): number;
}

export const embedded = (db: Database, file: string): Filled => ({
  db,
  unindexed: (fill) => unindexed(db, file, fill),
  taken: processorTaken,
});

/** The same on a server of its own. No worker helps a query: what those take, who ended already, nobody could say. */
export const withServer = async (work: (filled: Filled) => Promise<void>): Promise<void> => {
  const postgres = startPostgres({ settings: ["max_parallel_workers_per_gather=0"] });
  if (!postgres) return console.log("PostgreSQL is not installed: nothing to measure");
  const postmaster = readFileSync(join(postgres.home, "data", "postmaster.pid"), "utf8").split("\n")[0]!;
  const db = await openDatabase(postgres.url, { time: TIME });
  try {
    await migrate(db, NOW);
    await work({
      db,
      unindexed: (fill) => unindexedThere(db, fill),
      taken: () => processorTaken() + takenBy(postmaster),
    });
  } finally {
    await db.close();
    postgres.stop();
  }
};

const unindexedThere = async (db: Database, fill: () => Promise<void>): Promise<void> => {
  const indexes = await db.read(
    () => many<{ name: string; sql: string }>`
      SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE tablename = 'qsos' AND indexname <> 'qsos_pkey'`,
  );
  for (const { name } of indexes) await db.write(() => script(`DROP INDEX ${name}`));
  await fill();
  for (const { sql } of indexes) await db.write(() => script(sql));
  await db.analyze();
};

/** By the connections of a server that are open: nanoseconds, where the clock of a process has hundredths of a second. */
const takenBy = (postmaster: string): number => {
  const pids = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ");
  const ran = pids.map((pid) => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]));
  return ran.reduce((sum, one) => sum + one, 0) / 1e6;
};

export const addUser = async (db: Database, username: string, role: Role = "user"): Promise<number> => {
  const user = { username, passwordHash: "", callsign: null, email: null, role };
  return (await db.write(() => users.add(user, NOW)))!.id;
};

/** Fills tables without their indexes, which come back, analysed, when all is in: much faster for a million rows. */
export const unindexed = async (db: Database, file: string, fill: () => Promise<void>): Promise<void> => {
  const connection = new Connection(file);
  const query = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'qsos' AND sql IS NOT NULL";
  const indexes = connection.query(query).all() as { name: string; sql: string }[];
  for (const { name } of indexes) connection.run(`DROP INDEX ${name}`);
  await fill();
  for (const { sql } of indexes) connection.run(sql);
  connection.close();
  await db.analyze();
};
