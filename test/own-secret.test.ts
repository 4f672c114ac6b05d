import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SILENT_LOG } from "../src/log.ts";
import * as installation from "../src/storage/installation.ts";
import { run } from "../src/storage/unit.ts";
import { setCredentials } from "../src/sync/source/credentials.ts";
import { adoptDatabase } from "../src/upkeep/sealed.ts";
import { openWorld, readSecret, settleSecret, type World } from "../src/world.ts";
import { afterTest } from "./support/cleanup.ts";
import { aDirectory } from "./support/directory.ts";
import { aUser, testRandom, testWorld, type TestWorld } from "./support/world.ts";

const opened = async ({ config, clock }: Pick<TestWorld, "config" | "clock">): Promise<World> => {
  const world = await openWorld(config, { clock, random: testRandom(9), log: SILENT_LOG });
  afterTest(() => world.db.close());
  return world;
};

const problemOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

const FOREIGN = { code: "conflict", rule: "sealed_elsewhere" };

/** A database that a server has begun, and the same seen from another data directory. */
const twoPlaces = async () => {
  const here = await testWorld();
  await settleSecret(await opened(here));
  const there = { ...here, config: { ...here.config, dataDir: aDirectory() } };
  return { here, there };
};

const sealedFor = async (world: TestWorld): Promise<void> => {
  const bob = await aUser(world, "bob");
  await setCredentials(world, bob.id, "second", { apiKey: "AB12" });
};

describe("a database that was begun with a secret", () => {
  test("is opened with it, by commands and by a server", async () => {
    const { here } = await twoPlaces();

    await settleSecret(await opened(here));
  });

  // Defence: a database that belongs to another secret is refused at start, also by commands
  test("is refused with another, and where there is none, which is not made", async () => {
    const { here, there } = await twoPlaces();
    await sealedFor(here);

    expect(await problemOf(opened(there))).toMatchObject(FOREIGN);
    expect(await Bun.file(join(there.config.dataDir, "secret")).exists()).toBeFalse();
    readSecret(there.config, testRandom(3));

    expect(await problemOf(opened(there))).toMatchObject({
      ...FOREIGN,
      message: expect.stringContaining(`put its own in ${there.config.dataDir}/secret`),
    });
    await opened(here);
  });

  test("is opened with another after it was adopted, and then with that alone", async () => {
    const { here, there } = await twoPlaces();
    await sealedFor(here);

    const { unreadable } = await adoptDatabase({ ...there, random: testRandom(3) });

    expect(unreadable).toEqual([{ username: "bob", source: "second" }]);
    await opened(there);
    expect(await problemOf(opened(here))).toMatchObject(FOREIGN);
  });
});

describe("a database of an older program", () => {
  const older = async (world: TestWorld) => world.db.write(() => run`DELETE FROM installation`);

  test("says by its credentials whose it is", async () => {
    const { here, there } = await twoPlaces();
    await sealedFor(here);
    await older(here);

    writeFileSync(join(there.config.dataDir, "secret"), "x".repeat(43), { mode: 0o600 });
    expect(await problemOf(opened(there))).toMatchObject(FOREIGN);
    await opened(here);

    expect(await here.db.read(() => installation.find("secret"))).not.toBeNull();
  });

  test("belongs to whoever opens it first where there are none", async () => {
    const { here, there } = await twoPlaces();
    await older(here);
    rmSync(join(here.config.dataDir, "secret"));
    writeFileSync(join(there.config.dataDir, "secret"), "x".repeat(43), { mode: 0o600 });

    await opened(here);
    await opened(there);

    expect(await problemOf(opened(here).then(settleSecret))).toMatchObject(FOREIGN);
  });
});
