import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type ProviderDeps, SyncError } from "../domain/jobs/provider.ts";

export const BLOCK = 64 * 1024;
const NAME = /^spool-[0-9a-f]{32}$/;

/** A response on disk that only the owner can read. */
export class Spool {
  readonly path: string;
  size = 0;
  /** A plain file descriptor: a FileHandle that is garbage collected without being closed ends the process. */
  readonly #file: number;
  #isRemoved = false;

  constructor(path: string, file: number) {
    this.path = path;
    this.#file = file;
  }

  write(block: Uint8Array): void {
    try {
      for (let done = 0; done < block.length;) done += writeSync(this.#file, block, done, block.length - done);
    } catch (error) {
      throwDiskError(error);
    }
    this.size += block.length;
  }

  /**
   * The bytes between two offsets, in blocks. Each is valid until the next one is requested. The file can be unlinked
   * meanwhile by a sweep of another process.
   */
  *read(from = 0, to = this.size): Generator<Uint8Array> {
    const block = Buffer.allocUnsafeSlow(Math.min(BLOCK, Math.max(0, to - from)));
    for (let at = from; at < to;) {
      const wanted = Math.min(block.length, to - at);
      const length = this.#isRemoved ? 0 : readSync(this.#file, block, 0, wanted, at);
      if (length === 0) throw new SyncError("internal", "The downloaded file has disappeared from disk.");
      yield block.subarray(0, length);
      at += length;
    }
  }

  remove(): void {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    closeSync(this.#file);
    rmSync(this.path, { force: true });
  }
}

/** Fills a new spool. If that fails, the file is deleted before the error is thrown. */
export async function fillSpool<T>(
  deps: Pick<ProviderDeps, "spoolDir" | "random">,
  fill: (spool: Spool) => Promise<T>,
): Promise<{ spool: Spool; filled: T }> {
  const spool = createSpool(deps);
  try {
    return { spool, filled: await fill(spool) };
  } catch (error) {
    spool.remove();
    throw error;
  }
}

/** Removes spools of dead processes and returns their number. */
export const removeStaleSpools = (dir: string): number => removeFiles(dir, (name) => NAME.test(name));

/** Removes files of a folder by their names and returns their number. */
export function removeFiles(dir: string, isMeant: (name: string) => boolean): number {
  const meant = listEntries(dir).filter(isMeant);
  for (const name of meant) rmSync(join(dir, name), { force: true });
  return meant.length;
}

function createSpool({ spoolDir, random }: Pick<ProviderDeps, "spoolDir" | "random">): Spool {
  const path = join(spoolDir, `spool-${Buffer.from(random(16)).toString("hex")}`);
  try {
    mkdirSync(spoolDir, { recursive: true, mode: 0o700 });
    return new Spool(path, openSync(path, "wx+", 0o600));
  } catch (error) {
    return throwDiskError(error);
  }
}

function listEntries(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function throwDiskError(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "ENOSPC" ? "the disk is full" : (code ?? "unknown error");
  throw new SyncError("internal", `Could not write the download to disk: ${reason}.`);
}
