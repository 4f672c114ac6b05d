import { readAdif, type AdifProblem } from "../../adif/reader.ts";
import type { AdifRecord } from "../../domain/adif-record.ts";
import { AppError } from "../../domain/errors.ts";
import type { FileRecord } from "../../domain/layers.ts";
import { REPORT_PROGRAM, writesReports } from "../../domain/origins/first.ts";
import type { Rejection } from "../../domain/provider.ts";
import type { JobTrigger, SyncJob } from "../../domain/sync-job.ts";
import { told } from "../../domain/words.ts";
import type { World } from "../../world.ts";
import type { Feed, RunOptions } from "../job/run.ts";
import type { SyncRunner } from "../job/runner.ts";

/** What the reader had to say about a file, beside its records. */
export type Warn = (problem: AdifProblem) => void;

export interface ImportOrder {
  userId: number;
  path: string;
  trigger: JobTrigger;
  dryRun?: boolean;
  warn?: Warn;
  onProgress?: RunOptions["onProgress"];
}

/** Starts importing an ADIF file into a log; refuses what is no ADIF before any job is made. */
export const startImport = async (
  world: Pick<World, "callFacts">,
  runner: SyncRunner,
  { userId, path, trigger, dryRun, warn, onProgress }: ImportOrder,
): Promise<SyncJob> => {
  await assertAdif(path);
  return runner.start(
    { userId, source: "file", trigger, dryRun },
    {
      prepare: async () => ({
        cursorBefore: null,
        feed: fileFeed(path, warn),
        facts: await world.callFacts(),
        onProgress,
      }),
    },
  );
};

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
  let isReport = false;
  for await (const { header, records, problems } of readAdif(Bun.file(path).stream())) {
    const program = told(header?.fields.PROGRAMID);
    if (program !== null) isReport = writesReports(program);
    for (const problem of problems) {
      warn(problem);
      if (LOST.has(problem.rule)) rejected.push({ reason: problem.message, excerpt: problem.excerpt });
    }
    if (records.length > 0) yield isReport ? records.map(asReport) : records;
  }
}

/** Only the first service's own report means something else than usual. */
const asReport = (record: AdifRecord): FileRecord => ({ ...record, program: REPORT_PROGRAM });

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
