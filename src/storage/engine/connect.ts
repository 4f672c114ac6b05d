import { AppError } from "../../kernel/errors.ts";
import type { Database, DatabaseOptions } from "./database.ts";

/** Opens the database at a URL or path. Only the engine that is needed is loaded. */
export const openDatabase = async (url: string, options: DatabaseOptions): Promise<Database> => {
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { PostgresDatabase } = await import("./postgres.ts");
    return new PostgresDatabase(url, options);
  }
  const { SqliteDatabase } = await import("./sqlite.ts");
  return new SqliteDatabase(sqliteFile(url), options);
};

/** The file of a SQLite database, or null for PostgreSQL. */
export const databaseFile = (url: string): string | null => (/^postgres(ql)?:/.test(url) ? null : sqliteFile(url));

const sqliteFile = (url: string): string => {
  const file = url.replace(/^sqlite:(\/\/)?/, "");
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file) || file === "") {
    throw new AppError("invalid", `${url} is not a database. Use a path, sqlite:PATH or postgres://….`);
  }
  return file;
};
