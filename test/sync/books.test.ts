import { describe, expect, test } from "bun:test";
import { byOwner } from "../../src/logbook/caller.ts";
import { lazyVault } from "../../src/world.ts";
import { listServices } from "../../src/logbook/services.ts";
import * as syncCursors from "../../src/storage/jobs/sync-cursors.ts";
import { run } from "../../src/storage/engine/unit.ts";
import { describeStrangeBook, setCredentials, testCredentials } from "../../src/sync/source/credentials.ts";
import { startSync } from "../../src/sync/source/service.ts";
import { logOf } from "../support/sync.ts";
import { aLiveWorld, begun, booked, KEY, synced, uploaded, type Live } from "./services.ts";

const refusalOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

/** Bob, whose callsign differs from the owner of his key's logbook. */
const aStranger = async (callsign = "K1BOB"): Promise<Live> => {
  const live = await aLiveWorld();
  await live.world.db.write(() => run`UPDATE users SET callsign = ${callsign} WHERE id = ${live.bob.id}`);
  await setCredentials(live.world, live.bob.id, "second", { apiKey: KEY });
  booked(live, "K1AAA");
  return live;
};

const viewOf = async ({ world, bob }: Live) =>
  (await listServices(world, byOwner(bob))).services.find(({ source }) => source === "second")!;

describe("the key of another callsign's logbook", () => {
  test("downloads nothing until the user agrees, who is asked once", async () => {
    const live = await aStranger();

    const first = await synced(live, "second");
    expect(first).toMatchObject({ status: "failed", error: { code: "other_callsign" } });
    expect(first.error!.message).toContain("opens the logbook of YU1TEST, but your callsign is K1BOB");
    expect(await logOf(live.world, live.bob.id)).toEqual([]);
    expect(await refusalOf(begun(live, "second"))).toMatchObject({ code: "conflict", rule: "other_callsign" });
    expect((await synced(live, "second", { dryRun: true })).status).toBe("completed");

    expect(await synced(live, "second", { confirm: true })).toMatchObject({ status: "completed", stats: { added: 1 } });
    expect(await viewOf(live)).toMatchObject({ book: "YU1TEST", warning: null });
    await live.world.db.write(() => syncCursors.set(live.bob.id, "second", null, 0));
    expect((await synced(live, "second")).status).toBe("completed");
  });

  test("is found by a test, shown with a warning; a new key is checked again", async () => {
    const live = await aStranger();

    const tested = await testCredentials(live.world, live.bob.id, "second");

    expect(tested).toMatchObject({
      state: "ok",
      book: "YU1TEST",
      warning: expect.stringContaining("logbook of YU1TEST"),
    });
    expect(await viewOf(live)).toEqual(tested);
    expect(await refusalOf(begun(live, "second"))).toMatchObject({ rule: "other_callsign" });
    await setCredentials(live.world, live.bob.id, "second", { apiKey: "0000-1111" });
    expect(await viewOf(live)).toMatchObject({ book: null, warning: null });
  });

  test("waits for the user if the schedule would sync it", async () => {
    const live = await aStranger();
    await testCredentials(live.world, live.bob.id, "second");

    const job = await synced(live, "second", { trigger: "auto" });

    expect(job).toMatchObject({ status: "failed", error: { code: "other_callsign" } });
    expect(await viewOf(live)).toMatchObject({ state: "rejected" });
  });

  test("does not matter if it was downloaded before", async () => {
    const live = await aStranger("YU1TEST");
    await synced(live, "second");
    await live.world.db.write(() => run`UPDATE users SET callsign = 'K1BOB' WHERE id = ${live.bob.id}`);

    expect((await synced(live, "second")).status).toBe("completed");
  });
});

test.each([
  ["YU1TEST", "YU1TEST", null, null, false],
  ["YU1TEST/P", "YU1TEST", null, null, false],
  ["YU1TEST", "yu1test", null, null, false],
  ["YU1TEST", null, null, null, false],
  [null, "K1BOB", null, null, false],
  ["YU1TEST", "K1BOB", "YU1TEST", null, false],
  ["YU1TEST", "K1BOB", null, "YU1TEST", false],
  ["YU1TEST", "K1BOB", null, "YU2OTHER", true],
  ["YU1TEST", "K1BOB", null, null, true],
])("the logbook of %p for the user %p is unusual or not", (book, own, callsign, agreedBook, isStrange) => {
  expect(describeStrangeBook({ book, callsign, agreedBook }, own) !== null).toBe(isStrange);
});

test("credentials encrypted with another secret are reported before a service is asked", async () => {
  const live = await aLiveWorld();
  uploaded(live, "K1AAA");
  const other = {
    ...live.world,
    vault: lazyVault({ ...live.world.config, secret: "x".repeat(43) }, live.world.random),
  };

  const { services } = await listServices(other, byOwner(live.bob));
  expect(services.map(({ state }) => state)).toEqual(["sealed_elsewhere", "sealed_elsewhere"]);
  expect(services[0]!.reason).toContain("the server's secret has changed");
  const order = { userId: live.bob.id, source: "first", trigger: "manual" } as const;
  expect(await refusalOf(startSync(other, live.runner, order))).toMatchObject({ rule: "sealed_elsewhere" });
  expect(await refusalOf(testCredentials(other, live.bob.id, "first"))).toMatchObject({
    code: "conflict",
    rule: "sealed_elsewhere",
  });

  expect(live.first.requests).toEqual([]);
  const { services: again } = await listServices(live.world, byOwner(live.bob));
  expect(again.map(({ state }) => state)).toEqual(["unknown", "unknown"]);
});
