import { Database as Connection, SQLiteError } from "bun:sqlite";
import { closeSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../../kernel/errors.ts";

const CACHE_KIB = 4 * 1024;

/**
 * Data of a job beyond a small cache, in a file that loses its name as soon as it is open, and so disappears with its
 * process. Only its owner can read it.
 */
export class UnlinkedTempFile {
  readonly connection: Connection;
  readonly #directory: string;
  readonly #what: string;

  /** `what` names the contents in the error of a full disk. */
  constructor(path: string, what: string, tables: readonly string[]) {
    this.#directory = dirname(path);
    this.#what = what;
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    closeSync(openSync(path, "wx", 0o600));
    this.connection = new Connection(path, { readwrite: true, create: false });
    for (const pragma of ["journal_mode = MEMORY", "locking_mode = EXCLUSIVE", `cache_size = -${CACHE_KIB}`])
      this.connection.run(`PRAGMA ${pragma}`);
    this.connection.run("BEGIN EXCLUSIVE");
    for (const table of tables) this.connection.run(table);
    rmSync(path);
  }

  do<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof SQLiteError) || error.code !== "SQLITE_FULL") throw error;
      throw new AppError("unavailable", `The disk is full. There is no space for ${this.#what} in ${this.#directory}.`);
    }
  }

  close(): void {
    this.connection.close();
  }
}
