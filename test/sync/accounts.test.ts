import { describe, expect, test } from "bun:test";
import type { SyncJob } from "../../src/domain/jobs/sync-job.ts";
import * as leases from "../../src/storage/jobs/account-leases.ts";
import * as serviceCredentials from "../../src/storage/jobs/service-credentials.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { run } from "../../src/storage/engine/unit.ts";
import * as workers from "../../src/storage/jobs/workers.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { KeyedLock } from "../../src/sync/job/keyed-lock.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { createJobSource } from "../../src/sync/source/source-of-job.ts";
import { afterTest } from "../support/cleanup.ts";
import { logOf, STATION } from "../support/sync.ts";
import { aUser, ENGINE } from "../support/world.ts";
import {
  aBob,
  aLiveWorld,
  begun,
  booked,
  countOf,
  KEY,
  LOGIN,
  PASSWORD,
  synced,
  uploaded,
  type Live,
} from "./services.ts";

const statusOf = async ({ world }: Live, { userId, id }: { userId: number; id: number }) =>
  (await world.db.read(() => syncJobs.get(userId, id))).status;

/** A runner that also takes jobs from the queue, as a server does. */
const aRunner = (live: Live, places: number): Live => {
  const runner = new SyncRunner(live.world, places);
  const look = setInterval(
    () => void runner.takeQueued(["first", "second"], (job, by) => createJobSource(live.world, job, by)),
    5,
  );
  afterTest(async () => {
    clearInterval(look);
    await runner.stop();
  });
  return { ...live, runner };
};

/** The job when it has ended, whichever runner took it from the queue. */
const endOf = async (live: Live, { userId, id }: SyncJob): Promise<SyncJob> => {
  for (;;) {
    const job = await live.world.db.read(() => syncJobs.get(userId, id));
    if (job.status !== "pending" && job.status !== "running") return job;
    await Bun.sleep(1);
  }
};

describe("jobs that wait for an account", () => {
  test("do not count as running: others run meanwhile, and they run one after the other", async () => {
    const live = aRunner(await aLiveWorld(), 2);
    uploaded(live, "K1AAA");
    booked(live, "K1AAA");
    const open = live.first.hold();
    const holder = await begun(live, "first");
    await live.first.journal.waitForArrival(1);
    const club = await Promise.all(["anne", "carl", "dora"].map((name) => aBob(live.world, name)));
    const waiting: SyncJob[] = [];
    for (const { id } of club) {
      waiting.push(await begun(live, "first", { userId: id }));
      while (live.runner.runningCount > 1) await Bun.sleep(1);
    }

    expect(await synced(live, "second")).toMatchObject({ status: "completed", stats: { added: 1 } });
    for (const job of waiting) expect(await statusOf(live, job)).toBe("pending");
    expect(live.runner.runningCount).toBe(1);
    const ends = Promise.all([holder, ...waiting].map(({ id }) => live.runner.end(id)));
    open();

    expect(await ends).toMatchObject(Array(4).fill({ status: "completed" }));
    expect(live.first.requests.every(({ overlaps }) => overlaps.length === 0)).toBeTrue();
    expect(await countOf(live, "account_leases")).toBe(0);
  });

  test("of another process wait too, and start when it is done", async () => {
    const live = await aLiveWorld();
    const { loginHash } = (await live.world.db.read(() => serviceCredentials.find(live.bob.id, "first")))!;
    const lease = { source: "first", loginHash, workerId: "other", jobId: 1_000, fence: 0 } as const;
    await live.world.db.write(function* () {
      yield* workers.recordBeat({ id: "other", host: "elsewhere", pid: 1, beatAt: live.world.clock() });
      yield* leases.take(lease, live.world.clock());
    });

    const job = await begun(live, "first");
    while (live.runner.runningCount > 0) await Bun.sleep(1);
    expect(await statusOf(live, job)).toBe("pending");
    await live.world.db.write(() => leases.release(lease));

    expect(await live.runner.end(job.id)).toMatchObject({ status: "completed" });
  });

  test.skipIf(ENGINE !== "postgres")("that is in use elsewhere give up their place", async () => {
    const live = aRunner(await aLiveWorld(), 1);
    const { world, runner } = live;
    const eve = await aUser(world, "eve");
    live.store.addUser({ login: "other", password: PASSWORD, calls: ["K1OTHER"] });
    await setCredentials(world, eve.id, "first", { username: "other", password: PASSWORD });
    const { loginHash } = (await world.db.read(() => serviceCredentials.find(live.bob.id, "first")))!;
    const lease = { source: "first", loginHash, workerId: "other", jobId: 1_000, fence: 0 } as const;
    await world.db.write(function* () {
      yield* workers.recordBeat({ id: "other", host: "elsewhere", pid: 1, beatAt: world.clock() });
      yield* leases.take(lease, world.clock());
    });
    const open = live.second.hold();
    const holder = await begun(live, "second");
    await live.second.journal.waitForArrival(1);
    const waiting = await begun(live, "first");
    const behind = await begun(live, "first", { userId: eve.id });
    const ends = Promise.all([holder, behind].map((job) => endOf(live, job)));
    open();

    expect(await ends).toMatchObject(Array(2).fill({ status: "completed" }));
    expect(await statusOf(live, waiting)).toBe("pending");
    await runner.end(behind.id);
    expect(runner.runningCount).toBe(0);
    await world.db.write(() => leases.release(lease));

    expect(await endOf(live, waiting)).toMatchObject({ status: "completed" });
    expect(await countOf(live, "account_leases")).toBe(0);
  });

  test("end immediately when they are stopped, without delaying those behind them", async () => {
    const live = await aLiveWorld();
    const [anne, carl] = [await aBob(live.world, "anne"), await aBob(live.world, "carl")];
    const open = live.first.hold();
    const holder = await begun(live, "first");
    await live.first.journal.waitForArrival(1);
    const stopped = await begun(live, "first", { userId: anne.id });
    const next = await begun(live, "first", { userId: carl.id });

    live.world.underWay.interrupt(stopped.id);
    expect(await live.runner.end(stopped.id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    expect(await statusOf(live, next)).toBe("pending");
    open();

    expect(await live.runner.end(holder.id)).toMatchObject({ status: "completed" });
    expect(await live.runner.end(next.id)).toMatchObject({ status: "completed" });
  });

  test("use the account that is set up when their turn comes", async () => {
    const live = aRunner(await aLiveWorld(), 1);
    const eve = await aUser(live.world, "eve");
    await setCredentials(live.world, eve.id, "second", { apiKey: KEY, callsign: STATION });
    live.store.addUser({ login: "other", password: PASSWORD, calls: ["K1OTHER"] });
    const open = live.second.hold();
    const holder = await begun(live, "second", { userId: eve.id });
    await live.second.journal.waitForArrival(1);
    const waiting = await begun(live, "first");
    expect(await statusOf(live, waiting)).toBe("pending");

    await setCredentials(live.world, live.bob.id, "first", { username: "other", password: PASSWORD });
    open();

    expect(await live.runner.end(holder.id)).toMatchObject({ status: "completed" });
    expect(await endOf(live, waiting)).toMatchObject({ status: "completed" });
    expect(new Set(live.first.requests.map(({ account }) => account))).toEqual(new Set(["other"]));
    expect(live.first.requests.some(({ account }) => account === LOGIN)).toBeFalse();
    expect(await countOf(live, "account_leases")).toBe(0);
  });
});

// Invariant: a service account gets one request at a time
describe("an account that another process took over during sleep", () => {
  const anothers = async ({ world, bob }: Live) => {
    const { loginHash } = (await world.db.read(() => serviceCredentials.find(bob.id, "first")))!;
    await world.db.write(() => workers.recordBeat({ id: "other", host: "elsewhere", pid: 1, beatAt: world.clock() }));
    return { source: "first", loginHash, workerId: "other", jobId: 1_000, fence: 0 } as const;
  };

  test("is no longer written by the former job, nor taken from the new holder", async () => {
    const live = await aLiveWorld();
    const { world, runner } = live;
    uploaded(live, "K1AAA");
    const open = live.first.hold();
    const job = await begun(live, "first");
    await live.first.journal.waitForArrival(1);
    const lease = await anothers(live);
    const [held] = await world.db.read(() => leases.listOf(runner.worker.id));
    expect(await world.db.write(() => leases.take(lease, world.clock()))).toBeFalse();
    await world.db.write(function* () {
      yield* leases.release(held!);
      yield* leases.take(lease, world.clock());
    });

    open();

    expect(await runner.end(job.id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    expect(await logOf(world, live.bob.id)).toEqual([]);
    expect(await world.db.read(() => leases.listOf("other"))).toEqual([lease]);
  });

  test.skipIf(ENGINE !== "postgres")("can be taken when its lease has expired by the server's clock", async () => {
    const live = await aLiveWorld();
    const { world, runner } = live;
    uploaded(live, "K1AAA");
    const open = live.first.hold();
    const job = await begun(live, "first");
    await live.first.journal.waitForArrival(1);
    const lease = await anothers(live);
    const asked = live.first.requests.length;
    const moved = (ms: number) =>
      world.db.write(() => run`UPDATE workers SET alive_until = alive_until + ${ms} WHERE id = ${runner.worker.id}`);

    expect(await world.db.write(() => leases.take(lease, world.clock()))).toBeFalse();
    await moved(-100_000);
    expect(await world.db.write(() => leases.take(lease, world.clock()))).toBeTrue();
    // The former holder sends heartbeats again and must notice from the lease alone.
    await moved(100_000);
    open();

    expect(await runner.end(job.id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    expect(live.first.requests).toHaveLength(asked);
    expect(await logOf(world, live.bob.id)).toEqual([]);
    expect(await world.db.read(() => leases.listOf("other"))).toEqual([lease]);
  });
});

test("a lock without waiters is removed", async () => {
  const lines = new KeyedLock();
  const { signal } = new AbortController();
  const leave = await lines.acquire("a", signal);
  const second = lines.acquire("a", signal);

  expect(lines.isLocked("a")).toBeTrue();
  leave();
  (await second)();
  await Bun.sleep(0);

  expect(lines.isLocked("a")).toBeFalse();
});
