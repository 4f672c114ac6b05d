import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { AppError } from "../domain/errors.ts";
import { isAlive } from "./processes.ts";

/** A file beside the database, with the number of the process that is putting another one in its place. */
const markOf = (database: string): string => `${database}.restoring`;

/** Refuses to open what is another file in a moment: its writer would go on in one that has lost its name. */
export const assertNotRestoring = (database: string): void => {
  const pid = restorerOf(database);
  if (pid === null || pid === process.pid) return;
  throw new AppError(
    "unavailable",
    `Process ${pid} is restoring the database ${database} right now. Try again, or remove ${markOf(database)} if no restore runs.`,
    { retryAfterSeconds: 5 },
  );
};

/** Does something while nobody begins to open the database. */
export const whileRestoring = async <T>(database: string, work: () => Promise<T>): Promise<T> => {
  if (restorerOf(database) === null) rmSync(markOf(database), { force: true });
  try {
    writeFileSync(markOf(database), String(process.pid), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new AppError("conflict", `Another restore of ${database} is under way.`, { rule: "database_in_use" });
  }
  try {
    return await work();
  } finally {
    rmSync(markOf(database), { force: true });
  }
};

/** Null where there is no mark, or whoever set it is gone. */
const restorerOf = (database: string): number | null => {
  try {
    const pid = Number(readFileSync(markOf(database), "utf8"));
    return pid > 0 && isAlive(pid) ? pid : null;
  } catch {
    return null;
  }
};
