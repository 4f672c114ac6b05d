import { describe, expect, test } from "bun:test";
import * as users from "../../src/storage/people/users.ts";
import { smtpServer } from "../support/smtp.ts";
import { HOUR } from "../../src/kernel/clock.ts";
import { many } from "../../src/storage/engine/unit.ts";
import { PASSWORD, testApp, type TestApp } from "../support/app.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const NEW = "a third long password";

const until = async (isSo: () => boolean): Promise<void> => {
  for (const giveUpAt = Date.now() + 4_000; !isSo(); await Bun.sleep(5))
    if (Date.now() > giveUpAt) throw new Error("It did not happen in time.");
};

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

describe("the page for a forgotten password", () => {
  const aServerWithMail = async () => {
    const { received, url } = await smtpServer();
    const mail = { QSOLOG_SMTP_URL: url, QSOLOG_MAIL_FROM: "log@example.org", QSOLOG_BASE_URL: "http://localhost" };
    const env = { ...mail, QSOLOG_TRUSTED_PROXIES: "127.0.0.1" };
    const app = await testApp({ env });
    for (const { id, username } of [app.ann, app.bob])
      await app.db.write(() => users.setProfile(id, null, `${username}@example.org`));
    const forget = async (username: string, from = "203.0.113.7") => {
      const asked = new URLSearchParams({ username }).toString();
      const headers = { ...FORM, "x-forwarded-for": from };
      const answer = await app.visitor.post("/password/forgotten", asked, headers);
      return [answer.status, answer.headers.get("location")];
    };
    return { app, received, forget };
  };
  const MAILED = [303, "/login?done=mailed"];

  test("mails a link that sets a new password", async () => {
    const { app, received, forget } = await aServerWithMail();
    expect((await app.visitor.get("/login", { accept: "text/html" })).text).toContain("Forgot your password?");

    expect(await forget("Bob")).toEqual(MAILED);
    await until(() => received.length === 1);

    expect(received[0]!.to).toEqual(["bob@example.org"]);
    const [, token] = /token=(?:3D)?([\w-]{32})/.exec(received[0]!.data.replaceAll("=\n", ""))!;
    expect((await login(app, "bob", PASSWORD)).status).toBe(200);
    expect((await app.visitor.post("/api/auth/password", { token, password: NEW })).status).toBe(200);
    expect((await login(app, "bob", NEW)).status).toBe(200);
  });

  // Defence: whoever asks for a password link by mail gets the same answer for every name, three times an hour for a name
  test("answers the same for every name, and limits names and addresses", async () => {
    const { app, received, forget } = await aServerWithMail();
    const { user } = await made(app, "invite", { username: "zoe", email: "zoe@example.org" });
    await until(() => received.length === 1);

    for (const name of [user.username, "nobody", "bob"]) {
      for (let time = 1; time <= 3; time++) expect([name, await forget(name)]).toEqual([name, MAILED]);
      expect([name, (await forget(name))[0], (await forget(name, "198.51.100.7"))[0]]).toEqual([name, 429, 429]);
    }
    expect([(await forget("ann"))[0], (await forget("eve"))[0]]).toEqual([303, 429]);
    await until(() => received.length === 5);
    app.clock.advance(HOUR);
    expect(await forget("bob")).toEqual(MAILED);
    await until(() => received.length === 6);
    // Zoe has no password yet: her link comes from an administrator.
    expect(received.flatMap(({ to }) => to).filter((to) => to.startsWith("zoe"))).toHaveLength(1);
  });

  test("does not exist on a server that sends no mail", async () => {
    const app = await testApp();

    expect((await app.visitor.get("/login", { accept: "text/html" })).text).not.toContain("Forgot your password?");
    expect((await app.visitor.get("/password/forgotten", { accept: "text/html" })).status).toBe(404);
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
