import { Database as Connection } from "bun:sqlite";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { AppError } from "../../kernel/errors.ts";

/** A file next to the database. A program that replaces the database keeps it locked. */
const markOf = (database: string): string => `${database}.restoring`;

/** Refuses to open a database that is being replaced, because writes would go to the old file. */
export const assertNotRestoring = (database: string): void => {
  if (!existsSync(markOf(database))) return;
  const lock = locked(markOf(database));
  // An unlocked mark is left from a restore that was killed.
  if (lock) return lock.close(true);
  throw new AppError("unavailable", `The database ${database} is being restored. Try again in a moment.`, {
    retryAfterSeconds: 5,
  });
};

/** Runs `work` while no program can open the database. The mark means nothing without its process. */
export const whileRestoring = async <T>(database: string, work: () => Promise<T>): Promise<T> => {
  const lock = locked(markOf(database));
  if (!lock) {
    throw new AppError("conflict", `Another restore of ${database} is already running.`, { rule: "database_in_use" });
  }
  try {
    chmodSync(markOf(database), 0o600);
    return await work();
  } finally {
    rmSync(markOf(database), { force: true });
    lock.close(true);
  }
};

/** Null if another program has it locked. */
const locked = (mark: string): Connection | null => {
  const connection = new Connection(mark, { create: true });
  try {
    connection.run("BEGIN EXCLUSIVE");
    return connection;
  } catch {
    connection.close(true);
    return null;
  }
};
