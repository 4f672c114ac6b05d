import { describe, expect, test } from "bun:test";
import { DAY, HOUR, MINUTE } from "../../src/kernel/clock.ts";
import { SyncError } from "../../src/domain/jobs/provider.ts";
import type { ListedJob } from "../../src/domain/jobs/sync-job.ts";
import { rollbackMigration } from "../../src/storage/engine/migrate.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import * as autoSync from "../../src/storage/jobs/auto-sync-settings.ts";
import * as credentials from "../../src/storage/jobs/service-credentials.ts";
import * as workers from "../../src/storage/jobs/workers.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { many, one, run } from "../../src/storage/engine/unit.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { afterTest } from "../support/cleanup.ts";
import { CREDENTIALS, PASSWORD, testApp, type Asker, type TestApp } from "../support/app.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";

const settle = async ({ runner, scheduler }: TestApp): Promise<void> => {
  await runner.idle();
  await scheduler.idle();
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets minutes pass in a running program. */
const minute = async (app: TestApp, minutes = 1): Promise<void> => {
  app.clock.advance(minutes * MINUTE);
  await app.db.write(() => run`UPDATE workers SET beat_at = ${app.clock()} WHERE host <> 'elsewhere'`);
  await app.scheduler.tick(app.clock());
  await settle(app);
};

const jobsOf = (app: TestApp, userId: number): Promise<ListedJob[]> =>
  app.db.read(() => syncJobs.list({ userId, limit: 100 }));

const settingsOf = async (asker: Asker) => (await asker.get("/auto-sync/settings")).body;

const enabled = async (app: TestApp, intervalHours = 24) => {
  await app.credentialsFor(app.bob, "first");
  const bob = await app.as(app.bob);
  const { body } = await bob.put("/auto-sync/settings", { first: { enabled: true, intervalHours } });
  return { bob, first: body.first };
};

describe("the settings", () => {
  const untouched = { enabled: false, intervalHours: 24, lastSyncAt: null, nextSyncAt: null, paused: null };

  test("of a user without a choice are the defaults", async () => {
    const app = await testApp();

    expect(await settingsOf(await app.as(app.bob))).toEqual({ first: untouched, second: untouched });
  });

  test("change only what is given and are returned completely", async () => {
    const app = await testApp();
    await app.credentialsFor(app.bob, "first", "second");
    const bob = await app.as(app.bob);

    const one = await bob.put("/auto-sync/settings", { second: { intervalHours: 6 } });
    const two = await bob.put("/auto-sync/settings", { first: { enabled: true } });

    expect(one.body).toEqual({ first: untouched, second: { ...untouched, intervalHours: 6 } });
    expect(two.body).toEqual({
      first: { ...untouched, enabled: true, nextSyncAt: app.clock() },
      second: { ...untouched, intervalHours: 6 },
    });
    expect((await bob.get("/auto-sync/settings")).body).toEqual(two.body);
    expect(await settingsOf(await app.as(app.eve))).toEqual({ first: untouched, second: untouched });
  });

  test("without credentials are accepted and wait for them", async () => {
    const app = await testApp();
    const bob = await app.as(app.bob);

    const { body } = await bob.put("/auto-sync/settings", { first: { enabled: true } });
    expect(body.first).toMatchObject({ enabled: true, nextSyncAt: null, paused: "not_configured" });
    await minute(app);
    expect(await jobsOf(app, app.bob.id)).toEqual([]);
    const { status } = await bob.put("/api/services/first/credentials", CREDENTIALS.first);

    expect(status).toBe(200);
    expect((await settingsOf(bob)).first).toMatchObject({ nextSyncAt: app.clock(), paused: null });
  });

  test("of a service whose credentials are deleted wait too", async () => {
    const app = await testApp();
    const { bob } = await enabled(app);

    await bob.delete("/api/services/first/credentials");
    await minute(app);

    expect((await settingsOf(bob)).first).toMatchObject({ nextSyncAt: null, paused: "not_configured" });
    expect(await jobsOf(app, app.bob.id)).toEqual([]);
  });

  test("of a service whose credentials fail a test wait for new ones", async () => {
    const app = await testApp();
    const { bob } = await enabled(app);
    app.first.refuses = new SyncError("auth_failed", "No such password.");

    const refused = await bob.post("/api/services/first/test");
    await minute(app);

    expect([refused.status, refused.body.error.rule]).toEqual([502, "auth_failed"]);
    expect((await settingsOf(bob)).first).toMatchObject({ nextSyncAt: null, paused: "credentials" });
    expect(await jobsOf(app, app.bob.id)).toEqual([]);
    const page = (await (await app.browser(app.bob)).get("/settings")).text;
    expect(page).toContain("Paused: the service rejected your account.");
    expect(page).toMatch(/<details open[^>]*><summary id="credentials-first-summary">/);
    app.first.refuses = null;
    await bob.put("/api/services/first/credentials", CREDENTIALS.first);
    await minute(app);
    expect((await jobsOf(app, app.bob.id))[0]).toMatchObject({ status: "completed", trigger: "auto" });
  });

  test("have no next sync when disabled; when enabled again it is one interval after the last sync, or now", async () => {
    const app = await testApp();
    const { bob } = await enabled(app, 24);
    await minute(app);
    const last = app.clock();
    app.clock.advance(2 * HOUR);

    const off = await bob.put("/auto-sync/settings", { first: { enabled: false } });
    const on = await bob.put("/auto-sync/settings", { first: { enabled: true } });
    const oftener = await bob.put("/auto-sync/settings", { first: { intervalHours: 3 } });
    const past = await bob.put("/auto-sync/settings", { first: { intervalHours: 1 } });

    expect(off.body.first).toMatchObject({ enabled: false, lastSyncAt: last, nextSyncAt: null });
    expect(within(on.body.first.nextSyncAt - last, 24 * HOUR)).toBe(true);
    expect(within(oftener.body.first.nextSyncAt - last, 3 * HOUR)).toBe(true);
    expect(past.body.first.nextSyncAt).toBe(app.clock());
  });

  test("that do not change have no effect", async () => {
    const app = await testApp();
    const { bob } = await enabled(app, 24);
    await minute(app);
    const before = await settingsOf(bob);
    app.clock.advance(HOUR);

    await bob.put("/auto-sync/settings", { first: { enabled: true, intervalHours: 24 } });

    expect(await settingsOf(bob)).toEqual(before);
  });
});

const within = (wait: number, interval: number): boolean =>
  wait >= interval && wait <= interval + Math.min(10 * MINUTE, interval / 20);

test("a due sync runs once and is due again an interval after its end", async () => {
  const app = await testApp();
  const { bob } = await enabled(app, 6);

  await minute(app);
  await minute(app);

  const jobs = await jobsOf(app, app.bob.id);
  expect(jobs.map(({ trigger, status, attempt }) => [trigger, status, attempt])).toEqual([["auto", "completed", 1]]);
  const { first } = await settingsOf(bob);
  expect(first.lastSyncAt).toBe(jobs[0]!.finishedAt);
  expect(within(first.nextSyncAt - first.lastSyncAt, 6 * HOUR)).toBe(true);
});

test("a running sync has already been rescheduled, so no other tick starts it", async () => {
  const app = await testApp();
  const { bob } = await enabled(app);
  const { promise, resolve } = Promise.withResolvers<void>();
  app.first.until = () => promise;

  await app.scheduler.tick(app.clock());
  await app.scheduler.tick(app.clock());

  expect((await settingsOf(bob)).first.nextSyncAt).toBe(app.clock() + 15 * MINUTE);
  expect(app.first.downloads).toHaveLength(1);
  app.clock.advance(20 * MINUTE);
  await app.db.write(() => run`UPDATE workers SET beat_at = ${app.clock()} WHERE host <> 'elsewhere'`);
  await app.scheduler.tick(app.clock());
  expect(await jobsOf(app, app.bob.id)).toHaveLength(1);
  resolve();
  await settle(app);
});

test("if a sync is already running the scheduled one stays due and runs afterwards", async () => {
  const app = await testApp();
  await enabled(app);
  const bob = await app.as(app.bob);
  await minute(app);
  app.clock.advance(2 * DAY);
  await app.db.write(() => run`UPDATE workers SET beat_at = ${app.clock()} WHERE host <> 'elsewhere'`);
  const { promise, resolve } = Promise.withResolvers<void>();
  app.first.until = () => promise;
  app.first.fails = new SyncError("network", "The line is down.");
  await bob.post("/api/sync/first");

  const due = (await settingsOf(bob)).first.nextSyncAt;
  await app.scheduler.tick(app.clock());
  expect((await settingsOf(bob)).first.nextSyncAt).toBe(due);
  resolve();
  await settle(app);
  // A failed manual sync does not move the schedule.
  expect((await settingsOf(bob)).first.nextSyncAt).toBe(due);
  app.first.fails = null;
  await minute(app);

  expect((await jobsOf(app, app.bob.id)).map(({ trigger, status }) => [trigger, status])).toEqual([
    ["auto", "completed"],
    ["manual", "failed"],
    ["auto", "completed"],
  ]);
});

test("a manual sync moves the schedule; a dry run does not", async () => {
  const app = await testApp();
  const { bob } = await enabled(app, 24);
  await minute(app);
  app.clock.advance(5 * HOUR);
  const before = (await settingsOf(bob)).first;

  await bob.post("/api/sync/first", { dryRun: true });
  await settle(app);
  expect((await settingsOf(bob)).first).toEqual(before);
  await bob.post("/api/sync/first");
  await settle(app);

  const { lastSyncAt, nextSyncAt } = (await settingsOf(bob)).first;
  expect(lastSyncAt).toBe(app.clock());
  expect(within(nextSyncAt - app.clock(), 24 * HOUR)).toBe(true);
});

test("after failures it waits longer each time, says which attempt it is, and starts over after a success", async () => {
  const app = await testApp();
  const { bob } = await enabled(app, 1);
  app.first.fails = new SyncError("network", "The line is down.");

  const waits: number[] = [];
  for (let n = 0; n < 4; n++) {
    const { nextSyncAt } = (await settingsOf(bob)).first;
    await minute(app, Math.max(1, Math.ceil((nextSyncAt - app.clock()) / MINUTE)));
    waits.push(((await settingsOf(bob)).first.nextSyncAt - app.clock()) / MINUTE);
  }
  for (const [n, wait] of [15, 30, 60, 60].entries()) {
    expect(waits[n]).toBeGreaterThanOrEqual(wait);
    expect(waits[n]).toBeLessThanOrEqual(wait * 1.05);
  }
  expect((await jobsOf(app, app.bob.id)).map(({ attempt }) => attempt)).toEqual([4, 3, 2, 1]);

  app.first.fails = null;
  await minute(app, 70);
  app.first.fails = new SyncError("network", "The line is down.");
  await minute(app, 70);
  expect((await jobsOf(app, app.bob.id)).map(({ attempt }) => attempt).slice(0, 2)).toEqual([1, 5]);
});

test("a service that asks for time is left alone for that time", async () => {
  const app = await testApp();
  const { bob } = await enabled(app);
  app.first.fails = new SyncError("busy", "Later, please.", 3 * 3600);

  await minute(app);

  const wait = (await settingsOf(bob)).first.nextSyncAt - app.clock();
  expect(wait).toBeGreaterThanOrEqual(3 * HOUR);
  expect(wait).toBeLessThan(3 * HOUR + MINUTE);
});

describe("rejected credentials", () => {
  const rejected = async () => {
    const app = await testApp();
    const { bob } = await enabled(app);
    app.first.fails = new SyncError("auth_failed", "Wrong password.");
    await minute(app);
    app.first.fails = null;
    expect((await settingsOf(bob)).first).toMatchObject({ enabled: true, nextSyncAt: null, paused: "credentials" });
    await minute(app, 3 * 24 * 60);
    expect(await jobsOf(app, app.bob.id)).toHaveLength(1);
    return { app, bob };
  };
  const resumed = async (app: TestApp, bob: Asker) => {
    expect((await settingsOf(bob)).first).toMatchObject({ nextSyncAt: app.clock(), paused: null });
    await minute(app);
    expect((await jobsOf(app, app.bob.id))[0]).toMatchObject({ trigger: "auto", status: "completed" });
  };

  test("pause the schedule until new ones are entered", async () => {
    const { app, bob } = await rejected();

    await bob.post("/api/auth/confirm", { password: PASSWORD });
    await bob.put("/api/services/first/credentials", CREDENTIALS.first);

    await resumed(app, bob);
  });

  test("pause it until a test succeeds; a failing test leaves it paused", async () => {
    const { app, bob } = await rejected();
    app.first.refuses = new SyncError("auth_failed", "Wrong password.");
    const failed = await bob.post("/api/services/first/test");
    expect([failed.status, failed.body.error.code, failed.body.error.rule]).toEqual([502, "upstream", "auth_failed"]);
    expect((await settingsOf(bob)).first.paused).toBe("credentials");
    app.first.refuses = null;

    expect((await bob.post("/api/services/first/test")).body.state).toBe("ok");

    await resumed(app, bob);
  });

  test("pause it until a manual sync succeeds", async () => {
    const { app, bob } = await rejected();

    await bob.post("/api/sync/first");
    await settle(app);

    const { paused, nextSyncAt } = (await settingsOf(bob)).first;
    expect([paused, within(nextSyncAt - app.clock(), 24 * HOUR)]).toEqual([null, true]);
  });

  // Defence: a service account gets one request at a time, and the schedule does not retry rejected credentials
  test("found by a manual sync pause it too, so that retries do not lock the account", async () => {
    const app = await testApp();
    const { bob } = await enabled(app);
    app.first.fails = new SyncError("auth_failed", "Wrong password.");

    await bob.post("/api/sync/first");
    await settle(app);
    await minute(app);

    expect((await settingsOf(bob)).first).toMatchObject({ nextSyncAt: null, paused: "credentials" });
    expect(app.first.downloads).toHaveLength(1);
  });

  test("replaced on the command line are noticed by the next tick", async () => {
    const { app, bob } = await rejected();

    await setCredentials(app, app.bob.id, "first", CREDENTIALS.first);
    await minute(app);

    expect((await jobsOf(app, app.bob.id))[0]).toMatchObject({ status: "completed" });
    expect((await settingsOf(bob)).first.paused).toBeNull();
  });
});

test("the longest overdue sync comes first, across services, and only a few run at the same time", async () => {
  const app = await testApp({ env: { QSOLOG_SYNC_CONCURRENCY: "2" } });
  const order: string[] = [];
  for (let n = 0; n < 6; n++) {
    const user = await aUser(app, `user${n}`);
    const source = n % 3 === 0 ? "first" : "second";
    const own = source === "first" ? { username: `u${n}`, password: "x" } : { apiKey: `AAAA-BBBB-CCCC-000${n}` };
    await setCredentials(app, user.id, source, own);
    const asker = await app.as(user);
    await asker.put("/auto-sync/settings", { [source]: { enabled: true } });
    app.clock.advance(MINUTE);
  }
  const note = async ({ credentials }: { credentials: Record<string, string> }) => {
    order.push((credentials.username ?? credentials.apiKey)!.slice(-1));
  };
  [app.first.until, app.second.until] = [note, note];

  await app.scheduler.tick(app.clock());
  await settle(app);

  // Two run at the same time, and either may ask its service first.
  expect(order.toSorted()).toEqual(["0", "1", "2", "3", "4", "5"]);
  for (const [place, user] of order.entries()) expect(Math.abs(place - Number(user))).toBeLessThanOrEqual(1);
  expect(Math.max(app.first.maxRunning, app.second.maxRunning)).toBeLessThanOrEqual(2);
});

test("users of one account are synced one after the other without delaying others", async () => {
  const app = await testApp({ env: { QSOLOG_SYNC_CONCURRENCY: "2" } });
  const { promise: until, resolve: open } = Promise.withResolvers<void>();
  app.first.until = () => until;
  for (const name of ["anne", "carl", "dora", "zoe"]) {
    const user = await aUser(app, name);
    const username = name === "zoe" ? "zoe" : "club";
    await setCredentials(app, user.id, "first", { username, password: "secret" });
    await app.db.write(function* () {
      const { first } = yield* autoSync.get(user.id);
      yield* autoSync.set(user.id, "first", { ...first, enabled: true, nextSyncAt: app.clock() }, app.clock());
    });
  }

  await app.scheduler.tick(app.clock());
  while (app.first.downloads.length < 2) await turn();
  await app.scheduler.tick(app.clock());

  const askedFor = () => app.first.downloads.map(({ credentials: { username } }) => username);
  expect(askedFor().toSorted()).toEqual(["club", "zoe"]);
  expect(app.runner.size).toBe(2);
  open();
  await settle(app);
  await app.scheduler.tick(app.clock());
  await settle(app);

  expect(askedFor().toSorted()).toEqual(["club", "club", "club", "zoe"]);
  expect(app.first.maxRunning).toBe(2);
});

// Invariant: a scheduled sync starts exactly once
test("two processes on one database start nothing twice", async () => {
  const app = await testApp({ env: { QSOLOG_SYNC_CONCURRENCY: "8" } });
  const db = await openDatabase(app.config.databaseUrl, { time: SYSTEM_TIME });
  afterTest(() => db.close());
  const world = { ...(await testWorld()), ...app, db };
  const other = await testApp({ world, services: app.services, empty: true });
  const users = 40;
  for (let n = 0; n < users; n++) {
    const { id } = await aUser(app, `user${n}`);
    await setCredentials(app, id, "first", { username: `u${n}`, password: "x" });
    await app.db.write(
      () => run`INSERT INTO auto_sync_settings (user_id, first_enabled, first_next_sync_at) VALUES (${id}, 1, 1)`,
    );
  }

  while (app.first.downloads.length < users) {
    await Promise.all([app, other].map((one) => one.scheduler.tick(app.clock())));
    await Promise.all([settle(app), settle(other)]);
  }

  expect(new Set(app.first.downloads.map(({ credentials }) => credentials.username)).size).toBe(users);
  expect(app.first.downloads).toHaveLength(users);
});

test("a sync whose process died fails, can be rolled back, and is due again after a quarter of an hour", async () => {
  const app = await testApp();
  const { bob } = await enabled(app);
  await app.db.write(function* () {
    yield* run`INSERT INTO workers (id, host, pid, started_at, beat_at) VALUES ('dead', 'elsewhere', 1, 1, 1)`;
    yield* run`INSERT INTO sync_jobs (user_id, source, trigger_kind, status, worker_id, created_at, started_at)
               VALUES (${app.bob.id}, 'first', 'auto', 'running', 'dead', ${app.clock()}, ${app.clock()})`;
  });

  await app.scheduler.tick(app.clock());

  const [job] = (await bob.get("/api/jobs")).body.jobs;
  expect(job).toMatchObject({ status: "failed", error: { code: "interrupted" }, actions: { rollback: true } });
  expect((await settingsOf(bob)).first.nextSyncAt).toBe(app.clock() + 15 * MINUTE);
});

test("a sync interrupted by a stop is due immediately and runs in the next process", async () => {
  const app = await testApp();
  const { bob } = await enabled(app);
  app.first.until = () => new Promise(() => {});
  await app.scheduler.tick(app.clock());
  expect(app.runner.size).toBe(1);
  // Jobs that have not started are left to other instances on a server database.
  while (app.first.downloads.length === 0) await turn();

  app.clock.advance(MINUTE);
  await app.stop();

  const [job] = await jobsOf(app, app.bob.id);
  expect(job).toMatchObject({ status: "failed", error: { code: "interrupted" } });
  expect((await settingsOf(bob)).first.nextSyncAt).toBe(app.clock());
  app.first.until = async () => {};
  const next = await testApp({ world: app, services: app.services, empty: true });
  next.scheduler.start();
  while ((await jobsOf(next, app.bob.id)).length < 2) await turn();
  await settle(next);
  expect((await jobsOf(next, app.bob.id))[0]).toMatchObject({ trigger: "auto", status: "completed" });
  expect((await (await next.as(app.bob)).get("/auto-sync/scheduler/status")).body).toMatchObject({
    running: true,
    lastTickAt: app.clock(),
    tickSeconds: 60,
  });
});

test("the status shows only the caller's next syncs", async () => {
  const app = await testApp();
  const { bob } = await enabled(app);
  await app.credentialsFor(app.bob, "second");
  app.clock.advance(MINUTE);
  await bob.put("/auto-sync/settings", { second: { enabled: true } });

  const status = (await bob.get("/auto-sync/scheduler/status")).body;

  expect(status).toEqual({
    running: false,
    now: app.clock(),
    tickSeconds: 60,
    lastTickAt: null,
    activeJobs: 0,
    upcoming: [
      { source: "first", nextSyncAt: app.clock() - MINUTE, overdue: true },
      { source: "second", nextSyncAt: app.clock(), overdue: true },
    ],
  });
  expect((await (await app.as(app.eve)).get("/auto-sync/scheduler/status")).body.upcoming).toEqual([]);
});

describe("after a clock that was years ahead", () => {
  const YEARS = 13 * 365 * DAY;

  test("a delayed sync is due an interval from now, and the next sync corrects its last time", async () => {
    const app = await testApp();
    await enabled(app, 6);
    const right = app.clock();
    app.clock.advance(YEARS);
    await minute(app);
    app.clock.advance(right - app.clock());
    expect((await settingsOf(await app.as(app.bob))).first.nextSyncAt).toBeGreaterThan(right + YEARS);
    const page = await (await app.browser(app.bob)).get("/settings");
    expect(page.text).toContain("clock was or is wrong");

    await minute(app);
    const { nextSyncAt } = (await settingsOf(await app.as(app.bob))).first;
    expect(nextSyncAt).toBeGreaterThanOrEqual(app.clock() + 6 * HOUR);
    expect(nextSyncAt).toBeLessThanOrEqual(app.clock() + 6 * HOUR + 10 * MINUTE);
    await minute(app, 6 * 60 + 10);

    const { first } = await settingsOf(await app.as(app.bob));
    expect(first).toMatchObject({ lastSyncAt: app.clock() });
    expect(await jobsOf(app, app.bob.id)).toHaveLength(2);
    expect((await (await app.browser(app.bob)).get("/settings")).text).not.toContain("was ahead");
  });

  test("a schedule that is disabled and enabled is due immediately", async () => {
    const app = await testApp();
    await enabled(app);
    app.clock.advance(YEARS);
    await minute(app);
    app.clock.advance(-YEARS);
    const bob = await app.as(app.bob);
    await bob.put("/auto-sync/settings", { first: { enabled: false } });

    const { body } = await bob.put("/auto-sync/settings", { first: { enabled: true } });

    expect(body.first.nextSyncAt).toBe(app.clock());
  });

  test("a pause that a service asked for stays", async () => {
    const app = await testApp();
    const { bob } = await enabled(app, 1);
    app.first.fails = new SyncError("busy", "later", 20 * 3600);
    await minute(app);
    const { nextSyncAt } = (await settingsOf(bob)).first;

    await minute(app);

    expect(nextSyncAt).toBeGreaterThanOrEqual(app.clock() + 20 * HOUR - MINUTE);
    expect((await settingsOf(bob)).first.nextSyncAt).toBe(nextSyncAt);
  });

  // A server database provides the time for all instances.
  test.skipIf(ENGINE !== "sqlite")("jobs left running do not hang for years", async () => {
    const app = await testApp();
    await app.db.write(function* () {
      yield* workers.recordBeat({ id: "gone", host: "elsewhere", pid: 1, beatAt: app.clock() + YEARS });
      const order = { userId: app.bob.id, source: "first", trigger: "auto", workerId: "gone" } as const;
      const { id } = yield* syncJobs.create(order, app.clock() + YEARS);
      yield* syncJobs.claim(id, "gone", null, app.clock() + YEARS);
    });

    await minute(app, 0);

    expect(await jobsOf(app, app.bob.id)).toMatchObject([{ status: "failed", error: { code: "interrupted" } }]);
  });
});

test("a sync of a deleted user is not started, and the settings are deleted with the user", async () => {
  const app = await testApp();
  await enabled(app);
  await (await app.as(app.ann)).delete(`/api/admin/users/${app.bob.id}`);

  await minute(app);

  expect(app.first.downloads).toEqual([]);
  const { n } = await app.db.read(
    () => one<{ n: number }>`SELECT CAST(count(*) AS BIGINT) AS n FROM auto_sync_settings`,
  );
  expect(n).toBe(0);
});

test("a sync that cannot be started is retried soon, not after an interval", async () => {
  const app = await testApp();
  const { bob } = await enabled(app, 720);
  const { start } = app.runner;
  app.runner.start = () => Promise.reject(new Error("out of luck"));
  await minute(app);
  app.runner.start = start;

  expect((await settingsOf(bob)).first.nextSyncAt).toBe(app.clock() + 15 * MINUTE);
  expect(await jobsOf(app, app.bob.id)).toEqual([]);
});

describe("if the operator reverted the migration of the schedules", () => {
  const without = async () => {
    const logged: string[] = [];
    const world = await testWorld();
    const note = (event: string) => void logged.push(event);
    const app = await testApp({ world: { ...world, log: { ...world.log, warn: note, error: note } } });
    await app.credentialsFor(app.bob, "first");
    await rollbackMigration(app.db, "0005_auto_sync");
    return { app, logged, bob: await app.as(app.bob) };
  };

  test("ticks continue with one log line, and the server stays ready", async () => {
    const { app, logged } = await without();

    for (let n = 0; n < 3; n++) await minute(app);

    expect(logged).toEqual(["auto_sync.off"]);
    expect((await app.visitor.get("/readyz")).body).toEqual({
      ready: true,
      checks: { database: true, disk: true, tick: true },
    });
  });

  test("the settings say so, and everything else works", async () => {
    const { app, bob } = await without();
    const ann = await app.as(app.ann);

    for (const answer of [await bob.get("/auto-sync/settings"), await bob.put("/auto-sync/settings", {})]) {
      expect([answer.status, answer.body.error.code]).toEqual([503, "unavailable"]);
      expect(answer.body.error.message).toContain("qsolog db migrate");
    }
    expect((await bob.get("/auto-sync/scheduler/status")).body.upcoming).toEqual([]);
    expect((await bob.put("/api/services/first/credentials", CREDENTIALS.first)).status).toBe(200);
    expect((await bob.post("/api/services/first/test")).status).toBe(200);
    expect((await bob.post("/api/sync/first")).status).toBe(202);
    await settle(app);
    expect((await jobsOf(app, app.bob.id))[0]).toMatchObject({ status: "completed" });
    expect((await bob.delete("/api/services/first/credentials")).status).toBe(204);
    expect((await ann.get("/api/admin/users")).status).toBe(200);
    expect((await ann.delete(`/api/admin/users/${app.bob.id}`)).status).toBe(204);
  });
});

test("the service's answer about credentials is stored with them", async () => {
  const app = await testApp();
  await enabled(app);
  app.first.fails = new SyncError("subscription_required", "A subscription is needed.");
  await minute(app);

  expect(await app.db.read(() => credentials.find(app.bob.id, "first"))).toMatchObject({
    state: "rejected",
    stateReason: "A subscription is needed.",
  });
  expect(await app.db.read(() => many`SELECT status FROM sync_jobs`)).toEqual([{ status: "failed" }]);
});
