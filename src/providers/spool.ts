import { readdirSync, rmSync } from "node:fs";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { SyncError } from "../domain/provider.ts";

export const BLOCK = 64 * 1024;
const NAME = /^spool-[0-9a-f-]{36}$/;

/** An answer on disk that only the owner can read. */
export class Spool {
  readonly path: string;
  size = 0;
  readonly #handle: FileHandle;
  #isRemoved = false;

  constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#handle.writeFile(chunk).catch(tellInWords);
    this.size += chunk.length;
  }

  /** The bytes from one offset up to another, in the blocks they were written in. The file may be unlinked meanwhile, as a sweep by another process does. */
  async *read(from = 0, to = this.size): AsyncGenerator<Uint8Array> {
    for (let at = from; at < to;) {
      const chunk = Buffer.allocUnsafeSlow(Math.min(BLOCK - (at % BLOCK), to - at));
      const { bytesRead } = await this.#handle.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) throw new SyncError("internal", "The spooled answer has lost its end.");
      yield chunk.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  async remove(): Promise<void> {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    await this.#handle.close();
    await rm(this.path, { force: true });
  }
}

/** Fills a new spool; one that could not be filled is gone when the error arrives. */
export async function spooled<T>(
  dir: string,
  fill: (spool: Spool) => Promise<T>,
): Promise<{ spool: Spool; filled: T }> {
  const spool = await createSpool(dir);
  try {
    return { spool, filled: await fill(spool) };
  } catch (error) {
    await spool.remove();
    throw error;
  }
}

/** Removes what a process that died has left behind; returns how many there were. */
export function sweepSpools(dir: string): number {
  const left = entriesOf(dir).filter((name) => NAME.test(name));
  for (const name of left) rmSync(join(dir, name), { force: true });
  return left.length;
}

async function createSpool(dir: string): Promise<Spool> {
  const path = join(dir, `spool-${randomUUID()}`);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    return new Spool(path, await open(path, "wx+", 0o600));
  } catch (error) {
    return tellInWords(error);
  }
}

function entriesOf(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function tellInWords(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "ENOSPC" ? "the disk is full" : `the system says ${code ?? "nothing more"}`;
  throw new SyncError("internal", `The answer cannot be kept on disk: ${reason}.`);
}
