import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../src/storage/engine/unit.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { afterTest } from "../support/cleanup.ts";
import { asCty } from "../support/country-file.ts";
import { aDirectory } from "../support/directory.ts";
import { inTerminal } from "../support/pseudo-terminal.ts";
import { aShell, cleanEnvironment, QSOLOG } from "../support/qsolog.ts";
import { serving } from "../support/serving.ts";
import { contentOf } from "../support/sync.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";
import { callOf, countOf, HOUR, KEY, LOGIN, PASSWORD, theServices, uploaded } from "../sync/services.ts";
import { STATION } from "../support/sync.ts";

const OWN = "correct horse battery";
const CONTACTS = 60;
const PATIENCE_MS = 60_000;

/** Three servers on one database, asked in turn as by a load balancer. */
const threeInstances = async (env: Record<string, string> = {}) => {
  const { services, book } = theServices(() => Date.now());
  const shared = {
    QSOLOG_SECRET: "the same at every instance of one club",
    QSOLOG_FIRST_URL: services.firstUrl,
    QSOLOG_SECOND_URL: services.secondUrl,
    QSOLOG_PACE: "0",
    ...env,
  };
  const world = { ...(await testWorld({ env: shared })), clock: Object.assign(() => Date.now(), { advance() {} }) };
  const servers = await Promise.all(
    [1, 2, 3].map(() =>
      serving({ ...shared, QSOLOG_DATABASE_URL: world.config.databaseUrl, QSOLOG_DATA_DIR: aDirectory() }),
    ),
  );
  let turn = 0;
  const ask = async (method: string, path: string, sent: { body?: unknown; token?: string; at?: number } = {}) => {
    const { url } = servers[sent.at ?? turn++ % servers.length]!;
    const answer = await fetch(new URL(path, url), {
      method,
      headers: {
        "content-type": "application/json",
        ...(sent.token && { authorization: `Bearer ${sent.token}` }),
      },
      body: sent.body === undefined ? undefined : JSON.stringify(sent.body),
    });
    return { status: answer.status, body: (await answer.json().catch(() => null)) as any };
  };
  return { services, store: services.store, book, world, servers, ask };
};

/** A load balancer that knows only the addresses of the instances. */
const inTurn = () => {
  const urls: string[] = [];
  let turn = 0;
  const proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request, server) {
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("x-forwarded-for", server.requestIP(request)!.address);
      const to = new URL(pathname + search, urls[turn++ % urls.length]);
      const body = request.method === "GET" ? undefined : await request.arrayBuffer();
      const answer = await fetch(to, { method: request.method, headers, body, redirect: "manual", decompress: false });
      return new Response(answer.body, { status: answer.status, headers: answer.headers });
    },
  });
  afterTest(() => proxy.stop(true));
  return { url: proxy.url.origin, urls };
};

const aFreePort = (): number => {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  probe.stop(true);
  return probe.port;
};

type Instances = Awaited<ReturnType<typeof threeInstances>>;

/** A user with an account and contacts at the first service, signed in for all instances. */
const somebody = async ({ world, ask, store }: Instances, name = "bob") => {
  const user = await aUser(world, name);
  await setCredentials(world, user.id, "first", { username: LOGIN, password: PASSWORD });
  await setCredentials(world, user.id, "second", { apiKey: KEY, callsign: STATION });
  if (store.qsosOf(LOGIN).length === 0) {
    for (let n = 0; n < CONTACTS; n++) uploaded({ store }, callOf(n), { at: Date.UTC(2026, 0, 1) + n * HOUR });
  }
  const { body } = await ask("POST", "/api/auth/login", { body: { username: name, password: OWN } });
  return { user, token: body.token as string };
};

const statusOf = async ({ ask }: Instances, token: string, jobId: number, at?: number) =>
  (await ask("GET", `/api/jobs/${jobId}`, { token, at })).body.job;

const ended = async (instances: Instances, token: string, jobId: number, at?: number) => {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const job = await statusOf(instances, token, jobId, at);
    if (!["pending", "running"].includes(job.status) || Date.now() > giveUpAt) return job;
    await Bun.sleep(100);
  }
};

describe.skipIf(ENGINE !== "postgres")("three instances on one database", () => {
  test("share the set-up link, sessions, and counts of wrong passwords", async () => {
    const instances = await threeInstances();
    const { servers, ask } = instances;
    const links = servers.map(({ said }) => said.match(/setup\?token=(\S+)/)![1]!);
    expect(new Set(links).size).toBe(1);

    const made = await ask("POST", "/api/setup", {
      at: 2,
      body: { token: links[0], username: "ann", password: OWN },
    });
    expect(made.status).toBe(201);
    for (const at of [0, 1, 2])
      expect((await ask("GET", "/api/jobs", { at, token: made.body.token })).status).toBe(200);
    expect((await ask("POST", "/api/auth/logout", { at: 1, token: made.body.token })).status).toBe(204);
    for (const at of [0, 1, 2])
      expect((await ask("GET", "/api/jobs", { at, token: made.body.token })).status).toBe(401);

    const wrong = { username: "ann", password: "another horse battery" };
    const statuses: number[] = [];
    for (let tries = 0; tries < 6; tries++)
      statuses.push((await ask("POST", "/api/auth/login", { body: wrong })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  }, 120_000);

  test("stop jobs that another runs", async () => {
    const instances = await threeInstances();
    const { ask, services } = instances;
    const { token } = await somebody(instances);
    const open = services.first.hold();
    const { body } = await ask("POST", "/api/sync/first", { token, at: 0 });
    await services.first.journal.waitForArrival(1);

    const stopped = await ask("POST", `/api/jobs/${body.job.id}/stop`, { token, at: 1 });

    expect(stopped.status).toBe(202);
    expect(await ended(instances, token, body.job.id)).toMatchObject({
      status: "failed",
      error: { code: "interrupted" },
    });
    open();
  }, 120_000);

  test("run jobs immediately for which another has no room", async () => {
    const instances = await threeInstances({ QSOLOG_SYNC_CONCURRENCY: "1" });
    const { ask, services, store } = instances;
    const { token } = await somebody(instances);
    store.addUser({ login: "eve", password: PASSWORD, calls: ["K1EVE"] });
    const eve = await somebody(instances, "eve");
    await setCredentials(instances.world, eve.user.id, "second", { apiKey: KEY, callsign: STATION });
    const open = services.first.hold();
    const busy = await ask("POST", "/api/sync/first", { token, at: 0 });
    await services.first.journal.waitForArrival(1);

    const other = await ask("POST", "/api/sync/second", { token: eve.token, at: 0 });

    expect(other.body.job.status).toBe("pending");
    expect(await ended(instances, eve.token, other.body.job.id, 1)).toMatchObject({ status: "completed" });
    open();
    expect(await ended(instances, token, busy.body.job.id)).toMatchObject({ status: "completed" });
  }, 120_000);

  test("end the jobs of a killed one, and the next sync brings everything", async () => {
    const instances = await threeInstances();
    const { ask, services, servers, world } = instances;
    const { user, token } = await somebody(instances);
    const open = services.first.hold();
    const { body } = await ask("POST", "/api/sync/first", { token, at: 0 });
    await services.first.journal.waitForArrival(1);

    servers[0]!.child.kill("SIGKILL");
    await servers[0]!.child.exited;
    open();

    expect(await ended(instances, token, body.job.id, 1)).toMatchObject({ error: { code: "interrupted" } });
    const again = await ask("POST", "/api/sync/first", { token, at: 2 });
    expect(await ended(instances, token, again.body.job.id, 1)).toMatchObject({
      status: "completed",
      stats: { added: CONTACTS },
    });
    expect(await contentOf(world, user.id)).toHaveLength(CONTACTS);
  }, 120_000);

  test("write nothing after they slept past their lease", async () => {
    const instances = await threeInstances();
    const { ask, services, servers, world } = instances;
    const { user, token } = await somebody(instances);
    const open = services.first.hold();
    const { body } = await ask("POST", "/api/sync/first", { token, at: 0 });
    await services.first.journal.waitForArrival(1);
    const sleeper = servers[0]!.child;
    process.kill(sleeper.pid, "SIGSTOP");
    open();
    // Ninety seconds later by the database's clock.
    await world.db.write(
      () => run`UPDATE workers SET beat_at = beat_at - 100000, alive_until = alive_until - 100000
      WHERE id = (SELECT worker_id FROM sync_jobs WHERE id = ${body.job.id})`,
    );

    expect(await ended(instances, token, body.job.id, 1)).toMatchObject({ error: { code: "interrupted" } });
    const again = await ask("POST", "/api/sync/first", { token, at: 1 });
    expect(await ended(instances, token, again.body.job.id, 2)).toMatchObject({ status: "completed" });
    const before = { log: await contentOf(world, user.id), changes: await countOf({ world }, "qso_changes") };
    process.kill(sleeper.pid, "SIGCONT");
    await Bun.sleep(3_000);

    expect(await contentOf(world, user.id)).toEqual(before.log);
    expect(await countOf({ world }, "qso_changes")).toBe(before.changes);
    expect(await statusOf(instances, token, body.job.id, 0)).toMatchObject({ status: "failed" });
    const next = await ask("POST", "/api/sync/second", { token, at: 0 });
    expect(await ended(instances, token, next.body.job.id)).toMatchObject({ status: "completed" });
  }, 120_000);

  test("work behind a proxy that alternates between them, and count together", async () => {
    const proxy = inTurn();
    const { services } = theServices(() => Date.now());
    const shared = {
      QSOLOG_SECRET: "the same at every instance of one club",
      QSOLOG_FIRST_URL: services.firstUrl,
      QSOLOG_SECOND_URL: services.secondUrl,
      QSOLOG_PACE: "0",
      QSOLOG_BASE_URL: proxy.url,
      QSOLOG_TRUSTED_PROXIES: "127.0.0.1",
      QSOLOG_DATABASE_URL: (await testWorld()).config.databaseUrl,
    };
    const folders = [aDirectory(), aDirectory(), aDirectory()];
    const servers = await Promise.all(
      folders.map((folder) => {
        const port = aFreePort();
        proxy.urls.push(`http://127.0.0.1:${port}`);
        return serving({ ...shared, QSOLOG_DATA_DIR: folder, QSOLOG_PORT: String(port) });
      }),
    );
    const ask = async (method: string, path: string, body?: unknown, token?: string) => {
      const answer = await fetch(proxy.url + path, {
        method,
        headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json().catch(() => null)) as any };
    };

    const link = servers[1]!.said.match(/setup\?token=(\S+)/)![1]!;
    const made = await ask("POST", "/api/setup", { token: link, username: "ann", password: OWN });
    expect(made.status).toBe(201);
    const { token } = (await ask("POST", "/api/me/tokens", { name: "shell", scope: "write" }, made.body.token)).body;
    expect(token).toBeString();

    const wrong: number[] = [];
    for (let tries = 0; tries < 6; tries++)
      wrong.push((await ask("POST", "/api/auth/login", { username: "nobody", password: "wrong" })).status);
    expect(wrong).toEqual([401, 401, 401, 401, 401, 429]);
    const keys: number[] = [];
    for (let tries = 0; tries < 41; tries++)
      keys.push((await fetch(`${proxy.url}/api/station_info/qf${tries}`)).status);
    expect([new Set(keys.slice(0, 40)), keys[40]]).toEqual([new Set([401]), 429]);

    const shell = aShell();
    const env = { QSOLOG_SERVER: proxy.url, QSOLOG_TOKEN: token };
    writeFileSync(
      join(shell.dataDir, "log.adi"),
      ["K1AAA", "K1BBB"]
        .map((call) => `<CALL:5>${call}<QSO_DATE:8>20260718<TIME_ON:4>0143<BAND:3>20m<MODE:2>CW<EOR>`)
        .join("\n"),
    );
    expect(await shell(["qso", "import", "log.adi"], { env })).toMatchObject({ code: 0 });
    const credentials = { apiKey: KEY, callsign: STATION };
    expect((await ask("PUT", "/api/services/second/credentials", credentials, made.body.token)).status).toBeLessThan(
      300,
    );
    expect(await shell(["sync", "second", "--yes"], { env })).toMatchObject({ code: 0 });
    expect((await shell(["stats", "--json"], { env })).out).toContain('"total":2');

    const open = services.second.hold();
    const asked = services.second.requests.length;
    const { body: begun } = await ask("POST", "/api/sync/second", {}, token);
    await services.second.journal.waitForArrival(asked + 1);
    const stops = await ask("POST", `/api/jobs/${begun.job.id}/stop`, undefined, token);
    expect(stops.status).toBe(202);
    open();
    for (let looks = 0; ; looks++) {
      const { job } = (await ask("GET", `/api/jobs/${begun.job.id}`, undefined, token)).body;
      if (["failed", "completed"].includes(job.status) || looks > 300) {
        expect(job).toMatchObject({ status: "failed", error: { code: "interrupted" } });
        break;
      }
      await Bun.sleep(100);
    }

    const tui = inTerminal([...QSOLOG, "tui"], cleanEnvironment({ ...env, QSOLOG_DATA_DIR: shell.dataDir }));
    await tui.shows("QSOs");
    tui.type("q");
    expect(await tui.exited).toBe(0);

    const newer = join(shell.dataDir, "newer.csv");
    writeFileSync(newer, (await asCty()).replace("=VER20260213", "=VER20270401 =K1ABC"));
    const update = await shell(["country", "update", newer], { env: { ...shared, QSOLOG_DATA_DIR: folders[0]! } });
    expect(update).toMatchObject({ code: 0 });
    const isFollowed = (folder: string) =>
      existsSync(join(folder, "cty.csv")) && readFileSync(join(folder, "cty.csv"), "utf8").includes("VER20270401");
    for (const giveUpAt = Date.now() + 10_000; !folders.every(isFollowed) && Date.now() < giveUpAt;)
      await Bun.sleep(50);
    expect(folders.map(isFollowed)).toEqual([true, true, true]);
    for (let minute = 10; minute < 13; minute++) {
      const typed = { call: "K1ABC", startedAt: `2026-08-01 11:${minute}`, band: "20m", mode: "CW" };
      expect(await ask("POST", "/api/qsos", typed, token)).toMatchObject({ status: 201, body: { dxcc: 1 } });
    }
    const page = await fetch(`${proxy.url}/login`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Sign in")]);
  }, 120_000);
});

test.skipIf(ENGINE !== "postgres")(
  "an instance with other settings says so, in its output and in the doctor",
  async () => {
    const world = await testWorld();
    const dataDir = aDirectory();
    const shared = { QSOLOG_DATABASE_URL: world.config.databaseUrl, QSOLOG_SECRET: "s".repeat(40) };

    const first = await serving({ ...shared, QSOLOG_DATA_DIR: aDirectory() });
    const same = await serving({ ...shared, QSOLOG_DATA_DIR: aDirectory() });
    const other = await serving({ ...shared, QSOLOG_DATA_DIR: dataDir, QSOLOG_REGISTRATION: "open" });
    const { out } = await aShell()(["doctor", "--offline"], { env: shared });

    expect([first, same].map(({ said }) => said.includes("different settings"))).toEqual([false, false]);
    expect(other.said).toContain("Another instance on this database has different settings: registration.\n");
    expect(out).toContain("has other settings than one before: registration.");
  },
);
