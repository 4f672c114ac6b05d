import { describe, expect, test } from "bun:test";
import { DAY, HOUR, MINUTE } from "../../src/kernel/clock.ts";
import { endAllOf } from "../../src/storage/people/sessions.ts";
import * as deletedUsers from "../../src/storage/people/deleted-users.ts";
import * as users from "../../src/storage/people/users.ts";
import { testApp, type TestApp } from "../support/app.ts";
import { aUser } from "../support/world.ts";

const start = async (app: TestApp, target = app.bob) => {
  const ann = await app.browser(app.ann);
  const answer = await ann.post(`/api/admin/users/${target.id}/impersonate`);
  return { ann, answer, token: answer.body.token as string };
};

const actionsOf = async (app: TestApp) => {
  const { body } = await (await app.as(app.ann)).get("/api/admin/actions");
  return body.actions
    .filter(({ action }: { action: string }) => action !== "create_user")
    .map(({ admin, via, action, target, details }: any) => ({ admin, via, action, target, details }));
};

// Defence: impersonation is a session of one hour, never of an administrator, and ends with the administrator's session or role
test("an administrator acts as a user for an hour, with a token that names both", async () => {
  const app = await testApp();

  const { ann, answer } = await start(app);

  expect([answer.status, answer.body.expiresAt, answer.body.user.username]).toEqual([200, app.clock() + HOUR, "bob"]);
  const me = await ann.get("/api/me");
  expect(me.body).toEqual({
    user: expect.objectContaining({ username: "bob", role: "user" }),
    impersonatedBy: { id: app.ann.id, username: "ann", expiresAt: app.clock() + HOUR },
  });
  const claims = JSON.parse(Buffer.from(answer.body.token.split(".")[1], "base64url").toString());
  expect(claims).toMatchObject({ sub: String(app.bob.id), act: String(app.ann.id) });
});

// Defence: impersonation is a session of one hour, never of an administrator, and ends with the administrator's session or role
test("after an hour the browser gets a message, and never acts as the administrator", async () => {
  const app = await testApp();
  const { ann, answer, token } = await start(app);

  // The browser sends the cookie as long as the administrator's own.
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("qsolog_impersonation="))!;
  expect(Number(cookie.match(/Max-Age=(\d+)/)![1]) * 1000).toBe(30 * DAY);
  app.clock.advance(HOUR);
  for (const asker of [ann, app.withBearer(token)]) {
    for (const path of ["/api/me", "/api/admin/stats", "/api/jobs"]) {
      const late = await asker.get(path);
      expect([late.status, late.body.error.rule]).toEqual([401, "impersonation_ended"]);
    }
  }
  expect((await ann.put("/auto-sync/settings", {})).status).toBe(401);
  expect((await ann.post("/api/auth/impersonation/stop")).status).toBe(204);
  expect((await ann.get("/api/me")).body.user.username).toBe("ann");
});

test("using it does not renew it", async () => {
  const app = await testApp();
  const { ann } = await start(app);

  app.clock.advance(HOUR - MINUTE);
  const last = await ann.get("/api/me");
  app.clock.advance(MINUTE);

  expect([last.status, last.cookies]).toEqual([200, {}]);
  expect((await ann.get("/api/me")).status).toBe(401);
});

// Defence: impersonation is a session of one hour, never of an administrator, and ends with the administrator's session or role
describe("it ends with", () => {
  const ends: [string, (app: TestApp) => Promise<unknown>][] = [
    ["the administrator's session", async (app) => app.db.write(() => endAllOf(app.ann.id))],
    ["the administrator's role", async (app) => app.db.write(() => users.setRole(app.ann.id, "user"))],
    [
      "the administrator's account",
      async (app) => app.db.write(() => deletedUsers.markDeleted(app.ann.id, app.clock())),
    ],
    ["the user's account", async (app) => app.db.write(() => deletedUsers.markDeleted(app.bob.id, app.clock()))],
    ["the user's becoming an administrator", async (app) => app.db.write(() => users.setRole(app.bob.id, "admin"))],
    [
      "a new password of the user",
      async (app) =>
        (await app.as(app.ann)).post(`/api/admin/users/${app.bob.id}/password`, { password: "long enough!" }),
    ],
  ];
  test.each(ends)("%s", async (_, end) => {
    const app = await testApp();
    const { token, ann } = await start(app);
    expect((await app.withBearer(token).get("/api/me")).status).toBe(200);

    await end(app);

    expect((await app.withBearer(token).get("/api/me")).body.error.rule).toBe("impersonation_ended");
    expect((await ann.get("/api/me")).body.error.rule).toBe("impersonation_ended");
  });

  // Defence: impersonation is a session of one hour, never of an administrator, and ends with the administrator's session or role
  test.each([
    ["the user's", (app: TestApp) => app.bob.id],
    ["the administrator's", (app: TestApp) => app.ann.id],
  ])("a change of %s role, and does not return with the next change", async (_, whose) => {
    const app = await testApp();
    const amy = await app.as(await aUser(app, "amy", "admin"));
    const { token } = await start(app);
    const [first, second] = whose(app) === app.bob.id ? ["promote", "demote"] : ["demote", "promote"];

    for (const verb of [first, second]) {
      expect((await amy.post(`/api/admin/users/${whose(app)}/${verb}`)).status).toBe(200);
      expect((await app.withBearer(token).get("/api/me")).body.error.rule).toBe("impersonation_ended");
    }
  });

  test("the administrator signing out elsewhere", async () => {
    const app = await testApp();
    const { token, ann } = await start(app);
    ann.cookies.delete("qsolog_impersonation");

    await ann.post("/api/auth/logout");

    expect((await app.withBearer(token).get("/api/me")).body.error.rule).toBe("impersonation_ended");
  });
});

// Defence: impersonation is a session of one hour, never of an administrator, and ends with the administrator's session or role
describe("it is refused", () => {
  test("for oneself, an administrator, or an unknown user; refusals by a rule are recorded", async () => {
    const app = await testApp();
    const amy = await aUser(app, "amy", "admin");
    const ann = await app.as(app.ann);
    const answers = [];
    for (const id of [app.ann.id, amy.id, 4711]) answers.push(await ann.post(`/api/admin/users/${id}/impersonate`));

    expect(answers.map(({ status, body }) => [status, body.error.rule])).toEqual([
      [409, "target_is_admin"],
      [409, "target_is_admin"],
      [404, undefined],
    ]);
    expect(await actionsOf(app)).toEqual([
      { admin: "ann", via: "api", action: "impersonate", target: "amy", details: { refused: "target_is_admin" } },
      { admin: "ann", via: "api", action: "impersonate", target: "ann", details: { refused: "target_is_admin" } },
    ]);
  });

  test("during another impersonation, and with a token", async () => {
    const app = await testApp();
    const { ann } = await start(app);

    const twice = await ann.post(`/api/admin/users/${app.eve.id}/impersonate`);
    const byToken = await (await app.withToken(app.ann, "write")).post(`/api/admin/users/${app.eve.id}/impersonate`);

    expect([twice.status, twice.body.error.rule]).toEqual([403, "impersonating"]);
    expect([byToken.status, byToken.body.error.rule]).toEqual([403, "session_required"]);
  });

  test("if a token of one kind is in the cookie of the other", async () => {
    const app = await testApp();
    const { token } = await start(app);
    const own = (await app.signIn(app.ann)).token;
    const at = (cookie: string) => app.visitor.get("/api/me", { cookie });

    expect((await at(`qsolog_impersonation=${own}`)).body.error.rule).toBe("impersonation_ended");
    expect((await at(`qsolog_impersonation=nonsense; qsolog_session=${own}`)).body.user.username).toBe("ann");
    expect((await at("qsolog_impersonation=nonsense")).status).toBe(401);
    expect((await at(`qsolog_session=${token}; qsolog_impersonation=${token}`)).body.user.username).toBe("bob");
  });
});

// Defence: every write under impersonation is recorded first, with both names
test("start, stop and every write are in the action log with both names; reading is not", async () => {
  const app = await testApp();
  const { ann } = await start(app);

  await ann.get("/api/jobs");
  await ann.put("/auto-sync/settings", { first: { intervalHours: 12 } });
  await ann.put("/auto-sync/settings", { nonsense: 1 });
  await ann.put("/api/me", { callsign: "YU1ZZ" });
  await ann.post("/api/auth/impersonation/stop");

  expect(await actionsOf(app)).toEqual([
    { admin: "ann", via: "impersonation", action: "stop_impersonation", target: "bob", details: {} },
    {
      admin: "ann",
      via: "impersonation",
      action: "write_as_user",
      target: "bob",
      details: { method: "PUT", path: "/auto-sync/settings" },
    },
    { admin: "ann", via: "web", action: "impersonate", target: "bob", details: {} },
  ]);
  expect(ann.cookies.has("qsolog_impersonation")).toBe(false);
  expect((await ann.get("/api/me")).body.user.username).toBe("ann");
});

test("signing out during an impersonation returns to the administrator and is not recorded as a write", async () => {
  const app = await testApp();
  const { ann, token } = await start(app);

  expect((await ann.post("/api/auth/logout")).status).toBe(204);

  expect((await ann.get("/api/me")).body.user.username).toBe("ann");
  expect((await app.withBearer(token).get("/api/me")).status).toBe(401);
  expect((await actionsOf(app)).map(({ action }: { action: string }) => action)).toEqual([
    "stop_impersonation",
    "impersonate",
  ]);
});

test("an entry outlives both users it names", async () => {
  const app = await testApp();
  const amy = await aUser(app, "amy", "admin");
  await start(app);
  const asAmy = await app.as(amy);
  await asAmy.post(`/api/admin/users/${app.ann.id}/demote`);
  await asAmy.delete(`/api/admin/users/${app.ann.id}`);
  await asAmy.delete(`/api/admin/users/${app.bob.id}`);

  const { body } = await asAmy.get("/api/admin/actions?action=impersonate");

  expect(body.actions).toMatchObject([{ admin: "ann", target: "bob" }]);
});
