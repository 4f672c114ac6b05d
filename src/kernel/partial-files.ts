import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isTagGone, ownTag } from "./processes.ts";

/** The name that a copy has until it is complete, so that nobody takes it for a backup. It says which process writes it. */
export const partialFileOf = (file: string, end: "partial" | "incoming"): string => `${file}.${ownTag()}.${end}`;

const SQLITE_ENDS = ["", "-wal", "-shm", "-journal"];
const DRAFT = /\.(?:([0-9a-f]{8}-\d+)\.(?:partial|incoming)|(\d+)\.incoming)(?:-wal|-shm|-journal)?$/;

export const removePartialFile = (draft: string): void => {
  for (const end of SQLITE_ENDS) rmSync(draft + end, { force: true });
};

/** Removes the drafts in a directory whose processes were killed. */
export const removeStalePartialFiles = (directory: string): void => {
  for (const name of namesIn(directory)) {
    const [, tag, oldTag] = DRAFT.exec(name) ?? [];
    if (isTagGone(tag ?? oldTag ?? ownTag())) rmSync(join(directory, name), { force: true });
  }
};

/** To clean up is never a reason to fail: whoever needs the directory says what is wrong with it. */
const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};
