import { describe, expect, test } from "bun:test";
import { HOUR, MINUTE } from "../../src/kernel/clock.ts";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { makePasswordLink } from "../../src/people/password-links.ts";
import { resetFactors } from "../../src/people/factors.ts";
import { createVault } from "../../src/kernel/vault.ts";
import { many } from "../../src/storage/engine/unit.ts";
import { PASSWORD, testApp, type Asker, type TestApp } from "../support/app.ts";
import { anApp, codeAt } from "../support/factors.ts";
import { testWorld } from "../support/world.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

const login = (app: TestApp, username = "bob", asker: Asker = app.visitor) =>
  asker.post("/api/auth/login", { username, password: PASSWORD });

const answer = (app: TestApp, challenge: string, code: string) =>
  app.visitor.post("/api/auth/factor", { challenge, code });

/** Bob has an authenticator app. */
const withApp = async () => {
  const app = await testApp();
  return { app, bobs: await anApp(app, app.bob) };
};

// Defence: a user with a second factor signs in with both factors and nothing less
describe("a user with an authenticator app", () => {
  test("is asked for a code after the password and is then signed in", async () => {
    const { app, bobs } = await withApp();

    const first = await login(app);
    const second = await answer(app, first.body.challenge, bobs.next());

    expect(Object.keys(first.body).sort()).toEqual(["challenge", "expiresAt", "factors", "passkey"]);
    expect(first.body).toMatchObject({ expiresAt: app.clock() - 30_000 + 5 * MINUTE, factors: ["code", "recovery"] });
    expect([first.status, first.cookies, second.status]).toEqual([200, {}, 200]);
    expect((await app.withBearer(second.body.token).get("/api/me")).body.user.username).toBe("bob");
    const { events } = (await app.withBearer(second.body.token).get("/api/me/events")).body;
    expect(events[0]).toMatchObject({ event: "sign_in", details: { factor: "code" } });
  });

  test("signs in on two pages and returns to the requested page", async () => {
    const { app, bobs } = await withApp();
    const browser = await app.browser();

    const first = await browser.post("/login?next=/jobs", form({ username: "bob", password: PASSWORD }), FORM);
    const between = await browser.get("/jobs", { accept: "text/html" });
    const wrong = await browser.post("/login/factor?next=/jobs", form({ code: "000000" }), FORM);
    const second = await browser.post("/login/factor?next=/jobs", form({ code: bobs.next() }), FORM);

    expect([first.status, first.headers.get("location")]).toEqual([303, "/login/factor?next=%2Fjobs"]);
    expect(between.headers.get("location")).toStartWith("/login?next=");
    expect([wrong.status, wrong.text.includes("This code is wrong")]).toEqual([401, true]);
    expect([second.status, second.headers.get("location")]).toEqual([303, "/jobs"]);
    expect([...browser.cookies.keys()]).toEqual(["qsolog_session", "qsolog_device"]);
    expect((await browser.get("/login/factor", { accept: "text/html" })).headers.get("location")).toBe("/login");
  });

  // Defence: sign-in redirects only to paths of this site
  test("is not redirected elsewhere by the second step", async () => {
    const { app, bobs } = await withApp();
    const browser = await app.browser();
    await browser.post("/login", form({ username: "bob", password: PASSWORD }), FORM);

    const page = await browser.get("/login/factor?next=//evil.test/", { accept: "text/html" });
    const done = await browser.post("/login/factor?next=//evil.test/", form({ code: bobs.next() }), FORM);

    expect([page.status, page.headers.get("content-security-policy")]).toEqual([
      200,
      expect.stringContaining("script-src 'self'"),
    ]);
    expect(page.text).not.toContain("passkeys.");
    expect(done.headers.get("location")).toBe("/");
  });

  test("is not signed in without the password, with another user's code, or with no code", async () => {
    const { app, bobs } = await withApp();
    const eves = await anApp(app, app.eve);
    const { challenge } = (await login(app)).body;
    const code = bobs.next();

    expect((await answer(app, "made-up", code)).body.error.rule).toBe("challenge_ended");
    expect((await answer(app, challenge, codeAt(eves.key, app.clock()))).status).toBe(401);
    expect((await answer(app, challenge, eves.recoveryCodes[0]!)).status).toBe(401);
    expect((await app.visitor.post("/api/auth/factor", { challenge })).body.error.fields[0].path).toBe("code");
    for (const empty of ["", " ", "12345", "1234567", "abcdef"])
      expect((await answer(app, (await login(app)).body.challenge, empty)).status).toBeGreaterThan(399);
  });

  test("is not revealed: a wrong password gives the same answer as for anybody", async () => {
    const { app } = await withApp();
    const wrong = (username: string) => app.visitor.post("/api/auth/login", { username, password: "not this one" });

    expect((await wrong("bob")).text).toBe((await wrong("eve")).text);
  });

  test("keeps using API tokens without a code, and nothing changes for users without an app", async () => {
    const { app } = await withApp();

    expect((await (await app.withToken(app.bob, "write")).get("/api/me")).status).toBe(200);
    expect(Object.keys((await login(app, "eve")).body)).toEqual(["token", "expiresAt", "user"]);
  });
});

// Defence: each code and each challenge is accepted once
describe("can be used only once", () => {
  test("a code, and every earlier code, whatever it was used for", async () => {
    const { app, bobs } = await withApp();
    const old = codeAt(bobs.key, app.clock());
    const code = bobs.next();
    const use = async (one: string) => (await answer(app, (await login(app)).body.challenge, one)).status;

    expect(await use(old)).toBe(401);
    expect(await use(code)).toBe(200);
    expect(await use(code)).toBe(401);
    expect((await (await app.as(app.bob)).post("/api/auth/confirm", { code })).status).toBe(400);
    expect(await use(bobs.next())).toBe(200);
  });

  test("a code in two requests at the same time", async () => {
    const { app, bobs } = await withApp();
    const challenges = [(await login(app)).body.challenge, (await login(app)).body.challenge];
    const code = bobs.next();

    const answers = await Promise.all(challenges.map((challenge) => answer(app, challenge, code)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test("a code of the previous or next half minute, because clocks differ, but no other", async () => {
    const { app, bobs } = await withApp();
    app.clock.advance(HOUR);
    const use = async (one: string) => (await answer(app, (await login(app)).body.challenge, one)).status;

    expect(await use(codeAt(bobs.key, app.clock() - 2 * 30_000))).toBe(401);
    expect(await use(codeAt(bobs.key, app.clock() + 2 * 30_000))).toBe(401);
    expect(await use(codeAt(bobs.key, app.clock() - 30_000))).toBe(200);
    expect(await use(codeAt(bobs.key, app.clock() + 30_000))).toBe(200);
  });

  test("a challenge, which also ends after five minutes, with a new password, or when all sessions end", async () => {
    const ends: ((app: TestApp, challenge: string) => Promise<unknown>)[] = [
      async (app, challenge) => answer(app, challenge, (await anApp(app, app.bob)).next()),
      async (app) => app.clock.advance(5 * MINUTE),
      async (app) => (await app.as(app.bob)).put("/api/me/password", { current: PASSWORD, next: "another long one" }),
      async (app) => (await app.as(app.bob)).delete("/api/me/sign-ins"),
      async (app) => resetFactors(app, OPERATOR, "bob"),
    ];
    for (const end of ends) {
      const { app, bobs } = await withApp();
      const { challenge } = (await login(app)).body;

      await end(app, challenge);

      const late = await answer(app, challenge, bobs.recoveryCodes[0]!);
      expect([late.status, late.body.error.rule]).toEqual([401, "challenge_ended"]);
    }
  });

  test("a recovery code, in any spelling", async () => {
    const { app, bobs } = await withApp();
    const [code, another] = bobs.recoveryCodes;
    const use = async (one: string) => answer(app, (await login(app)).body.challenge, one);

    expect(bobs.recoveryCodes).toHaveLength(10);
    expect((await use(code!.toUpperCase().replaceAll("-", " "))).status).toBe(200);
    expect((await use(code!)).status).toBe(401);
    expect((await use(another!)).status).toBe(200);
    expect((await (await app.as(app.bob)).get("/api/me/factors")).body.recoveryCodes).toBe(8);
  });
});

// Defence: wrong codes count like wrong passwords, and per account from any address
describe("guessing codes", () => {
  test("is slowed down, and a correct password does not reset the limit", async () => {
    const { app, bobs } = await withApp();
    for (let n = 0; n < 5; n++) {
      const { challenge } = (await login(app)).body;
      expect((await answer(app, challenge, `00000${n}`)).status).toBe(401);
    }

    expect((await login(app)).status).toBe(429);
    app.clock.advance(15 * MINUTE);
    expect((await answer(app, (await login(app)).body.challenge, bobs.next())).status).toBe(200);
  });

  test("in parallel allows no more attempts", async () => {
    const { app } = await withApp();
    const { challenge } = (await login(app)).body;

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => answer(app, challenge, String(100_000 + n))),
    );

    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });

  test("from many addresses is stopped too, even with the password, while passkeys and other users still work", async () => {
    const { app, bobs } = await withApp();
    const eves = await anApp(app, app.eve);
    const clientAt = (n: number) => ({ address: `192.0.${n}.1`, userAgent: null });
    const guess = async (n: number, username: string, code: string) => {
      const asked = await app.auth.signIn(username, PASSWORD, clientAt(n));
      return app.auth.answer((asked as { challenge: string }).challenge, { code }, clientAt(n)).then(
        () => "in",
        ({ code: refusal }) => refusal,
      );
    };
    const borrowed = await app.callerOf(app.bob);
    for (let n = 0; n < 10; n++) {
      expect(await guess(n, "bob", "123456")).toBe("unauthenticated");
      await app.auth.confirm(borrowed, { password: PASSWORD }, clientAt(n));
    }

    expect(await guess(11, "bob", bobs.next())).toBe("rate_limited");
    expect(await guess(11, "eve", eves.next())).toBe("in");
    app.clock.advance(HOUR);
    expect(await guess(12, "bob", bobs.next())).toBe("in");
  });

  test("is shown to the user and logged like wrong passwords", async () => {
    const told: unknown[] = [];
    const made = await testWorld({ env: { QSOLOG_PORT: "0" } });
    const note = (event: string, fields: object = {}) =>
      void (event.startsWith("sign_in") && told.push({ event, ...fields }));
    const app = await testApp({ world: { ...made, log: { ...made.log, warn: note, info: note } } });
    const bobs = await anApp(app, app.bob);
    const { challenge } = (await login(app)).body;
    told.length = 0;

    await answer(app, challenge, "000000");

    await answer(app, challenge, bobs.next());
    expect(told).toEqual([
      { event: "sign_in.failed", address: expect.any(String), name: "bob" },
      { event: "sign_in.succeeded", address: expect.any(String), name: "bob", factor: "code" },
    ]);
    const { events } = (await (await app.as(app.bob)).get("/api/me/events")).body;
    expect(events.map(({ event }: { event: string }) => event).slice(0, 4)).toEqual([
      "sign_in",
      "sign_in",
      "factor_refused",
      "factor_added",
    ]);
  });
});

describe("setting up an authenticator app", () => {
  test("checks a code, returns recovery codes once, and lists the factors", async () => {
    const app = await testApp({ env: { QSOLOG_BASE_URL: "https://log.example.org" } });
    const bob = await app.as(app.bob);

    const begun = (await bob.post("/api/me/factors/app")).body;
    const before = await login(app);
    const wrong = await bob.put("/api/me/factors/app", { code: "000000" });
    const right = await bob.put("/api/me/factors/app", { code: codeAt(begun.key, app.clock()) });
    const again = await bob.put("/api/me/factors/app", { code: codeAt(begun.key, app.clock()) });

    expect(begun.address).toStartWith("otpauth://totp/qsolog:bob%40log.example.org?");
    expect(begun.address).toContain(`secret=${begun.key}`);
    expect(before.body.token).toBeString();
    expect([wrong.status, right.status, right.body.recoveryCodes.length]).toEqual([400, 200, 10]);
    expect([again.status, again.body.error.rule]).toEqual([409, "not_begun"]);
    const found = (await bob.get("/api/me/factors")).body;
    expect(found).toEqual({
      app: { createdAt: app.clock(), lastUsedAt: app.clock() },
      passkeys: [],
      recoveryCodes: 10,
      isRequired: false,
    });
  });

  test("again keeps the old app until the new one is confirmed, and keeps the recovery codes", async () => {
    const { app, bobs } = await withApp();
    const bob = await app.as(app.bob);
    const signs = async (code: string) => (await answer(app, (await login(app)).body.challenge, code)).status;

    const { key } = (await bob.post("/api/me/factors/app")).body;
    expect(await signs(bobs.next())).toBe(200);
    app.clock.advance(30_000);
    expect((await bob.put("/api/me/factors/app", { code: codeAt(key, app.clock()) })).body.recoveryCodes).toEqual([]);

    expect(await signs(bobs.next())).toBe(401);
    expect(await signs(codeAt(key, app.clock()))).toBe(200);
    expect(await signs(bobs.recoveryCodes[0]!)).toBe(200);
  });

  // Defence: factor secrets are encrypted or hashed, and shown once
  test("leaves no readable key or recovery code in the database or in a list", async () => {
    const { app, bobs } = await withApp();
    const bob = await app.as(app.bob);

    const rows = await app.db.read(function* () {
      const keys = yield* many<{ sealed: Uint8Array }>`SELECT * FROM totp_secrets`;
      return {
        keys,
        codes: yield* many`SELECT * FROM recovery_codes`,
        asked: yield* many`SELECT * FROM one_time_codes`,
      };
    });

    const read = JSON.stringify(rows) + Buffer.from(rows.keys[0]!.sealed).toString("latin1");
    const shown = [
      (await bob.get("/api/me/factors")).text,
      (await (await app.browser(app.bob)).get("/settings/security", { accept: "text/html" })).text,
      (await bob.get("/api/me/events")).text,
    ].join();
    for (const secret of [bobs.key, ...bobs.recoveryCodes, ...bobs.recoveryCodes.map((one) => one.replaceAll("-", ""))])
      expect([read.includes(secret), shown.includes(secret)]).toEqual([false, false]);
    expect(() =>
      app.vault.open(rows.keys[0]!.sealed, { userId: app.eve.id, source: "totp", account: "main" }),
    ).toThrow();
  });

  test("keeps recovery codes valid under another secret, which cannot decrypt keys", async () => {
    const { app, bobs } = await withApp();
    const vault = createVault(new Uint8Array(32).fill(9), app.random);
    const other = await testApp({ empty: true, world: { ...app, vault } });
    const [first, second] = [(await login(other)).body, (await login(other)).body];

    const byCode = await answer(other, first.challenge, bobs.next());
    const byRecovery = await answer(other, second.challenge, bobs.recoveryCodes[0]!);

    expect([byCode.status, byCode.body.error.rule, byRecovery.status]).toEqual([503, "sealed_elsewhere", 200]);
    expect((await other.withBearer(byRecovery.body.token).delete("/api/me/factors/app")).status).toBe(204);
  });

  test("on the page shows a QR code and a key, checks a code, shows recovery codes once, and can be cancelled", async () => {
    const app = await testApp();
    const bob = await app.browser(app.bob);
    const post = (path: string, fields = {}) => bob.post(path, form(fields), FORM);

    const begun = await post("/settings/factors/app");
    const [, key] = /id="app-key"[^>]*>(\w+)</.exec(begun.text)!;
    const wrong = await post("/settings/factors/app/confirm", { code: "000000" });
    const right = await post("/settings/factors/app/confirm", { code: codeAt(key!, app.clock()) });
    const later = await bob.get("/settings/security", { accept: "text/html" });

    expect(begun.text).toContain('<svg class="qr-code"');
    expect([wrong.status, wrong.text.includes(key!), wrong.text.includes("This code is wrong")]).toEqual([
      400,
      true,
      true,
    ]);
    expect(right.text).toContain('id="recovery-codes"');
    expect([later.text.includes('id="recovery-codes"'), later.text.includes("10 codes are left")]).toEqual([
      false,
      true,
    ]);
    const more = await post("/settings/factors/recovery-codes");
    expect(more.text).toContain('id="recovery-codes"');
    expect((await post("/settings/factors/app/remove")).headers.get("location")).toBe(
      "/settings/security?done=factor-removed",
    );
    expect((await login(app)).body.token).toBeString();
    expect((await bob.get("/api/me/factors")).body).toMatchObject({ app: null, recoveryCodes: 0 });
  });
});

// Defence: changing factors needs a fresh factor; a reset link or impersonation does not bypass them
describe("what gives access to the account other than the password", () => {
  const CHANGES: [string, (bob: Asker) => ReturnType<Asker["get"]>][] = [
    ["setting up an app", (bob) => bob.post("/api/me/factors/app")],
    ["removing the app", (bob) => bob.delete("/api/me/factors/app")],
    ["new recovery codes", (bob) => bob.post("/api/me/factors/recovery-codes")],
    ["a new passkey", (bob) => bob.post("/api/me/factors/passkeys/options")],
  ];
  test.each(CHANGES)("is changed with the second factor, not with the password alone: %s", async (_, change) => {
    const { app, bobs } = await withApp();
    const bob = await app.as(app.bob);
    app.clock.advance(10 * MINUTE);
    await bob.post("/api/auth/confirm", { password: PASSWORD });

    const refused = await change(bob);
    const confirmed = await bob.post("/api/auth/confirm", { code: bobs.next() });
    const done = await change(bob);

    expect([refused.status, refused.body.error.rule]).toEqual([403, "factor_required"]);
    expect([confirmed.status, done.status < 300]).toEqual([204, true]);
  });

  test("leads on a page to the second factor and back", async () => {
    const { app, bobs } = await withApp();
    const bob = await app.browser(app.bob);
    app.clock.advance(10 * MINUTE);

    const to = (await bob.post("/settings/factors/recovery-codes", "", FORM)).headers.get("location")!;
    const asked = await bob.get(to, { accept: "text/html" });
    const wrong = await bob.post(to, form({ code: "000000" }), FORM);
    const right = await bob.post(to, form({ code: bobs.next() }), FORM);

    expect(to).toBe("/confirm?with=factor&next=%2Fsettings%2Fsecurity");
    expect([asked.text.includes('name="code"'), asked.text.includes('name="password"')]).toEqual([true, false]);
    expect([wrong.status, wrong.text.includes("This code is wrong")]).toEqual([400, true]);
    expect([right.status, right.headers.get("location")]).toEqual([303, "/settings/security"]);
    expect((await bob.post("/settings/factors/recovery-codes", "", FORM)).status).toBe(200);
  });

  test("can also be confirmed with a code instead of the password", async () => {
    const { app, bobs } = await withApp();
    const bob = await app.as(app.bob);
    app.clock.advance(10 * MINUTE);
    const make = () => bob.post("/api/me/tokens", { name: "x", scope: "read" });

    expect((await make()).body.error.rule).toBe("reauthenticate");
    expect((await bob.post("/api/auth/confirm", {})).body.error.fields[0].path).toBe("password");
    expect((await bob.post("/api/auth/confirm", { code: bobs.next() })).status).toBe(204);
    expect((await make()).status).toBe(201);
    const browser = await app.browser(app.bob);
    expect((await browser.get("/confirm", { accept: "text/html" })).text).toContain('name="password"');
  });

  test("stays when a link sets a new password, and is asked for before signing in", async () => {
    const { app, bobs } = await withApp();
    const next = "a third long password";
    const { token } = await makePasswordLink(app, OPERATOR, "bob");
    const byProgram = await app.visitor.post("/api/auth/password", { token, password: next });
    const browser = await app.browser();
    const link = await makePasswordLink(app, OPERATOR, "bob");
    const set = await browser.post(`/password?token=${link.token}`, form({ password: `${next}!` }), FORM);

    expect([byProgram.status, byProgram.body.token, byProgram.body.factors]).toEqual([
      200,
      undefined,
      ["code", "recovery"],
    ]);
    expect([set.status, set.headers.get("location")]).toEqual([303, "/login/factor"]);
    const entered = await browser.post("/login/factor", form({ code: bobs.next() }), FORM);
    expect([entered.status, entered.headers.get("location")]).toEqual([303, "/"]);
  });

  test("is neither shown nor changed during an impersonation", async () => {
    const { app } = await withApp();
    const ann = await app.as(app.ann);
    const { body } = await ann.post(`/api/admin/users/${app.bob.id}/impersonate`);
    const acting = app.withBearer(body.token);

    expect((await acting.get("/api/me/factors")).body.error.rule).toBe("impersonating");
    expect((await acting.post("/api/me/factors/app")).body.error.rule).toBe("impersonating");
    expect((await acting.get("/api/me")).status).toBe(200);
  });

  test("is deleted with the account", async () => {
    const { app } = await withApp();
    await (await app.as(app.bob)).delete("/api/me", { password: PASSWORD });

    const left = await app.db.read(function* () {
      return [...(yield* many`SELECT user_id FROM totp_secrets`), ...(yield* many`SELECT user_id FROM recovery_codes`)];
    });

    expect(left).toEqual([]);
  });
});

describe("an administrator removes a lost factor", () => {
  test("which both users can see in their logs, and which keeps password and sessions", async () => {
    const { app } = await withApp();
    const [ann, bob] = [await app.as(app.ann), await app.as(app.bob)];

    const { status, body } = await ann.post(`/api/admin/users/${app.bob.id}/reset-factor`);
    const again = await ann.post(`/api/admin/users/${app.bob.id}/reset-factor`);

    expect([status, body.user.username, again.status, again.body.error.rule]).toEqual([200, "bob", 409, "no_factor"]);
    expect((await login(app)).body.token).toBeString();
    const { events } = (await bob.get("/api/me/events")).body;
    expect(events).toContainEqual(expect.objectContaining({ event: "factor_reset", by: "ann" }));
    const { actions } = (await ann.get("/api/admin/actions?action=reset_factor")).body;
    expect(actions.map(({ target, details }: any) => [target, details])).toEqual([
      ["bob", { refused: "no_factor" }],
      ["bob", {}],
    ]);
  });

  test("but not their own, which would bypass it", async () => {
    const app = await testApp();
    await anApp(app, app.ann);
    const ann = await app.as(app.ann);

    const refused = await ann.post(`/api/admin/users/${app.ann.id}/reset-factor`);

    expect([refused.status, refused.body.error.rule]).toEqual([409, "own_factor"]);
  });

  test("on the user's page, if the user has one", async () => {
    const { app } = await withApp();
    const ann = await app.browser(app.ann);
    const at = `/admin/users/${app.bob.id}`;
    expect((await ann.get(at, { accept: "text/html" })).text).toContain("Reset second factor");

    const done = await ann.post(`${at}/reset-factor`, "", FORM);

    expect(done.headers.get("location")).toBe(`${at}?done=factor-reset`);
    expect((await ann.get(at, { accept: "text/html" })).text).not.toContain("Reset second factor");
  });
});

// Defence: if a second factor is required, administration is closed to administrators without one
describe("if administrators need a second factor", () => {
  const required = () => testApp({ env: { QSOLOG_ADMIN_FACTOR: "required" } });

  test("an administrator without one can only set it up, on pages and by API", async () => {
    const app = await required();
    const [ann, browser] = [await app.as(app.ann), await app.browser(app.ann)];

    const refused = [
      await ann.get("/api/admin/users"),
      await ann.post(`/api/admin/users/${app.bob.id}/impersonate`),
      await ann.post("/api/admin/users", { username: "zoe", password: "a long password" }),
    ];
    const led = await browser.get("/admin/users", { accept: "text/html" });

    for (const { status, body } of refused) expect([status, body.error.rule]).toEqual([403, "factor_required"]);
    expect(led.headers.get("location")).toBe("/settings/security?done=factor-required#second-factor");
    const settings = await browser.get("/settings/security?done=factor-required", { accept: "text/html" });
    expect(settings.text).toContain("Administrators on this server need a second factor");
    expect((await ann.get("/api/qsos")).status).toBe(200);
    const { key } = (await ann.post("/api/me/factors/app")).body;
    await ann.put("/api/me/factors/app", { code: codeAt(key, app.clock()) });
    expect((await ann.get("/api/admin/users")).status).toBe(200);
  });

  test("an invited administrator sets it up first", async () => {
    const app = await required();
    const ann = await app.as(app.ann);
    const { key } = (await ann.post("/api/me/factors/app")).body;
    await ann.put("/api/me/factors/app", { code: codeAt(key, app.clock()) });
    const { token, user } = (await ann.post("/api/admin/users/invite", { username: "zoe", role: "admin" })).body;

    await app.visitor.post("/api/auth/password", { token, password: "a third long password" });
    const zoe = await app.as(user);

    expect(user.role).toBe("admin");
    expect((await zoe.get("/api/admin/users")).body.error.rule).toBe("factor_required");
    const own = (await zoe.post("/api/me/factors/app")).body;
    await zoe.put("/api/me/factors/app", { code: codeAt(own.key, app.clock()) });
    expect((await zoe.get("/api/admin/users")).status).toBe(200);
  });

  test("an administrator who did not give it in this session gives it first", async () => {
    const app = await required();
    const browser = await app.browser(app.ann);
    const anns = await anApp(app, app.ann);

    const led = (await browser.get("/admin/users?q=b", { accept: "text/html" })).headers.get("location")!;
    const given = await browser.post(led, form({ code: anns.next() }), FORM);

    expect(led).toBe(`/confirm?with=factor&next=${encodeURIComponent("/admin/users?q=b")}`);
    expect(given.headers.get("location")).toBe("/admin/users?q=b");
    expect((await browser.get("/admin/users", { accept: "text/html" })).status).toBe(200);
  });

  test("removing the last one locks the administrator out in every session", async () => {
    const app = await required();
    await anApp(app, app.ann);
    const [ann, other] = [await app.as(app.ann), await app.as(app.ann)];
    expect((await other.get("/api/admin/stats")).status).toBe(200);

    await ann.delete("/api/me/factors/app");
    await anApp(app, app.ann);

    expect((await other.get("/api/admin/stats")).body.error.rule).toBe("factor_required");
  });

  test("an API token does not bypass it: it counts for the factor of the session that created it", async () => {
    const app = await required();
    const ann = await app.as(app.ann);
    const made = async () => (await ann.post("/api/me/tokens", { name: "all", scope: "read" })).body.token;
    const asked = async (token: string) => (await app.withBearer(token).get("/api/admin/users")).body.error?.rule;
    const early = await made();

    expect(await asked(early)).toBe("factor_required");
    expect((await app.withBearer(early).get("/api/qsos")).status).toBe(200);
    const { key } = (await ann.post("/api/me/factors/app")).body;
    await ann.put("/api/me/factors/app", { code: codeAt(key, app.clock()) });
    expect([await asked(early), await asked(await made())]).toEqual(["factor_required", undefined]);
  });

  test("tokens of the operator and of other users keep working", async () => {
    const app = await required();

    expect((await (await app.withToken(app.ann, "read")).get("/api/admin/stats")).status).toBe(200);
    expect((await login(app)).body.token).toBeString();
  });
});
