import { describe, expect, test } from "bun:test";
import { DAY } from "../../src/kernel/clock.ts";
import { PASSWORD, testApp } from "../support/app.ts";

const HTTPS = { env: { QSOLOG_BASE_URL: "https://log.example.org" } };

describe("cookies", () => {
  // Defence: cookies set by another site of the same domain change nothing
  test("have a name that no other site can set, with https on a site of their own", async () => {
    const app = await testApp(HTTPS);
    const { headers, body } = await app.visitor.post("/api/auth/login", { username: "bob", password: PASSWORD });

    expect(headers.getSetCookie()[0]).toMatch(/^__Host-qsolog_session=\S+; Path=\/; HttpOnly; SameSite=Lax; .*Secure$/);
    const as = (cookie: string) => app.visitor.get("/api/me", { cookie });
    expect((await as(`__Host-qsolog_session=${body.token}`)).status).toBe(200);
    expect((await as(`qsolog_session=${body.token}`)).status).toBe(401);
    const bob = await app.browser(app.bob);
    expect((await bob.get("/log")).status).toBe(200);
    expect((await bob.get("/openapi/json")).body.components.securitySchemes.session.name).toBe("__Host-qsolog_session");
    await bob.post("/api/auth/logout");
    expect([...bob.cookies.keys()].filter((name) => name.includes("session"))).toEqual([]);
  });

  // Defence: cookies set by another site of the same domain change nothing
  test("with the same name from elsewhere do no harm, in any order", async () => {
    const app = await testApp();
    const bob = (await app.signIn(app.bob)).token;
    const eve = (await app.signIn(app.eve)).token;
    const nameAt = async (cookie: string) => {
      const { status, body } = await app.visitor.get("/api/me", { cookie });
      return body.user?.username ?? status;
    };

    expect(await nameAt(`qsolog_session=nonsense; qsolog_session=${bob}`)).toBe("bob");
    expect(await nameAt(`qsolog_session=${bob}; qsolog_session=nonsense; qsolog_session=`)).toBe("bob");
    expect(await nameAt(`qsolog_session=${bob}; qsolog_session=${bob}`)).toBe("bob");
    expect(await nameAt(`qsolog_impersonation=x; qsolog_session=${bob}`)).toBe("bob");
    expect(await nameAt("qsolog_session=nonsense; qsolog_session=x")).toBe(401);
    expect(await nameAt(`qsolog_session=${eve}; qsolog_session=${bob}`)).toBe(401);
    expect(await nameAt(`qsolog_session=${bob}; qsolog_session=${eve}`)).toBe(401);
  });

  // Defence: sessions and tokens end immediately on sign-out, a new password, demotion, deletion or expiry
  test("are renewed for at most ninety days", async () => {
    const app = await testApp();
    const bob = await app.browser(app.bob);
    for (let day = 0; day < 89; day++) {
      app.clock.advance(DAY);
      expect([day, (await bob.get("/api/me")).status]).toEqual([day, 200]);
    }

    app.clock.advance(2 * DAY);

    expect((await bob.get("/api/me")).body.error.rule).toBe("session_ended");
  });
});

// Defence: browsers that used https once use only https (HSTS)
test("an HTTPS server tells browsers with every answer to use HTTPS, and an HTTP server does not", async () => {
  const [there, here] = [await testApp(HTTPS), await testApp()];

  for (const path of ["/login", "/api/me", "/nothing", "/healthz"]) {
    expect((await there.visitor.get(path)).headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect((await here.visitor.get(path)).headers.get("strict-transport-security")).toBeNull();
  }
});

test("an export is not cached by proxies", async () => {
  const app = await testApp();

  expect((await (await app.as(app.bob)).get("/api/qsos/export")).headers.get("cache-control")).toBe("no-store");
});
