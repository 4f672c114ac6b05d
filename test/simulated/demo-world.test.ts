import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "bun:test";
import { createDemoWorld } from "../../src/demo/world.ts";
import { loadCallFacts } from "../../src/callsign/facts.ts";
import type { CallFacts } from "../../src/domain/radio/call-facts.ts";
import { lazy } from "../../src/kernel/lazy.ts";
import { ENTITIES } from "../../src/domain/radio/entity.ts";
import { isStale, type ListedJob } from "../../src/domain/jobs/sync-job.ts";
import { SILENT_LOG } from "../../src/kernel/log.ts";
import { QRZ_PATH } from "../../src/simulated/qrz.ts";
import { ACCOUNTS, SimulatedWorld } from "../../src/simulated/world.ts";
import * as leftovers from "../../src/storage/log/leftovers.ts";
import * as qsoChanges from "../../src/storage/log/qso-changes.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { getFactors } from "../../src/people/factors.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { startSync } from "../../src/sync/source/service.ts";
import { openWorld } from "../../src/world.ts";
import { afterAllTests, afterTest } from "../support/cleanup.ts";
import { readAll } from "../support/sync.ts";
import { NOON, testRandom } from "../support/world.ts";

/** Shared, because creating one takes seconds. */
const aDemo = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "qsolog-demo-"));
  afterAllTests(() => rmSync(dataDir, { recursive: true }));
  const outside = { clock: () => NOON, random: testRandom() };
  const demo = await createDemoWorld({ dataDir, ...outside });
  afterAllTests(() => demo.stop());
  const world = await openWorld({ ...demo.config, pace: 0 }, { ...outside, log: SILENT_LOG });
  afterAllTests(() => world.db.close());
  const [ann, bob] = demo.users;
  const log = await readAll(world.db, (afterId) => qsos.listAfter(bob!.id, afterId, null, 10_000));
  const jobs = await world.db.read(() => syncJobs.list({ userId: bob!.id, limit: 100 }));
  return { demo, world, ann: ann!, bob: bob!, log: log.sort((a, b) => a.startedAt - b.startedAt || a.id - b.id), jobs };
};

/** Tests only read it. */
const theDemo = lazy(aDemo);

/** The last test that uses it syncs it. */
const anotherDemo = lazy(aDemo);

const VHF = /^(6m|2m|70cm)$/;

test("the demo has a varied log of twenty years, and users to sign in as", async () => {
  const { demo, world, ann, bob, log } = await theDemo();
  const different = (of: (qso: (typeof log)[number]) => unknown) => new Set(log.map(of)).size;
  const deleted = new Set(ENTITIES.filter((entity) => entity.deleted).map(({ number }) => number));

  expect([ann.isAdmin, bob.isAdmin]).toEqual([true, false]);
  expect(Object.keys(demo.passwords)).toEqual(["ann", "bob", "cleo"]);
  expect(await getFactors(world, demo.users[2]!)).toMatchObject({
    app: { createdAt: expect.any(Number) },
    recoveryCodes: 10,
  });
  expect(Object.keys(demo.factorKeys)).toEqual(["cleo"]);
  expect(log.length).toBeGreaterThanOrEqual(3_000);
  const entities = different(({ dxcc }) => dxcc);
  expect(entities).toBeGreaterThanOrEqual(110);
  expect(entities).toBeLessThanOrEqual(170);
  const ofLargest = log.filter(({ dxcc }) => [291, 230, 248, 54, 339, 281, 223].includes(dxcc!));
  expect(ofLargest.length).toBeGreaterThan(log.length * 0.35);
  expect(log.filter(({ dxcc }) => dxcc === null || deleted.has(dxcc))).toEqual([]);
  expect(
    log.filter(({ qth, dxcc }) => qth !== null && qth === ENTITIES.find(({ number }) => number === dxcc)?.name),
  ).toEqual([]);
  expect(different(({ year }) => year)).toBeGreaterThanOrEqual(20);
  expect(different(({ state }) => state)).toBeGreaterThan(40);
  expect(log.filter(({ propMode }) => propMode === "SAT").length).toBeGreaterThan(20);
  expect(log.filter(({ band, awardGrids }) => VHF.test(band!) && awardGrids).length).toBeGreaterThan(100);
  expect(log.filter(({ firstConfirmed, secondConfirmed }) => firstConfirmed && secondConfirmed).length).toBeGreaterThan(
    100,
  );
});

test("there are jobs of every kind, and unresolved records", async () => {
  const { world, jobs } = await theDemo();
  const kindOf = (job: ListedJob) => `${job.source} ${isStale(job, NOON) ? "stale" : job.status}`;
  const [stale, failed] = jobs;
  const second = jobs.find((job) => kindOf(job) === "second completed")!;

  expect(jobs.map(kindOf)).toEqual([
    "file stale",
    "first failed",
    "second completed",
    "first completed",
    "first cancelled",
    "file completed",
    "second completed",
    "first completed",
  ]);
  for (const { id, stats } of [stale!, failed!]) {
    expect(Math.min(stats.added, stats.updated)).toBeGreaterThan(0);
    expect(await world.db.read(() => qsoChanges.count(id))).toBe(stats.added + stats.updated);
  }
  const left = (await world.db.read(() => leftovers.list(second.id, { limit: 10 }))).rows;
  expect(left.map(({ kind }) => kind).sort()).toEqual(["rejected", "unmatched"]);
});

test("the same clock and random numbers give the same demo", async () => {
  const [one, other] = [await theDemo(), await anotherDemo()];

  const contentOf = ({ log }: typeof one) => log.map((qso) => ({ ...qso, createdAt: 0, updatedAt: 0 }));
  expect(Bun.deepEquals(contentOf(other), contentOf(one))).toBe(true);
  const outcomesOf = ({ jobs }: typeof one) =>
    jobs.map(({ source, status, stats, error }) => ({ source, status, stats, error }));
  expect(outcomesOf(other)).toEqual(outcomesOf(one));
  expect(other.demo.passwords).toEqual(one.demo.passwords);
});

test("after a sync, the log contains what the second service has", async () => {
  const { world, bob } = await anotherDemo();
  const runner = new SyncRunner(world, 1);
  afterTest(() => runner.stop());
  const sync = async (order: { options?: { full: true }; dryRun?: true } = {}) => {
    const job = await startSync(world, runner, { userId: bob.id, source: "second", trigger: "manual", ...order });
    return (await runner.end(job.id))!;
  };

  const news = await sync();
  const again = await sync({ options: { full: true }, dryRun: true });

  expect([news.status, again.status]).toEqual(["completed", "completed"]);
  expect(news.stats.added).toBeGreaterThan(0);
  expect(news.stats.newlyConfirmed).toBeGreaterThan(0);
  expect(again.stats.fetched).toBeGreaterThan(3_000);
  expect(again.stats).toMatchObject({ added: 0, updated: 0, unmatched: 1, rejected: 1 });
});

describe("as time passes in the demo", () => {
  let facts: CallFacts;
  beforeAll(async () => {
    facts = await loadCallFacts("");
  });

  const aSimulation = () => {
    const clock = { now: NOON };
    const world = new SimulatedWorld({
      clock: () => clock.now,
      sleep: async () => {},
      every: () => () => {},
      locate: facts.locate,
    });
    afterTest(() => world.stop());
    return { world, clock };
  };

  test("contacts are added and older ones confirmed at both services", () => {
    const { world, clock } = aSimulation();
    const confirmedIn = (entries: typeof world.entries) => [
      entries.filter(({ lotw }) => lotw.rxqsl === clock.now).length,
      entries.filter(({ qrz }) => qrz.fields.APP_QRZLOG_STATUS === "C" && qrz.modified === clock.now).length,
    ];
    const before = world.entries.length;
    clock.now += 60_000;

    world.addNews({ contacts: 2, confirmations: 20 });

    expect(world.entries.slice(before).map(({ lotw, qrz }) => [lotw.rxqso, qrz.modified])).toEqual([
      [clock.now, clock.now],
      [clock.now, clock.now],
    ]);
    expect(Math.min(...confirmedIn(world.entries))).toBeGreaterThan(0);
  });

  test("a service fails as long as a sync retries, then works again", async () => {
    const { world } = aSimulation();
    world.services.start();
    world.start();
    const ask = () =>
      fetch(world.services.secondUrl + QRZ_PATH, {
        method: "POST",
        headers: { "user-agent": "qsolog/0.1" },
        body: new URLSearchParams({ KEY: ACCOUNTS.second.apiKey, ACTION: "STATUS" }),
      });

    const statuses: number[] = [];
    for (let asked = 0; asked < 44; asked++) statuses.push((await ask()).status);

    expect(statuses).toEqual([...Array(40).fill(200), 503, 503, 503, 200]);
  });
});
