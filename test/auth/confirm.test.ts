import { describe, expect, test } from "bun:test";
import { MINUTE } from "../../src/kernel/clock.ts";
import { SECRET_FIELDS } from "../../src/server/pages/resubmit-form.ts";
import { everyView } from "../views/every-view.ts";
import { type Answer, type Asker, PASSWORD, testApp, type TestApp } from "../support/app.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

/** Actions that would outlast a stolen session. */
const SENSITIVE: [string, (asker: Asker, app: TestApp) => Promise<Answer>][] = [
  ["making a token", (ann) => ann.post("/api/me/tokens", { name: "x", scope: "write" })],
  ["changing the e-mail address", (ann) => ann.put("/api/me", { email: "x@example.org" })],
  ["storing credentials", (ann) => ann.put("/api/services/second/credentials", { apiKey: "AB12-CD34-EF56-0789" })],
  ["forgetting credentials", (ann) => ann.delete("/api/services/first/credentials")],
  ["making a user", (ann) => ann.post("/api/admin/users", { username: "zoe", password: "a long password" })],
  ["inviting a user", (ann) => ann.post("/api/admin/users/invite", { username: "zoe" })],
  [
    "setting a password",
    (ann, { eve }) => ann.post(`/api/admin/users/${eve.id}/password`, { password: "a long password" }),
  ],
  ["making a password link", (ann, { eve }) => ann.post(`/api/admin/users/${eve.id}/password-link`)],
  ["promoting", (ann, { eve }) => ann.post(`/api/admin/users/${eve.id}/promote`)],
  ["deleting", (ann, { eve }) => ann.delete(`/api/admin/users/${eve.id}`)],
];

const FORMS: [string, (app: TestApp) => string, Record<string, string>, string][] = [
  ["a token", () => "/settings/tokens", { name: "x", scope: "write" }, "/settings/programs"],
  ["the profile", () => "/settings/profile", { email: "x@example.org" }, "/settings/profile"],
  ["credentials", () => "/settings/credentials/second", { apiKey: "AB12-CD34-EF56-0789" }, "/settings"],
  ["a user", () => "/admin/users?q=a", { username: "zoe", password: "a long password" }, "/admin/users?q=a"],
  ["a password", ({ eve }) => `/admin/users/${eve.id}/password`, { password: "a long password" }, "/admin/users"],
  ["a role", ({ eve }) => `/admin/users/${eve.id}/promote`, {}, "/admin/users"],
  ["a deletion", ({ eve }) => `/admin/users/${eve.id}/delete`, { name: "eve" }, "/admin/users"],
];

// Defence: changes that outlast a session ask for the password again
describe("the user's password is asked for again ten minutes after it was given", () => {
  test.each(SENSITIVE)("before %s", async (_, ask) => {
    const app = await testApp();
    await app.credentialsFor(app.ann, "first");
    const [ann, other] = [await app.as(app.ann), await app.as(app.ann)];
    app.clock.advance(10 * MINUTE);
    expect((await ann.get("/api/me")).status).toBe(200);

    const refused = await ask(ann, app);
    const wrong = await ann.post("/api/auth/confirm", { password: "wrong" });
    const still = await ask(ann, app);
    expect((await ann.post("/api/auth/confirm", { password: PASSWORD })).status).toBe(204);
    const elsewhere = await ask(other, app);
    const done = await ask(ann, app);

    expect([refused.status, refused.body.error.rule]).toEqual([403, "reauthenticate"]);
    expect([wrong.status, wrong.body.error.fields[0].path]).toEqual([400, "password"]);
    expect([still.body.error.rule, elsewhere.body.error.rule]).toEqual(["reauthenticate", "reauthenticate"]);
    expect([done.status < 300, done.status]).toEqual([true, done.status]);
  });

  test.each(FORMS)("on a page with a form, for %s", async (_, path, fields, page) => {
    const app = await testApp();
    const ann = await app.browser(app.ann);
    app.clock.advance(10 * MINUTE);

    const sent = await ann.post(path(app), form(fields), FORM);
    const live = await ann.post(path(app), form(fields), { ...FORM, "hx-request": "true" });
    const to = sent.headers.get("location")!;

    expect([sent.status, to]).toEqual([303, `/confirm?next=${encodeURIComponent(page)}`]);
    expect(live.headers.get("hx-redirect")).toBe(to);
    expect((await ann.get(to)).text).toContain('name="password"');
    expect((await ann.post(to, form({ password: "wrong" }), FORM)).text).toContain("Wrong password.");
    const confirmed = await ann.post(to, form({ password: PASSWORD }), FORM);
    expect([confirmed.status, confirmed.headers.get("location")]).toEqual([303, page]);
    expect((await ann.post(path(app), form(fields), FORM)).status).toBeLessThan(304);
  });

  const KEPT: [string, (app: TestApp) => string, Record<string, string>, string, RegExp[]][] = [
    [
      "a token",
      () => "/settings/tokens",
      { name: "my logger", scope: "write", expires: "2027-01-01" },
      "/settings/programs",
      [/value="my logger"/, /value="write" selected/, /value="2027-01-01"/],
    ],
    [
      "credentials, but not the secret",
      () => "/settings/credentials/first",
      { username: "yu1typed", password: "typed secret" },
      "/settings",
      [/value="yu1typed"/],
    ],
    [
      "a user, but not the password",
      () => "/admin/users?q=a",
      { username: "zoe", callsign: "YU1ZOE", password: "typed secret" },
      "/admin/users?q=a",
      [/value="zoe"/, /value="YU1ZOE"/],
    ],
    ["a deletion", ({ eve }) => `/admin/users/${eve.id}/delete`, { name: "eve" }, "/admin/users", [/value="eve"/]],
  ];

  // Defence: forms never contain a stored secret
  test.each(KEPT)("keeps what was typed: %s", async (_, path, fields, page, there) => {
    const app = await testApp();
    const [ann, eve] = [await app.browser(app.ann), await app.browser(app.eve)];
    app.clock.advance(10 * MINUTE);
    const sent = await ann.post(path(app), form(fields), { ...FORM, "hx-request": "true" });
    const note = ann.cookies.get("qsolog_form")!;
    eve.cookies.set("qsolog_form", note);
    expect(Buffer.from(note, "base64url").toString("latin1")).not.toMatch(/typed|zoe|logger/);

    const confirmed = await ann.post(sent.headers.get("hx-redirect")!, form({ password: PASSWORD }), FORM);
    const shown = (await ann.get(confirmed.headers.get("location")!)).text;

    expect(confirmed.headers.get("location")).toBe(page);
    expect(shown).toContain("Nothing has changed yet.");
    for (const one of there) expect(shown).toMatch(one);
    expect(shown).not.toContain("typed secret");
    expect((await ann.get(page)).text).not.toContain("Nothing has changed yet.");
    expect((await eve.get("/settings")).text).not.toContain("Nothing has changed yet.");
    ann.cookies.set("qsolog_form", note);
    app.clock.advance(10 * MINUTE);
    expect((await ann.get(page)).text).not.toContain("Nothing has changed yet.");
  });

  // Defence: forms never contain a stored secret
  test("hidden fields are never stored", async () => {
    const html = (await everyView()).map((view) => view.html).join("");
    const names = [...html.matchAll(/<input[^>]*type="password"[^>]*>/g)].map(([tag]) => /name="(\w+)"/.exec(tag)![1]!);

    expect(names).toContain("apiKey");
    expect(names.filter((name) => !SECRET_FIELDS.has(name))).toEqual([]);
  });

  test("wrong answers count together with those at sign-in, and a redirect leads only to this server", async () => {
    const app = await testApp();
    const ann = await app.browser(app.ann);
    for (let n = 0; n < 5; n++)
      expect((await ann.post("/confirm", form({ password: `wrong${n}` }), FORM)).status).toBe(400);

    expect((await ann.post("/confirm", form({ password: PASSWORD }), FORM)).status).toBe(429);
    const other = await app.browser(app.bob);
    const away = await other.post("/confirm?next=//evil.example", form({ password: PASSWORD }), FORM);
    expect(away.headers.get("location")).toBe("/");
  });
});

// Defence: an administrator changes the own password only with the current one
test("an administrator cannot bypass the current password of their own account", async () => {
  const app = await testApp();
  const ann = await app.as(app.ann);
  const own = `/api/admin/users/${app.ann.id}`;

  const answers = [
    await ann.post(`${own}/password`, { password: "another long password" }),
    await ann.post(`${own}/password-link`),
  ];

  expect(answers.map(({ status, body }) => [status, body.error.rule])).toEqual([
    [409, "own_password"],
    [409, "own_password"],
  ]);
  expect((await ann.get("/api/me")).status).toBe(200);
});

// Defence: sessions and tokens end immediately on sign-out, a new password, demotion, deletion or expiry
describe("API tokens are revoked", () => {
  const withToken = async () => {
    const app = await testApp();
    const token = await app.withToken(app.bob, "write");
    return { app, token, works: async () => (await token.get("/api/me")).status === 200 };
  };

  test("by a password that an administrator sets", async () => {
    const { app, works } = await withToken();

    await (
      await app.as(app.ann)
    ).post(`/api/admin/users/${app.bob.id}/password`, { password: "another long password" });

    expect(await works()).toBe(false);
  });

  test("by the user's own password change, if the user asks for it", async () => {
    const { app, works } = await withToken();
    const bob = await app.as(app.bob);
    const next = "another long password";

    await bob.put("/api/me/password", { current: PASSWORD, next });
    expect(await works()).toBe(true);
    await bob.put("/api/me/password", { current: next, next: "a third long password", revokeTokens: true });

    expect([await works(), (await bob.get("/api/me")).status]).toEqual([false, 200]);
  });

  test("together with all sessions, by the user or an administrator, on the page and by API", async () => {
    for (const end of [
      async (app: TestApp) => (await app.as(app.bob)).delete("/api/me/sign-ins"),
      async (app: TestApp) => (await app.browser(app.bob)).post("/settings/sign-out", "", FORM),
      async (app: TestApp) => (await app.as(app.ann)).delete(`/api/admin/users/${app.bob.id}/sign-ins`),
      async (app: TestApp) => (await app.browser(app.ann)).post(`/admin/users/${app.bob.id}/sign-out`, "", FORM),
    ]) {
      const { app, works } = await withToken();
      const bob = await app.as(app.bob);
      expect((await end(app)).status).toBeLessThan(304);
      expect([await works(), (await bob.get("/api/me")).status]).toEqual([false, 401]);
    }
  });

  test("one by one by an administrator, who can list them", async () => {
    const { app, token, works } = await withToken();
    const ann = await app.as(app.ann);
    const { tokens } = (await ann.get(`/api/admin/users/${app.bob.id}/tokens`)).body;
    expect(tokens).toMatchObject([{ id: token.id, name: "test", scope: "write" }]);
    expect((await (await app.browser(app.ann)).get(`/admin/users/${app.bob.id}`)).text).toContain("Revoke token test");

    expect((await ann.delete(`/api/admin/users/${app.eve.id}/tokens/${token.id}`)).status).toBe(404);
    expect(await works()).toBe(true);
    expect((await ann.delete(`/api/admin/users/${app.bob.id}/tokens/${token.id}`)).status).toBe(204);

    expect(await works()).toBe(false);
  });
});
