import { rmSync } from "node:fs";
import { join } from "node:path";
import { listNames } from "./partial-files.ts";

export interface BackupFile {
  name: string;
  at: number;
}

const NAME = /^qsolog-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;

/** The name of a copy of the database: `qsolog-20260801T120000Z.db`. */
export const getBackupName = (at: number, suffix = ""): string =>
  `qsolog-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, "")}${suffix}.db`;

/** The backups in a directory, the oldest first. Copies before upgrades and restores have other names. */
export const listBackups = (directory: string): BackupFile[] =>
  listNames(directory)
    .flatMap((name) => {
      const [, ...parts] = NAME.exec(name) ?? [];
      const [year, month, ...rest] = parts.map(Number) as [number, number, number, number, number, number];
      return parts.length > 0 ? [{ name, at: Date.UTC(year, month - 1, ...rest) }] : [];
    })
    .sort((a, b) => a.at - b.at);

/** Removes the oldest, but never the one that was just made. */
export const removeOldBackups = (directory: string, keep: number, made: string): void => {
  for (const { name } of listBackups(directory).slice(0, -keep)) {
    if (name !== made) rmSync(join(directory, name), { force: true });
  }
};
