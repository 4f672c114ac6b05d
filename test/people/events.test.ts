import { expect, test } from "bun:test";
import { DAY, MINUTE } from "../../src/kernel/clock.ts";
import { setCredentials } from "../../src/logbook/services.ts";
import { type Asker, CREDENTIALS, PASSWORD, testApp } from "../support/app.ts";

const eventsOf = async (asker: Asker, query = "?limit=100") =>
  (await asker.get(`/api/me/events${query}`)).body.events.map(({ event, by, details }: any) => [event, by, details]);

// Defence: users see what happened to their account, including what administrators did
test("sign-ins, tokens, passwords and roles are listed, newest first, with who did it and from where", async () => {
  const app = await testApp({ env: { QSOLOG_TRUSTED_PROXIES: "127.0.0.1" } });
  const ann = await app.as(app.ann);
  const from = { "x-forwarded-for": "203.0.113.9", "user-agent": "Firefox" };
  const { token } = (await app.visitor.post("/api/auth/login", { username: "bob", password: PASSWORD }, from)).body;
  const bob = app.withBearer(token);
  const made = (await bob.post("/api/me/tokens", { name: "logger", scope: "read" })).body;
  await bob.delete(`/api/me/tokens/${made.id}`);
  await bob.put("/api/me", { email: "bob@example.org" });
  await bob.put("/api/me/password", { current: PASSWORD, next: "another long password" });
  await ann.post(`/api/admin/users/${app.bob.id}/promote`);
  await ann.post(`/api/admin/users/${app.bob.id}/demote`);
  await ann.post(`/api/admin/users/${app.bob.id}/password-link`);

  expect(await eventsOf(bob)).toEqual([
    ["password_link", "ann", {}],
    ["role_changed", "ann", { role: "user" }],
    ["role_changed", "ann", { role: "admin" }],
    ["password_changed", null, {}],
    ["profile_changed", null, {}],
    ["token_revoked", null, { name: "logger" }],
    ["token_made", null, { name: "logger", scope: "read" }],
    ["sign_in", null, {}],
    ["account_made", "operator", {}],
  ]);
  const signIn = (await bob.get("/api/me/events?limit=100")).body.events.at(-2);
  expect(signIn).toMatchObject({ address: "203.0.113.9", userAgent: "Firefox", at: app.clock() });
  const first = (await bob.get("/api/me/events?limit=2")).body;
  expect(await eventsOf(bob, `?limit=1&cursor=${first.nextCursor}`)).toEqual([
    ["role_changed", "ann", { role: "admin" }],
  ]);
  const others = await app.as(app.eve);
  expect((await eventsOf(others)).map(([event]: string[]) => event)).toEqual(["sign_in", "account_made"]);
  expect((await others.get(`/api/me/events?cursor=${first.nextCursor}`)).status).toBe(400);
  expect((await (await app.browser(app.bob)).get("/settings/security")).text).toContain("Password link created");
});

// Defence: users see what happened to their account, including what administrators did
test("stored, changed and deleted credentials are listed, without their contents", async () => {
  const app = await testApp();
  const bob = await app.as(app.bob);
  const page = await app.browser(app.bob);
  const form = { "content-type": "application/x-www-form-urlencoded" };

  await bob.put("/api/services/second/credentials", { apiKey: "AB12-CD34-EF56-0789" });
  await page.post("/settings/credentials/second", "apiKey=AB12-CD34-EF56-0780", form);
  await bob.put("/api/services/second/credentials", { apiKey: "" });
  await bob.delete("/api/services/second/credentials");
  await bob.delete("/api/services/second/credentials");
  await setCredentials(app, { owner: app.bob, by: "operator" as const }, "first", CREDENTIALS.first);

  const told = (await bob.get("/api/me/events")).body.events.filter(({ event }: any) =>
    event.startsWith("credentials"),
  );
  expect(told.map(({ event, by, address, details }: any) => [event, by, address, details])).toEqual([
    ["credentials_set", "operator", null, { source: "first" }],
    ["credentials_removed", null, "127.0.0.1", { source: "second" }],
    ["credentials_changed", null, "127.0.0.1", { source: "second" }],
    ["credentials_set", null, "127.0.0.1", { source: "second" }],
  ]);
  const shown = (await page.get("/settings/security")).text;
  expect(shown).toContain("Service account changed: QRZ");
  expect(shown).not.toContain("AB12-CD34-EF56");
});

// Defence: users see what happened to their account, including what administrators did
test("an impersonation is shown to the user: when, what was read and what was written", async () => {
  const app = await testApp();
  const ann = await app.browser(app.ann);
  await ann.post(`/api/admin/users/${app.bob.id}/impersonate`);
  for (let n = 0; n < 3; n++) await ann.get("/api/qsos?q=secret");
  await ann.get("/log");
  await ann.put("/auto-sync/settings", {});
  await ann.post("/api/auth/impersonation/stop");

  const bob = await app.as(app.bob);

  expect((await eventsOf(bob)).slice(1)).toEqual([
    ["impersonation_ended", "ann", {}],
    ["write_as_user", "ann", { method: "PUT", path: "/auto-sync/settings" }],
    ["read_as_user", "ann", { path: "/log" }],
    ["read_as_user", "ann", { path: "/api/qsos" }],
    ["impersonation_begun", "ann", {}],
    ["account_made", "operator", {}],
  ]);
  const page = (await (await app.browser(app.bob)).get("/settings/security")).text;
  expect(page).toContain("An administrator changed your data: PUT /auto-sync/settings");
  expect(page).toContain("An administrator started acting as you");
});

test("events are written together with what they report, and kept for a year", async () => {
  const app = await testApp();
  const bob = await app.as(app.bob);
  await bob.post("/api/me/tokens", { name: "", scope: "read" });
  await bob.put("/api/me/password", { current: "wrong", next: "another long password" });
  expect((await eventsOf(bob)).map(([event]: string[]) => event)).toEqual(["sign_in", "account_made"]);

  app.clock.advance(366 * DAY + MINUTE);

  expect((await eventsOf(await app.as(app.bob))).map(([event]: string[]) => event)).toEqual(["sign_in"]);
});
