import { describe, expect, spyOn, test } from "bun:test";
import { DAY, HOUR, MINUTE } from "../../src/kernel/clock.ts";
import * as deletedUsers from "../../src/storage/people/deleted-users.ts";
import * as users from "../../src/storage/people/users.ts";
import { type Answer, type Asker, PASSWORD, testApp, type TestApp } from "../support/app.ts";
import { testWorld, type TestWorld } from "../support/world.ts";

const PROXIED = { env: { QSOLOG_TRUSTED_PROXIES: "127.0.0.1" } };
const from = (address: string) => ({ "x-forwarded-for": address });

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const formFrom = (address: string) => ({ ...from(address), "content-type": "application/x-www-form-urlencoded" });

const login = ({ visitor }: TestApp, username: string, password: string, address = "192.0.2.1") =>
  visitor.post("/api/auth/login", { username, password }, from(address));

const statusesOf = async (asked: Promise<{ status: number }>[]) => (await Promise.all(asked)).map((one) => one.status);

describe("the first set-up", () => {
  const first = { username: "Ann", password: PASSWORD, callsign: "yu1x", email: "ann@example.org" };

  test("creates an administrator, signs in, and is then closed", async () => {
    const app = await testApp({ empty: true });
    expect((await app.visitor.get("/api/setup")).body).toEqual({ needed: true });

    const made = await app.visitor.post("/api/setup", { token: app.setupToken.text, ...first });

    expect([made.status, made.body.user]).toMatchObject([201, { username: "ann", callsign: "YU1X", role: "admin" }]);
    expect(made.cookies.qsolog_session).toBe(made.body.token);
    expect((await app.withBearer(made.body.token).get("/api/admin/stats")).status).toBe(200);
    expect((await app.visitor.get("/api/setup")).status).toBe(404);
    expect((await app.visitor.post("/api/setup", { token: app.setupToken.text, ...first })).status).toBe(404);
    expect((await app.visitor.post("/api/setup", { nonsense: 1 })).status).toBe(404);
  });

  // Defence: creating the first user needs the link the server printed
  test("needs the link that the server printed", async () => {
    const app = await testApp({ empty: true });

    const refused = await app.visitor.post("/api/setup", { token: "A".repeat(32), ...first });

    expect([refused.status, refused.body.error.code]).toEqual([403, "forbidden"]);
    expect(await app.db.read(() => users.count())).toBe(0);
  });

  // Defence: creating the first user needs the link the server printed
  test("creates one user if two try at the same time", async () => {
    const app = await testApp({ empty: true });
    const token = app.setupToken.text;

    const statuses = await statusesOf(
      ["ann", "eve"].map((username) => app.visitor.post("/api/setup", { ...first, token, username })),
    );

    expect(statuses.sort()).toEqual([201, 404]);
    expect(await app.db.read(() => users.count())).toBe(1);
  });
});

describe("registration", () => {
  const zoe = { username: "zoe", password: PASSWORD };

  test("is closed unless the operator opens it", async () => {
    const app = await testApp();

    const refused = await app.visitor.post("/api/auth/register", zoe);

    expect([refused.status, refused.body.error.rule]).toEqual([403, "registration_closed"]);
  });

  test("creates an ordinary user and signs in, whatever role the visitor asks for", async () => {
    const app = await testApp({ env: { QSOLOG_REGISTRATION: "open" } });

    const made = await app.visitor.post("/api/auth/register", zoe);
    const asAdmin = await app.visitor.post("/api/auth/register", { ...zoe, username: "eva", role: "admin" });
    const again = await app.visitor.post("/api/auth/register", { ...zoe, username: "ZOE" });
    const poor = await app.visitor.post("/api/auth/register", { username: "-", password: "short" });

    expect([made.status, made.body.user.role]).toEqual([201, "user"]);
    expect((await app.withBearer(made.body.token).get("/api/me")).body.user.username).toBe("zoe");
    expect(asAdmin.status).toBe(400);
    expect([again.status, again.body.error.rule]).toEqual([409, "name_taken"]);
    expect(poor.body.error.fields.map(({ path }: { path: string }) => path)).toEqual(["username", "password"]);
  });
});

// Defence: the number of accounts created from one address is limited
test("registration is limited to ten accounts an hour per address", async () => {
  const app = await testApp({ env: { ...PROXIED.env, QSOLOG_REGISTRATION: "open" } });
  const make = (n: number, address: string) =>
    app.visitor.post("/api/auth/register", { username: `zoe${n}`, password: PASSWORD }, from(address));
  for (let n = 0; n < 10; n++) expect((await make(n, `2001:db8::${n}`)).status).toBe(201);

  const held = await make(10, "2001:db8::99");

  expect([held.status, held.headers.get("retry-after")]).toEqual([429, "3600"]);
  expect((await make(11, "2001:db8:0:1::1")).status).toBe(201);
  app.clock.advance(HOUR);
  expect((await make(12, "2001:db8::99")).status).toBe(201);
});

describe("guessing passwords", () => {
  // Defence: an unknown user and a wrong password get the same answer
  test("gives the same answer for a wrong password and an unknown user", async () => {
    const app = await testApp();

    const [wrong, unknown] = [await login(app, "bob", "wrong"), await login(app, "nobody", "wrong")];

    expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body]);
    expect(wrong.status).toBe(401);
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  // Defence: guessing is limited per account and address, so a stranger cannot lock anyone out
  test("is stopped after five failures for one account from one address, but not from another address", async () => {
    const app = await testApp(PROXIED);
    for (let n = 0; n < 5; n++) expect((await login(app, n % 2 ? "BOB" : " bob ", "wrong")).status).toBe(401);

    const held = await login(app, "bob", PASSWORD);

    expect([held.status, held.body.error.code]).toEqual([429, "rate_limited"]);
    expect(Number(held.headers.get("retry-after"))).toBe(15 * 60);
    expect((await login(app, "eve", PASSWORD)).status).toBe(200);
    expect((await login(app, "bob", PASSWORD, "192.0.2.2")).status).toBe(200);
    app.clock.advance(15 * MINUTE - 1);
    expect((await login(app, "bob", PASSWORD)).headers.get("retry-after")).toBe("1");
    app.clock.advance(1);
    expect((await login(app, "bob", PASSWORD)).status).toBe(200);
  });

  test("is stopped after twenty failures from one address, for any accounts", async () => {
    const app = await testApp(PROXIED);
    for (let n = 0; n < 20; n++) expect((await login(app, `name${n}`, "wrong")).status).toBe(401);

    expect((await login(app, "bob", PASSWORD)).status).toBe(429);
    expect((await login(app, "bob", PASSWORD, "192.0.2.2")).status).toBe(200);
  });

  // Defence: guessing is limited per account and address, so a stranger cannot lock anyone out
  test("allows no more attempts in parallel", async () => {
    const app = await testApp(PROXIED);

    const statuses = await statusesOf(Array.from({ length: 12 }, () => login(app, "bob", "wrong")));

    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });

  test("starts again after the right password", async () => {
    const app = await testApp(PROXIED);
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) expect((await login(app, "bob", "wrong")).status).toBe(401);
      expect((await login(app, "bob", PASSWORD)).status).toBe(200);
    }
  });

  const behindASession: [string, (bob: Asker, password: string, address: string) => Promise<Answer>][] = [
    ["/api/me/password", (bob, current, at) => bob.put("/api/me/password", { current, next: "short" }, from(at))],
    ["/api/me", (bob, password, at) => bob.delete("/api/me", { password }, from(at))],
    [
      "/settings/password",
      (bob, current, at) => bob.post("/settings/password", form({ current, password: "short" }), formFrom(at)),
    ],
    [
      "/settings/delete",
      (bob, password, at) => bob.post("/settings/delete", form({ name: "bob", password }), formFrom(at)),
    ],
  ];
  // Defence: guessing is limited per account and address, so a stranger cannot lock anyone out
  test.each(behindASession)("is also stopped in a stolen session: %s", async (_, guess) => {
    const app = await testApp(PROXIED);
    const bob = await app.as(app.bob);
    for (let n = 0; n < 4; n++) expect((await guess(bob, "wrong", "192.0.2.1")).status).toBe(400);
    expect((await login(app, "bob", "wrong")).status).toBe(401);

    const held = await guess(bob, PASSWORD, "192.0.2.1");

    expect([held.status, held.headers.get("retry-after")]).toEqual([429, String(15 * 60)]);
    expect((await login(app, "bob", PASSWORD)).status).toBe(429);
    expect((await login(app, "bob", PASSWORD, "192.0.2.2")).status).toBe(200);
  });

  // Defence: guessing is limited per account and address, so a stranger cannot lock anyone out
  test.each([
    ["addresses of one household", (n: number) => `2001:db8:1:2:${n}::${n}`],
    ["ports", (n: number) => `203.0.113.5:${40_000 + n}`],
    ["words that are no address", (n: number) => `host-${n}`],
  ])("allows no more attempts with many %s", async (_, addressOf) => {
    const app = await testApp(PROXIED);
    for (let n = 0; n < 5; n++) expect((await login(app, "bob", "wrong", addressOf(n))).status).toBe(401);

    expect((await login(app, "bob", PASSWORD, addressOf(99))).status).toBe(429);
    expect((await login(app, "bob", PASSWORD, "2001:db8:1:3::1")).status).toBe(200);
  });

  // Defence: a client that floods the sign-in delays only itself, in a queue of limited length
  test("with two hundred attempts in parallel makes nobody else wait", async () => {
    const app = await testApp(PROXIED);
    const verified: string[] = [];
    let before = 0;
    const pass = app.hashing.run.bind(app.hashing);
    app.hashing.run = (task, lane = "") => {
      if (lane === "192.0.2.2") before = verified.length;
      return pass(() => (verified.push(lane), task()), lane);
    };
    const flood = Array.from({ length: 200 }, (_, n) => login(app, `name${n}`, "wrong"));

    const other = await login(app, "bob", PASSWORD, "192.0.2.2");
    const answers = await Promise.all(flood);

    expect(other.status).toBe(200);
    expect(verified.indexOf("192.0.2.2") - before).toBeLessThan(3);
    const tried = answers.filter(({ status }) => status === 401);
    expect(tried.length).toBeLessThanOrEqual(20);
    for (const answer of answers) {
      if (tried.includes(answer)) continue;
      expect([429, 503]).toContain(answer.status);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(5);
    }
  });

  // Defence: guessing is limited per account and address, so a stranger cannot lock anyone out
  // Defence: guessing is limited per account and address, so a stranger cannot lock anyone out
  test("at several instances hashes no more passwords", async () => {
    const here = await testApp(PROXIED);
    const there = await testApp({ world: await testWorld({ beside: here as unknown as TestWorld }), empty: true });
    const verify = spyOn(Bun.password, "verify");

    const statuses = await statusesOf(
      Array.from({ length: 24 }, (_, n) => login(n % 2 === 0 ? here : there, "bob", "wrong", "127.0.0.1")),
    );

    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(verify).toHaveBeenCalledTimes(5);
    verify.mockRestore();
  });

  test("never stops a user with the right password, even in parallel", async () => {
    const app = await testApp(PROXIED);

    for (let round = 0; round < 4; round++) {
      const statuses = await statusesOf(Array.from({ length: 6 }, () => login(app, "bob", PASSWORD)));
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    }
  });

  // Defence: guessing is limited per account and address, so a stranger cannot lock anyone out
  test("cannot hide behind an invented address", async () => {
    const app = await testApp();
    for (let n = 0; n < 5; n++) await login(app, "bob", "wrong", `192.0.2.${n}`);

    expect((await login(app, "bob", PASSWORD, "192.0.2.99")).status).toBe(429);
  });
});

describe("the address of a request", () => {
  const addressOf = async (env: Record<string, string>, forwarded: string) => {
    const app = await testApp({ env });
    const { token } = (await login(app, "bob", PASSWORD, forwarded)).body;
    return (await app.withBearer(token).get("/api/me/sessions")).body.sessions[0].address;
  };
  const cases: [string, Record<string, string>, string, string][] = [
    ["is the socket's where no proxy is trusted", {}, "203.0.113.9", "127.0.0.1"],
    ["is what a trusted proxy saw", PROXIED.env, "203.0.113.9", "203.0.113.9"],
    ["is the last that a trusted proxy vouches for", PROXIED.env, "10.6.6.6, 203.0.113.9", "203.0.113.9"],
    [
      "is found behind several trusted proxies",
      { QSOLOG_TRUSTED_PROXIES: "127.0.0.1,10.0.0.2" },
      "203.0.113.9, 10.0.0.2",
      "203.0.113.9",
    ],
    ["is one of a trusted range", { QSOLOG_TRUSTED_PROXIES: "127.0.0.0/8" }, "203.0.113.9, 127.9.9.9", "203.0.113.9"],
    ["is without its port", PROXIED.env, "203.0.113.9:40001", "203.0.113.9"],
    ["is without its port in the newer kind too", PROXIED.env, "[2001:db8::9]:443", "2001:db8::9"],
    ["is the proxy's where the proxy says what is none", PROXIED.env, "203.0.113.9, banana", "127.0.0.1"],
    ["is written in one way", PROXIED.env, "::ffff:203.0.113.9", "203.0.113.9"],
    ["is the socket's where the proxy says nothing", PROXIED.env, "", "127.0.0.1"],
  ];
  test.each(cases)("%s", async (_, env, forwarded, address) => {
    expect(await addressOf(env, forwarded)).toBe(address);
  });
});

describe("a session", () => {
  // Defence: scripts cannot read cookies
  test("is a token for programs and a cookie that scripts cannot read", async () => {
    const app = await testApp();

    const { body, headers } = await app.visitor.post("/api/auth/login", { username: " BOB", password: PASSWORD });

    expect(body).toEqual({
      token: expect.any(String),
      expiresAt: app.clock() + 30 * DAY,
      user: expect.objectContaining({ username: "bob", isAdmin: false }),
    });
    expect(headers.getSetCookie().filter((line) => !line.startsWith("qsolog_device="))).toEqual([
      `qsolog_session=${body.token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${30 * 86_400}`,
    ]);
  });

  test("is renewed if its cookie is older than a day, and never earlier", async () => {
    const app = await testApp();
    const bob = await app.browser(app.bob);
    const old = bob.cookies.get("qsolog_session")!;

    app.clock.advance(DAY - MINUTE);
    expect((await bob.get("/api/me")).cookies).toEqual({});
    app.clock.advance(2 * MINUTE);
    const { headers } = await bob.get("/api/me");

    expect(headers.getSetCookie()[0]).toContain(`Max-Age=${30 * 86_400}`);
    expect(bob.cookies.get("qsolog_session")).not.toBe(old);
    expect((await bob.get("/api/me")).cookies).toEqual({});
    app.clock.advance(29 * DAY + HOUR);
    expect((await app.withBearer(old).get("/api/me")).status).toBe(401);
    expect((await bob.get("/api/me")).status).toBe(200);
  });

  test("is renewed again if the new cookie was lost with an error response", async () => {
    const app = await testApp();
    const bob = await app.browser(app.bob);
    app.clock.advance(29 * DAY);

    expect((await bob.get("/api/jobs/4711")).status).toBe(404);
    expect((await bob.get("/api/me")).cookies.qsolog_session).toBeString();
  });

  test("of a program is not renewed and ends after thirty days", async () => {
    const app = await testApp();
    const bob = await app.as(app.bob);

    app.clock.advance(30 * DAY - MINUTE);
    const last = await bob.get("/api/me");
    app.clock.advance(2 * MINUTE);
    const late = await bob.get("/api/me");

    expect([last.status, last.headers.getSetCookie()]).toEqual([200, []]);
    expect([late.status, late.body.error.rule]).toEqual([401, "session_ended"]);
  });

  test("that ended is removed from the database by a tick", async () => {
    const app = await testApp();
    await app.signIn(app.bob);
    app.clock.advance(31 * DAY);

    await app.scheduler.tick(app.clock());

    expect((await (await app.as(app.bob)).get("/api/me/sessions")).body.sessions).toHaveLength(1);
  });
});

describe("a session ends immediately", () => {
  // Defence: sessions and tokens end immediately on sign-out, a new password, demotion, deletion or expiry
  test("by signing out, in the browser too", async () => {
    const app = await testApp();
    const bob = await app.browser(app.bob);
    const token = bob.cookies.get("qsolog_session")!;

    expect((await bob.post("/api/auth/logout")).status).toBe(204);

    expect(bob.cookies.size).toBe(0);
    expect((await app.withBearer(token).get("/api/me")).status).toBe(401);
  });

  test("but signing out with an API token of any scope only revokes that token", async () => {
    const app = await testApp();
    const [write, other, read] = await Promise.all(
      (["write", "write", "read"] as const).map((scope) => app.withToken(app.bob, scope)),
    );

    for (const token of [write!, read!]) {
      expect((await token.post("/api/auth/logout")).status).toBe(204);
      expect((await token.get("/api/me")).body.error.rule).toBe("session_ended");
    }

    expect((await other!.get("/api/me")).status).toBe(200);
  });

  test("from another session of the same user", async () => {
    const app = await testApp();
    const [here, there] = [await app.as(app.bob), await app.as(app.bob)];
    const { sessions } = (await here.get("/api/me/sessions")).body;
    expect(sessions.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true]);
    const other = sessions.find(({ current }: { current: boolean }) => !current);

    expect((await (await app.as(app.eve)).delete(`/api/me/sessions/${other.id}`)).status).toBe(404);
    expect((await there.get("/api/me")).status).toBe(200);
    expect((await here.delete(`/api/me/sessions/${other.id}`)).status).toBe(204);
    expect((await there.get("/api/me")).status).toBe(401);
    expect((await here.get("/api/me")).status).toBe(200);
  });

  test("by a new password, except this session", async () => {
    const app = await testApp();
    const [here, there] = [await app.as(app.bob), await app.as(app.bob)];
    const wrong = await here.put("/api/me/password", { current: "wrong", next: "another long password" });
    const poor = await here.put("/api/me/password", { current: PASSWORD, next: "short" });
    expect([wrong.status, wrong.body.error.fields[0].path, poor.status]).toEqual([400, "current", 400]);

    expect((await here.put("/api/me/password", { current: PASSWORD, next: "another long password" })).status).toBe(204);

    expect([(await here.get("/api/me")).status, (await there.get("/api/me")).status]).toEqual([200, 401]);
    expect((await login(app, "bob", PASSWORD)).status).toBe(401);
    expect((await login(app, "bob", "another long password")).status).toBe(200);
  });

  // Defence: sessions and tokens end immediately on sign-out, a new password, demotion, deletion or expiry
  test("by a password that an administrator sets, including this session", async () => {
    const app = await testApp();
    const [ann, bob] = [await app.as(app.ann), await app.as(app.bob)];

    await ann.post(`/api/admin/users/${app.bob.id}/password`, { password: "another long password" });

    expect((await bob.get("/api/me")).status).toBe(401);
  });

  // Defence: sessions and tokens end immediately on sign-out, a new password, demotion, deletion or expiry
  test("but a demotion only removes the role", async () => {
    const app = await testApp();
    const [ann, bob] = [await app.as(app.ann), await app.as(app.bob)];
    expect((await bob.get("/api/admin/stats")).body.error.rule).toBe("not_admin_caller");

    await ann.post(`/api/admin/users/${app.bob.id}/promote`);
    expect((await bob.get("/api/admin/stats")).status).toBe(200);
    await ann.post(`/api/admin/users/${app.bob.id}/demote`);

    expect((await bob.get("/api/admin/stats")).status).toBe(403);
    expect((await bob.get("/api/me")).body.user.isAdmin).toBe(false);
  });

  // Defence: sessions and tokens end immediately on sign-out, a new password, demotion, deletion or expiry
  test("by a deletion, which also revokes tokens", async () => {
    const app = await testApp();
    const [ann, bob] = [await app.as(app.ann), await app.as(app.bob)];
    const token = await app.withToken(app.bob, "write");

    expect((await ann.delete(`/api/admin/users/${app.bob.id}`)).status).toBe(204);

    expect([(await bob.get("/api/me")).status, (await token.get("/api/me")).status]).toEqual([401, 401]);
  });
});

describe("deleting the own account", () => {
  test("removes the password, all data and the cookie, and nothing of others", async () => {
    const app = await testApp();
    await app.credentialsFor(app.bob, "first");
    const bob = await app.browser(app.bob);
    const wrong = await bob.delete("/api/me", { password: "wrong" });
    expect([wrong.status, wrong.body.error.fields[0].path]).toEqual([400, "password"]);

    expect((await bob.delete("/api/me", { password: PASSWORD })).status).toBe(204);

    expect(bob.cookies.size).toBe(0);
    expect((await login(app, "bob", PASSWORD)).status).toBe(401);
    expect((await app.db.read(() => users.list())).map(({ username }) => username)).toEqual(["ann", "eve"]);
    expect(await app.db.read(deletedUsers.listDeleted)).toEqual([]);
  });

  test("is not possible for administrators", async () => {
    const app = await testApp();

    const refused = await (await app.as(app.ann)).delete("/api/me", { password: PASSWORD });

    expect([refused.status, refused.body.error.rule]).toEqual([409, "self_delete"]);
  });

  test("stops a running sync", async () => {
    const app = await testApp();
    await app.credentialsFor(app.bob, "first");
    app.first.until = () => new Promise(() => {});
    const bob = await app.as(app.bob);
    const { job } = (await bob.post("/api/sync/first")).body;
    expect(job.status).toBe("pending");

    expect((await bob.delete("/api/me", { password: PASSWORD })).status).toBe(204);

    await app.runner.idle();
    expect(app.first.underWay).toBe(0);
    expect(await app.db.read(deletedUsers.listDeleted)).toEqual([]);
  });
});

describe("an API token", () => {
  // Defence: API tokens are shown once and stored as SHA-256
  test("is shown once, stored as a hash, and limited to its scope until it is revoked", async () => {
    const app = await testApp();
    const bob = await app.as(app.bob);

    const made = await bob.post("/api/me/tokens", { name: "logger", scope: "read" });

    expect(made.body.token).toMatch(/^qsl_[A-Za-z0-9_-]{43}$/);
    const listed = await bob.get("/api/me/tokens");
    expect(listed.body.tokens).toEqual([
      { id: made.body.id, name: "logger", scope: "read", createdAt: app.clock(), expiresAt: null, lastUsedAt: null },
    ]);
    const token = app.withBearer(made.body.token);
    expect((await token.get("/api/jobs")).status).toBe(200);
    expect((await token.put("/auto-sync/settings", {})).body.error.rule).toBe("read_only_token");
    expect((await token.get("/api/me/tokens")).body.error.rule).toBe("session_required");
    expect((await bob.delete(`/api/me/tokens/${made.body.id}`)).status).toBe(204);
    expect((await token.get("/api/jobs")).status).toBe(401);
  });

  test("expires at its time", async () => {
    const app = await testApp();
    const bob = await app.as(app.bob);
    const soon = { name: "x", scope: "write", expiresAt: app.clock() + HOUR };
    const { token } = (await bob.post("/api/me/tokens", soon)).body;

    expect((await app.withBearer(token).get("/api/me")).status).toBe(200);
    app.clock.advance(HOUR);
    expect((await app.withBearer(token).get("/api/me")).status).toBe(401);
    expect((await bob.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(204);
    for (const expiresAt of [app.clock(), Date.UTC(10_000, 0), 8_640_000_000_000_001, Number.MAX_SAFE_INTEGER]) {
      const refused = await bob.post("/api/me/tokens", { ...soon, expiresAt });
      expect([refused.status, refused.body.error.fields[0].path]).toEqual([400, "expiresAt"]);
    }
  });
});
