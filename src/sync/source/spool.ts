import { mkdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../kernel/errors.ts";
import { isTagGone, getOwnTag } from "../../kernel/processes.ts";
import { removeFiles } from "../../providers/spool.ts";
import type { World } from "../../world.ts";

export const getSpoolDir = (dataDir: string): string => join(dataDir, "spool");

/** SQLite adds two files to the name of a database. */
const NAME = /^import-([0-9a-f]{8}-\d+)-[0-9a-f]{32}(?:-wal|-shm)?$/;

/** Makes a file name that the next sweep recognises if this process dies. */
export const createSpoolPath = ({ config, random }: Pick<World, "config" | "random">): string =>
  join(getSpoolDir(config.dataDir), `import-${getOwnTag()}-${Buffer.from(random(16)).toString("hex")}`);

/** Creates the folder of a temporary file. */
export const prepareSpool = (path: string): void => void mkdirSync(dirname(path), { recursive: true, mode: 0o700 });

/** Writes an uploaded log to a file that only the owner can read. The import removes it. */
export const spoolImport = async (
  world: Pick<World, "config" | "random">,
  bytes: AsyncIterable<Uint8Array>,
): Promise<string> => {
  const path = createSpoolPath(world);
  const dir = dirname(path);
  prepareSpool(path);
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of bytes) await file.writeFile(chunk);
  } catch (error) {
    rmSync(path, { force: true });
    const isFull = (error as NodeJS.ErrnoException).code === "ENOSPC";
    throw isFull
      ? new AppError("unavailable", `The disk is full. There is no space for the file to import in ${dir}.`)
      : error;
  } finally {
    await file.close();
  }
  return path;
};

/** Removes files of dead processes. A process that is still importing keeps its file. */
export const removeStaleImports = (dataDir: string): number =>
  removeFiles(getSpoolDir(dataDir), (name) => {
    const tag = NAME.exec(name)?.[1];
    return tag !== undefined && isTagGone(tag);
  });
