import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MINUTE, SECOND, type Clock, type Time } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { isGone, getOwnMark, type ProcessMark } from "../kernel/processes.ts";

/** The folder of the queue. */
export const getQueueFolder = (dataDir: string): string => join(dataDir, "listen");

const LOCK_FILE = "listener.json";
const BEAT = 20 * SECOND;
/** A machine that has died no longer updates the file. */
const SILENT_AFTER = 2 * MINUTE;

/** The process that uses the folder, if one is running. */
export const findHolder = (folder: string, now: number): ProcessMark | null => {
  const file = join(folder, LOCK_FILE);
  try {
    const mark = JSON.parse(readFileSync(file, "utf8")) as ProcessMark;
    const isSilent = Math.abs(now - statSync(file).mtimeMs) > SILENT_AFTER;
    return isGone(mark) || isSilent ? null : mark;
  } catch {
    return null;
  }
};

/**
 * Locks the folder for this process until the returned function is called. Two processes would overwrite each other's
 * queue.
 */
export const lockFolder = (folder: string, { clock, every }: Pick<Time, "every"> & { clock: Clock }): (() => void) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, LOCK_FILE);
  const holder = findHolder(folder, clock());
  if (holder !== null) throw taken(folder, holder);
  rmSync(file, { force: true });
  try {
    writeFileSync(file, JSON.stringify(getOwnMark()), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw taken(folder, findHolder(folder, clock()));
    throw error;
  }
  const beat = every(BEAT, () => {
    const seconds = clock() / SECOND;
    utimesSync(file, seconds, seconds);
  });
  return () => {
    beat();
    rmSync(file, { force: true });
  };
};

const taken = (folder: string, holder: ProcessMark | null): AppError =>
  new AppError(
    "conflict",
    `Another qsolog listen is already running${holder === null ? "" : ` (process ${holder.pid})`} and uses ${folder}.`,
    { rule: "listener_active" },
  );
