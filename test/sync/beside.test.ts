import { describe, expect, test } from "bun:test";
import * as syncJobs from "../../src/storage/sync-jobs.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { aHeldBody, contentOf, logOf, lotw, qrz, said, sync, syncing } from "../support/sync.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";
import { aLiveWorld, begun, callOf, synced, uploaded, type Live } from "./services.ts";

/** A sync of a server in another process takes its time. */
const CONTACTS = ENGINE === "postgres" ? 300 : 2_000;
const MADE = Date.UTC(2026, 6, 18, 1, 43);
const AT = "2026-08-01 10:00";
const LOST = new Error("connection lost");

/** LoTW knows of them; nothing was downloaded yet. */
const aFullAccount = async (): Promise<Live> => {
  const live = await aLiveWorld();
  for (let n = 0; n < CONTACTS; n++) uploaded(live, callOf(n), { at: MADE });
  return live;
};

/** A sync that has given the first of its two reports a place, and waits for the second. */
const halfway = async (live: Live) => {
  const asked = Promise.withResolvers<() => void>();
  let isHeld = false;
  live.first.fail({
    kind: "busy",
    when: ({ params }) => {
      if (!isHeld && params.get("qso_qsl") === "yes") asked.resolve(live.first.hold());
      isHeld ||= params.get("qso_qsl") === "yes";
      return false;
    },
  });
  const job = await begun(live, "first");
  const release = await asked.promise;
  const answer = async () => {
    release();
    await live.first.journal.departure(live.first.requests.length);
  };
  return { job, answer };
};

/** What a log is that was never disturbed. */
const undisturbed = async (): Promise<Awaited<ReturnType<typeof contentOf>>> => {
  const live = await aFullAccount();
  await synced(live, "first");
  return contentOf(live.world, live.bob.id);
};

describe("a sync that runs while what it built on is taken back", () => {
  // Invariant: a rollback loses nothing
  test("loses nothing of a failed job's contacts: the next sync, not a full one, brings them all", async () => {
    const whole = await undisturbed();
    const live = await aFullAccount();
    const { world, bob } = live;
    live.first.fail({ kind: "busy", when: ({ params }) => params.get("qso_qsl") === "yes" });
    const failed = await synced(live, "first");
    expect(failed).toMatchObject({ status: "failed", stats: { added: CONTACTS } });
    const { job, answer } = await halfway(live);
    expect((await world.db.read(() => syncJobs.get(bob.id, job.id))).stats.unchanged).toBe(CONTACTS);

    const { result } = await cancelJob(world, { userId: bob.id, jobId: failed.id, by: null });
    await answer();
    await live.runner.idle();
    const beside = await world.db.read(() => syncJobs.get(bob.id, job.id));

    expect(result.deleted).toBe(CONTACTS);
    expect(beside).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    expect(await synced(live, "first")).toMatchObject({ status: "completed", error: null });
    expect(await contentOf(world, bob.id)).toEqual(whole);
  });

  // Invariant: a rollback loses nothing
  test("loses nothing of an import's contacts", async () => {
    const whole = await undisturbed();
    const live = await aFullAccount();
    const { world, bob } = live;
    const records = Array.from({ length: CONTACTS }, (_, n) => said(callOf(n), "2026-07-18 01:43", { MODE: "CW" }));
    const imported = await sync(world, bob.id, "file", records);
    const { job, answer } = await halfway(live);
    expect((await world.db.read(() => syncJobs.get(bob.id, job.id))).stats.updated).toBe(CONTACTS);

    await cancelJob(world, { userId: bob.id, jobId: imported.id, by: null, undo: true });
    await answer();
    await live.runner.idle();

    expect(await logOf(world, bob.id)).toEqual([]);
    expect(await synced(live, "first")).toMatchObject({ status: "completed", error: null });
    expect(await contentOf(world, bob.id)).toEqual(whole);
  });

  test("goes on where there was nothing to take back", async () => {
    const live = await aLiveWorld();
    uploaded(live, "K1AAA");
    live.first.fail({ kind: "busy" });
    const failed = await synced(live, "first");
    expect(failed).toMatchObject({ status: "failed", stats: { fetched: 0 } });
    const { job, answer } = await halfway(live);

    await cancelJob(live.world, { userId: live.bob.id, jobId: failed.id, by: null });
    await answer();

    await live.runner.idle();
    const ended = await live.world.db.read(() => syncJobs.get(live.bob.id, job.id));
    expect(ended).toMatchObject({ status: "completed", stats: { added: 1 } });
  });

  test("is stopped also where it is another source's, or waits for its turn", async () => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const failed = await sync(world, bob.id, "first", [lotw("K1AAA", AT)], { failure: LOST });
    const runner = new SyncRunner(world, 1);
    const { body, reached, release } = aHeldBody("record", [qrz(1, "K1AAA", AT), qrz(2, "K1BBB", AT)], 1);
    const running = await syncing(world, bob.id, "second", [body], { batchSize: 1, runner });
    await reached;
    const waiting = await syncing(world, bob.id, "file", [said("K1AAA", AT)], { runner });

    await cancelJob(world, { userId: bob.id, jobId: failed.id, by: null });
    release();

    for (const { ended } of [running, waiting]) {
      expect(await ended).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    }
    expect(await logOf(world, bob.id)).toEqual([]);
    await runner.stop();
  });

  test("is somebody else's, and nothing happens to it", async () => {
    const world = await testWorld();
    const [bob, eve] = [await aUser(world, "bob"), await aUser(world, "eve")];
    const failed = await sync(world, bob.id, "first", [lotw("K1AAA", AT)], { failure: LOST });
    const { body, reached, release } = aHeldBody("qsl", [lotw("K1AAA", AT)], 0);
    const { ended } = await syncing(world, eve.id, "first", [body]);
    await reached;

    await cancelJob(world, { userId: bob.id, jobId: failed.id, by: null });
    release();

    expect(await ended).toMatchObject({ status: "completed", stats: { added: 1 } });
  });
});
