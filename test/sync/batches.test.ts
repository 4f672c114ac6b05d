import { expect, test } from "bun:test";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { SyncError } from "../../src/domain/jobs/provider.ts";
import type { JobProgress } from "../../src/domain/jobs/sync-job.ts";
import { addQso } from "../../src/contacts/edit.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import * as qsoChanges from "../../src/storage/log/qso-changes.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { afterTest } from "../support/cleanup.ts";
import { aBody, aFeed, logOf, lotw, said, sync } from "../support/sync.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

const CALLS = ["K1ABC", "OK6NUC", "JA1XYZ", "HB9AA", "DL1AA", "F5AA"];
const BANDS = ["20m", "40m", "15m"];

/** Few calls, repeated, so that most records depend on the previous batch. */
const told = (record: (call: string, at: string, band: string) => AdifRecord, count = 120): AdifRecord[] =>
  Array.from({ length: count }, (_, n) => {
    const at = new Date(Date.UTC(2026, 6, 18, 1, n)).toISOString().slice(0, 16).replace("T", " ");
    return record(CALLS[(n * 7) % CALLS.length]!, at, BANDS[n % BANDS.length]!);
  });

const FILE = told((call, at, band) => said(call, at, { BAND: band }));
const FIRST = told((call, at, band) => lotw(call, at, { BAND: band }));

/** Runs an import and calls a function after each batch. */
const importing = async (world: TestWorld, userId: number, onBatch: (progress: JobProgress) => void) => {
  const runner = new SyncRunner(world, 1);
  afterTest(() => runner.stop());
  const job = await runner.start({ userId, source: "file", trigger: "manual" }, () => ({
    prepare: async () => ({
      cursorBefore: null,
      feed: aFeed([aBody("record", FILE)]),
      maxBatchRecords: 10,
      onProgress: onBatch,
    }),
  }));
  return (await runner.end(job.id))!;
};

test("changes between two batches are seen: no contact is added twice or lost", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const facts = await world.callFacts();
  const typed: Promise<unknown>[] = [];
  const later = FILE.slice(-6).map(({ fields }) => fields);
  const type = () => {
    const fields = later.pop();
    if (!fields) return;
    const { CALL: call, QSO_DATE: day = "", TIME_ON: time = "", BAND: band, MODE: mode, STATION_CALLSIGN } = fields;
    const startedAt = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${time.slice(0, 2)}:${time.slice(2)}:00Z`;
    typed.push(addQso(world, bob.id, { call, startedAt, band, mode, stationCallsign: STATION_CALLSIGN }, facts));
  };

  const job = await importing(world, bob.id, type);
  const ids = await Promise.all(typed);

  expect(ids).toHaveLength(6);
  expect(job).toMatchObject({ status: "completed", error: null });
  expect(await logOf(world, bob.id)).toHaveLength(FILE.length);
  expect(job.stats.added + ids.length).toBe(FILE.length);
});

test("records received before a download ends early are written", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const unconfirmed = FIRST.map(({ fields }) => ({ fields: { ...fields, QSL_RCVD: "N" } }));
  const bodies = [aBody("qso", unconfirmed), aBody("qsl", FIRST)];

  const job = await sync(world, bob.id, "first", bodies, { failure: new SyncError("network", "The line broke.") });

  expect(job).toMatchObject({ status: "failed", stats: { added: FIRST.length, updated: FIRST.length } });
});

test("a stopped job writes its current batch and nothing more", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  let stopped: Promise<unknown> | null = null;

  const job = await importing(world, bob.id, ({ done }) => {
    if (done < 40) return;
    stopped ??= world.db.write(() => syncJobs.askToStop(1, world.clock()));
  });
  await stopped;

  expect(job).toMatchObject({ status: "failed", error: { code: "interrupted" } });
  const log = await logOf(world, bob.id);
  expect(log.length).toBeGreaterThanOrEqual(40);
  expect(log.length).toBeLessThan(FILE.length);
  expect(job.stats.added).toBe(log.length);
  expect(await world.db.read(() => qsoChanges.count(job.id))).toBe(log.length);
});
