import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import * as leases from "../../src/storage/jobs/account-leases.ts";
import * as autoSync from "../../src/storage/jobs/auto-sync-settings.ts";
import * as serviceCredentials from "../../src/storage/jobs/service-credentials.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { afterTest } from "../support/cleanup.ts";
import { logOf } from "../support/sync.ts";
import { aUser, ENGINE } from "../support/world.ts";
import { aBob, aLiveWorld, begun, countOf, cursorOf, stateOf, synced, uploaded, type Live } from "./services.ts";

/** Another process that locks the database. */
const aLock = ({ world }: Live) => {
  const connection = new Connection(world.db.location);
  afterTest(() => connection.close());
  return {
    hold: () => void connection.run("BEGIN IMMEDIATE"),
    release: () => void connection.run("ROLLBACK"),
  };
};

/** Failed attempts to write the end of a job, as they happen. */
const refusedEnds = ({ world }: Live) => {
  let seen = 0;
  const waiting: { count: number; go: () => void }[] = [];
  world.log.warn = (event) => {
    if (event !== "job.end_write_failed") return;
    seen += 1;
    for (const { count, go } of waiting) if (seen >= count) go();
  };
  return (count: number) => new Promise<void>((go) => void waiting.push({ count, go }));
};

/** How long a job slept each time it waited for the database. `third` resolves with the third time. */
const napsOf = ({ world }: Live) => {
  const naps: number[] = [];
  const { sleep } = world;
  const third = new Promise<void>((go) => {
    world.sleep = (ms, signal) => {
      if (ms >= 250 && naps.push(ms) === 3) go();
      return sleep(Math.min(ms, 20), signal);
    };
  });
  return { naps, third };
};

const aLockableWorld = async () => {
  const live = await aLiveWorld({ giveUpAfterMs: 20 });
  live.world.log = { ...live.world.log };
  const runner = new SyncRunner(live.world, 4);
  afterTest(() => runner.stop());
  return { ...live, runner };
};

describe.skipIf(ENGINE !== "sqlite")("when another process locks the database at the end of a job", () => {
  // Invariant: the end of a job is always written
  test("a finished job completes and releases its account as soon as it can be written", async () => {
    const live = await aLockableWorld();
    uploaded(live, "K1AAA");
    const lock = aLock(live);
    const refused = refusedEnds(live)(3);
    let isHeld = false;
    const onProgress = ({ done, phase }: { done: number; phase: string }) => {
      if (isHeld || phase !== "confirmations" || done < 1) return;
      isHeld = true;
      lock.hold();
    };

    const job = await begun(live, "first", { onProgress });
    await refused;
    expect(await live.world.db.read(() => syncJobs.get(live.bob.id, job.id))).toMatchObject({ status: "running" });
    lock.release();

    expect(await live.runner.end(job.id)).toMatchObject({ status: "completed", error: null, stats: { added: 1 } });
    expect(await countOf(live, "account_leases")).toBe(0);
    expect(await cursorOf(live, "first")).not.toBeNull();
    expect(await synced(live, "first")).toMatchObject({ status: "completed" });
  });

  // Invariant: the end of a job is always written
  test("a failed job ends and releases its account as soon as it can be written", async () => {
    const live = await aLockableWorld();
    uploaded(live, "K1AAA");
    const lock = aLock(live);
    const users = live.store.users.splice(0);
    const open = live.first.hold();
    const job = await begun(live, "first");
    await live.first.journal.waitForArrival(1);
    lock.hold();
    const { third } = napsOf(live);

    open();
    await third;
    expect(await live.world.db.read(() => syncJobs.get(live.bob.id, job.id))).toMatchObject({ status: "running" });
    lock.release();

    expect(await live.runner.end(job.id)).toMatchObject({ status: "failed", error: { code: "auth_failed" } });
    expect(await countOf(live, "account_leases")).toBe(0);
    expect(live.world.underWay.size).toBe(0);
    live.store.users.push(...users);
    expect(await synced(live, "first")).toMatchObject({ status: "completed", stats: { added: 1 } });
  });

  // Invariant: a job survives a locked or unreachable database
  test("a running job continues when the database is free", async () => {
    const live = await aLockableWorld();
    uploaded(live, "K1AAA");
    const lock = aLock(live);
    const open = live.first.hold();
    const job = await begun(live, "first");
    await live.first.journal.waitForArrival(1);
    lock.hold();
    const { naps, third } = napsOf(live);

    open();
    await third;
    expect(await live.world.db.read(() => syncJobs.get(live.bob.id, job.id))).toMatchObject({ status: "running" });
    lock.release();

    expect(await live.runner.end(job.id)).toMatchObject({ status: "completed", error: null, stats: { added: 1 } });
    expect(naps.slice(0, 3)).toEqual([250, 500, 1_000]);
    expect(await countOf(live, "account_leases")).toBe(0);
  });

  test("a process that stops does not wait, and what it could not write ends with its worker", async () => {
    const live = await aLockableWorld();
    const lock = aLock(live);
    const open = live.first.hold();
    const job = await begun(live, "first");
    await live.first.journal.waitForArrival(1);
    lock.hold();
    const { third } = napsOf(live);
    open();
    await third;

    const stopped = live.runner.stop().catch((error: unknown) => error);
    expect(await stopped).toMatchObject({ code: "unavailable" });
    lock.release();
    await live.runner.worker.stop();

    const { status, error } = await live.world.db.read(() => syncJobs.get(live.bob.id, job.id));
    expect([status, error?.code]).toEqual(["failed", "interrupted"]);
    expect(await countOf(live, "account_leases")).toBe(0);
    expect(await countOf(live, "workers")).toBe(0);
  });
});

test("credentials that a service rejects are marked by the end of the job, which pauses the schedule", async () => {
  const live = await aLiveWorld();
  await live.world.db.write(function* () {
    const { first: schedule } = yield* autoSync.get(live.bob.id);
    yield* autoSync.set(live.bob.id, "first", { ...schedule, enabled: true }, live.world.clock());
  });
  live.store.users.length = 0;

  const job = await synced(live, "first", { trigger: "auto" });

  expect(job).toMatchObject({ status: "failed", error: { code: "auth_failed" } });
  expect(await stateOf(live, "first")).toMatchObject({ state: "rejected" });
  expect(await countOf(live, "account_leases")).toBe(0);
  const { first } = await live.world.db.read(() => autoSync.get(live.bob.id));
  expect(first).toMatchObject({ enabled: true, nextSyncAt: null });
});

test("a job that only waited for an account leaves it to its holder", async () => {
  const live = await aLiveWorld();
  const anne = await aBob(live.world, "anne");
  const open = live.first.hold();
  const holder = await begun(live, "first");
  await live.first.journal.waitForArrival(1);
  const waiting = await begun(live, "first", { userId: anne.id });
  while (live.runner.runningCount > 1) await Bun.sleep(1);

  live.world.underWay.interrupt(waiting.id);
  expect(await live.runner.end(waiting.id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });

  expect(await countOf(live, "account_leases")).toBe(1);
  open();
  expect(await live.runner.end(holder.id)).toMatchObject({ status: "completed" });
  expect(await countOf(live, "account_leases")).toBe(0);
});

describe("a job with the id of a worker that does not know it", () => {
  const aLostJob = async (live: Live) => {
    const { world, runner } = live;
    await runner.worker.register();
    const eve = await aUser(world, "eve");
    return world.db.write(function* () {
      const order = { userId: eve.id, source: "first", trigger: "auto", workerId: runner.worker.id } as const;
      const { id } = yield* syncJobs.create(order, world.clock());
      const holder = { workerId: runner.worker.id, jobId: id, fence: 0 };
      yield* leases.take({ source: "second", loginHash: "somebody", ...holder }, world.clock());
      return (yield* syncJobs.claim(id, runner.worker.id, null, world.clock()))!;
    });
  };

  test("ends and releases its account, while running jobs continue", async () => {
    const live = await aLiveWorld();
    uploaded(live, "K1AAA");
    const open = live.first.hold();
    const running = await begun(live, "first");
    await live.first.journal.waitForArrival(1);
    const lost = await aLostJob(live);

    await live.runner.endLost();

    const ended = await live.world.db.read(() => syncJobs.get(lost.userId, lost.id));
    expect(ended).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    const { loginHash } = (await live.world.db.read(() => serviceCredentials.find(live.bob.id, "first")))!;
    const left = await live.world.db.read(() => leases.listOf(live.runner.worker.id));
    expect(left).toMatchObject([{ source: "first", loginHash, jobId: running.id }]);
    open();
    expect(await live.runner.end(running.id)).toMatchObject({ status: "completed" });
    expect(await logOf(live.world, live.bob.id)).toHaveLength(1);
  });

  test("is left alone if it is just being added", async () => {
    const live = await aLiveWorld();
    uploaded(live, "K1AAA");
    const started = Array.from({ length: 5 }, () => live.runner.endLost());
    const job = synced(live, "first");
    for (let turn = 0; turn < 50; turn++) {
      started.push(live.runner.endLost());
      await Promise.resolve();
    }

    await Promise.all(started);
    expect(await job).toMatchObject({ status: "completed" });
  });
});
