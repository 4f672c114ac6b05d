import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { AppError } from "../src/kernel/errors.ts";
import { describeFileError } from "../src/kernel/files.ts";

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
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof AppError || !code) throw error;
    const reason = code === "ENOENT" ? "the directory does not exist" : describeFileError(error);
    throw new AppError("unavailable", `Cannot write ${file}: ${reason}.`, { cause: error });
  }
};
