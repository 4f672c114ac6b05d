import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { AppError } from "../src/kernel/errors.ts";

/** The format by file name. */
export const findFormat = (file: string): string | undefined => /\.(adx|csv|jsonl)$/i.exec(file)?.[1]?.toLowerCase();

export const assertNew = (file: string, advice: string): void => {
  if (existsSync(file)) throw new AppError("conflict", `${file} already exists. ${advice}`);
};

/** Writes a temporary file and renames it, so that the file is never incomplete. */
export const writeWhole = async (
  file: string,
  pieces: AsyncIterable<string>,
  hear: (bytes: number) => unknown,
): Promise<number> => {
  const draft = `${file}.part`;
  try {
    const writer = Bun.file(draft).writer();
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += Buffer.byteLength(piece);
      writer.write(piece);
      await writer.flush();
      hear(bytes);
    }
    await writer.end();
    await rename(draft, file);
    return bytes;
  } catch (error) {
    await rm(draft, { force: true });
    if (error instanceof AppError || !(error as NodeJS.ErrnoException).code) throw error;
    throw new AppError("unavailable", `Cannot write ${file}: ${whyNot(error)}.`, { cause: error });
  }
};

const REASONS: Record<string, string> = {
  ENOENT: "the directory does not exist",
  EACCES: "permission denied",
  EROFS: "the file system is read-only",
  EISDIR: "it is a directory",
  ENOSPC: "the disk is full",
};

const whyNot = (error: unknown): string => {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
};
