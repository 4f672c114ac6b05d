import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isTagGone, getOwnTag } from "./processes.ts";

/**
 * The temporary name of an incomplete copy, so that nobody mistakes it for a backup. It contains the process that
 * writes it.
 */
export const getPartialFile = (file: string, end: "partial" | "incoming"): string => `${file}.${getOwnTag()}.${end}`;

const SQLITE_ENDS = ["", "-wal", "-shm", "-journal"];
const DRAFT = /\.([0-9a-f]{8}-\d+)\.(?:partial|incoming)(?:-wal|-shm|-journal)?$/;

export const removePartialFile = (draft: string): void => {
  for (const end of SQLITE_ENDS) rmSync(draft + end, { force: true });
};

/** Removes incomplete files of dead processes from a directory. */
export const removeStalePartialFiles = (directory: string): void => {
  for (const file of listStalePartialFiles(directory)) rmSync(file, { force: true });
};

export const listStalePartialFiles = (directory: string): string[] =>
  listNames(directory)
    .filter((name) => {
      const tag = DRAFT.exec(name)?.[1];
      return tag !== undefined && isTagGone(tag);
    })
    .map((name) => join(directory, name));

/** The names in a directory. Cleaning up never throws: other code reports what is wrong with the directory. */
export const listNames = (directory: string): string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};
