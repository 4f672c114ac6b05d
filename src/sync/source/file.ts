import { existsSync, rmSync } from "node:fs";
import type { AdifProblem } from "../../adif/reader.ts";
import type { AdifRecord, UserDef } from "../../domain/contact/adif-record.ts";
import { parseFieldName } from "../../domain/contact/field-name.ts";
import type { FileRecord } from "../../domain/contact/layers.ts";
import { REPORT_PROGRAM, writesReports } from "../../domain/origins/first.ts";
import type { Rejection } from "../../domain/jobs/provider.ts";
import { MAX_REJECTED_STORED, type JobTrigger, type SyncJob } from "../../domain/jobs/sync-job.ts";
import { textOrNull } from "../../kernel/text.ts";
import * as userFields from "../../storage/log/user-fields.ts";
import type { World } from "../../world.ts";
import { Interrupted } from "../job/finish.ts";
import type { WorkDatabase } from "../job/retrying-database.ts";
import type { Feed, RunOptions } from "../job/run.ts";
import type { JobRunner, JobSource, Preparation } from "../job/runner.ts";
import { assertLog, readLog } from "./log-file.ts";

/** Receives problems that the reader found in a file. */
export type Warn = (problem: AdifProblem) => void;

interface FileOrder {
  userId: number;
  path: string;
  /** The uploaded file is removed when the job ends. */
  isUpload?: boolean;
  dryRun?: boolean;
  warn?: Warn;
  onProgress?: RunOptions["onProgress"];
}

export type ImportOrder = FileOrder & { trigger: JobTrigger };

/** Starts importing an ADIF file. Refuses other files before a job is created. */
export const startImport = async (
  world: Pick<World, "ticks" | "turn">,
  runner: JobRunner,
  { trigger, ...order }: ImportOrder,
): Promise<SyncJob> => {
  const { userId, path, isUpload, dryRun } = order;
  await assertLog(world, path);
  const newJob = { userId, source: "file", trigger, dryRun, uploadFile: isUpload ? path : null } as const;
  return runner.start(newJob, () => new FileImport(world, order));
};

export class FileImport implements JobSource {
  readonly #world: Pick<World, "ticks" | "turn">;
  readonly #order: FileOrder;

  constructor(world: Pick<World, "ticks" | "turn">, order: FileOrder) {
    this.#world = world;
    this.#order = order;
  }

  async prepare(db: WorkDatabase): Promise<Preparation> {
    const { userId, path, isUpload, dryRun, warn, onProgress } = this.#order;
    if (isUpload && !existsSync(path)) throw new Interrupted();
    return {
      cursorBefore: null,
      feed: readFileFeed(this.#world, path, warn, (defined) => keepUserFields(db, userId, dryRun ? [] : defined)),
      onProgress,
    };
  }

  onEnd(): void {
    if (this.#order.isUpload) rmSync(this.#order.path, { force: true });
  }
}

/** No real header defines this many fields. */
const MAX_USER_FIELDS = 500;

const keepUserFields = async (db: WorkDatabase, userId: number, defined: readonly UserDef[]): Promise<void> => {
  const kept = defined.slice(0, MAX_USER_FIELDS).flatMap(({ name, type, values }) => {
    const known = parseFieldName(name);
    return known === null ? [] : [{ name: known, type, values: textOrNull(values) ?? undefined }];
  });
  if (kept.length > 0) await db.write(() => userFields.keep(userId, kept));
};

/** Problems that lost a record or part of one. The others are only warnings. */
const LOST: ReadonlySet<AdifProblem["rule"]> = new Set(["too_large", "truncated"]);

const UNNAMED: Rejection = { reason: "same reason as earlier records", excerpt: "" };

/** Yields the records of an ADIF file while they are applied. */
export async function* readFileFeed(
  time: Pick<World, "ticks" | "turn">,
  path: string,
  warn: Warn = () => {},
  define: (defined: readonly UserDef[]) => Promise<void> = async () => {},
): Feed {
  const rejected: Rejection[] = [];
  yield {
    phase: "file",
    part: "record",
    count: 0,
    total: null,
    rejected: [],
    records: () => readRecords(time, path, rejected, warn, define),
  };
  if (rejected.length > 0) {
    yield { phase: "file", part: "record", count: 0, total: null, rejected, async *records() {} };
  }
  return null;
}

async function* readRecords(
  time: Pick<World, "ticks" | "turn">,
  path: string,
  rejected: Rejection[],
  warn: Warn,
  define: (defined: readonly UserDef[]) => Promise<void>,
): AsyncGenerator<AdifRecord[]> {
  let isReport = false;
  for await (const { header, records, problems } of readLog(time, path)) {
    const program = textOrNull(header?.fields.PROGRAMID);
    if (program !== null) isReport = writesReports(program);
    if (header && header.userDefs.length > 0) await define(header.userDefs);
    for (const problem of problems) {
      warn(problem);
      if (!LOST.has(problem.rule)) continue;
      const { message: reason, excerpt } = problem;
      rejected.push(rejected.length < MAX_REJECTED_STORED ? { reason, excerpt } : UNNAMED);
    }
    if (records.length > 0) yield isReport ? records.map(markAsReport) : records;
  }
}

/** Only a report of the first service has a special meaning. */
const markAsReport = (record: AdifRecord): FileRecord => ({ ...record, program: REPORT_PROGRAM });
