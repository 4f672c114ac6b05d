import { chmodSync, closeSync, existsSync, openSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../kernel/errors.ts";
import { describeFileError } from "../kernel/files.ts";
import { getPartialFile, removePartialFile, removeStalePartialFiles } from "../kernel/partial-files.ts";
import { SYSTEM_TIME } from "../kernel/time.ts";
import { openDatabase } from "../storage/engine/connect.ts";
import type { Database } from "../storage/engine/database.ts";
import { contentsOf, damageIn, flush, isSqlite, type Contents } from "../storage/engine/sqlite-file.ts";
import { copyIntoFile } from "./migrate-engine.ts";

interface Options {
  /** Replace an older copy. */
  force?: boolean;
  onPhase?: (phase: "copying" | "checking") => void;
  /** Aborts without leaving a file. */
  signal?: AbortSignal;
}

/** Writes the copy under a temporary name, opens and checks it, and only then renames it. */
export const backUp = async (db: Database, file: string, options: Options = {}): Promise<Contents> => {
  const { force = false, onPhase = () => {}, signal } = options;
  assertFree(db, file, force);
  const draft = getPartialFile(file, "partial");
  const clearAway = () => removePartialFile(draft);
  removeStalePartialFiles(dirname(file));
  reserve(draft);
  try {
    onPhase("copying");
    if (db.engine === "postgres") await copyServer(db, draft, signal);
    else await waitUntilAborted(db.copyTo(draft), signal, clearAway);
    onPhase("checking");
    const contents = checkDraft(draft);
    flush(draft);
    signal?.throwIfAborted();
    renameSync(draft, file);
    flush(dirname(file));
    return contents;
  } finally {
    clearAway();
  }
};

/** A backup of PostgreSQL is an SQLite file: it needs no other program, and every server can start from it. */
const copyServer = async (from: Database, draft: string, signal?: AbortSignal): Promise<void> => {
  const { mtimeMs: now } = statSync(draft);
  const to = await openDatabase(draft, { time: SYSTEM_TIME });
  try {
    await copyIntoFile(from, { to, clock: () => Math.floor(now), signal });
  } finally {
    await to.close();
  }
};

export const assertEmbedded = ({ engine }: Pick<Database, "engine">, what: string, command: string): void => {
  if (engine === "sqlite") return;
  throw new AppError("conflict", `A PostgreSQL database is ${what} with PostgreSQL's own program: ${command}`, {
    rule: "not_embedded",
  });
};

/** A copy may replace only an older copy. */
const assertFree = (db: Database, file: string, force: boolean): void => {
  if (!existsSync(file)) return;
  const refuse = (why: string) => new AppError("conflict", `${file} ${why}`);
  const found = statSync(file);
  const own = db.engine === "sqlite" ? statSync(db.location) : null;
  if (found.dev === own?.dev && found.ino === own.ino) throw refuse("is the database itself.");
  if (!force) throw refuse("already exists. Use --force to replace it.");
  if (!found.isFile() || !isSqlite(file)) throw refuse("is not a database. --force only replaces older backups.");
};

/** Creates an empty file that only its owner can read. SQLite accepts it as a new database. */
const reserve = (draft: string): void => {
  try {
    closeSync(openSync(draft, "wx", 0o600));
    chmodSync(draft, 0o600);
  } catch (error) {
    const message = `Could not write to ${dirname(draft)}: ${describeFileError(error)}.`;
    throw new AppError("unavailable", message, { cause: error });
  }
};

const checkDraft = (draft: string): Contents => {
  const damage = damageIn(draft);
  if (damage !== null) throw new AppError("internal", `The copy is damaged and was deleted: ${damage}.`);
  const contents = contentsOf(draft);
  if (contents === null) throw new AppError("invalid", "The database is still empty, so no backup was written.");
  return contents;
};

/** The copy cannot be cancelled, so the file is deleted when it has finished. */
const waitUntilAborted = (
  copying: Promise<void>,
  signal: AbortSignal | undefined,
  clearAway: () => void,
): Promise<void> => {
  if (!signal) return copying;
  const { promise: aborted, reject } = Promise.withResolvers<void>();
  const abort = () => {
    copying.then(clearAway, clearAway);
    reject(signal.reason as Error);
  };
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return Promise.race([copying, aborted]).finally(() => signal.removeEventListener("abort", abort));
};
