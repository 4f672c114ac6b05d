import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { getBackupName } from "../kernel/backup-files.ts";
import { giveToOwnerOf } from "../kernel/files.ts";
import { AppError } from "../kernel/errors.ts";
import { migrate } from "../storage/engine/migrate.ts";
import { databaseFile, openDatabase } from "../storage/engine/connect.ts";
import type { Database } from "../storage/engine/database.ts";
import { findUnexpectedObjects } from "../storage/engine/unexpected-objects.ts";
import { stripToOneLine } from "../kernel/control-characters.ts";
import { listSome } from "./diagnostic.ts";
import { getPartialFile, removePartialFile, removeStalePartialFiles } from "../kernel/partial-files.ts";
import { whileRestoring } from "../storage/engine/restore-mark.ts";
import {
  closeUp,
  contentsOf,
  damageIn,
  flush,
  isDamage,
  isSqlite,
  type Contents,
} from "../storage/engine/sqlite-file.ts";
import type { World } from "../world.ts";
import { checkSealed, type SealedState } from "./sealed.ts";
import { listProgramsUsing } from "./users-of-file.ts";

type Deps = Pick<World, "config" | "clock" | "random" | "ticks" | "sleep" | "turn" | "every">;

/** What is there now: its contents, nothing, or a damaged file. */
export type Replaced = Contents | "nothing" | "damaged";

/** A backup that was checked and migrated, next to the database that it will replace. */
export type { Contents } from "../storage/engine/sqlite-file.ts";

export interface ReadyRestore {
  database: string;
  incoming: Contents;
  replaced: Replaced;
  migrated: string[];
  /** The credentials in the backup, and how many of them this machine's secret cannot decrypt. */
  credentials: SealedState;
  /** Replaces the database and returns where the old one is now. */
  carryOut(): Promise<{ safetyCopy: string | null }>;
  /** Deletes the prepared file if the restore is not carried out. */
  discard(): void;
}

const ASKED_AGAIN_EVERY_MS = 100;
const ASKED_FOR_MS = 1_000;
/** A process that checked for the restore mark before it existed has opened the file by then. */
const GRACE_MS = 200;

/**
 * Prepares a restore without touching the database: copies the backup next to it, checks and migrates the copy. Throws
 * if another process has the database open.
 */
export const prepareRestore = async (deps: Deps, backup: string, signal?: AbortSignal): Promise<ReadyRestore> => {
  const database = getDatabaseFile(deps, backup);
  assertBackup(backup, database);
  await assertAlone(deps, database);
  const draft = getPartialFile(database, "incoming");
  const discard = () => removePartialFile(draft);
  removeStalePartialFiles(dirname(database));
  try {
    copyIn(backup, draft);
    assertWhole(backup, draft);
    const { migrated, credentials } = await migrateDraft(deps, backup, draft);
    giveToOwnerOf(database, draft);
    const [incoming, replaced] = [contentsOf(draft)!, describeReplaced(database)];
    // Signals are only handled between two steps.
    await deps.sleep(0);
    signal?.throwIfAborted();
    return {
      database,
      incoming,
      replaced,
      migrated,
      credentials,
      carryOut: () => carryOut(deps, database, draft),
      discard,
    };
  } catch (error) {
    discard();
    throw error;
  }
};

const getDatabaseFile = ({ config }: Deps, backup: string): string => {
  const file = databaseFile(config.databaseUrl);
  if (file !== null) return resolve(file);
  throw new AppError(
    "conflict",
    `${backup} cannot be restored into this PostgreSQL database. Stop the servers, create an empty database, and fill ` +
      "it with qsolog db move --database-url FILE --to postgres://…. A file of pg_dump needs pg_restore.",
    {
      rule: "not_embedded",
    },
  );
};

const assertBackup = (backup: string, database: string): void => {
  const found = statSync(backup, { throwIfNoEntry: false });
  if (!found) throw new AppError("not_found", `There is no file ${backup}.`);
  const current = statSync(database, { throwIfNoEntry: false });
  if (current && current.dev === found.dev && current.ino === found.ino) {
    throw new AppError("conflict", `${backup} is the database itself.`);
  }
  if (!found.isFile() || !tryRead(backup, () => isSqlite(backup))) throw notABackup(backup);
};

const notABackup = (backup: string) =>
  new AppError("invalid", `${backup} is not a qsolog database. Nothing was changed.`);

const tryRead = <T>(file: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new AppError("unavailable", `Could not read ${file}: ${(error as Error).message}.`, { cause: error });
  }
};

/** A file that was copied by hand can have a write-ahead log. */
const copyIn = (backup: string, draft: string): void => {
  try {
    for (const rest of ["", "-wal"]) {
      if (rest !== "" && !existsSync(backup + rest)) continue;
      copyFileSync(backup + rest, draft + rest);
      chmodSync(draft + rest, 0o600);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "ENOSPC" ? "the disk is full" : message;
    throw new AppError(
      "unavailable",
      `Could not copy ${backup} to ${dirname(draft)}: ${reason}. Nothing was changed.`,
      {
        cause: error,
      },
    );
  }
};

const assertWhole = (backup: string, draft: string): void => {
  const damage = damageIn(draft);
  if (damage !== null) throw new AppError("invalid", `${backup} is damaged: ${damage}. Nothing was changed.`);
  if (contentsOf(draft) === null) throw notABackup(backup);
};

/** Backups come from mail and other machines: a trigger in one would run here with every write. */
const assertOwnSchema = async (db: Database, backup: string): Promise<void> => {
  const unexpected = await findUnexpectedObjects(db);
  if (unexpected.length === 0) return;
  const message = `${backup} has a schema that qsolog did not create: ${listSome(unexpected)}. Nothing was changed.`;
  throw new AppError("invalid", stripToOneLine(message), { rule: "foreign_schema" });
};

const migrateDraft = async (deps: Deps, backup: string, draft: string) => {
  const db = await openDatabase(draft, { time: deps });
  try {
    const migrated = await migrate(db, deps.clock());
    await assertOwnSchema(db, backup);
    return { migrated, credentials: await checkSealed({ ...deps, db }) };
  } finally {
    await db.close();
  }
};

const describeReplaced = (database: string): Replaced => {
  if (!existsSync(database) || statSync(database).size === 0) return "nothing";
  try {
    return contentsOf(database) ?? "nothing";
  } catch (error) {
    if (isDamage(error)) return "damaged";
    throw error;
  }
};

/** Keeps the old database under another name. At every moment there is a complete database under its own name. */
const carryOut = async (deps: Deps, database: string, draft: string): Promise<{ safetyCopy: string | null }> =>
  whileRestoring(database, async () => {
    await deps.sleep(GRACE_MS);
    await assertAlone(deps, database);
    const safetyCopy = existsSync(database) ? keep(deps, database) : null;
    for (const log of ["-wal", "-shm", "-journal"]) rmSync(database + log, { force: true });
    flush(draft);
    renameSync(draft, database);
    flush(dirname(database));
    return { safetyCopy };
  });

/** A hard link costs nothing; on another disk it must be a copy. */
const keep = ({ config, clock }: Deps, database: string): string => {
  const directory = join(config.dataDir, "backups");
  if (!existsSync(directory)) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    giveToOwnerOf(config.dataDir, directory);
  }
  const copy = findFreeName(directory, clock());
  for (const rest of ["", "-wal", "-journal"]) {
    if (rest !== "" && !existsSync(database + rest)) continue;
    try {
      linkSync(database + rest, copy + rest);
    } catch {
      copyFileSync(database + rest, copy + rest);
      giveToOwnerOf(database, copy + rest);
    }
    chmodSync(copy + rest, 0o600);
  }
  flush(directory);
  return copy;
};

const findFreeName = (directory: string, at: number): string => {
  for (let number = 1; ; number++) {
    const file = join(directory, getBackupName(at, number === 1 ? "-replaced" : `-replaced-${number}`));
    if (!existsSync(file)) return file;
  }
};

/** Throws if any process has the database open, even for reading: it would continue with the unlinked file. */
const assertAlone = async ({ sleep }: Pick<Deps, "sleep">, database: string): Promise<void> => {
  if (!existsSync(database) || statSync(database).size === 0) return;
  for (let waited = 0; ; waited += ASKED_AGAIN_EVERY_MS) {
    if (isAlone(database)) return;
    if (waited >= ASKED_FOR_MS) break;
    await sleep(ASKED_AGAIN_EVERY_MS);
  }
  const programs = listProgramsUsing(database);
  const who =
    programs.length === 0 ? "Another program has" : `${programs.join(" and ")} ${programs.length > 1 ? "have" : "has"}`;
  throw new AppError("conflict", `${who} the database ${database} open. Stop the server and every sync first.`, {
    rule: "database_in_use",
  });
};

/** If the file is too damaged for SQLite, the open files of other processes are searched. */
const isAlone = (database: string): boolean => {
  try {
    if (isSqlite(database)) return closeUp(database);
  } catch (error) {
    if (!isDamage(error)) {
      throw new AppError("unavailable", `Could not open the database ${database}: ${(error as Error).message}.`);
    }
  }
  return listProgramsUsing(database).length === 0;
};
