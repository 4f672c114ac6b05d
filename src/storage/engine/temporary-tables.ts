import { Database as Connection, SQLiteError } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { AppError } from "../../kernel/errors.ts";

const CACHE_KIB = 4 * 1024;

/**
 * Temporary tables for the data of one job. What exceeds a small cache goes to a file without a name, which only this
 * process can read and which disappears with it.
 */
export class TemporaryTables {
  readonly connection = new Connection(":memory:");
  readonly #what: string;

  /** `what` names the contents in the error of a full disk. */
  constructor(directory: string, what: string, statements: readonly string[]) {
    this.#what = what;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    putTemporaryFilesInto(directory, this.connection);
    for (const pragma of [`cache_size = -${CACHE_KIB}`, "journal_mode = OFF"])
      this.connection.run(`PRAGMA temp.${pragma}`);
    for (const statement of statements) this.connection.run(statement);
    this.connection.run("BEGIN");
  }

  do<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      if (!(error instanceof SQLiteError) || error.code !== "SQLITE_FULL") throw error;
      const directory = findTemporaryDirectory(this.connection);
      throw new AppError("unavailable", `The disk is full. There is no space for ${this.#what} in ${directory}.`);
    }
  }

  close(): void {
    this.connection.close();
  }
}

const findTemporaryDirectory = (connection: Connection): string | null => {
  const found = connection.query<{ temp_store_directory: string }, []>("PRAGMA temp_store_directory").get();
  return found?.temp_store_directory ?? null;
};

/**
 * SQLite's unnamed files go to this directory, because the system's directory for temporary files may be small. The
 * setting applies to all threads of a process and is made once.
 */
export const putTemporaryFilesInto = (directory: string, connection: Connection): void => {
  if (findTemporaryDirectory(connection) === null)
    connection.run(`PRAGMA temp_store_directory = '${directory.replaceAll("'", "''")}'`);
};
