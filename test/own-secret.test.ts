import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sealKey } from "../src/auth/factors/passkeys.ts";
import type { User } from "../src/domain/people/user.ts";
import { SILENT_LOG } from "../src/kernel/log.ts";
import { byOwner } from "../src/logbook/caller.ts";
import { addTarget } from "../src/logbook/notices.ts";
import * as installation from "../src/storage/engine/installation.ts";
import * as passkeys from "../src/storage/people/passkeys.ts";
import { many, run } from "../src/storage/engine/unit.ts";
import { setCredentials } from "../src/sync/source/credentials.ts";
import { adoptDatabase, checkSealed } from "../src/upkeep/sealed.ts";
import { openWorld, readSecret, settleSecret, type World } from "../src/world.ts";
import { afterTest } from "./support/cleanup.ts";
import { aDirectory } from "./support/directory.ts";
import { anApp } from "./support/factors.ts";
import { aUser, ENGINE, testRandom, testWorld, type TestWorld } from "./support/world.ts";

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

/** A database created by a server, and the same one opened from another data directory. */
const twoPlaces = async () => {
  const here = await testWorld();
  await settleSecret(await opened(here));
  const there = { ...here, config: { ...here.config, dataDir: aDirectory() } };
  return { here, there };
};

const sealedFor = async (world: TestWorld): Promise<User> => {
  const bob = await aUser(world, "bob");
  await setCredentials(world, bob.id, "second", { apiKey: "AB12" });
  return bob;
};

test.skipIf(ENGINE !== "sqlite")("every table with encrypted values is checked", async () => {
  const { db } = await testWorld();
  const found = await db.read(
    () => many<{ name: string }>`
      SELECT t.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE c.name = 'sealed' ORDER BY t.name`,
  );
  const looked = await Bun.file(new URL("../src/storage/engine/sealed.ts", import.meta.url)).text();

  expect(found.length).toBeGreaterThan(0);
  for (const { name } of found) expect(looked).toContain(`FROM ${name}`);
});

describe("a database created with a secret", () => {
  test("opens with that secret, in commands and a server", async () => {
    const { here } = await twoPlaces();

    await settleSecret(await opened(here));
  });

  // Defence: the server and commands refuse a database that belongs to another secret
  test("is refused with another secret, and without one, which is then not created", async () => {
    const { here, there } = await twoPlaces();
    await sealedFor(here);

    expect(await problemOf(opened(there))).toMatchObject(FOREIGN);
    expect(await Bun.file(join(there.config.dataDir, "secret")).exists()).toBeFalse();
    readSecret(there.config, testRandom(3));

    expect(await problemOf(opened(there))).toMatchObject({
      ...FOREIGN,
      message: expect.stringContaining(`Put its own secret in ${there.config.dataDir}/secret`),
    });
    await opened(here);
  });

  test("opens with another secret after it was adopted, and then only with that one", async () => {
    const { here, there } = await twoPlaces();
    const bob = await sealedFor(here);
    await anApp(here, bob);
    await addTarget(here, byOwner(bob), { kind: "ntfy", url: "https://ntfy.example/log", events: ["leftovers"] });
    const passkey = { userId: bob.id, credentialId: "AbC", transports: [], counter: 0, name: "phone" };
    const key = sealKey(here.vault, passkey, "public");
    await here.db.write(() => passkeys.add({ ...passkey, sealed: key }, here.clock()));
    expect(await checkSealed(here)).toMatchObject({ stored: 1, unreadable: [], unreadableElse: [] });

    const { unreadable, unreadableElse } = await adoptDatabase({ ...there, random: testRandom(3) });

    expect(unreadable).toEqual([{ username: "bob", source: "second" }]);
    expect(unreadableElse).toEqual([
      { username: "bob", what: "authenticator app", remedy: "qsolog user reset-factor bob" },
      { username: "bob", what: 'passkey "phone"', remedy: "qsolog user reset-factor bob" },
      { username: "bob", what: "ntfy at ntfy.example", remedy: "qsolog notify --user bob" },
    ]);
    await opened(there);
    expect(await problemOf(opened(here))).toMatchObject(FOREIGN);
  });
});

describe("a database of an older version", () => {
  const older = async (world: TestWorld) => world.db.write(() => run`DELETE FROM installation`);

  test("is recognised by its stored accounts", async () => {
    const { here, there } = await twoPlaces();
    await sealedFor(here);
    await older(here);

    writeFileSync(join(there.config.dataDir, "secret"), "x".repeat(43), { mode: 0o600 });
    expect(await problemOf(opened(there))).toMatchObject(FOREIGN);
    await opened(here);

    expect(await here.db.read(() => installation.find("secret"))).not.toBeNull();
  });

  test("uses the first secret if it has none", async () => {
    const { here, there } = await twoPlaces();
    await older(here);
    rmSync(join(here.config.dataDir, "secret"));
    writeFileSync(join(there.config.dataDir, "secret"), "x".repeat(43), { mode: 0o600 });

    await opened(here);
    await opened(there);

    expect(await problemOf(opened(here).then(settleSecret))).toMatchObject(FOREIGN);
  });
});
