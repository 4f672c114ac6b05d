import { dirname } from "node:path";
import { getFreeBytes, MIN_FREE_BYTES } from "../kernel/files.ts";
import { databaseFile } from "../storage/engine/connect.ts";
import type { World } from "../world.ts";

interface DiskSpace {
  use: "data" | "database";
  directory: string;
  freeBytes: number;
}

/** Where the server writes, and how much is free there. */
export const getDiskSpace = ({ dataDir, databaseUrl }: World["config"]): DiskSpace[] => {
  const file = databaseFile(databaseUrl);
  const places: Omit<DiskSpace, "freeBytes">[] = [{ use: "data", directory: dataDir }];
  if (file !== null) places.push({ use: "database", directory: dirname(file) });
  return places.map((place) => ({ ...place, freeBytes: getFreeBytes(place.directory) }));
};

/** Whether there is space to write. A full disk is logged. */
export const hasDiskSpace = ({ config, log }: Pick<World, "config" | "log">): boolean => {
  const full = getDiskSpace(config).filter(({ freeBytes }) => freeBytes < MIN_FREE_BYTES);
  for (const { directory, freeBytes } of full) log.error("disk.full", { directory, freeBytes });
  return full.length === 0;
};
