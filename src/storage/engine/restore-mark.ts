import { Database as Connection } from "bun:sqlite";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { AppError } from "../../kernel/errors.ts";

/** A file beside the database that somebody keeps locked who is putting another one in its place. */
const markOf = (database: string): string => `${database}.restoring`;

/** Refuses to open what is another file in a moment: its writer would go on in one that has lost its name. */
export const assertNotRestoring = (database: string): void => {
  if (!existsSync(markOf(database))) return;
  const lock = locked(markOf(database));
  // A mark that nobody keeps locked was left by a restore that was killed.
  if (lock) return lock.close(true);
  throw new AppError("unavailable", `The database ${database} is being restored. Try again in a moment.`, {
    retryAfterSeconds: 5,
  });
};

/** Does something while nobody begins to open the database. The mark is good for nothing without its process. */
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

/** Null where somebody else has it. */
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
