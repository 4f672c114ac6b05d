import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { computeRecordedBy } from "../../src/domain/origins/bits.ts";
import type { Body } from "../../src/domain/jobs/provider.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import type { Source } from "../../src/domain/jobs/source.ts";
import type { JobOptions, SyncJob } from "../../src/domain/jobs/sync-job.ts";
import type { RowOf } from "../../src/storage/engine/rows.ts";
import { many, type Unit } from "../../src/storage/engine/unit.ts";
import { getLayers, listAfter, toSnapshot } from "../../src/storage/log/qsos.ts";
import type { Feed } from "../../src/sync/job/run.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { afterTest } from "./cleanup.ts";
import type { TestWorld } from "./world.ts";

export const STATION = "YU1TEST";

/** A file's record; `at` is `YYYY-MM-DD HH:MM`, optionally with seconds. */
export const said = (call: string, at: string, more: Record<string, string> = {}): AdifRecord => {
  const [date = "", time = ""] = at.split(" ");
  const { BAND = "20m", MODE = "FT8", ...rest } = more;
  return {
    fields: {
      CALL: call,
      QSO_DATE: date.replaceAll("-", ""),
      TIME_ON: time.replaceAll(":", ""),
      BAND,
      MODE,
      STATION_CALLSIGN: STATION,
      ...rest,
    },
  };
};

const withSeconds = (at: string) => (at.length === 16 ? `${at}:00` : at);

/** A confirmed record of the first service. */
export const lotw = (call: string, at: string, more: Record<string, string> = {}): AdifRecord => {
  const time = withSeconds(at);
  const { fields } = said(call, time, more);
  return {
    fields: {
      ...fields,
      BAND: fields.BAND!.toUpperCase(),
      APP_LOTW_QSO_TIMESTAMP: `${time.replace(" ", "T")}Z`,
      QSL_RCVD: "Y",
      QSLRDATE: "20260801",
      APP_LOTW_RXQSL: "2026-08-01 10:00:00",
      ...more,
    },
  };
};

/** A record of the second service. */
export const qrz = (logid: number, call: string, at: string, more: Record<string, string> = {}): AdifRecord => {
  const { fields } = said(call, at.slice(0, 16), more);
  return { fields: { ...fields, APP_QRZLOG_LOGID: String(logid), APP_QRZLOG_STATUS: "N", ...more } };
};

export const aBody = (part: string, records: readonly AdifRecord[]): Body => ({
  phase: part,
  part,
  count: records.length,
  total: records.length,
  rejected: [],
  async *records() {
    for (let start = 0; start < records.length; start += 100) yield records.slice(start, start + 100);
  },
});

/** A body that stops after this many records until it is released. */
export const aHeldBody = (part: string, records: readonly AdifRecord[], behind: number) => {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const body: Body = {
    ...aBody(part, records),
    async *records() {
      yield records.slice(0, behind);
      reached.resolve();
      await released.promise;
      yield records.slice(behind);
    },
  };
  return { body, reached: reached.promise, release: () => released.resolve() };
};

export async function* aFeed(bodies: readonly Body[], cursor: unknown = "after", failure?: unknown): Feed {
  yield* bodies;
  if (failure) throw failure;
  return cursor;
}

interface Options {
  batchSize?: number;
  options?: JobOptions;
  dryRun?: boolean;
  failure?: unknown;
  cursorBefore?: unknown;
  cursor?: unknown;
  runner?: SyncRunner;
}

export const PART: Record<Source, string> = {
  first: "qsl",
  second: "record",
  file: "record",
  feed: "record",
  repair: "record",
};

/** Runs a job over records, as if its source had sent them in one answer. */
export const sync = async (...asked: Parameters<typeof syncing>): Promise<SyncJob> => (await syncing(...asked)).ended;

/** Starts such a job. */
export const syncing = async (
  world: TestWorld,
  userId: number,
  source: Source,
  records: readonly AdifRecord[] | readonly Body[],
  { batchSize, options, dryRun, failure, cursorBefore = null, cursor, runner = aRunner(world) }: Options = {},
): Promise<{ job: SyncJob; ended: Promise<SyncJob> }> => {
  const bodies = records.every((item): item is Body => "part" in item)
    ? records
    : [aBody(PART[source], records as readonly AdifRecord[])];
  const job = await runner.start({ userId, source, trigger: "manual", options, dryRun }, () => ({
    prepare: async () => ({
      cursorBefore,
      feed: aFeed(bodies, cursor, failure),
      maxBatchRecords: batchSize,
    }),
  }));
  return { job, ended: runner.end(job.id).then((ended) => ended!) };
};

const aRunner = (world: TestWorld): SyncRunner => {
  const runner = new SyncRunner(world, 4);
  afterTest(() => runner.stop());
  return runner;
};

/** All contacts, page by page, because a page holds only so many bytes. */
export const readAll = async (db: TestWorld["db"], listNext: (afterId: number) => Unit<Qso[]>): Promise<Qso[]> => {
  const all: Qso[] = [];
  for (;;) {
    const page = await db.read(() => listNext(all.at(-1)?.id ?? 0));
    if (page.length === 0) return all;
    all.push(...page);
  }
};

/** The whole log, oldest first. Also checks that the bit masks match the records. */
export const logOf = async ({ db }: TestWorld, userId: number): Promise<Qso[]> => {
  const log = await readAll(db, (afterId) => listAfter(userId, afterId, null, 10_000));
  const rows = await db.read(
    () => many<RowOf<"qsos", "id" | "recordedBy">>`
      SELECT id, recorded_by AS "recordedBy" FROM qsos WHERE user_id = ${userId}`,
  );
  const masks = new Map(rows.map((row) => [row.id, row.recordedBy]));
  for (const qso of log) {
    const mask = masks.get(qso.id);
    if (mask !== computeRecordedBy(qso))
      throw new Error(`recorded_by of QSO ${qso.id} is ${mask}, not ${computeRecordedBy(qso)}`);
  }
  return log.sort((a, b) => a.startedAt - b.startedAt || (a.call < b.call ? -1 : a.call > b.call ? 1 : a.id - b.id));
};

/** The log without what differs between runs: ids and write times. */
export const contentOf = async (world: TestWorld, userId: number) =>
  (await logOf(world, userId))
    .map((qso) => ({ ...toSnapshot(qso), createdAt: 0, updatedAt: 0, ...getLayers(qso) }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
