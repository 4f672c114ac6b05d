import { chownSync, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

const REASONS: Record<string, string> = {
  ENOENT: "it does not exist",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of the path is a file",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  EEXIST: "a file with this name exists",
  ENOSPC: "the disk is full",
  ENAMETOOLONG: "the name is too long",
};

/** Why a file or directory could not be used, as the end of a sentence. */
export const describeFileError = (error: unknown): string => {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
};

/**
 * Gives a file that root created for another user's server to that user: the owner of the file it replaces, or of its
 * directory.
 */
export const giveToOwnerOf = (model: string, made: string): void => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(existsSync(model) ? model : dirname(model));
  chownSync(made, uid, gid);
};

/** With less the disk counts as full: a batch of contacts or an upload can fail any moment. */
export const MIN_FREE_BYTES = 10_000_000;

export const getFreeBytes = (directory: string): number => {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
};
