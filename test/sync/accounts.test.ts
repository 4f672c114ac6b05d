import { describe, expect, test } from "bun:test";
import * as leases from "../../src/storage/account-leases.ts";
import * as serviceCredentials from "../../src/storage/service-credentials.ts";
import * as syncJobs from "../../src/storage/sync-jobs.ts";
import * as workers from "../../src/storage/workers.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { Lines } from "../../src/sync/job/lines.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { afterTest } from "../support/cleanup.ts";
import { STATION } from "../support/sync.ts";
import { aUser } from "../support/world.ts";
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

const aRunner = (live: Live, places: number): Live => {
  const runner = new SyncRunner(live.world, places);
  afterTest(() => runner.stop());
  return { ...live, runner };
};

describe("jobs that wait for an account", () => {
  test("take no place: others run meanwhile, and they one after the other, pending until then", async () => {
    const live = aRunner(await aLiveWorld(), 2);
    uploaded(live, "K1AAA");
    booked(live, "K1AAA");
    const open = live.first.hold();
    const holder = await begun(live, "first");
    await live.first.journal.arrival(1);
    const club = await Promise.all(["anne", "carl", "dora"].map((name) => aBob(live.world, name)));
    const waiting = await Promise.all(club.map(({ id }) => begun(live, "first", { userId: id })));

    expect(await synced(live, "second")).toMatchObject({ status: "completed", stats: { added: 1 } });
    for (const job of waiting) expect(await statusOf(live, job)).toBe("pending");
    expect(live.runner.placesTaken).toBe(1);
    const ends = Promise.all([holder, ...waiting].map(({ id }) => live.runner.end(id)));
    open();

    expect(await ends).toMatchObject(Array(4).fill({ status: "completed" }));
    expect(live.first.requests.every(({ overlaps }) => overlaps.length === 0)).toBeTrue();
    expect(await countOf(live, "account_leases")).toBe(0);
  });

  test("of another program wait as well, and begin when it is done", async () => {
    const live = await aLiveWorld();
    const { loginHash } = (await live.world.db.read(() => serviceCredentials.find(live.bob.id, "first")))!;
    await live.world.db.write(function* () {
      yield* workers.beat({ id: "other", host: "elsewhere", pid: 1, beatAt: live.world.clock() });
      yield* leases.take("first", loginHash, "other", live.world.clock());
    });

    const job = await begun(live, "first");
    while (live.runner.placesTaken > 0) await Bun.sleep(1);
    expect(await statusOf(live, job)).toBe("pending");
    await live.world.db.write(() => leases.release("first", loginHash, "other"));

    expect(await live.runner.end(job.id)).toMatchObject({ status: "completed" });
  });

  test("end at once when they are stopped, and hold up nobody behind them", async () => {
    const live = await aLiveWorld();
    const [anne, carl] = [await aBob(live.world, "anne"), await aBob(live.world, "carl")];
    const open = live.first.hold();
    const holder = await begun(live, "first");
    await live.first.journal.arrival(1);
    const stopped = await begun(live, "first", { userId: anne.id });
    const next = await begun(live, "first", { userId: carl.id });

    live.world.underWay.interrupt(stopped.id);
    expect(await live.runner.end(stopped.id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    expect(await statusOf(live, next)).toBe("pending");
    open();

    expect(await live.runner.end(holder.id)).toMatchObject({ status: "completed" });
    expect(await live.runner.end(next.id)).toMatchObject({ status: "completed" });
  });

  test("ask for the account that is set up when their turn comes", async () => {
    const live = aRunner(await aLiveWorld(), 1);
    const eve = await aUser(live.world, "eve");
    await setCredentials(live.world, eve.id, "second", { apiKey: KEY, callsign: STATION });
    live.store.addUser({ login: "other", password: PASSWORD, calls: ["K1OTHER"] });
    const open = live.second.hold();
    const holder = await begun(live, "second", { userId: eve.id });
    await live.second.journal.arrival(1);
    const waiting = await begun(live, "first");
    expect(await statusOf(live, waiting)).toBe("pending");

    await setCredentials(live.world, live.bob.id, "first", { username: "other", password: PASSWORD });
    open();

    expect(await live.runner.end(holder.id)).toMatchObject({ status: "completed" });
    expect(await live.runner.end(waiting.id)).toMatchObject({ status: "completed" });
    expect(new Set(live.first.requests.map(({ account }) => account))).toEqual(new Set(["other"]));
    expect(live.first.requests.some(({ account }) => account === LOGIN)).toBeFalse();
    expect(await countOf(live, "account_leases")).toBe(0);
  });
});

test("a line is forgotten when nobody stands in it", async () => {
  const lines = new Lines();
  const { signal } = new AbortController();
  const leave = await lines.enter("a", signal);
  const second = lines.enter("a", signal);

  expect(lines.isBusy("a")).toBeTrue();
  leave();
  (await second)();
  await Bun.sleep(0);

  expect(lines.isBusy("a")).toBeFalse();
});
