import { describe, expect, test } from "bun:test";
import { openEntrance, type App } from "../../src/app.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { createApp } from "../../src/features.ts";
import { ENTRANCE_PAGES } from "../../src/server/entrance-pages.ts";
import { entranceEndpoints } from "../../src/server/entrance.ts";
import { featureEndpoints } from "../../src/server/features.ts";
import { createServer } from "../../src/server/server.ts";
import { CLIENT } from "../support/app.ts";
import * as users from "../../src/storage/people/users.ts";
import { afterTest } from "../support/cleanup.ts";
import { aUser, testWorld } from "../support/world.ts";

/** A server whose features come when the test says so. */
const aServerThatStarts = async (env: Record<string, string> = {}) => {
  const world = await testWorld({ env });
  const ann = await aUser(world, "ann", "admin");
  const features = Promise.withResolvers<App>();
  let asked = 0;
  const entrance = openEntrance(world, () => ((asked += 1), features.promise));
  const server = createServer(entrance);
  const app = createApp(world, entrance);
  afterTest(async () => {
    await Promise.all([app.stop(), server.stop()]);
    await app.settle();
  });
  const known = await world.db.read(() => users.getKnown(ann.id));
  const { token } = await app.auth.startSession(known, CLIENT);
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    server.handle(new Request(`http://localhost${path}`, { method, headers: { host: "localhost", ...headers } }));
  const signedIn = { authorization: `Bearer ${token}` };
  return { ask, signedIn, app, features, server, asked: () => asked };
};

const isWaiting = async (answer: Promise<Response>): Promise<boolean> =>
  (await Promise.race([answer, Bun.sleep(50)])) === undefined;

// Invariant: requests during start-up wait instead of getting 404
describe("while the features are loaded", () => {
  test("who is not signed in is asked to, with all that the page needs", async () => {
    const { ask, asked } = await aServerThatStarts();

    const [home, login] = [await ask("/"), await ask("/login?next=%2F")];
    const page = await login.text();
    const assets = [...page.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path]) => `/${path}`);

    expect([home.status, home.headers.get("location")]).toEqual([303, "/login?next=%2F"]);
    expect(login.status).toBe(200);
    expect(page).toContain('name="password"');
    expect(assets.length).toBeGreaterThan(1);
    for (const path of assets) expect([path, (await ask(path)).status]).toEqual([path, 200]);
    expect((await ask("/healthz")).status).toBe(200);
    expect(asked()).toBe(0);
  });

  test("a request for a feature waits for it, and is answered as ever", async () => {
    const { ask, signedIn, app, features, asked } = await aServerThatStarts();

    const awaited = {
      stats: ask("/api/stats", signedIn),
      closed: ask("/api/stats"),
      page: ask("/log"),
      nothing: ask("/nowhere"),
      method: ask("/api/stats", signedIn, "DELETE"),
      ready: ask("/readyz"),
      document: ask("/openapi/json"),
    };
    for (const [name, answer] of Object.entries(awaited)) expect([name, await isWaiting(answer)]).toEqual([name, true]);
    expect(asked()).toBe(1);
    features.resolve(app);

    expect(await (await awaited.stats).json()).toMatchObject({ total: 0 });
    expect((await awaited.closed).status).toBe(401);
    expect((await awaited.page).headers.get("location")).toBe("/login?next=%2Flog");
    expect([(await awaited.nothing).status, (await awaited.method).status]).toEqual([404, 404]);
    expect([(await awaited.ready).status, (await awaited.document).status]).toEqual([200, 200]);
    for (const answer of Object.values(awaited)) expect((await answer).headers.has("x-request-id")).toBe(true);
    expect((await ask("/api/stats", signedIn)).status).toBe(200);
  });

  test("the dashboard waits for what it shows", async () => {
    const { ask, app, features, signedIn } = await aServerThatStarts();
    const cookie = `qsolog_session=${signedIn.authorization.slice("Bearer ".length)}`;

    const home = ask("/", { cookie });
    expect(await isWaiting(home)).toBe(true);
    features.resolve(app);

    expect(await (await home).text()).toContain("<title>Dashboard");
  });

  test("over a socket too, below a base path, with what was sent", async () => {
    const { server, app, features, signedIn } = await aServerThatStarts({
      QSOLOG_PORT: "0",
      QSOLOG_BASE_URL: "http://log.example.org/radio",
    });
    const address = await server.listen();
    const send = (path: string) =>
      fetch(`${address}/radio${path}`, { method: "POST", headers: signedIn, body: JSON.stringify({ call: "K1ABC" }) });

    const sent = send("/api/qsos");
    expect((await fetch(`${address}/radio/login`)).status).toBe(200);
    expect(await isWaiting(sent)).toBe(true);
    features.resolve(app);

    const { error } = (await (await sent).json()) as { error: { fields: { path: string }[] } };
    expect([(await sent).status, error.fields.length > 0]).toEqual([400, true]);
    expect([(await fetch(`${address}/readyz`)).status, (await fetch(`${address}/radio/readyz`)).status]).toEqual([
      200, 200,
    ]);
    expect((await fetch(`${address}/radio/log`, { redirect: "manual" })).status).toBe(303);
  });

  test("who waits is told when they cannot be loaded", async () => {
    const { ask, features } = await aServerThatStarts();

    const stats = ask("/api/stats");
    features.reject(new AppError("unavailable", "The database is away."));

    expect((await stats).status).toBe(503);
    expect((await ask("/login")).status).toBe(200);
  });
});

test("what answers first takes no address of a feature", async () => {
  const { app } = await aServerThatStarts();
  const namesOf = (endpoints: readonly { method: string; path: string }[]) =>
    endpoints.map(({ method, path }) => `${method} ${path}`);

  const first = namesOf(entranceEndpoints(app));
  const later = new Set(namesOf(featureEndpoints(app, [])));

  expect(first.filter((name) => /[:*]/.test(name) || later.has(name))).toEqual([]);
  expect(ENTRANCE_PAGES.length).toBeGreaterThan(10);
});
