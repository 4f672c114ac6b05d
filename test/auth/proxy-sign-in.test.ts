import { describe, expect, test } from "bun:test";
import { HOUR, MINUTE } from "../../src/kernel/clock.ts";
import { type Browser, PASSWORD, testApp } from "../support/app.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const named = (name: string): Record<string, string> => ({ "remote-user": name });
/** These tests send requests from 127.0.0.1. */
const ON = { QSOLOG_PROXY_USER_HEADER: "Remote-User", QSOLOG_TRUSTED_PROXIES: "127.0.0.1" };

const nameOf = async (browser: Browser, headers: Record<string, string> = {}) =>
  (await browser.get("/api/me", headers)).body.user?.username ?? null;

// Defence: a proxy's user header counts only from a trusted proxy, and only if configured
describe("a proxy's header", () => {
  test("signs in the named user and returns to the requested page", async () => {
    const app = await testApp({ env: ON });
    const bob = await app.browser();

    const asked = await bob.get("/log?q=x", { ...named("Bob"), accept: "text/html" });
    const signedIn = await bob.get(asked.headers.get("location")!, named("Bob"));

    expect(asked.headers.get("location")).toBe("/login?next=%2Flog%3Fq%3Dx");
    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, "/log?q=x"]);
    expect(await nameOf(bob, named("bob"))).toBe("bob");
    expect((await bob.get("/settings/security", named("bob"))).text).toContain("Signed in by the proxy (remote-user)");
  });

  const UNTRUSTED: [string, Record<string, string>, Record<string, string>][] = [
    ["no header is named", { QSOLOG_TRUSTED_PROXIES: "127.0.0.1" }, named("bob")],
    ["it comes from elsewhere", { ...ON, QSOLOG_TRUSTED_PROXIES: "203.0.113.9" }, named("bob")],
    [
      "the visitor claims to come by way of a trusted one",
      { ...ON, QSOLOG_TRUSTED_PROXIES: "203.0.113.9" },
      { ...named("bob"), "x-forwarded-for": "203.0.113.9" },
    ],
    ["it is another header", ON, { "x-remote-user": "bob" }],
    ["it is empty", ON, named(" ")],
  ];
  test.each(UNTRUSTED)("is ignored if %s", async (_, env, headers) => {
    const app = await testApp({ env });
    const browser = await app.browser();

    const page = await browser.get("/login", headers);
    const api = await browser.get("/api/me", headers);

    expect([page.status, "qsolog_session" in page.cookies, api.status]).toEqual([200, false, 401]);
  });

  test.each(["nobody", "bob, ann", "~2", "a b"])(
    "rejects the name %p with a message and creates no account",
    async (name) => {
      const app = await testApp({ env: ON });
      const browser = await app.browser();

      const answer = await browser.get("/login", named(name));

      expect([answer.status, "qsolog_session" in answer.cookies]).toEqual([403, false]);
      expect(answer.text).toContain("a username that does not exist here");
      expect((await (await app.as(app.ann)).get("/api/admin/users")).body.total).toBe(3);
    },
  );

  test("creates an account if the operator allows it and the name is valid", async () => {
    const app = await testApp({ env: { ...ON, QSOLOG_PROXY_REGISTRATION: "open" } });
    const [zoe, wrong] = [await app.browser(), await app.browser()];

    const made = await zoe.get("/login", named("Zoe"));
    const refused = await wrong.get("/login", named("bob, ann"));

    expect([made.status, refused.status]).toEqual([303, 400]);
    expect((await zoe.get("/api/me", named("zoe"))).body.user).toMatchObject({ username: "zoe", role: "user" });
    expect((await app.visitor.post("/api/auth/login", { username: "zoe", password: "" })).status).toBe(401);
    const empty = await testApp({ env: { ...ON, QSOLOG_PROXY_REGISTRATION: "open" }, empty: true });
    expect((await (await empty.browser()).get("/login", named("zoe"))).status).toBe(403);
  });

  test("keeps the session: without it or with another name the session ends", async () => {
    const app = await testApp({ env: ON });
    const [bob, ann] = [await app.browser(), await app.browser()];
    await bob.get("/login", named("bob"));
    await ann.get("/login", named("ann"));
    const token = bob.cookies.get("qsolog_session")!;

    expect(await nameOf(bob, named("bob"))).toBe("bob");
    expect([await nameOf(bob), await nameOf(bob, named("eve"))]).toEqual([null, null]);
    expect((await app.withBearer(token).get("/api/me")).status).toBe(401);
    await ann.post(`/admin/users/${app.bob.id}/impersonate`, "", { ...FORM, ...named("ann") });
    expect([await nameOf(ann, named("ann")), await nameOf(ann)]).toEqual(["bob", null]);
    const over = await bob.get("/log", { ...named("eve"), accept: "text/html" });
    const other = await bob.get(over.headers.get("location")!, named("eve"));
    expect([other.headers.get("location"), await nameOf(bob, named("eve"))]).toEqual(["/log", "eve"]);
  });

  test("does not confirm a session: the password is asked for, or where to get one", async () => {
    const app = await testApp({ env: { ...ON, QSOLOG_PROXY_REGISTRATION: "open" } });
    const [bob, zoe] = [await app.browser(), await app.browser()];
    await bob.get("/login", named("bob"));
    await zoe.get("/login", named("zoe"));
    const makeToken = (browser: Browser, name: string) =>
      browser.post("/api/me/tokens", { name: "x", scope: "read" }, named(name));

    const before = await makeToken(bob, "bob");
    await bob.post("/confirm", form({ password: PASSWORD }), { ...FORM, ...named("bob") });
    const after = await makeToken(bob, "bob");

    expect([before.body.error.rule, after.status]).toEqual(["reauthenticate", 201]);
    expect((await makeToken(zoe, "zoe")).body.error.rule).toBe("reauthenticate");
    expect((await zoe.get("/confirm", named("zoe"))).text).toContain("Ask an administrator for a password link");
  });

  test("does not sign in again immediately after signing out, and lasts a day", async () => {
    const app = await testApp({ env: ON });
    const bob = await app.browser();
    await bob.get("/login", named("bob"));

    const out = await bob.post("/logout", "", { ...FORM, ...named("bob") });
    const page = await bob.get(out.headers.get("location")!, named("bob"));

    expect([out.headers.get("location"), page.status, "qsolog_session" in page.cookies]).toEqual([
      "/login?done=left",
      200,
      false,
    ]);
    await bob.get("/login", named("bob"));
    app.clock.advance(24 * HOUR - MINUTE);
    expect(await nameOf(bob, named("bob"))).toBe("bob");
    app.clock.advance(MINUTE);
    expect(await nameOf(bob, named("bob"))).toBe(null);
  });

  test("does not help another site: its forms are refused", async () => {
    const app = await testApp({ env: ON });
    const bob = await app.browser();
    await bob.get("/login", named("bob"));

    const sent = await bob.post("/settings/auto-sync", form({ first: "5" }), {
      ...FORM,
      ...named("bob"),
      "sec-fetch-site": "cross-site",
    });

    expect(sent.status).toBe(403);
  });
});
