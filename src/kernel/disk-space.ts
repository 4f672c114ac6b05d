import { statfsSync } from "node:fs";

/** With less the disk counts as full: a batch of contacts or an upload can fail any moment. */
export const MIN_FREE_BYTES = 10_000_000;

export const getFreeBytes = (directory: string): number => {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
};
