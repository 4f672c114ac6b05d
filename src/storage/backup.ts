import { Database as Connection } from "bun:sqlite";
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { AppError } from "../domain/errors.ts";
import type { Database } from "./database.ts";

export interface Backup {
  bytes: number;
  users: number;
  qsos: number;
}

/** Writes a copy beside the wanted name, opens and checks it, and only then gives it that name. */
export const backUp = async (db: Database, file: string, suffix: Uint8Array): Promise<Backup> => {
  const draft = `${file}.${Buffer.from(suffix).toString("hex")}.partial`;
  try {
    await db.copyTo(draft);
    chmodSync(draft, 0o600);
    const found = inspect(draft);
    sync(draft);
    renameSync(draft, file);
    return found;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC") throw new AppError("unavailable", `The disk is full: ${file} was not written.`);
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
};

/** Opens a copy, proves it sound, and counts what is in it. */
export const inspect = (file: string): Backup => {
  const copy = new Connection(file, { readonly: true });
  try {
    const { integrity_check: verdict } = copy.query("PRAGMA integrity_check(1)").get() as { integrity_check: string };
    if (verdict !== "ok") throw new AppError("internal", `The copy ${file} is damaged: ${verdict}`);
    const count = (table: string) => (copy.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
    return { bytes: statSync(file).size, users: count("users"), qsos: count("qsos") };
  } finally {
    copy.close();
  }
};

const sync = (file: string): void => {
  const handle = openSync(file, "r+");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};
