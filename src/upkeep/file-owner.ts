import { chownSync, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * What root makes for somebody else's server belongs to that server: the owner of what it stands for, or of the
 * directory it is made in.
 */
export const giveToOwnerOf = (model: string, made: string): void => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(existsSync(model) ? model : dirname(model));
  chownSync(made, uid, gid);
};
