import { describe, expect, test } from "bun:test";
import { run } from "../../src/storage/unit.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { aDirectory } from "../support/directory.ts";
import { serving } from "../support/serving.ts";
import { contentOf } from "../support/sync.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";
import { callOf, countOf, HOUR, KEY, LOGIN, PASSWORD, theServices, uploaded } from "../sync/services.ts";
import { STATION } from "../support/sync.ts";

const OWN = "correct horse battery";
const CONTACTS = 60;
const PATIENCE_MS = 60_000;

/** Three servers on one database, asked in turn as a proxy asks them. */
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

type Instances = Awaited<ReturnType<typeof threeInstances>>;

/** A user with an account at the first service and contacts there, signed in at one instance for all of them. */
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
  test("share the set-up link, sessions, and the count of wrong passwords", async () => {
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

  test("a job that one runs is stopped at another", async () => {
    const instances = await threeInstances();
    const { ask, services } = instances;
    const { token } = await somebody(instances);
    const open = services.first.hold();
    const { body } = await ask("POST", "/api/sync/first", { token, at: 0 });
    await services.first.journal.arrival(1);

    const stopped = await ask("POST", `/api/jobs/${body.job.id}/stop`, { token, at: 1 });

    expect(stopped.status).toBe(202);
    expect(await ended(instances, token, body.job.id)).toMatchObject({
      status: "failed",
      error: { code: "interrupted" },
    });
    open();
  }, 120_000);

  test("what one has no room for, another runs at once", async () => {
    const instances = await threeInstances({ QSOLOG_SYNC_CONCURRENCY: "1" });
    const { ask, services, store } = instances;
    const { token } = await somebody(instances);
    store.addUser({ login: "eve", password: PASSWORD, calls: ["K1EVE"] });
    const eve = await somebody(instances, "eve");
    await setCredentials(instances.world, eve.user.id, "second", { apiKey: KEY, callsign: STATION });
    const open = services.first.hold();
    const busy = await ask("POST", "/api/sync/first", { token, at: 0 });
    await services.first.journal.arrival(1);

    const other = await ask("POST", "/api/sync/second", { token: eve.token, at: 0 });

    expect(other.body.job.status).toBe("pending");
    expect(await ended(instances, eve.token, other.body.job.id, 1)).toMatchObject({ status: "completed" });
    open();
    expect(await ended(instances, token, busy.body.job.id)).toMatchObject({ status: "completed" });
  }, 120_000);

  test("when one is killed, another ends its job, and the next sync brings everything", async () => {
    const instances = await threeInstances();
    const { ask, services, servers, world } = instances;
    const { user, token } = await somebody(instances);
    const open = services.first.hold();
    const { body } = await ask("POST", "/api/sync/first", { token, at: 0 });
    await services.first.journal.arrival(1);

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

  test("one that slept past its time writes nothing more", async () => {
    const instances = await threeInstances();
    const { ask, services, servers, world } = instances;
    const { user, token } = await somebody(instances);
    const open = services.first.hold();
    const { body } = await ask("POST", "/api/sync/first", { token, at: 0 });
    await services.first.journal.arrival(1);
    const sleeper = servers[0]!.child;
    process.kill(sleeper.pid, "SIGSTOP");
    open();
    // Ninety seconds later, by the clock of the database.
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
});
