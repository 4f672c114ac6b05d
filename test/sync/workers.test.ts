import { expect, test } from "bun:test";
import { hostname } from "node:os";
import { AppError } from "../../src/kernel/errors.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { run, databaseNow } from "../../src/storage/engine/unit.ts";
import * as workers from "../../src/storage/jobs/workers.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { JobWorker, failJobsOfDeadWorkers } from "../../src/sync/job/worker.ts";
import { afterTest } from "../support/cleanup.ts";
import { getOwnMark } from "../../src/kernel/processes.ts";
import { aUser, ENGINE, testTime, testWorld, type TestWorld } from "../support/world.ts";
import { aLiveWorld, begun, countOf, HOUR, synced, uploaded, type Live } from "./services.ts";

const SECOND = 1_000;
/** A database server's own clock advances during a test. */
const SLOW_MS = ENGINE === "sqlite" ? 0 : 20 * SECOND;

/** The pid of an ended process. */
const aDeadPid = async (): Promise<number> => {
  const child = Bun.spawn(["true"]);
  await child.exited;
  return child.pid;
};

/** A waiting or running job of a worker whose last heartbeat was at `beatAt`. */
const aJobOf = async (world: TestWorld, worker: Partial<workers.Worker>, isRunning: boolean) => {
  const { length } = await world.db.read(() => workers.list(world.clock()));
  const user = await aUser(world, `user${length}`);
  const known = { id: `w${length}`, host: hostname(), pid: process.pid, beatAt: world.clock(), ...worker };
  return world.db.write(function* () {
    yield* workers.recordBeat(known);
    const silentFor = world.clock() - known.beatAt;
    yield* run`UPDATE workers SET beat_at = ${databaseNow(world.clock())} - CAST(${silentFor} AS BIGINT) WHERE id = ${known.id}`;
    const order = { userId: user.id, source: "first", trigger: "auto", workerId: known.id } as const;
    const job = yield* syncJobs.create(order, world.clock());
    return isRunning ? (yield* syncJobs.claim(job.id, known.id, null, world.clock()))! : job;
  });
};

// Invariant: a job ends when its worker dies
test("a running job fails with its worker, waiting ones stay for others on a server, and those of a live worker continue", async () => {
  const world = await testWorld();
  const pid = await aDeadPid();
  const long = world.clock() - 90 * SECOND;
  const dead = [
    await aJobOf(world, { pid }, true),
    await aJobOf(world, { host: "elsewhere", beatAt: long - 1 - SLOW_MS }, true),
    await aJobOf(world, { beatAt: long - 1 - SLOW_MS }, true),
  ];
  const waiting = await aJobOf(world, { pid }, false);
  if (ENGINE === "sqlite") dead.push(waiting);
  const alive = [
    await aJobOf(world, {}, true),
    await aJobOf(world, {}, false),
    await aJobOf(world, { host: "elsewhere", pid, beatAt: long + SLOW_MS }, true),
  ];

  const failed = await failJobsOfDeadWorkers(world);

  expect(failed.map(({ id }) => id).sort()).toEqual(dead.map(({ id }) => id));
  for (const job of failed) expect(job).toMatchObject({ status: "failed", error: { code: "interrupted" } });
  for (const { userId, id, status } of alive) {
    expect((await world.db.read(() => syncJobs.get(userId, id))).status).toBe(status);
  }
  expect(await countOf({ world }, "workers")).toBe(3);
  expect(await failJobsOfDeadWorkers(world)).toEqual([]);
  const taken = await world.db.write(function* () {
    yield* workers.recordBeat({ id: "new", host: "elsewhere", pid: 1, beatAt: world.clock() });
    return yield* syncJobs.takeQueued("new", ["first"], 9);
  });
  expect(taken.map(({ id, fence }) => [id, fence])).toEqual(ENGINE === "sqlite" ? [] : [[waiting.id, 2]]);
});

test("a pid identifies a process only on its host and only the process that had it first", async () => {
  const world = await testWorld();
  const mark = getOwnMark();
  const pid = await aDeadPid();
  const dead = [
    await aJobOf(world, { ...mark, pid }, true),
    await aJobOf(world, { ...mark, born: "before" }, true),
    await aJobOf(world, { ...mark, place: "in a container", beatAt: world.clock() - 91 * SECOND }, true),
  ];
  const alive = [
    await aJobOf(world, mark, true),
    await aJobOf(world, { ...mark, place: "in a container", pid }, true),
    await aJobOf(world, { ...mark, place: "in a container", born: "before" }, true),
  ];

  const failed = await failJobsOfDeadWorkers(world);

  expect(failed.map(({ id }) => id).sort()).toEqual(dead.map(({ id }) => id));
  for (const { userId, id } of alive) {
    expect((await world.db.read(() => syncJobs.get(userId, id))).status).toBe("running");
  }
});

test("a worker declared dead while the machine slept runs the next job anyway", async () => {
  const live = await aLiveWorld();
  uploaded(live, "K1AAA");
  await synced(live, "first");
  live.world.clock.advance(2 * HOUR);
  await live.world.db.write(() => run`UPDATE workers SET beat_at = beat_at - ${2 * HOUR}`);
  await failJobsOfDeadWorkers(live.world);
  expect(await countOf(live, "workers")).toBe(0);

  expect(await synced(live, "first")).toMatchObject({ status: "completed", error: null });
  expect(await countOf(live, "workers")).toBe(1);
});

test.skipIf(ENGINE !== "sqlite")("a worker sends a heartbeat every ten seconds until it stops", async () => {
  const time = testTime();
  const world = await testWorld({ time });
  const worker = new JobWorker(world);
  const start = world.clock();
  const beatAt = async () =>
    (await world.db.read(() => workers.list(world.clock()))).map(({ beatAt }) => beatAt - start);
  const pass = async (ms: number) => {
    world.clock.advance(ms);
    time.pass(ms);
    await world.db.write(function* () {});
  };
  await worker.register();

  await pass(9 * SECOND);
  expect(await beatAt()).toEqual([0]);
  await pass(1 * SECOND);
  expect(await beatAt()).toEqual([10 * SECOND]);
  await worker.stop();
  await pass(30 * SECOND);

  expect(await beatAt()).toEqual([]);
});

test("a stopped worker has no row, and one without jobs never had one", async () => {
  const world = await testWorld();
  const worker = new JobWorker(world);

  await worker.stop();
  expect(await countOf({ world }, "workers")).toBe(0);
  await Promise.all([worker.register(), worker.register()]);
  expect(await countOf({ world }, "workers")).toBe(1);
  await worker.stop();
  expect(await countOf({ world }, "workers")).toBe(0);
});

test("a second job of the same user and source is refused while one is active", async () => {
  const live = await aLiveWorld();
  live.first.hold();
  await begun(live, "first");

  const refused = await begun(live, "first").catch((error: unknown) => error);

  expect(refused).toBeInstanceOf(AppError);
  expect(refused).toMatchObject({ code: "conflict", rule: "job_active" });
  expect((await synced(live, "second")).status).toBe("completed");
});

test("a running job of a deleted user ends and leaves nothing", async () => {
  const live = await aLiveWorld();
  uploaded(live, "K1AAA");
  const open = live.first.hold();
  const job = await begun(live, "first");
  await live.first.journal.waitForArrival(1);
  await live.world.db.write(() => run`DELETE FROM users WHERE id = ${live.bob.id}`);

  open();

  expect(await live.runner.end(job.id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
  expect(await countOf(live, "sync_jobs")).toBe(0);
  expect(await countOf(live, "account_leases")).toBe(0);
});

test("a job that starts while stopped jobs are looked up is not interrupted", async () => {
  const world = await testWorld();
  const begin = (id: number) => {
    const controller = new AbortController();
    const ended = new Promise<never>(() => {});
    world.underWay.add(id, { userId: 1, controller, ended });
    return controller.signal;
  };
  const gone = begin(1);
  let late: AbortSignal | undefined;
  const db = {
    read: async (unit: Parameters<typeof world.db.read>[0]) => {
      const found = await world.db.read(unit);
      late = begin(2);
      return found;
    },
  } as typeof world.db;

  await new JobWorker({ ...world, db }).interruptStoppedJobs();

  expect([gone.aborted, late?.aborted]).toEqual([true, false]);
});

test("stopping interrupts running and waiting jobs and starts nothing", async () => {
  const live: Live = await aLiveWorld();
  const runner = new SyncRunner(live.world, 1);
  afterTest(() => runner.stop());
  live.first.hold();
  const running = await begun({ ...live, runner }, "first");
  await live.first.journal.waitForArrival(1);
  const waiting = await begun({ ...live, runner }, "second");
  expect((await live.world.db.read(() => syncJobs.get(live.bob.id, waiting.id))).status).toBe("pending");

  await runner.stop();

  const statusOf = async ({ id }: { id: number }) => {
    const { status, error } = await live.world.db.read(() => syncJobs.get(live.bob.id, id));
    return [status, error?.code];
  };
  expect(await statusOf(running)).toEqual(["failed", "interrupted"]);
  // On a server database another process can run it.
  expect(await statusOf(waiting)).toEqual(ENGINE === "sqlite" ? ["failed", "interrupted"] : ["pending", undefined]);
  expect(live.second.requests).toEqual([]);
  expect(await countOf(live, "workers")).toBe(0);
});
