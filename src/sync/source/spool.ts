import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "../../kernel/errors.ts";
import { isTagGone, ownTag } from "../../kernel/processes.ts";
import type { World } from "../../world.ts";

export const spoolDirOf = (dataDir: string): string => join(dataDir, "spool");

/** A database has two more beside it. */
const NAME = /^import-((?:[0-9a-f]{8}-)?\d+)-[0-9a-f-]{32,36}(?:-wal|-shm)?$/;

/** A new name in the folder, by which the file goes with the next sweep if this process leaves it. */
export const spoolPathOf = ({ config, random }: Pick<World, "config" | "random">): string =>
  join(spoolDirOf(config.dataDir), `import-${ownTag()}-${Buffer.from(random(16)).toString("hex")}`);

/** Makes the folder in which a file is to be. */
export const prepareSpool = (path: string): void => void mkdirSync(dirname(path), { recursive: true, mode: 0o700 });

/** Keeps a log that comes as a stream in a file only the owner can read; whoever imports it removes it. */
export const spoolImport = async (
  world: Pick<World, "config" | "random">,
  bytes: AsyncIterable<Uint8Array>,
): Promise<string> => {
  const path = spoolPathOf(world);
  const dir = dirname(path);
  prepareSpool(path);
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of bytes) await file.writeFile(chunk);
  } catch (error) {
    rmSync(path, { force: true });
    const isFull = (error as NodeJS.ErrnoException).code === "ENOSPC";
    throw isFull ? new AppError("unavailable", `The disk is full: ${dir} cannot keep the file to import.`) : error;
  } finally {
    await file.close();
  }
  return path;
};

/** Removes what processes that are gone have left; one that is still importing keeps its file. */
export const sweepImports = (dataDir: string): number => {
  const dir = spoolDirOf(dataDir);
  const left = entriesOf(dir).filter((name) => {
    const tag = NAME.exec(name)?.[1];
    return tag !== undefined && isTagGone(tag);
  });
  for (const name of left) rmSync(join(dir, name), { force: true });
  return left.length;
};

const entriesOf = (dir: string): string[] => {
  try {
    return readdirSync(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
};
