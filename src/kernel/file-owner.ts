import { chownSync, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Gives a file that root created for another user's server to that user: the owner of the file it replaces, or of its
 * directory.
 */
export const giveToOwnerOf = (model: string, made: string): void => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(existsSync(model) ? model : dirname(model));
  chownSync(made, uid, gid);
};
