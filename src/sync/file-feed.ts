import { readAdif, type AdifProblem } from "../adif/reader.ts";
import type { AdifRecord } from "../domain/adif-record.ts";
import { AppError } from "../domain/errors.ts";
import type { FileRecord } from "../domain/layers.ts";
import type { Rejection } from "../domain/provider.ts";
import { told } from "../domain/words.ts";
import type { Feed } from "./engine.ts";

/** What the reader had to say about a file, beside its records. */
export type Warn = (problem: AdifProblem) => void;

/** These lost a record or a part of one; the others are only worth a word. */
const LOST: ReadonlySet<AdifProblem["rule"]> = new Set(["too_large", "truncated"]);

/** The records of an ADIF file, read as they are applied. */
export async function* fileFeed(path: string, warn: Warn = () => {}): Feed {
  const rejected: Rejection[] = [];
  yield {
    phase: "file",
    part: "record",
    count: 0,
    total: null,
    rejected: [],
    records: () => recordsOf(path, rejected, warn),
  };
  if (rejected.length > 0) {
    yield { phase: "file", part: "record", count: 0, total: null, rejected, async *records() {} };
  }
  return null;
}

async function* recordsOf(path: string, rejected: Rejection[], warn: Warn): AsyncGenerator<AdifRecord[]> {
  let program: string | undefined;
  for await (const { header, records, problems } of readAdif(Bun.file(path).stream())) {
    if (header) program = told(header.fields.PROGRAMID) ?? program;
    for (const problem of problems) {
      warn(problem);
      if (LOST.has(problem.rule)) rejected.push({ reason: problem.message, excerpt: problem.excerpt });
    }
    if (records.length > 0) yield program === undefined ? records : records.map((record) => spokenBy(record, program!));
  }
}

/** Only LoTW's own file means something else than usual. */
const spokenBy = (record: AdifRecord, program: string): FileRecord =>
  program.toUpperCase() === "LOTW" ? { ...record, program: "LoTW" } : record;

/** Refuses what holds neither a header nor a record, before any job is made of it. */
export const assertAdif = async (path: string): Promise<void> => {
  try {
    for await (const { header, records } of readAdif(Bun.file(path).stream())) {
      if (header || records.length > 0) return;
    }
  } catch (error) {
    throw new AppError("invalid", `The file ${path} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
  throw new AppError("invalid", "Could not read this file as ADIF: it has neither a header nor a record.");
};

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "it does not exist";
  if (code === "EACCES") return "permission is denied";
  return code === "EISDIR" ? "it is a directory" : message;
};
