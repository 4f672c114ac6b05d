import { describe, expect, test } from "bun:test";
import { demote, promote } from "../../src/people/roles.ts";
import { OPERATOR, type Actor } from "../../src/domain/people/actor.ts";
import type { User } from "../../src/domain/people/user.ts";
import * as adminActions from "../../src/storage/people/admin-actions.ts";
import * as users from "../../src/storage/people/users.ts";
import type { World } from "../../src/world.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { afterTest } from "../support/cleanup.ts";
import { aUser, testWorld } from "../support/world.ts";

const as = (user: User): Actor => ({ id: user.id, name: user.username, via: "web" });

const actionsOf = async ({ db }: World) => {
  const { actions } = await db.read(() => adminActions.list({ limit: 100 }));
  return actions.filter(({ action }) => action !== "create_user").reverse();
};

test("promoting makes an administrator and is in the action log", async () => {
  const world = await testWorld();
  await aUser(world, "bob");
  world.clock.advance(5);

  const bob = await promote(world, OPERATOR, "BOB");

  expect(bob).toMatchObject({ username: "bob", role: "admin", isAdmin: true });
  expect(await actionsOf(world)).toEqual([
    {
      id: expect.any(Number),
      at: world.clock(),
      admin: "operator",
      via: "cli",
      action: "promote",
      target: "bob",
      details: {},
    },
  ]);
});

// Invariant: a refusal changes nothing and is recorded
// Defence: every administrator operation and refusal is in the action log, in the same transaction
describe("a refusal changes nothing and is in the action log with its rule", () => {
  const refused: [string, (world: World) => Promise<unknown>, string][] = [
    ["promoting an administrator", (world) => promote(world, OPERATOR, "ann"), "already_admin"],
    ["demoting somebody who is none", (world) => demote(world, OPERATOR, "bob"), "not_admin"],
    ["demoting the last one", (world) => demote(world, OPERATOR, "ann"), "last_admin"],
  ];
  test.each(refused)("%s", async (_, refuse, rule) => {
    const world = await testWorld();
    await aUser(world, "ann", "admin");
    await aUser(world, "bob");

    const refusal = refuse(world);
    expect(refusal).rejects.toMatchObject({ code: "conflict", rule });
    await refusal.catch(() => {});

    const all = await world.db.read(() => users.list());
    expect(all.map(({ username, role }) => [username, role])).toEqual([
      ["ann", "admin"],
      ["bob", "user"],
    ]);
    expect((await actionsOf(world)).map(({ details }) => details)).toEqual([{ refused: rule }]);
  });
});

test("an unknown user is not found, and nothing is recorded", async () => {
  const world = await testWorld();

  const asked = promote(world, OPERATOR, "nobody");

  expect(asked).rejects.toMatchObject({ code: "not_found" });
  await asked.catch(() => {});
  expect(await actionsOf(world)).toEqual([]);
});

test("an administrator may give up the role while another stays", async () => {
  const world = await testWorld();
  const ann = await aUser(world, "ann", "admin");
  await aUser(world, "bob", "admin");

  await demote(world, as(ann), ann.id);

  expect((await world.db.read(() => users.get(ann.id))).isAdmin).toBe(false);
});

// Invariant: there is always an administrator
test("two administrators who demote each other at the same time, over two connections, leave one", async () => {
  const world = await testWorld();
  const second = await openDatabase(world.config.databaseUrl, { time: SYSTEM_TIME });
  afterTest(() => second.close());
  const ann = await aUser(world, "ann", "admin");
  const bob = await aUser(world, "bob", "admin");

  for (let round = 0; round < 5; round++) {
    await Promise.allSettled([demote(world, as(ann), bob.id), demote({ ...world, db: second }, as(bob), ann.id)]);
    const left = (await world.db.read(() => users.list())).filter(({ isAdmin }) => isAdmin);
    expect(left).toHaveLength(1);
    await promote(world, OPERATOR, left[0]!.id === ann.id ? bob.id : ann.id);
  }
});

// Invariant: there is always an administrator
// Defence: there is always an administrator
test("two processes that demote the last two administrators leave one", async () => {
  const world = await testWorld();
  await aUser(world, "ann", "admin");
  await aUser(world, "bob", "admin");
  const demoting = (name: string) =>
    Bun.spawn(["bun", "cli/main.ts", "admin", "demote", name], {
      env: { ...process.env, QSOLOG_DATA_DIR: world.dataDir, QSOLOG_DATABASE_URL: world.config.databaseUrl },
      stdio: ["ignore", "ignore", "ignore"],
    }).exited;

  const codes = await Promise.all([demoting("ann"), demoting("bob")]);

  expect(codes.sort()).toEqual([0, 3]);
  expect(await world.db.read(() => users.count("admin"))).toBe(1);
});
