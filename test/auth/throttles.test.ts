import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DAY, HOUR, MINUTE } from "../../src/kernel/clock.ts";
import { openLog } from "../../src/kernel/log.ts";
import { createToken } from "../../src/people/tokens.ts";
import { type Answer, PASSWORD, testApp, type TestApp } from "../support/app.ts";
import { aDirectory } from "../support/directory.ts";
import { testWorld } from "../support/world.ts";

setDefaultTimeout(120_000);

const PROXIED = { env: { QSOLOG_TRUSTED_PROXIES: "127.0.0.1" } };
const login = ({ visitor }: TestApp, password: string, address: string, headers: Record<string, string> = {}) =>
  visitor.post("/api/auth/login", { username: "bob", password }, { "x-forwarded-for": address, ...headers });

type Door = (app: TestApp, key: string, address: string) => Promise<Answer>;
const bearing =
  (method: string, path: string, scheme = "Bearer"): Door =>
  (app, key, address) =>
    app.visitor.send(method, path, { headers: { authorization: `${scheme} ${key}`, "x-forwarded-for": address } });
const from = (address: string) => ({ "x-forwarded-for": address });

/** Everywhere that a key is taken. */
const KEY_DOORS: Record<string, Door> = {
  "the API": bearing("GET", "/api/need?call=K1ABC"),
  "the feed": bearing("POST", "/api/feed"),
  "another spelling of Bearer": bearing("GET", "/api/need?call=K1ABC", "bEaReR  "),
  "a route that is not for keys": bearing("GET", "/api/me"),
  "a path": (app, key, address) => app.visitor.get(`/api/station_info/${key}`, from(address)),
  "a path with index.php": (app, key, address) => app.visitor.get(`/index.php/api/auth/${key}`, from(address)),
  "a body": (app, key, address) => app.visitor.post("/api/version", JSON.stringify({ key }), from(address)),
  "the second Wavelog interface": bearing("GET", "/api/v2/token"),
  "X-API-Key": (app, key, address) => app.visitor.get("/api/v2/token", { "x-api-key": key, ...from(address) }),
};
const TOKEN_DOORS: Record<string, Door> = {
  "the API": bearing("GET", "/api/me"),
  "a change": bearing("POST", "/api/qsos"),
  "another spelling of Bearer": bearing("GET", "/api/qsos", "BEARER "),
  "a page": bearing("GET", "/log"),
  "a route for anyone": bearing("GET", "/api/auth/login"),
};
const WRONG_TOKENS = [`qsl_${"x".repeat(43)}`, "eyJhbGciOiJIUzI1NiJ9.e30.eHh4", "something"];

const aLoggedApp = async () => {
  const file = join(aDirectory(), "qsolog.log");
  const made = await testWorld(PROXIED);
  const app = await testApp({ world: { ...made, log: openLog({ file, level: "warn", clock: made.clock }) } });
  const failures = () =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.includes('"event":"sign_in.'));
  return { app, failures };
};

// Defence: wrong keys and tokens are limited and logged wherever they are sent
describe("wrong credentials are limited by address", () => {
  test("for keys, at all places together", async () => {
    const { app, failures } = await aLoggedApp();
    const { token: key } = await createToken(app, app.bob.id, { name: "Shack", scope: "feed", form: "v1" });
    const doors = Object.entries(KEY_DOORS);
    const wrong = `qf${"0".repeat(22)}`;
    for (let n = 0; n < 40; n++) await doors[n % doors.length]![1](app, wrong, "203.0.113.7");

    for (const [name, door] of doors) {
      expect([name, (await door(app, wrong, "203.0.113.7")).status]).toEqual([name, 429]);
      expect([name, (await door(app, key, "203.0.113.7")).status]).toEqual([name, 429]);
      expect([name, (await door(app, key, "203.0.113.8")).status]).not.toEqual([name, 429]);
    }

    expect(failures()).toHaveLength(40 + 2 * doors.length);
    for (const line of failures()) expect(line).toContain('"address":"203.0.113.7","name":"(key)"');
    expect((await login(app, PASSWORD, "203.0.113.7")).status).toBe(200);
    app.clock.advance(15 * MINUTE);
    expect((await KEY_DOORS["the API"]!(app, key, "203.0.113.7")).status).toBe(200);
  });

  test.each(WRONG_TOKENS)("for tokens such as %s, and a good one still works", async (wrong) => {
    const { app, failures } = await aLoggedApp();
    const { token } = await createToken(app, app.bob.id, { name: "script", scope: "read" });
    const doors = Object.entries(TOKEN_DOORS).filter(([name]) => name !== "a route for anyone");
    for (let n = 0; n < 40; n++)
      expect([401, 302, 303]).toContain((await doors[n % doors.length]![1](app, wrong, "2001:db8::1")).status);

    for (const [name, door] of doors) {
      expect([name, (await door(app, wrong, "2001:db8::2")).status]).toEqual([name, 429]);
    }
    expect(failures().length).toBe(40 + doors.length);
    expect((await TOKEN_DOORS["the API"]!(app, token, "2001:db8::1")).status).toBe(200);
    const headers = { authorization: `Bearer ${wrong}` };
    expect((await login(app, PASSWORD, "2001:db8::1", headers)).status).toBe(200);
  });

  test("and 200 at the same time are no more", async () => {
    const { app } = await aLoggedApp();
    const door = TOKEN_DOORS["the API"]!;

    const answers = await Promise.all(Array.from({ length: 200 }, () => door(app, WRONG_TOKENS[0]!, "203.0.113.7")));

    expect(answers.filter(({ status }) => status === 401)).toHaveLength(40);
  });

  test("and the uses of a good key count together at all places", async () => {
    const { app } = await aLoggedApp();
    const { token: key } = await createToken(app, app.bob.id, { name: "Shack", scope: "feed", form: "v2" });
    const doors = ["the API", "the second Wavelog interface", "X-API-Key"].map((name) => KEY_DOORS[name]!);

    const statuses: number[] = [];
    for (let n = 0; n < 1_203; n++) statuses.push((await doors[n % 3]!(app, key, `203.0.113.${n % 200}`)).status);

    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
  });
});

// Defence: guessing is limited per account and address, so a stranger cannot lock anyone out
test.each([
  ["/56", 10, (n: number) => `2001:db8:0:ab${(n + 16).toString(16)}::1`],
  ["/48", 20, (n: number) => `2001:db8:7:${(n * 256).toString(16)}::1`],
])("guessing from the networks of one %s stops after %d failures", async (_, most, addressOf) => {
  const app = await testApp(PROXIED);
  const statuses: number[] = [];
  for (let n = 0; n < 25; n++) statuses.push((await login(app, "wrong", addressOf(n))).status);

  expect(statuses.indexOf(429)).toBe(most);
  expect((await login(app, PASSWORD, "2001:db8:8::1")).status).toBe(200);
});

// Defence: guessing from many addresses is limited per account, and the user still signs in from a known device or network
describe("guessing from many addresses", () => {
  const HOME = "2001:db8:aaaa:1::7";
  const attack = async (app: TestApp) => {
    const statuses: number[] = [];
    for (let n = 0; n < 40; n++) statuses.push((await login(app, "wrong", `198.51.${n}.1`)).status);
    return statuses;
  };

  test("stops after thirty failures an hour, and strangers cannot go on even with the password", async () => {
    const app = await testApp(PROXIED);

    const statuses = await attack(app);

    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect((await login(app, PASSWORD, "203.0.113.7")).status).toBe(429);
    app.clock.advance(HOUR);
    expect((await login(app, PASSWORD, "203.0.113.7")).status).toBe(200);
  });

  test("answers the same for an account that does not exist", async () => {
    const app = await testApp(PROXIED);
    const guess = (username: string, n: number) =>
      app.visitor.post("/api/auth/login", { username, password: "wrong" }, from(`198.51.${n}.1`));

    for (let n = 0; n < 35; n++) {
      const [known, unknown] = [await guess("bob", n), await guess("nobody", n)];
      expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    }
  });

  test("does not stop the user on a device that signed in before, from anywhere", async () => {
    const app = await testApp(PROXIED);
    const { cookies } = await login(app, PASSWORD, HOME);
    const device = { cookie: `qsolog_device=${cookies.qsolog_device}` };
    app.clock.advance(100 * DAY);
    await attack(app);

    expect((await login(app, PASSWORD, "203.0.113.7")).status).toBe(429);
    expect((await login(app, PASSWORD, "203.0.113.7", device)).status).toBe(200);
    for (const forged of ["x", `2.${"0".repeat(24)}.${"0".repeat(64)}`, cookies.qsolog_device!.replace(/^\d+/, "1")]) {
      const headers = { cookie: `qsolog_device=${forged}` };
      expect((await login(app, PASSWORD, "203.0.113.8", headers)).status).toBe(429);
    }
    const statuses: number[] = [];
    for (let n = 0; n < 40; n++) statuses.push((await login(app, "wrong", `198.52.${n}.1`, device)).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
  });

  test("does not stop the user in a network in which they signed in within thirty days", async () => {
    const app = await testApp(PROXIED);
    await login(app, PASSWORD, HOME);
    app.clock.advance(29 * DAY);
    await attack(app);

    expect((await login(app, PASSWORD, "2001:db8:aaaa:1::99")).status).toBe(200);
    expect((await login(app, PASSWORD, "2001:db8:aaaa:2::99")).status).toBe(429);
  });

  test("does not keep a signed-in user from changing the password, and sees the device of each user", async () => {
    const app = await testApp(PROXIED);
    const [bob, browser] = [await app.as(app.bob), await app.browser()];
    const sign = (username: string) =>
      browser.post("/api/auth/login", { username, password: PASSWORD }, from("203.0.113.9"));
    for (const name of ["bob", "eve", "bob"]) expect((await sign(name)).status).toBe(200);
    app.clock.advance(31 * DAY);
    await attack(app);

    const changed = await bob.put("/api/me/password", { current: PASSWORD, next: "another horse battery" }, from(HOME));
    expect(changed.status).not.toBe(429);
    expect(browser.cookies.get("qsolog_device")!.split("~")).toHaveLength(2);
  });
});
