import { describe, expect, test } from "bun:test";
import { byOwner } from "../../src/logbook/caller.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { changeSchedule, schedule } from "../../src/logbook/schedule.ts";
import { createToken } from "../../src/people/tokens.ts";
import type { User } from "../../src/domain/people/user.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import * as users from "../../src/storage/people/users.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { CREDENTIALS, PASSWORD } from "../support/app.ts";
import { placeOf } from "../support/qsolog.ts";
import { afterTest } from "../support/cleanup.ts";
import { serving } from "../support/serving.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

/** A service that is silent until the test lets it speak. */
const aSilentService = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch() {
      asked.resolve();
      await promise;
      return new Response("<html><body>Maintenance</body></html>", { headers: { "content-type": "text/html" } });
    },
  });
  afterTest(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, asked: asked.promise, speak: resolve };
};

const start = (world: TestWorld, env: Record<string, string> = {}, flags: string[] = []) =>
  serving({ ...placeOf(world.config), QSOLOG_PACE: "0", ...env }, flags);

const logOf = ({ dataDir }: TestWorld): any[] =>
  readFileSync(join(dataDir, "qsolog.log"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Bob, whose first service is set up. */
const aWorldWithBob = async (): Promise<{ world: TestWorld; bob: User; token: string }> => {
  const world = await testWorld();
  await aUser(world, "ann", "admin");
  const bob = await aUser(world, "bob");
  await setCredentials(world, bob.id, "first", CREDENTIALS.first);
  const { clock } = world;
  clock.advance(Date.now() - clock());
  const { token } = await createToken(world, bob.id, { name: "test", scope: "write" });
  return { world, bob, token };
};

const newestJob = async ({ db }: TestWorld, bob: User) =>
  (await db.read(() => syncJobs.list({ userId: bob.id, limit: 1 })))[0];

describe("a server that is asked to stop", () => {
  // Invariant: stopping the server interrupts a sync, and the next start runs it again
  test("stops a running sync, which runs again when the server is back", async () => {
    const { world, bob } = await aWorldWithBob();
    await changeSchedule(world, byOwner(bob), { first: { enabled: true } });
    const silent = aSilentService();
    const { child } = await start(world, { QSOLOG_FIRST_URL: silent.url });
    await silent.asked;

    child.kill("SIGTERM");

    expect(await child.exited).toBe(0);
    const broken = await newestJob(world, bob);
    expect(broken).toMatchObject({ trigger: "auto", status: "failed", error: { code: "interrupted" } });
    const { first } = await schedule(world, byOwner(bob));
    expect(first.nextSyncAt).toBeLessThanOrEqual(Date.now());
    expect(logOf(world).map(({ event }) => event)).toContain("server.stopped");

    const again = aSilentService();
    const { child: next } = await start(world, { QSOLOG_FIRST_URL: again.url });
    await again.asked;
    expect((await newestJob(world, bob))!.id).toBeGreaterThan(broken!.id);
    next.kill("SIGINT");
    expect(await next.exited).toBe(0);
  });

  test("first answers requests in progress, and stores who was active", async () => {
    const { world, bob } = await aWorldWithBob();
    const silent = aSilentService();
    const { child, url } = await start(world, { QSOLOG_FIRST_URL: silent.url });
    const signedIn = await fetch(`${url}/api/auth/login`, {
      method: "POST",
      body: JSON.stringify({ username: "bob", password: PASSWORD }),
    });
    const { token } = (await signedIn.json()) as { token: string };
    const testing = fetch(`${url}/api/services/first/test`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    await silent.asked;

    child.kill("SIGTERM");
    while (!logOf(world).some(({ event }) => event === "server.stopping")) await Bun.sleep(2);
    silent.speak();

    const answer = await testing;
    expect([answer.status, ((await answer.json()) as any).error.code]).toEqual([502, "upstream"]);
    expect(await child.exited).toBe(0);
    expect((await world.db.read(() => users.get(bob.id))).lastSeen).toBeGreaterThan(Date.now() - 60_000);
  });

  test("ends immediately when asked twice", async () => {
    const { world, token } = await aWorldWithBob();
    const silent = aSilentService();
    const { child, url } = await start(world, { QSOLOG_FIRST_URL: silent.url });
    const signedIn = await fetch(`${url}/api/auth/login`, {
      method: "POST",
      body: JSON.stringify({ username: "bob", password: PASSWORD }),
    });
    const session = ((await signedIn.json()) as { token: string }).token;
    const testing = fetch(`${url}/api/services/first/test`, {
      method: "POST",
      headers: { authorization: `Bearer ${session}` },
    }).catch(() => null);
    await silent.asked;

    child.kill("SIGTERM");
    while (!logOf(world).some(({ event }) => event === "server.stopping")) await Bun.sleep(2);
    // A signal that arrives twice at once is one signal.
    await Bun.sleep(600);
    child.kill("SIGTERM");

    expect(await child.exited).toBe(1);
    expect(logOf(world).map(({ event }) => event)).not.toContain("server.stopped");
    await testing;
    expect(token).toStartWith("qsl_");
  });

  test("leaves a log with request ids and without secrets", async () => {
    const { world, token } = await aWorldWithBob();
    const { child, url } = await start(world, { QSOLOG_LOG_LEVEL: "debug" });
    const ask = (path: string, init: RequestInit = {}) => fetch(url + path, init);
    const signedIn = await ask("/api/auth/login", {
      method: "POST",
      body: JSON.stringify({ username: "bob", password: PASSWORD }),
    });
    const session = ((await signedIn.json()) as { token: string }).token;
    await ask("/api/auth/login", { method: "POST", body: JSON.stringify({ username: "bob", password: "hushhush" }) });
    await ask(`/api/jobs?cursor=${session}`, { headers: { authorization: `Bearer ${token}` } });
    await ask("/api/services/second/credentials", {
      method: "PUT",
      headers: { authorization: `Bearer ${session}` },
      body: JSON.stringify(CREDENTIALS.second),
    });
    await ask("/api/me", { headers: { cookie: `qsolog_session=${session}` } });
    child.kill("SIGTERM");
    await child.exited;

    const requests = logOf(world).filter(({ event }) => event === "request");
    expect(requests.map(({ method, path, status }) => [method, path, status])).toEqual([
      ["POST", "/api/auth/login", 200],
      ["POST", "/api/auth/login", 401],
      ["GET", "/api/jobs", 400],
      ["PUT", "/api/services/:source/credentials", 200],
      ["GET", "/api/me", 200],
    ]);
    expect(requests[0].id).toBe(signedIn.headers.get("x-request-id"));
    expect(new Set(requests.map(({ id }) => id)).size).toBe(5);
    const text = readFileSync(join(world.dataDir, "qsolog.log"), "utf8");
    const secret = readFileSync(join(world.dataDir, "secret"), "utf8").trim();
    for (const word of [PASSWORD, "hushhush", session, token, secret, "secret words", CREDENTIALS.second.apiKey!]) {
      expect(text.includes(word)).toBe(false);
    }
  });
});

test("without the table of schedules the server starts, works, and logs it once", async () => {
  const { world, token } = await aWorldWithBob();
  const { rollbackMigration } = await import("../../src/storage/engine/migrate.ts");
  await rollbackMigration(world.db, "0005_auto_sync");

  const { child, url } = await start(world, {}, ["--no-migrate"]);
  const headers = { authorization: `Bearer ${token}` };
  const settings = await fetch(`${url}/auto-sync/settings`, { headers });
  while (!((await (await fetch(`${url}/auto-sync/scheduler/status`, { headers })).json()) as any).lastTickAt) {
    await Bun.sleep(5);
  }
  child.kill("SIGTERM");

  expect([settings.status, await child.exited]).toEqual([503, 0]);
  const warnings = logOf(world).filter(({ level }) => level !== "info");
  expect(warnings.map(({ event }) => event)).toEqual(["auto_sync.off"]);
});
