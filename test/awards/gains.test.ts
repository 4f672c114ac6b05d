import { expect, test } from "bun:test";
import { DAY } from "../../src/kernel/clock.ts";
import type { Gains } from "../../src/domain/jobs/gains.ts";
import type { SyncJob } from "../../src/domain/jobs/sync-job.ts";
import { news } from "../../src/awards/news.ts";
import { gainsWork, gainsOf } from "../../src/awards/gains.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, NOON, testWorld } from "../support/world.ts";

const NOTHING = { entities: [], bands: [], states: [], zones: [], grids: [] };
const WISCONSIN = { DXCC: "291", STATE: "WI", CQZ: "4" };
const IOWA = { ...WISCONSIN, STATE: "IA" };
const GERMANY = { DXCC: "230", CQZ: "14" };

const gainsIn = ({ gains }: SyncJob) => gains as Gains;

const aBob = async () => {
  const world = await testWorld();
  return { world, bob: await aUser(world, "bob") };
};

test("a job gains places that the log had not worked or confirmed before", async () => {
  const { world, bob } = await aBob();
  await sync(world, bob.id, "file", [said("K9XYZ", "2026-07-01 12:00", WISCONSIN)]);

  const job = await sync(world, bob.id, "first", [
    lotw("K9XYZ", "2026-07-01 12:00:20", WISCONSIN),
    lotw("K0ABC", "2026-07-01 13:00", { ...IOWA, BAND: "6m", GRIDSQUARE: "EN31" }),
    lotw("DL1ABC", "2026-07-01 14:00", { ...GERMANY, BAND: "60m" }),
  ]);

  expect(gainsIn(job)).toEqual({
    worked: { entities: [], bands: ["60m", "6m"], states: ["IA"], zones: [14], grids: ["EN31"] },
    confirmed: { entities: [291], bands: ["20m", "60m", "6m"], states: ["IA", "WI"], zones: [4, 14], grids: ["EN31"] },
  });
});

test("what other contacts, or earlier versions of the same ones, counted for is no gain", async () => {
  const { world, bob } = await aBob();
  await sync(world, bob.id, "first", [lotw("K9XYZ", "2026-07-01 12:00", WISCONSIN)]);

  const same = await sync(world, bob.id, "file", [
    said("K9XYZ", "2026-07-01 12:00", { ...WISCONSIN, COMMENT: "nice" }),
  ]);
  const other = await sync(world, bob.id, "file", [said("K9ABC", "2026-07-02 12:00", WISCONSIN)]);

  expect(same.stats.updated).toBe(1);
  expect(gainsIn(same)).toEqual({ worked: NOTHING, confirmed: NOTHING });
  expect(gainsIn(other)).toEqual({ worked: NOTHING, confirmed: NOTHING });
});

test("a place confirmed by the second service is new again when the first one confirms it", async () => {
  const { world, bob } = await aBob();
  const second = await sync(world, bob.id, "second", [
    qrz(1, "DL1ABC", "2026-07-01 12:00", { ...GERMANY, APP_QRZLOG_STATUS: "C" }),
  ]);
  const first = await sync(world, bob.id, "first", [lotw("DL1ABC", "2026-07-01 12:00", GERMANY)]);
  const again = await sync(world, bob.id, "first", [lotw("DL2ABC", "2026-07-03 12:00", GERMANY)]);

  expect(gainsIn(second).confirmed.entities).toEqual([230]);
  expect(gainsIn(first).worked).toEqual(NOTHING);
  expect(gainsIn(first).confirmed.entities).toEqual([230]);
  expect(gainsIn(again)).toEqual({ worked: NOTHING, confirmed: NOTHING });
});

test("contacts of another user do not count as worked", async () => {
  const { world, bob } = await aBob();
  const eve = await aUser(world, "eve");
  await sync(world, eve.id, "file", [said("DL1ABC", "2026-07-01 12:00", GERMANY)]);

  const job = await sync(world, bob.id, "file", [said("DL1ABC", "2026-07-01 12:00", GERMANY)]);

  expect(gainsIn(job).worked.entities).toEqual([230]);
});

test("a dry run gains nothing, and undoing an import removes its gains", async () => {
  const { world, bob } = await aBob();
  const dry = await sync(world, bob.id, "file", [said("DL1ABC", "2026-07-01 12:00", GERMANY)], { dryRun: true });
  const job = await sync(world, bob.id, "file", [said("DL1ABC", "2026-07-01 12:00", GERMANY)]);

  await cancelJob(world, { userId: bob.id, jobId: job.id, by: null, undo: true });

  expect(dry.gains).toBeNull();
  expect(gainsIn(job).worked.entities).toEqual([230]);
  expect((await world.db.read(() => syncJobs.get(bob.id, job.id))).gains).toBeNull();
});

test("the reader thread finds the same gains", async () => {
  const world = await testWorld({ thread: true });
  const bob = await aUser(world, "bob");
  const job = await sync(world, bob.id, "file", [said("DL1ABC", "2026-07-01 12:00", GERMANY)]);

  const order = { jobId: job.id, userId: bob.id, dataDir: world.config.dataDir };
  const inThread = await world.db.inWorker(gainsWork, order, { userId: bob.id });
  const facts = await world.callFacts();

  expect(inThread).toEqual(await world.db.read(() => gainsOf(job.id, bob.id, facts)));
  expect(inThread).toEqual(gainsIn(job));
});

test("news lists jobs since a date, newest first, without those that added nothing", async () => {
  const { world, bob } = await aBob();
  const old = await sync(world, bob.id, "file", [said("K9XYZ", "2026-07-01 12:00", WISCONSIN)]);
  world.clock.advance(2 * DAY);
  const middle = await sync(world, bob.id, "file", [said("DL1ABC", "2026-07-01 12:00", GERMANY)]);
  await sync(world, bob.id, "file", [said("DL2ABC", "2026-07-01 12:00", GERMANY)]);
  const newest = await sync(world, bob.id, "first", [lotw("DL1ABC", "2026-07-01 12:00", GERMANY)]);

  const all = await world.db.read(() => news(bob.id, NOON));
  const recent = await world.db.read(() => news(bob.id, NOON + DAY));

  expect(all.jobs.map(({ jobId }) => jobId)).toEqual([newest.id, middle.id, old.id]);
  expect(recent.jobs.map(({ jobId }) => jobId)).toEqual([newest.id, middle.id]);
  expect(recent.jobs[1]).toMatchObject({ source: "file", worked: { entities: [{ key: 230, label: "Germany" }] } });
});
