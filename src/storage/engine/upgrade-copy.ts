import { chmodSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../../kernel/errors.ts";
import { getBackupName } from "../../kernel/backup-files.ts";
import { getFreeBytes } from "../../kernel/files.ts";
import { formatSize } from "../../kernel/number-text.ts";
import { getPartialFile, removePartialFile, removeStalePartialFiles } from "../../kernel/partial-files.ts";
import type { Database } from "./database.ts";
import { migrationStates } from "./migrate.ts";
import { flush } from "./sqlite-file.ts";

const COPIES_KEPT = 3;
/** The name of a copy while the upgrade is unfinished. Only this copy can be opened by the old program. */
const UNFINISHED = "-upgrading";
const COPY = /^qsolog-[^-]*-before-(.*)\.db$/;

/**
 * Copies the database before the first migration of an upgrade changes it. A start that continues an upgrade makes no
 * copy, because the database is no longer the old one.
 */
export const keepCopy = async (db: Database, directory: string, now: number, next: string): Promise<void> => {
  removeStalePartialFiles(directory);
  const earlier = unfinishedCopies(directory);
  for (const name of earlier) if (await isApplied(db, migrationOf(name))) return;
  await assertRoom(db, directory);
  const copy = join(directory, getBackupName(now, `-before-${next}${UNFINISHED}`));
  const draft = getPartialFile(copy, "partial");
  try {
    removePartialFile(draft);
    await db.copyTo(draft);
    chmodSync(draft, 0o600);
    flush(draft);
    // Another program upgrades at the same time, and its copy is older.
    if (await isApplied(db, next)) return;
    renameSync(draft, copy);
    flush(directory);
  } finally {
    removePartialFile(draft);
  }
  // Starts that were killed before they changed anything left these.
  for (const name of earlier) if (join(directory, name) !== copy) rmSync(join(directory, name), { force: true });
};

/** The copy made before the last upgrade, if it is still there. */
export const findNewestCopy = (directory: string): string | null => {
  const newest = namesIn(directory)
    .filter((name) => COPY.test(name))
    .sort()
    .at(-1);
  return newest === undefined ? null : join(directory, newest);
};

/** The upgrade is complete: its copy is now one of those that are kept. */
export const finishCopy = (directory: string): boolean => {
  const finished = unfinishedCopies(directory);
  for (const name of finished) renameSync(join(directory, name), join(directory, name.replace(UNFINISHED, "")));
  if (finished.length === 0) return false;
  const copies = namesIn(directory).filter((name) => COPY.test(name));
  for (const old of copies.sort().slice(0, -COPIES_KEPT)) rmSync(join(directory, old));
  return true;
};

const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
};

const unfinishedCopies = (directory: string): string[] =>
  namesIn(directory).filter((name) => COPY.test(name) && name.endsWith(`${UNFINISHED}.db`));

const migrationOf = (copy: string): string => COPY.exec(copy.replace(UNFINISHED, ""))![1]!;

const isApplied = async (db: Database, migration: string): Promise<boolean> =>
  (await migrationStates(db)).some(({ name, appliedAt }) => name === migration && appliedAt !== null);

const assertRoom = async (db: Database, directory: string): Promise<void> => {
  const needed = await db.sizeBytes();
  const free = getFreeBytes(directory);
  if (free >= needed) return;
  throw new AppError(
    "unavailable",
    `qsolog copies the database before an upgrade. The copy needs ${formatSize(needed)} in ${directory}, but only ` +
      `${formatSize(free)} are free there. Free some space on ${dirname(directory)} and start qsolog again. ` +
      "Nothing was changed.",
  );
};
