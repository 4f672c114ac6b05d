import { Database as Connection, SQLiteError } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, readSync, statSync } from "node:fs";
import { AppError } from "../../kernel/errors.ts";

/** Enough about the contents of a database to compare two of them. */
export interface Contents {
  bytes: number;
  users: number;
  qsos: number;
  jobs: number;
  newestChangeAt: number | null;
}

const MAGIC = "SQLite format 3\0";

/** Whether the file begins like a SQLite database. Not for a file that this process has open: see `openHere`. */
export const isSqlite = (file: string): boolean => {
  const head = Buffer.alloc(MAGIC.length);
  const handle = openSync(file, "r");
  try {
    readSync(handle, head, 0, head.length, 0);
  } finally {
    closeSync(handle);
  }
  return head.toString("latin1") === MAGIC;
};

/** The first problem of the pages, indexes and references of a file, or null. */
export const damageIn = (file: string): string | null => {
  try {
    return withFile(file, (ask) => {
      const { integrity_check: verdict } = ask<{ integrity_check: string }>("PRAGMA integrity_check(1)")!;
      if (verdict !== "ok") return verdict;
      const stray = ask<{ child: string; parent: string }>(
        `SELECT "table" AS child, parent FROM pragma_foreign_key_check LIMIT 1`,
      );
      return stray && `a row of ${stray.child} refers to a missing row of ${stray.parent}`;
    });
  } catch (error) {
    if (isDamage(error)) return (error as Error).message;
    throw error;
  }
};

const PATIENCE_MS = 1_000;

export interface Soundness {
  /** The first problem of the pages, or null. */
  damage: string | null;
  /** Rows whose parent row is missing, by table. */
  stray: { child: string; parent: string; rows: number }[];
}

/** Checks all pages and references at full speed. Null if another program has the file locked. */
export const soundnessOf = (file: string): Soundness | null => {
  try {
    return withFile(file, (ask, all) => {
      ask(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
      const { quick_check: verdict } = ask<{ quick_check: string }>("PRAGMA quick_check(1)")!;
      if (verdict !== "ok") return { damage: verdict, stray: [] };
      const stray = all<Soundness["stray"][number]>(
        `SELECT "table" AS child, parent, count(*) AS rows FROM pragma_foreign_key_check GROUP BY 1, 2`,
      );
      return { damage: null, stray };
    });
  } catch (error) {
    if (isLocked(error)) return null;
    if (isDamage(error)) return { damage: (error as Error).message, stray: [] };
    throw error;
  }
};

const TABLES_OF_A_LOG = ["migrations", "users", "qsos", "sync_jobs"];

/** Counts the contents of a file; null if it has no tables of qsolog. */
export const contentsOf = (file: string): Contents | null =>
  withFile(file, (ask) => {
    const isThere = (table: string) => ask(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '${table}'`);
    if (!TABLES_OF_A_LOG.every(isThere)) return null;
    const { users, qsos, jobs, ...times } = ask<Counts>(
      `SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM qsos) AS qsos,
              (SELECT count(*) FROM sync_jobs) AS jobs, (SELECT max(created_at) FROM users) AS joined,
              (SELECT max(updated_at) FROM qsos) AS changed,
              (SELECT max(coalesce(finished_at, created_at)) FROM sync_jobs) AS ran`,
    )!;
    const changes = Object.values(times).filter((at) => at !== null);
    const newestChangeAt = changes.length === 0 ? null : Math.max(...changes);
    return { bytes: statSync(file).size, users, qsos, jobs, newestChangeAt };
  });

interface Counts {
  users: number;
  qsos: number;
  jobs: number;
  joined: number | null;
  changed: number | null;
  ran: number | null;
}

/**
 * Moves the write-ahead log into the file and removes it. Returns false if another program has the file open, because
 * that needs an exclusive lock.
 */
export const closeUp = (file: string): boolean => {
  try {
    return withFile(file, (ask) => {
      ask("PRAGMA journal_mode = DELETE");
      // The line above does nothing for a file without a write-ahead log, such as a backup.
      ask("BEGIN EXCLUSIVE");
      ask("ROLLBACK");
      return true;
    });
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
};

/** Returns free space to the disk. Blocks other writers. */
export const compact = (file: string): void => {
  try {
    withFile(file, (ask) => {
      ask("PRAGMA busy_timeout = 5000");
      ask("VACUUM");
      ask("PRAGMA wal_checkpoint(TRUNCATE)");
    });
  } catch (error) {
    const { code = "" } = error as SQLiteError;
    if (isLocked(error))
      throw new AppError("unavailable", `${file} is in use, so it was not compacted. Try again later.`);
    if (code === "SQLITE_FULL") {
      throw new AppError(
        "unavailable",
        `${file} was not compacted, because that needs as much free disk space as the file itself.`,
      );
    }
    throw error;
  }
};

export const isDamage = (error: unknown): boolean =>
  error instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(error.code ?? "");

export const isLocked = (error: unknown): boolean =>
  error instanceof SQLiteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code ?? "");

type Ask = <Row>(text: string) => Row | null;
type All = <Row>(text: string) => Row[];

/** An unfinished statement would keep its locks, so each one is finalized and the connection really closes. */
const withFile = <T>(file: string, work: (ask: Ask, all: All) => T): T => {
  const connection = new Connection(file, { readwrite: true });
  const all = <Row>(text: string): Row[] => {
    const statement = connection.prepare(text);
    try {
      return statement.all() as Row[];
    } finally {
      statement.finalize();
    }
  };
  try {
    return work(<Row>(text: string) => all<Row>(text)[0] ?? null, all);
  } finally {
    connection.close(true);
  }
};

/** Writes a file, or the entries of a directory, to the disk, so that they survive a power failure. */
export const flush = (path: string): void => {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
