import { Database as Connection } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Role } from "../../src/domain/user.ts";
import type { Database } from "../../src/storage/database.ts";
import { migrate } from "../../src/storage/migrate.ts";
import { openDatabase } from "../../src/storage/open.ts";
import * as users from "../../src/storage/users.ts";
import { TIME } from "../../src/time.ts";

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
