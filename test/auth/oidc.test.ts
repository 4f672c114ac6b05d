import { describe, expect, test } from "bun:test";
import { MINUTE } from "../../src/kernel/clock.ts";
import { type Browser, PASSWORD, testApp } from "../support/app.ts";
import { anApp } from "../support/factors.ts";
import { aProvider, CLIENT_SECRET, type Accounts, type TestProvider } from "../support/provider.ts";
import { testClock, testWorld } from "../support/world.ts";

const BASE = "http://localhost";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

const PEOPLE: Accounts = {
  "sub-bob": { preferred_username: "bob", email: "bob@example.org", groups: ["hams"] },
  "sub-zoe": { preferred_username: "zoe", email: "bob@example.org", callsign: "yu1zoe", groups: ["hams"] },
  "sub-ann": { preferred_username: "ann", groups: ["qsolog-admins"] },
};

interface Options {
  env?: Record<string, string>;
  accounts?: Accounts;
  isPublic?: boolean;
  tamper?: (idToken: string) => string;
  baseUrl?: string;
}

/** The program and a real provider with the same time. */
const aPair = async ({ env = {}, accounts = PEOPLE, isPublic, tamper, baseUrl = BASE }: Options = {}) => {
  const provider = await aProvider({ accounts, baseUrl, isPublic, tamper });
  const world = await testWorld({ env: { QSOLOG_PORT: "0", ...provider.env, ...env } });
  const app = await testApp({ world: { ...world, clock: testClock(Date.now()) } });
  return { provider, app };
};

/** What a browser does after a click on the button: to the provider and back. */
const signInBy = async (
  { provider }: { provider: TestProvider },
  browser: Browser,
  login: string,
  { from = "/login/with", visitor = provider.visitor(), declines = false } = {},
) => {
  const out = await browser.get(from);
  const { back, prompts } = await visitor.signIn(out.headers.get("location")!, login, { declines });
  return { out, back, prompts, answer: await browser.get(back) };
};

const linkTo = async ({ provider }: { provider: TestProvider }, browser: Browser, login: string) => {
  const page = await browser.post("/settings/identities", "", FORM);
  expect(page.text).toContain('href="login/onward"');
  const url = (await browser.get("/login/onward")).headers.get("location")!;
  const { back } = await provider.visitor().signIn(url, login);
  return browser.get(back);
};

const nameOf = async (browser: Browser) => (await browser.get("/api/me")).body.user?.username ?? null;

// Defence: OpenID Connect uses the code flow with PKCE, state and nonce, bound to the browser that started it
describe("signing in with a provider", () => {
  test("is off until the operator configures one", async () => {
    const app = await testApp();
    const eve = await app.browser();

    expect((await eve.get("/login")).text).not.toContain("login/with");
    for (const path of ["/login/with", "/login/back?code=x&state=y"]) {
      const answer = await eve.get(path);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login"]);
    }
  });

  test("signs in a linked account, records it in the account's events, and works again", async () => {
    const pair = await aPair();
    const bob = await pair.app.browser(pair.app.bob);
    const linked = await linkTo(pair, bob, "sub-bob");
    expect(linked.headers.get("location")).toBe("/settings/security?done=identity");
    const other = await pair.app.browser();

    const { out, answer } = await signInBy(pair, other, "sub-bob", { from: "/login/with?next=%2Flog%3Fq%3Dx" });

    const asked = new URL(out.headers.get("location")!).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      redirect_uri: `${BASE}/login/back`,
      scope: "openid profile email",
    });
    for (const name of ["state", "nonce", "code_challenge"]) expect(asked.get(name)!.length).toBe(43);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/log?q=x"]);
    expect(await nameOf(other)).toBe("bob");
    const { events } = (await other.get("/api/me/events")).body;
    expect(events.map((one: any) => [one.event, one.details]).slice(0, 3)).toEqual([
      ["sign_in", { through: "Authelia" }],
      ["identity_linked", { name: "Authelia", account: "bob" }],
      ["sign_in", {}],
    ]);
    expect((await other.get("/settings/security")).text).toContain("Signed in by Authelia");
    expect((await signInBy(pair, await pair.app.browser(), "sub-bob")).answer.headers.get("location")).toBe("/");
  });

  test("works with a public client, and HTTPS gives the note's cookie the host prefix", async () => {
    const baseUrl = "https://log.example.org";
    const pair = await aPair({ isPublic: true, baseUrl, env: { QSOLOG_OIDC_USERNAME_CLAIM: "preferred_username" } });
    const browser = await pair.app.browser();

    const { out } = await signInBy(pair, browser, "sub-bob");

    expect(out.headers.get("set-cookie")).toMatch(
      /^__Host-qsolog_elsewhere=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/,
    );
    expect(await nameOf(browser)).toBe("bob");
  });

  test("fails in another browser, a second time, too late, and with another state", async () => {
    const pair = await aPair({ env: { QSOLOG_OIDC_USERNAME_CLAIM: "preferred_username" } });
    const [mallory, bob, late, changed] = await Promise.all([1, 2, 3, 4].map(() => pair.app.browser()));
    const mine = await mallory!.get("/login/with");
    const { back } = await pair.provider.visitor().signIn(mine.headers.get("location")!, "sub-zoe");
    await bob!.get("/login/with");

    const withoutNote = await (await pair.app.browser()).get(back);
    const withOtherNote = await bob!.get(back);
    const forLate = await late!.get("/login/with");
    const lateBack = (await pair.provider.visitor().signIn(forLate.headers.get("location")!, "sub-bob")).back;
    pair.app.clock.advance(10 * MINUTE);
    const tooLate = await late!.get(lateBack);
    const forChanged = await changed!.get("/login/with");
    const changedBack = (await pair.provider.visitor().signIn(forChanged.headers.get("location")!, "sub-bob")).back;
    const note = changed!.cookies.get("qsolog_elsewhere")!;
    const otherState = await changed!.get(changedBack.replace(/state=[^&]+/, "state=abc"));
    changed!.cookies.set("qsolog_elsewhere", note);
    const otherIssuer = await changed!.get(changedBack.replace(/iss=[^&]+/, "iss=https%3A%2F%2Fevil.example"));
    changed!.cookies.set("qsolog_elsewhere", note);
    expect((await changed!.get(changedBack)).status).toBe(303);
    const again = await pair.app.browser();
    again.cookies.set("qsolog_elsewhere", note);
    const twice = await again.get(changedBack);

    for (const answer of [withoutNote, withOtherNote, tooLate, otherState, otherIssuer, twice]) {
      expect([answer.status, "qsolog_session" in answer.cookies]).toEqual([403, false]);
      expect(answer.text).toContain('role="alert"');
    }
    expect(withoutNote.text).toContain("started in another browser");
  });

  test("rejects what was issued for another sign-in", async () => {
    const pair = await aPair({ env: { QSOLOG_OIDC_USERNAME_CLAIM: "preferred_username" } });
    const browser = await pair.app.browser();
    const out = await browser.get("/login/with");
    const asked = new URL(out.headers.get("location")!);
    asked.searchParams.set("nonce", "another");

    const { back } = await pair.provider.visitor().signIn(asked.href, "sub-bob");
    const answer = await browser.get(back);

    expect([answer.status, await nameOf(browser)]).toEqual([403, null]);
    expect(answer.text).toContain("Authelia sent an invalid answer");
  });

  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString());
  const asAnn = (token: string) => part({ ...claimsOf(token), sub: "sub-ann" });
  const hmac = (text: string) => new Bun.CryptoHasher("sha256", CLIENT_SECRET).update(text).digest("base64url");

  test.each([
    ["changed", (token: string) => token.replace(/\.[^.]+\./, `.${asAnn(token)}.`)],
    ["unsigned", (token: string) => `${part({ alg: "none" })}.${token.split(".")[1]}.`],
    [
      "signed with the client's secret",
      (token: string) => {
        const text = `${part({ alg: "HS256" })}.${token.split(".")[1]}`;
        return `${text}.${hmac(text)}`;
      },
    ],
    [
      "for somebody else",
      (token: string) => token.replace(/\.[^.]+\./, `.${part({ ...claimsOf(token), aud: "other" })}.`),
    ],
    ["no token", () => "nonsense"],
  ])("rejects what is %s on the way", async (_, tamper) => {
    const env = { QSOLOG_OIDC_USERNAME_CLAIM: "preferred_username" };
    const untouched = await aPair({ env, tamper: (token) => token });
    const pair = await aPair({ env, tamper });
    const [good, bad] = [await untouched.app.browser(), await pair.app.browser()];

    await signInBy(untouched, good, "sub-bob");
    const { answer } = await signInBy(pair, bad, "sub-bob");

    expect([await nameOf(good), answer.status, await nameOf(bad)]).toEqual(["bob", 403, null]);
  });

  test("tells a user who declines at the provider how to continue", async () => {
    const pair = await aPair();

    const { answer } = await signInBy(pair, await pair.app.browser(), "sub-bob", { declines: true });

    expect(answer.status).toBe(403);
    expect(answer.text).toContain("Authelia declined the sign-in.");
    expect(answer.text).toContain('name="password"');
  });

  test("limits invented answers by address, in a log line that fail2ban reads", async () => {
    const pair = await aPair();
    const lines: string[] = [];
    pair.app.log.warn = (event, fields) => void lines.push(JSON.stringify({ event, ...fields }));
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) {
      const browser = await pair.app.browser();
      const url = new URL((await browser.get("/login/with")).headers.get("location")!);
      const state = url.searchParams.get("state")!;
      const iss = encodeURIComponent(pair.provider.issuer);
      statuses.push((await browser.get(`/login/back?code=made-up-${n}&state=${state}&iss=${iss}`)).status);
    }

    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429]);
    expect(lines.filter((line) => line.includes("sign_in.failed")).length).toBe(5);
    expect(lines.find((line) => line.includes("sign_in.failed"))).toContain(
      '"address":"127.0.0.1","name":"(provider)"',
    );
  });
});

// Defence: a name or e-mail address from a provider never gives access to an existing account
describe("the matching user", () => {
  test("is nobody without a link, whatever name and address the provider sends", async () => {
    const pair = await aPair();
    await (await pair.app.as(pair.app.bob)).put("/api/me", { email: "bob@example.org" });

    for (const login of ["sub-bob", "sub-zoe"]) {
      const browser = await pair.app.browser();
      const { answer } = await signInBy(pair, browser, login);
      expect([answer.status, await nameOf(browser)]).toEqual([403, null]);
      expect(answer.text).toContain("Your Authelia account is not linked to a user here.");
    }
  });

  test("is found by a claim if the operator names one, once for each account and never an administrator", async () => {
    const accounts = { ...PEOPLE, "sub-bob-2": { preferred_username: "bob" } };
    const pair = await aPair({ accounts, env: { QSOLOG_OIDC_USERNAME_CLAIM: "preferred_username" } });
    const [bob, other, ann] = await Promise.all([1, 2, 3].map(() => pair.app.browser()));

    await signInBy(pair, bob!, "sub-bob");
    const second = await signInBy(pair, other!, "sub-bob-2");
    const administrator = await signInBy(pair, ann!, "sub-ann");

    expect([await nameOf(bob!), await nameOf(other!), await nameOf(ann!)]).toEqual(["bob", null, null]);
    expect([second.answer.status, administrator.answer.status]).toEqual([403, 403]);
  });

  test("keeps the account: it cannot be linked to another user", async () => {
    const pair = await aPair();
    const [bob, eve] = [await pair.app.browser(pair.app.bob), await pair.app.browser(pair.app.eve)];
    await linkTo(pair, bob, "sub-bob");

    const refused = await linkTo(pair, eve, "sub-bob");

    expect(refused.status).toBe(409);
    expect(refused.text).toContain("is already linked to another user");
    expect((await eve.get("/api/me/identities")).body.identities).toEqual([]);
  });

  test("is linked only in the session that started it, after a confirmation", async () => {
    const pair = await aPair();
    const bob = await pair.app.browser(pair.app.bob);
    await bob.post("/settings/identities", "", FORM);
    const url = (await bob.get("/login/onward")).headers.get("location")!;
    const { back } = await pair.provider.visitor().signIn(url, "sub-zoe");
    const eve = await pair.app.browser(pair.app.eve);
    eve.cookies.set("qsolog_elsewhere", bob.cookies.get("qsolog_elsewhere")!);

    const refused = await eve.get(back);
    pair.app.clock.advance(10 * MINUTE);
    const unconfirmed = await bob.post("/settings/identities", "", FORM);
    const crossSite = await bob.post("/settings/identities", "", { ...FORM, "sec-fetch-site": "cross-site" });

    expect(refused.status).toBe(403);
    expect(unconfirmed.headers.get("location")).toStartWith("/confirm");
    expect(crossSite.status).toBe(403);
    expect((await (await pair.app.as(pair.app.bob)).get("/api/me/identities")).body.identities).toEqual([]);
  });

  test("cannot sign in after deletion or unlinking; a password set by others unlinks", async () => {
    const pair = await aPair();
    const { app } = pair;
    const [bob, eve] = [await app.browser(app.bob), await app.browser(app.eve)];
    await linkTo(pair, bob, "sub-bob");
    await linkTo(pair, eve, "sub-zoe");
    const byProvider = await app.browser();
    await signInBy(pair, byProvider, "sub-bob");
    const ann = await app.as(app.ann);
    const { id } = (await bob.get("/api/me/identities")).body.identities[0];

    expect((await eve.delete(`/api/me/identities/${id}`)).status).toBe(404);
    expect((await bob.post(`/settings/identities/${id}/remove`, "", FORM)).status).toBe(303);
    expect([await nameOf(byProvider), await nameOf(bob)]).toEqual([null, "bob"]);
    expect((await signInBy(pair, await app.browser(), "sub-bob")).answer.status).toBe(403);
    await ann.post(`/api/admin/users/${app.eve.id}/password`, { password: "another long password" });
    expect((await signInBy(pair, await app.browser(), "sub-zoe")).answer.status).toBe(403);
    await linkTo(pair, await app.browser(app.bob), "sub-bob");
    expect((await ann.delete(`/api/admin/users/${app.bob.id}`)).status).toBe(204);
    expect((await signInBy(pair, await app.browser(), "sub-bob")).answer.status).toBe(403);
  });
});

describe("accounts of new users", () => {
  const open = { QSOLOG_OIDC_REGISTRATION: "open", QSOLOG_OIDC_CALLSIGN_CLAIM: "callsign" };

  test("are created if the operator allows it, with a username they choose and the provider's callsign", async () => {
    const pair = await aPair({ env: open });
    const zoe = await pair.app.browser();
    const { answer } = await signInBy(pair, zoe, "sub-zoe");
    expect(answer.headers.get("location")).toBe("/login/new");
    const page = (await zoe.get("/login/new")).text;
    expect(page).toContain('value="zoe"');
    expect(page).toContain('value="yu1zoe"');

    const taken = await zoe.post("/login/new", form({ username: "bob" }), FORM);
    const wrong = await zoe.post("/login/new", form({ username: "a b", callsign: "" }), FORM);
    const made = await zoe.post("/login/new", form({ username: "Zoe", callsign: "yu1zoe" }), FORM);

    expect([taken.status, wrong.status, made.status]).toEqual([409, 400, 303]);
    expect((await zoe.get("/api/me")).body.user).toMatchObject({ username: "zoe", callsign: "YU1ZOE", role: "user" });
    const again = await pair.app.browser();
    await signInBy(pair, again, "sub-zoe");
    expect(await nameOf(again)).toBe("zoe");
    expect((await again.get("/api/me/identities")).body).toMatchObject({ hasPassword: false, provider: "Authelia" });
  });

  test("are not created before the server is set up, or without signing in at the provider", async () => {
    const provider = await aProvider({ accounts: PEOPLE, baseUrl: BASE });
    const world = await testWorld({ env: { ...provider.env, ...open } });
    const app = await testApp({ world: { ...world, clock: testClock(Date.now()) }, empty: true });
    const zoe = await app.browser();

    const { answer } = await signInBy({ provider }, zoe, "sub-zoe");
    const made = await zoe.post("/login/new", form({ username: "zoe" }), FORM);

    expect([answer.status, made.status, made.headers.get("location")]).toEqual([403, 303, "/login"]);
    expect((await app.visitor.get("/api/setup")).body).toEqual({ needed: true });
  });

  test("have no password: the provider confirms sessions, and a password can be added", async () => {
    const pair = await aPair({ env: open });
    const visitor = pair.provider.visitor();
    const zoe = await pair.app.browser();
    await signInBy(pair, zoe, "sub-zoe", { visitor });
    await zoe.post("/login/new", form({ username: "zoe" }), FORM);
    const { id } = (await zoe.get("/api/me/identities")).body.identities[0];
    pair.app.clock.advance(11 * MINUTE);

    const only = await zoe.delete(`/api/me/identities/${id}`);
    const late = await zoe.put("/api/me/password", { next: "another long password" });
    const asked = await zoe.get("/confirm?next=/settings");
    expect(asked.text).not.toContain('name="password"');
    const guess = await pair.app.visitor.post("/api/auth/login", { username: "zoe", password: "" });

    expect([only.body.error.rule, late.body.error.rule, guess.status]).toEqual([
      "reauthenticate",
      "reauthenticate",
      401,
    ]);
    expect(asked.text).toContain("confirm/with?next=%2Fsettings");
  });

  test("can add a password, sign in with it, and then unlink the provider, but not before", async () => {
    const pair = await aPair({ env: open });
    const zoe = await pair.app.browser();
    await signInBy(pair, zoe, "sub-zoe");
    await zoe.post("/login/new", form({ username: "zoe" }), FORM);
    const { id } = (await zoe.get("/api/me/identities")).body.identities[0];
    expect((await zoe.get("/settings/security")).text).not.toContain("Current password");

    const early = await zoe.delete(`/api/me/identities/${id}`);
    const set = await zoe.post("/settings/password", form({ password: "another long password" }), FORM);
    const guessed = await zoe.put("/api/me/password", { current: "", next: "a third long password" });
    const gone = await zoe.delete(`/api/me/identities/${id}`);

    expect([early.body.error.rule, set.status, guessed.status, gone.status]).toEqual(["last_sign_in", 303, 400, 204]);
    const credentials = { username: "zoe", password: "another long password" };
    expect((await pair.app.visitor.post("/api/auth/login", credentials)).status).toBe(200);
    const { events } = (await zoe.get("/api/me/events")).body;
    expect(events.map((one: any) => one.event)).toContain("identity_removed");
  });

  test("can be deleted without a password, after a confirmation", async () => {
    const pair = await aPair({ env: open });
    const zoe = await pair.app.browser();
    await signInBy(pair, zoe, "sub-zoe");
    await zoe.post("/login/new", form({ username: "zoe" }), FORM);
    pair.app.clock.advance(10 * MINUTE);
    expect((await zoe.delete("/api/me", {})).body.error.rule).toBe("reauthenticate");
    pair.app.clock.advance(-10 * MINUTE);

    const left = await zoe.post("/settings/delete", form({ name: "zoe" }), FORM);

    expect(left.headers.get("location")).toBe("/login?done=gone");
  });
});

// Defence: changes that outlast a session ask for the password again
describe("confirming a session at the provider", () => {
  test("asks there again and holds for ten minutes", async () => {
    const pair = await aPair();
    const { app, provider } = pair;
    const bob = await app.browser(app.bob);
    await linkTo(pair, bob, "sub-bob");
    const visitor = provider.visitor();
    const browser = await app.browser();
    const first = await signInBy(pair, browser, "sub-bob", { visitor });
    expect(first.prompts).toContain("login");
    expect((await browser.post("/api/me/tokens", { name: "fresh", scope: "read" })).status).toBe(201);

    const silent = await app.browser();
    const second = await signInBy(pair, silent, "sub-bob", { visitor });
    const { back, prompts, answer } = await signInBy(pair, silent, "sub-bob", {
      from: "/confirm/with?next=%2Fsettings",
      visitor,
    });

    expect(second.prompts).toEqual([]);
    expect(prompts).toContain("login");
    expect([answer.headers.get("location"), back.includes("code=")]).toEqual(["/settings", true]);
    expect((await silent.post("/api/me/tokens", { name: "x", scope: "read" })).status).toBe(201);
    app.clock.advance(10 * MINUTE);
    expect((await silent.post("/api/me/tokens", { name: "y", scope: "read" })).body.error.rule).toBe("reauthenticate");
  });

  test("fails if the provider did not ask, or if another user signed in", async () => {
    const pair = await aPair();
    const { app, provider } = pair;
    const bob = await app.browser(app.bob);
    await linkTo(pair, bob, "sub-bob");
    const visitor = provider.visitor();
    await signInBy(pair, await app.browser(), "sub-bob", { visitor });
    app.clock.advance(11 * MINUTE);

    const out = new URL((await bob.get("/confirm/with")).headers.get("location")!);
    expect([out.searchParams.get("prompt"), out.searchParams.get("max_age")]).toEqual(["login", "0"]);
    out.searchParams.delete("prompt");
    out.searchParams.delete("max_age");
    const { back } = await visitor.signIn(out.href, "sub-bob");
    const notAsked = await bob.get(back);
    app.clock.advance(-11 * MINUTE);
    const { answer: ofZoe } = await signInBy(pair, bob, "sub-zoe", { from: "/confirm/with" });
    app.clock.advance(11 * MINUTE);

    expect([notAsked.status, ofZoe.status]).toEqual([403, 403]);
    expect(ofZoe.text).toContain("not linked to bob");
    expect((await bob.post("/api/me/tokens", { name: "x", scope: "read" })).body.error.rule).toBe("reauthenticate");
  });
});

// Defence: a provider grants the administrator role only through the configured group, and revokes it again
describe("administrators by group", () => {
  test("get and lose the role with the group, recorded in the action log", async () => {
    const accounts: Accounts = { "sub-bob": { preferred_username: "bob", groups: ["hams", "qsolog-admins"] } };
    const pair = await aPair({ accounts, env: { QSOLOG_OIDC_ADMIN_GROUP: "qsolog-admins" } });
    const { app } = pair;
    await linkTo(pair, await app.browser(app.bob), "sub-bob");
    const roleOf = async () => {
      const browser = await app.browser();
      await signInBy(pair, browser, "sub-bob");
      return (await browser.get("/api/me")).body.user.role;
    };

    const before = await roleOf();
    accounts["sub-bob"] = { preferred_username: "bob", groups: ["hams"] };
    const after = await roleOf();

    expect([before, after]).toEqual(["admin", "user"]);
    const { actions } = (await (await app.as(app.ann)).get("/api/admin/actions")).body;
    expect(actions.slice(0, 2).map((one: any) => [one.action, one.admin, one.target])).toEqual([
      ["demote", "Authelia: qsolog-admins", "bob"],
      ["promote", "Authelia: qsolog-admins", "bob"],
    ]);
  });

  test("do not exist without the setting, and a role given by a person stays", async () => {
    const accounts: Accounts = { "sub-ann": { preferred_username: "ann", groups: [] } };
    const pair = await aPair({ accounts, env: { QSOLOG_OIDC_ADMIN_GROUP: "qsolog-admins" } });
    await linkTo(pair, await pair.app.browser(pair.app.ann), "sub-ann");
    const ann = await pair.app.browser();
    await signInBy(pair, ann, "sub-ann");

    expect((await ann.get("/api/me")).body.user.role).toBe("admin");
    const plain = await aPair();
    await linkTo(plain, await plain.app.browser(plain.app.eve), "sub-ann");
    const eve = await plain.app.browser();
    await signInBy(plain, eve, "sub-ann");
    expect((await eve.get("/api/me")).body.user.role).toBe("user");
  });
});

// Defence: a provider that is down, slow or hostile does not affect password sign-ins
describe("a provider that does not respond", () => {
  test("is reported on the sign-in page, where passwords keep working", async () => {
    const pair = await aPair();
    pair.provider.goDown(true);
    const browser = await pair.app.browser();

    const out = await browser.get("/login/with?next=/log");
    const byPassword = await browser.post("/login", form({ username: "bob", password: PASSWORD }), FORM);

    expect(out.status).toBe(502);
    expect(out.text).toContain("Authelia is not responding");
    expect(out.text).toContain('name="password"');
    expect([byPassword.status, await nameOf(browser)]).toEqual([303, "bob"]);
    pair.provider.goDown(false);
    expect((await (await pair.app.browser()).get("/login/with")).status).toBe(303);
  });

  test("is used with its cached metadata for a day and asked again every hour", async () => {
    const pair = await aPair();
    const browser = await pair.app.browser();
    const discoveries = () => pair.provider.asked.filter((one) => one.includes("openid-configuration")).length;

    for (let n = 0; n < 3; n++) await browser.get("/login/with");
    expect(discoveries()).toBe(1);
    pair.app.clock.advance(61 * MINUTE);
    await Promise.all([browser.get("/login/with"), browser.get("/login/with")]);
    expect(discoveries()).toBe(2);
    pair.provider.goDown(true);
    pair.app.clock.advance(61 * MINUTE);
    expect((await browser.get("/login/with")).status).toBe(303);
    pair.app.clock.advance(24 * 60 * MINUTE);
    expect((await browser.get("/login/with")).status).toBe(502);
  });

  test("that is silent or never stops blocks nobody and times out", async () => {
    let hanging: (() => void) | null = null;
    const silent = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Promise<Response>((resolve) => (hanging = () => resolve(new Response("{}")))),
    });
    const flood = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("x".repeat(600 * 1024), { headers: { "content-type": "application/json" } }),
    });
    const env = (server: { port?: number }) => ({
      QSOLOG_BASE_URL: BASE,
      QSOLOG_OIDC_CLIENT_ID: "x",
      QSOLOG_OIDC_ISSUER: `http://127.0.0.1:${server.port}`,
    });
    const app = await testApp({ env: env(silent) });
    const waiting = (await app.browser()).get("/login/with");
    const bob = await app.browser();

    const signedIn = await bob.post("/login", form({ username: "bob", password: PASSWORD }), FORM);
    const flooded = await testApp({ env: env(flood) });
    const tooMuch = await (await flooded.browser()).get("/login/with");

    expect([signedIn.status, tooMuch.status]).toEqual([303, 502]);
    hanging!();
    expect((await waiting).status).toBe(403);
    await Promise.all([silent.stop(true), flood.stop(true)]);
  });
});

describe("a second factor", () => {
  test("is left to the provider: none is asked for, and administrators who need one have it", async () => {
    const pair = await aPair({ env: { QSOLOG_ADMIN_FACTOR: "required" } });
    const { app } = pair;
    const ann = await app.browser(app.ann);
    await linkTo(pair, ann, "sub-ann");
    expect((await ann.get("/api/admin/users")).body.error.rule).toBe("factor_required");
    await anApp(app, app.ann);
    const byProvider = await app.browser();

    const { answer } = await signInBy(pair, byProvider, "sub-ann");

    expect([answer.headers.get("location"), await nameOf(byProvider)]).toEqual(["/", "ann"]);
    expect((await byProvider.get("/api/admin/users")).status).toBe(200);
    const changing = await byProvider.delete("/api/me/factors/app");
    expect(changing.body.error.rule).toBe("factor_required");
  });

  test("is asked for, if the user has one, before an account is linked", async () => {
    const { app } = await aPair();
    const bob = await app.browser(app.bob);
    await anApp(app, app.bob);

    const link = await bob.post("/settings/identities", "", FORM);

    expect([link.status, link.headers.get("location")]).toEqual([
      303,
      "/confirm?with=factor&next=%2Fsettings%2Fsecurity",
    ]);
  });
});

describe("signing out", () => {
  test("ends the session here and offers to sign out of the provider", async () => {
    const pair = await aPair({ env: { QSOLOG_OIDC_USERNAME_CLAIM: "preferred_username" } });
    const bob = await pair.app.browser();
    await signInBy(pair, bob, "sub-bob");

    const out = await bob.post("/logout", "", FORM);
    const page = await bob.get(out.headers.get("location")!);

    expect([out.headers.get("location"), await nameOf(bob)]).toEqual(["/login?done=left", null]);
    expect(page.text).toContain("You are signed out.");
    expect(page.text).toContain("Sign out of Authelia too");
    const there = await bob.get("/login/out");
    expect(there.headers.get("location")).toStartWith(`${pair.provider.issuer}/session/end?`);
    expect(new URL(there.headers.get("location")!).searchParams.get("post_logout_redirect_uri")).toBe(`${BASE}/login`);
  });

  test("a session by a provider lasts a day and is not renewed", async () => {
    const pair = await aPair({ env: { QSOLOG_OIDC_USERNAME_CLAIM: "preferred_username" } });
    const bob = await pair.app.browser();
    await signInBy(pair, bob, "sub-bob");

    pair.app.clock.advance(23 * 60 * MINUTE);
    const still = await bob.get("/api/me");
    pair.app.clock.advance(61 * MINUTE);

    expect([still.status, "qsolog_session" in still.cookies]).toEqual([200, false]);
    expect(await nameOf(bob)).toBe(null);
  });
});
