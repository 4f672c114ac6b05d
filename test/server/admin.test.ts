import { describe, expect, test } from "bun:test";
import { version } from "../../package.json";
import { DAY, HOUR } from "../../src/kernel/clock.ts";
import { SyncError } from "../../src/domain/jobs/provider.ts";
import { run } from "../../src/storage/engine/unit.ts";
import { PASSWORD, testApp, type Asker, type TestApp } from "../support/app.ts";
import { aUser } from "../support/world.ts";

const namesOf = async (ann: Asker, query: string): Promise<string[]> =>
  (await ann.get(`/api/admin/users?${query}`)).body.users.map(({ username }: { username: string }) => username);

const actionsOf = async (ann: Asker, query = "") => (await ann.get(`/api/admin/actions?${query}`)).body;

test("the figures count users, contacts and jobs, and show the state of the server", async () => {
  const app = await testApp();
  const [ann, bob] = [await app.as(app.ann), await app.as(app.bob)];
  await app.credentialsFor(app.bob, "first", "second");
  app.second.fails = new SyncError("network", "The line is down.");
  for (const source of ["first", "second"]) await bob.post(`/api/sync/${source}`);
  await app.runner.idle();
  await app.lastSeen.flush();
  app.clock.advance(2 * DAY);
  await app.scheduler.tick(app.clock());

  const { body } = await ann.get("/api/admin/stats");

  expect(body).toEqual({
    users: 3,
    administrators: 1,
    active24h: 1,
    active30d: 2,
    qsos: 0,
    jobs: { pending: 0, running: 0, completed: 1, failed: 1, cancelled: 0 },
    databaseBytes: expect.any(Number),
    scheduler: { running: false, lastTickAt: app.clock() },
    version,
    startedAt: app.clock() - 2 * DAY,
  });
});

describe("the list of users", () => {
  test("shows the data of each user and their problems", async () => {
    const app = await testApp();
    const [ann, bob] = [await app.as(app.ann), await app.as(app.bob)];
    await app.credentialsFor(app.bob, "first");
    await bob.put("/auto-sync/settings", { first: { enabled: true }, second: { enabled: true } });
    app.first.fails = new SyncError("auth_failed", "Wrong password.");
    await bob.post("/api/sync/first");
    await app.runner.idle();

    const { users, total } = (await ann.get("/api/admin/users?q=BOB")).body;

    expect(total).toBe(1);
    expect(users[0]).toMatchObject({
      username: "bob",
      qsoCount: 0,
      jobCount: 1,
      lastJobAt: app.clock(),
      lastJobStatus: "failed",
      pausedServices: [
        { source: "first", reason: "credentials" },
        { source: "second", reason: "not_configured" },
      ],
    });
    expect(await namesOf(ann, "filter=failing")).toEqual(["bob"]);
  });

  test("is sorted by name, age and last visit, in both directions", async () => {
    const app = await testApp();
    app.clock.advance(HOUR);
    await aUser(app, "abe");
    const ann = await app.as(app.ann);
    await app.db.write(() => run`UPDATE users SET last_seen = ${app.clock() - HOUR} WHERE id = ${app.eve.id}`);

    expect(await namesOf(ann, "")).toEqual(["abe", "ann", "bob", "eve"]);
    expect(await namesOf(ann, "sort=-username")).toEqual(["eve", "bob", "ann", "abe"]);
    expect((await namesOf(ann, "sort=-createdAt"))[0]).toBe("abe");
    expect((await namesOf(ann, "sort=-lastSeen")).slice(0, 2)).toEqual(["ann", "eve"]);
    expect((await namesOf(ann, "sort=lastSeen")).slice(2)).toEqual(["eve", "ann"]);
  });

  test("is searched by name, callsign and address, and wildcards are ordinary characters", async () => {
    const app = await testApp();
    const ann = await app.as(app.ann);
    const zoe = { username: "zoe_x", password: "a long password", callsign: "yu1zz", email: "zoe@example.org" };
    expect((await ann.post("/api/admin/users", zoe)).status).toBe(201);

    for (const q of ["zo", "YU1Z", "example", "e_x"]) expect(await namesOf(ann, `q=${q}`)).toEqual(["zoe_x"]);
    for (const q of ["%25", "o_o", "\\"]) expect(await namesOf(ann, `q=${q}`)).toEqual([]);
  });
});

describe("an administrator's operation is done and recorded, or refused and recorded", () => {
  const asked: [string, (ann: Asker, app: TestApp) => Promise<{ status: number; body: any }>, number, string | null][] =
    [
      ["promote", (ann, { bob }) => ann.post(`/api/admin/users/${bob.id}/promote`), 200, null],
      ["promote", (ann, app) => ann.post(`/api/admin/users/${app.ann.id}/promote`), 409, "already_admin"],
      ["demote", (ann, { bob }) => ann.post(`/api/admin/users/${bob.id}/demote`), 409, "not_admin"],
      ["demote", (ann, app) => ann.post(`/api/admin/users/${app.ann.id}/demote`), 409, "last_admin"],
      ["delete_user", (ann, { bob }) => ann.delete(`/api/admin/users/${bob.id}`), 204, null],
      ["delete_user", (ann, app) => ann.delete(`/api/admin/users/${app.ann.id}`), 409, "self_delete"],
      [
        "delete_user",
        async (ann, app) => ann.delete(`/api/admin/users/${(await aUser(app, "amy", "admin")).id}`),
        409,
        "target_is_admin",
      ],
      [
        "create_user",
        (ann) => ann.post("/api/admin/users", { username: "zoe", password: "a long password", role: "admin" }),
        201,
        null,
      ],
      [
        "create_user",
        (ann) => ann.post("/api/admin/users", { username: "BOB", password: "a long password" }),
        409,
        "name_taken",
      ],
      [
        "reset_password",
        (ann, { bob }) => ann.post(`/api/admin/users/${bob.id}/password`, { password: "a long password" }),
        200,
        null,
      ],
      ["impersonate", (ann, { bob }) => ann.post(`/api/admin/users/${bob.id}/impersonate`), 200, null],
    ];
  test.each(asked)("%s", async (action, ask, status, rule) => {
    const app = await testApp();
    const ann = await app.as(app.ann);

    const answer = await ask(ann, app);

    expect([answer.status, answer.body?.error?.rule ?? null]).toEqual([status, rule]);
    const { actions, total } = await actionsOf(ann, `action=${action}&admin=ann`);
    expect(total).toBe(1);
    expect(actions[0]).toMatchObject({ at: app.clock(), admin: "ann", via: "api", action });
    expect(actions[0].details.refused ?? null).toBe(rule);
  });

  test("for an unknown user or with a weak password nothing is recorded", async () => {
    const app = await testApp();
    const ann = await app.as(app.ann);
    for (const way of ["promote", "demote", "impersonate"]) {
      expect((await ann.post(`/api/admin/users/4711/${way}`)).status).toBe(404);
    }
    expect((await ann.delete("/api/admin/users/4711")).status).toBe(404);
    expect((await ann.post(`/api/admin/users/${app.bob.id}/password`, { password: "short" })).status).toBe(400);

    expect((await actionsOf(ann, "admin=ann")).actions).toEqual([]);
  });

  test("by browser and by program are distinguished", async () => {
    const app = await testApp();
    const browser = await app.browser(app.ann);
    await browser.post(`/api/admin/users/${app.bob.id}/promote`);

    expect((await actionsOf(browser, "action=promote")).actions[0].via).toBe("web");
  });
});

test("two administrators who demote each other at the same moment leave one", async () => {
  const app = await testApp();
  const amy = await aUser(app, "amy", "admin");
  const [asAnn, asAmy] = [await app.as(app.ann), await app.as(amy)];

  const answers = await Promise.all([
    asAnn.post(`/api/admin/users/${amy.id}/demote`),
    asAmy.post(`/api/admin/users/${app.ann.id}/demote`),
  ]);

  const left = [await asAnn.get("/api/admin/stats"), await asAmy.get("/api/admin/stats")];
  expect(left.map(({ status }) => status).sort()).toEqual([200, 403]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("the action log is filtered by administrator, action, target and days, newest first", async () => {
  const app = await testApp();
  const ann = await app.as(app.ann);
  const first = app.clock();
  await ann.post(`/api/admin/users/${app.bob.id}/promote`);
  app.clock.advance(DAY);
  await ann.post("/api/auth/confirm", { password: PASSWORD });
  await ann.post(`/api/admin/users/${app.bob.id}/demote`);
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const found = async (query: string) =>
    (await actionsOf(ann, query)).actions.map(({ action }: { action: string }) => action);

  expect(await found("admin=ann")).toEqual(["demote", "promote"]);
  expect(await found("target=bob&action=promote")).toEqual(["promote"]);
  expect(await found(`admin=ann&to=${dayOf(first)}`)).toEqual(["promote"]);
  expect(await found(`admin=ann&from=${dayOf(first + DAY)}`)).toEqual(["demote"]);
  expect(await found(`admin=ann&from=${first}&to=${first}`)).toEqual(["promote"]);
  expect(await found("admin=eve")).toEqual([]);
  expect((await ann.get("/api/admin/actions?from=yesterday")).body.error.fields[0].path).toBe("from");
  const backwards = await ann.get(`/api/admin/actions?from=${dayOf(first + DAY)}&to=${dayOf(first)}`);
  expect([backwards.status, backwards.body.error.fields[0].path]).toEqual([400, "to"]);
});

test("deleting a user stops a running sync", async () => {
  const app = await testApp();
  await app.credentialsFor(app.bob, "first");
  app.first.until = () => new Promise(() => {});
  await (await app.as(app.bob)).post("/api/sync/first");

  expect((await (await app.as(app.ann)).delete(`/api/admin/users/${app.bob.id}`)).status).toBe(204);

  expect([app.runner.size, app.first.underWay]).toEqual([0, 0]);
});
