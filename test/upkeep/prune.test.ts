import { expect, test } from "bun:test";
import { getCountryFilePath } from "../../src/callsign/country-file-place.ts";
import { loadCallFacts } from "../../src/callsign/facts.ts";
import { deriveAgain } from "../../src/contacts/derive-again.ts";
import { DAY } from "../../src/kernel/clock.ts";
import { derive } from "../../src/domain/contact/derive.ts";
import type { SyncJob } from "../../src/domain/jobs/sync-job.ts";
import * as leftovers from "../../src/storage/log/leftovers.ts";
import * as qsoChanges from "../../src/storage/log/qso-changes.ts";
import * as syncCursors from "../../src/storage/jobs/sync-cursors.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { many } from "../../src/storage/engine/unit.ts";
import * as users from "../../src/storage/people/users.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { prune, type Pruned } from "../../src/upkeep/prune.ts";
import { testApp } from "../support/app.ts";
import { asCty } from "../support/country-file.ts";
import { aBody, logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

const LOST = new Error("connection lost");
const AT = "2026-07-18 01:43";
const OLD = { olderThanMs: 90 * DAY };

const aWorldWithBob = async () => {
  const world = await testWorld();
  return { world, bob: await aUser(world, "bob") };
};

const recordsOf = ({ db }: TestWorld, { id }: SyncJob) => db.read(() => qsoChanges.count(id));
const takenBack = (world: TestWorld, { userId, id }: SyncJob, undo = false) =>
  cancelJob(world, { userId, jobId: id, by: null, undo });

test("change records of old completed jobs are removed, and nothing else", async () => {
  const { world, bob } = await aWorldWithBob();
  const completed = await sync(world, bob.id, "second", [qrz(1, "K1AAA", AT), qrz(2, "K1BBB", AT)]);
  const failed = await sync(world, bob.id, "first", [lotw("K1CCC", AT)], { failure: LOST });
  const rolledBack = await sync(world, bob.id, "first", [lotw("K1DDD", AT)], { failure: LOST });
  await takenBack(world, rolledBack);
  const stale = await world.db.write(() =>
    syncJobs.create({ userId: bob.id, source: "first", trigger: "manual" }, world.clock()),
  );
  world.clock.advance(91 * DAY);
  const young = await sync(world, bob.id, "second", [qrz(3, "K1EEE", AT)]);

  const pruned = await prune(world, OLD);

  expect(pruned).toEqual({ jobs: 2, changes: 4, leftovers: 0, bytes: expect.any(Number), kept: 0 });
  expect(pruned.bytes).toBeGreaterThan(200);
  const left = await Promise.all([completed, failed, rolledBack, young].map((job) => recordsOf(world, job)));
  expect(left).toEqual([0, 1, 0, 1]);
  const marks = await world.db.read(function* () {
    const jobs = [];
    for (const { id } of [completed, failed, rolledBack, stale, young]) jobs.push(yield* syncJobs.get(bob.id, id));
    return jobs.map(({ prunedAt }) => prunedAt !== null);
  });
  expect(marks).toEqual([true, false, true, false, false]);
  expect((await takenBack(world, failed)).counts.deleted).toBe(1);
  expect(await prune(world, OLD)).toMatchObject({ jobs: 1, changes: 1 });
  expect(await prune(world, OLD)).toEqual({ jobs: 0, changes: 0, leftovers: 0, bytes: 0, kept: 0 });
});

test("a pruned import shows no changes and refuses to be undone, with its rule", async () => {
  const app = await testApp();
  const job = await sync(app as unknown as TestWorld, app.bob.id, "file", [said("K1AAA", AT)]);
  const bob = await app.as(app.bob);
  app.clock.advance(20 * DAY);

  await prune(app, { olderThanMs: 10 * DAY });

  const changes = await bob.get(`/api/jobs/${job.id}/changes`);
  expect(changes.body).toEqual({ changes: [], nextCursor: null });
  expect((await bob.get(`/api/jobs/${job.id}`)).body.job).toMatchObject({ status: "completed", prunedAt: app.clock() });
  const undone = await bob.post(`/api/jobs/${job.id}/undo`);
  expect([undone.status, undone.body.error.rule]).toEqual([409, "job_pruned"]);
  expect((await bob.delete(`/api/jobs/${job.id}`)).body.error.rule).toBe("job_completed");
  expect((await bob.get("/api/qsos")).body.total).toBe(1);
});

// Invariant: pruning keeps what a rollback needs
test("what a rollback of a failed job needs is kept", async () => {
  const { world, bob } = await aWorldWithBob();
  const failed = await sync(world, bob.id, "second", [qrz(1, "K1AAA", AT)], { failure: LOST });
  const confirming = await sync(world, bob.id, "first", [lotw("K1AAA", AT)], {
    cursor: { qso: null, qsl: "2026-08-01" },
  });
  const unrelated = await sync(world, bob.id, "second", [qrz(2, "K1BBB", AT)]);
  await world.db.write(() => syncCursors.set(bob.id, "first", { qso: null, qsl: "2026-08-01" }, 1));
  world.clock.advance(91 * DAY);

  expect(await prune(world, OLD)).toMatchObject({ jobs: 1, changes: 1, kept: 1 });
  expect([await recordsOf(world, confirming), await recordsOf(world, unrelated)]).toEqual([1, 0]);
  await takenBack(world, failed);

  expect(await world.db.read(() => syncCursors.find(bob.id, "first"))).toBeNull();
  expect(await prune(world, OLD)).toMatchObject({ jobs: 2, kept: 0 });
});

// Invariant: pruning keeps what a rollback needs
test("an old import kept for another one keeps those that built on it", async () => {
  const { world, bob } = await aWorldWithBob();
  await sync(world, bob.id, "second", [qrz(1, "K1AAA", AT)], { failure: LOST });
  const imported = await sync(world, bob.id, "file", [said("K1AAA", AT, { NAME: "Ann" }), said("K1BBB", AT)]);
  const confirming = await sync(world, bob.id, "first", [lotw("K1BBB", AT)]);
  world.clock.advance(91 * DAY);

  expect(await prune(world, OLD)).toMatchObject({ jobs: 0, kept: 2 });

  expect([await recordsOf(world, imported), await recordsOf(world, confirming)]).toEqual([2, 1]);
  expect((await takenBack(world, imported, true)).counts.deleted).toBe(1);
});

// Invariant: pruning keeps what a rollback needs
test("an old import that was undone is kept while a later one can be undone", async () => {
  const { world, bob } = await aWorldWithBob();
  await sync(world, bob.id, "file", [said("K1AAA", AT)]);
  const older = await sync(world, bob.id, "file", [said("K1AAA", AT, { NAME: "Al" })]);
  world.clock.advance(91 * DAY);
  const newer = await sync(world, bob.id, "file", [said("K1AAA", AT, { NAME: "Bo" })]);
  await takenBack(world, older, true);

  expect(await prune(world, OLD)).toMatchObject({ jobs: 1, kept: 1 });
  await takenBack(world, newer, true);

  expect(await logOf(world, bob.id)).toMatchObject([{ name: null }]);
});

// Invariant: a rollback restores the log from before the job
test("a job rolled back with another country file, with others pruned, restores the former records", async () => {
  const { world, bob } = await aWorldWithBob();
  const old = await sync(world, bob.id, "second", [qrz(1, "K1AAA", AT)]);
  await sync(world, bob.id, "file", [said("K1AAA", AT, { NAME: "Ann" })]);
  const recordsThere = () => world.db.read(() => many`SELECT id FROM records WHERE outdated = 0 ORDER BY id`);
  const before = await recordsThere();
  const unconfirmed = ["K1AAA", "K1BBB"].map((call) => lotw(call, AT, { QSL_RCVD: "N" }));
  const parts = [aBody("qso", unconfirmed), aBody("qsl", [lotw("K1AAA", AT), lotw("K1BBB", AT)])];
  const failed = await sync(world, bob.id, "first", parts, { failure: LOST });
  const changes = (await world.db.read(() => qsoChanges.list(failed.id, { afterId: 0, limit: 10 }))).changes;
  expect(changes.map(({ kind, before: was, after }) => [kind, was?.first, Object.keys(after!.first!)])).toEqual([
    ["updated", null, ["qso", "qsl"]],
    ["added", undefined, ["qso", "qsl"]],
  ]);

  const { dataDir } = world.config;
  await Bun.write(getCountryFilePath(dataDir), (await asCty()).replace(/(,Fed. Rep. of Germany,.*);/, "$1 =K1AAA;"));
  const facts = await loadCallFacts(dataDir);
  expect(await deriveAgain(world, facts)).toMatchObject({ changed: 1 });
  world.clock.advance(91 * DAY);
  expect(await prune(world, OLD)).toMatchObject({ jobs: 2 });
  expect(await recordsOf(world, old)).toBe(0);
  await takenBack(world, failed);

  expect(await recordsThere()).toEqual(before);
  const log = await logOf(world, bob.id);
  expect(log).toMatchObject([{ call: "K1AAA", name: "Ann", dxcc: 230, firstConfirmed: false, first: null }]);
  expect(log[0]).toMatchObject(derive(log[0]!, facts)!);
});

test("a dry run reports what would be removed and removes nothing", async () => {
  const { world, bob } = await aWorldWithBob();
  const job = await sync(world, bob.id, "second", [qrz(1, "K1AAA", AT)]);
  world.clock.advance(91 * DAY);

  const would = await prune(world, { ...OLD, dryRun: true });

  expect(await recordsOf(world, job)).toBe(1);
  expect(await prune(world, OLD)).toEqual(would);
});

test("leftovers of dry runs are removed; open ones stay", async () => {
  const { world, bob } = await aWorldWithBob();
  const nonsense = () => [said("K1AAA", "2026-07-18 99:99")];
  const tried = await sync(world, bob.id, "file", nonsense(), { dryRun: true });
  const done = await sync(world, bob.id, "file", nonsense());
  world.clock.advance(91 * DAY);

  expect(await prune(world, OLD)).toMatchObject({ jobs: 1, changes: 0, leftovers: 1 });

  const left = (job: SyncJob) => world.db.read(() => leftovers.list(job.id, { limit: 10 })).then(({ rows }) => rows);
  expect([(await left(tried)).length, (await left(done)).length]).toEqual([0, 1]);
});

test("it works in slices, so that others can write, and continues after an interruption", async () => {
  const { world, bob } = await aWorldWithBob();
  const minute = (index: number) => `2026-07-${String(10 + Math.floor(index / 1440))} ${clock(index % 1440)}`;
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  const many = Array.from({ length: 1_200 }, (_, index) => said("K1AAA", minute(index)));
  const job = await sync(world, bob.id, "file", many);
  world.clock.advance(91 * DAY);
  const control = new AbortController();
  const others: number[] = [];
  const sleep = async () => {
    await world.db.write(() => users.raiseLogVersion(bob.id));
    others.push(await recordsOf(world, job));
  };
  const seen: Pruned[] = [];
  const onProgress = (sofar: Pruned) => {
    seen.push({ ...sofar });
    control.abort(new Error("enough"));
  };

  const broken = await prune({ ...world, sleep }, { ...OLD, onProgress, signal: control.signal }).catch(
    ({ message }) => message,
  );
  const undo = await takenBack(world, job, true).catch(({ rule }) => rule);
  const rest = await prune({ ...world, sleep }, OLD);

  expect([broken, undo, seen[0]?.changes, rest.changes]).toEqual(["enough", "job_pruned", 500, 700]);
  expect(others).toEqual([700, 200, 0]);
});
