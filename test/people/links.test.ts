import { describe, expect, test } from "bun:test";
import { HOUR } from "../../src/kernel/clock.ts";
import { many } from "../../src/storage/engine/unit.ts";
import { PASSWORD, testApp, type TestApp } from "../support/app.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const NEW = "a third long password";

const made = async (app: TestApp, path: string, body?: unknown) =>
  (await (await app.as(app.ann)).post(`/api/admin/users/${path}`, body)).body;

const login = (app: TestApp, username: string, password: string) =>
  app.visitor.post("/api/auth/login", { username, password });

// Defence: a password link works once, expires after an hour, and is stored only as a hash
describe("a link that sets a password", () => {
  test("lets an invited user choose it, and signs in", async () => {
    const app = await testApp();

    const { user, path, token, expiresAt } = await made(app, "invite", {
      username: "Zoe",
      callsign: "yu1z",
      role: "user",
    });

    expect([user.username, user.callsign, path, expiresAt]).toEqual([
      "zoe",
      "YU1Z",
      `/password?token=${token}`,
      app.clock() + HOUR,
    ]);
    for (const password of ["", PASSWORD]) expect((await login(app, "zoe", password)).status).toBe(401);
    expect((await app.visitor.get(path)).text).toContain("<b>zoe</b>");
    const browser = await app.browser();
    const set = await browser.post(path, new URLSearchParams({ password: NEW }).toString(), FORM);
    expect([set.status, set.headers.get("location")]).toEqual([303, "/"]);
    expect((await browser.get("/api/me")).body.user.username).toBe("zoe");
    expect((await login(app, "zoe", NEW)).status).toBe(200);
  });

  test("sets a new one and ends other sessions; until then the old one is valid", async () => {
    const app = await testApp();
    const [bob, byToken] = [await app.as(app.bob), await app.withToken(app.bob, "write")];
    const { token } = await made(app, `${app.bob.id}/password-link`);
    expect((await login(app, "bob", PASSWORD)).status).toBe(200);

    const poor = await app.visitor.post("/api/auth/password", { token, password: "short" });
    const set = await app.visitor.post("/api/auth/password", { token, password: NEW });

    expect([poor.status, set.status, set.body.user.username]).toEqual([400, 200, "bob"]);
    expect([(await bob.get("/api/me")).status, (await byToken.get("/api/me")).status]).toEqual([401, 401]);
    expect([(await login(app, "bob", PASSWORD)).status, (await login(app, "bob", NEW)).status]).toEqual([401, 200]);
  });

  const ends: [string, (app: TestApp, token: string) => Promise<unknown>][] = [
    ["its use", (app, token) => app.visitor.post("/api/auth/password", { token, password: NEW })],
    ["an hour", async (app) => app.clock.advance(HOUR)],
    ["the next link", (app) => made(app, `${app.bob.id}/password-link`)],
    [
      "a password that an administrator sets",
      (app) => made(app, `${app.bob.id}/password`, { password: "another long password" }),
    ],
    [
      "the user's own change",
      async (app) =>
        (await app.as(app.bob)).put("/api/me/password", { current: PASSWORD, next: "another long password" }),
    ],
    ["the account", async (app) => (await app.as(app.bob)).delete("/api/me", { password: PASSWORD })],
  ];
  test.each(ends)("ends with %s", async (_, end) => {
    const app = await testApp();
    const { token, path } = await made(app, `${app.bob.id}/password-link`);

    await end(app, token);

    const late = await app.visitor.post("/api/auth/password", { token, password: "a fourth long password" });
    expect([late.status, late.body.error.rule]).toEqual([403, "link_ended"]);
    expect((await app.visitor.get(path, { accept: "text/html" })).status).toBe(403);
    expect((await login(app, "bob", "a fourth long password")).status).toBe(401);
  });

  test("works once, even if used twice at the same time, and its text is not stored", async () => {
    const app = await testApp();
    const { token } = await made(app, `${app.bob.id}/password-link`);
    const rows = await app.db.read(() => many`SELECT * FROM one_time_codes`);
    const actions = (await (await app.as(app.ann)).get("/api/admin/actions")).text;

    const answers = await Promise.all(
      [NEW, "a fourth long password"].map((password) => app.visitor.post("/api/auth/password", { token, password })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(JSON.stringify(rows) + actions).not.toContain(token);
    expect(actions).toContain("password_link");
  });
});

// Defence: common passwords are refused, without asking another service
describe("a password that is easy to guess", () => {
  test.each([
    "password12",
    "1234567890",
    "qwertyuiop",
    "mallory123",
    "Mallory2026!",
    "YU1MAL-2026",
    "qsolog2026",
    "aaaaaaaaaa",
    "abababababab",
    "0987654321",
    "abcdefghij",
    "Password123!",
    "!!!dragon!!!",
    "iloveyou12",
    "YU1MALYU1MAL73",
    "adminadmin",
    "trustno1trustno1",
    "abcd1234abcd",
    "aaaaaaaaab",
  ])("is refused wherever one is chosen: %s", async (password) => {
    const app = await testApp({ env: { QSOLOG_REGISTRATION: "open" } });
    const mallory = { username: "mallory", callsign: "YU1MAL" };
    const ann = await app.as(app.ann);
    const { user, token } = await made(app, "invite", mallory);
    const answers = [
      await app.visitor.post("/api/auth/register", { ...mallory, username: "mallory2", password }),
      await ann.post("/api/admin/users", { ...mallory, username: "mallory3", password }),
      await ann.post(`/api/admin/users/${user.id}/password`, { password }),
      await app.visitor.post("/api/auth/password", { token, password }),
    ];
    const [ofOthers, ofMallory] = [answers.slice(0, 2), answers.slice(2)];

    for (const { status, body } of password.startsWith("mallory") ? ofMallory : [...ofOthers, ...ofMallory]) {
      expect([status, body.error.fields[0].path]).toEqual([400, "password"]);
      expect(body.error.message).toContain("too common");
    }
  });

  test.each([
    PASSWORD,
    "another long password",
    "mallory likes long walks",
    "84729374monkey92837",
    "tr0ub4dor & 3 horses",
  ])("is not: %s", async (password) => {
    const app = await testApp();
    const { token } = await made(app, "invite", { username: "mallory", callsign: "YU1MAL" });

    expect((await app.visitor.post("/api/auth/password", { token, password })).status).toBe(200);
  });
});
