import { describe, expect, test } from "bun:test";
import { testApp, PASSWORD } from "../support/app.ts";

const SAME = "http://localhost";

// Defence: requests from another site change nothing (CSRF)
describe("a change is refused if another site may have caused it", () => {
  const cases: [string, Record<string, string>, boolean][] = [
    ["a browser says that the page is ours", { "sec-fetch-site": "same-origin" }, true],
    ["a browser says that it is another site", { "sec-fetch-site": "cross-site" }, false],
    ["a browser says that it is a neighbour", { "sec-fetch-site": "same-site" }, false],
    ["a browser says that nobody asked", { "sec-fetch-site": "none" }, false],
    ["an old browser names our host", { origin: SAME }, true],
    ["an old browser names the public address", { origin: "https://log.example.org" }, true],
    ["an old browser names another host", { origin: "https://evil.example" }, false],
    ["an old browser names our host with another port", { origin: "http://localhost:8080" }, false],
    ["an old browser names a host that begins like ours", { origin: "http://localhost.evil.example" }, false],
    ["an old browser hides where it comes from", { origin: "null" }, false],
    ["the two do not agree", { "sec-fetch-site": "cross-site", origin: SAME }, false],
    ["nothing is said", {}, false],
  ];
  test.each(cases)("%s", async (_, headers, isAllowed) => {
    const app = await testApp({ env: { QSOLOG_BASE_URL: "https://log.example.org" } });
    const { token } = await app.signIn(app.bob);
    const cookie = `__Host-qsolog_session=${token}`;

    const written = await app.visitor.put("/auto-sync/settings", {}, { cookie, ...headers });
    const read = await app.visitor.get("/api/me", { cookie, ...headers });
    const byToken = await app.visitor.put("/auto-sync/settings", {}, { authorization: `Bearer ${token}`, ...headers });

    expect([written.status, written.body.error?.rule]).toEqual(isAllowed ? [200, undefined] : [403, "cross_site"]);
    expect(read.status).toBe(200);
    expect(byToken.status).toBe(200);
  });
});

// Defence: requests from another site change nothing (CSRF)
test("another site cannot sign a user in or out, and a program without cookies can", async () => {
  const app = await testApp();
  const who = { username: "bob", password: PASSWORD };
  const cookie = `qsolog_session=${(await app.signIn(app.bob)).token}`;
  const evil = { origin: "https://evil.example" };

  expect((await app.visitor.post("/api/auth/login", who)).status).toBe(200);
  expect((await app.visitor.post("/api/auth/login", who, evil)).body.error.rule).toBe("cross_site");
  expect((await app.visitor.post("/api/auth/login", who, { cookie })).body.error.rule).toBe("cross_site");
  expect((await app.visitor.post("/api/auth/logout", {}, { cookie, ...evil })).body.error.rule).toBe("cross_site");
  expect((await app.visitor.get("/api/me", { cookie })).status).toBe(200);
});

// Defence: an invalid token does not fall back to a cookie
test("an invalid token does not fall back to the cookie next to it", async () => {
  const app = await testApp();
  const cookie = `qsolog_session=${(await app.signIn(app.bob)).token}`;

  const answer = await app.visitor.get("/api/me", { cookie, authorization: "Bearer qsl_nonsense" });

  expect([answer.status, answer.body.error.rule]).toEqual([401, "session_ended"]);
});
