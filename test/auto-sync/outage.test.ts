import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { MINUTE, SECOND } from "../../src/kernel/clock.ts";
import * as autoSync from "../../src/storage/jobs/auto-sync-settings.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { many } from "../../src/storage/engine/unit.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { testApp } from "../support/app.ts";
import { afterTest } from "../support/cleanup.ts";
import { lotw, logOf } from "../support/sync.ts";
import { ENGINE, testWorld } from "../support/world.ts";

/** An app with a short timeout for the database, whose waits take no real time. */
const anImpatientApp = async () => {
  const world = await testWorld({ giveUpAfterMs: 20, env: { QSOLOG_PORT: "0" } });
  let naps = 0;
  const sleep = (ms: number, signal?: AbortSignal) => {
    if (ms === MAX_NAP_MS) naps += 1;
    return SYSTEM_TIME.sleep(Math.min(ms, 1), signal);
  };
  const warnings: string[] = [];
  const log = { ...world.log, warn: (event: string) => void warnings.push(event) };
  const app = await testApp({ world: { ...world, sleep, log } });
  return Object.assign(app, { longNaps: () => naps, warnings });
};

/** A nap this long means that the program has waited for the database for a while. */
const MAX_NAP_MS = 5_000;

const isDue = async (app: Awaited<ReturnType<typeof anImpatientApp>>, userId: number) =>
  app.db.write(function* () {
    const { first } = yield* autoSync.get(userId);
    yield* autoSync.set(userId, "first", { ...first, enabled: true, nextSyncAt: app.clock() }, app.clock());
  });

test.skipIf(ENGINE !== "sqlite")(
  "after another process held the database for a minute every job completes, nothing is lost, and the log reports it",
  async () => {
    const app = await anImpatientApp();
    const { bob, eve } = app;
    for (const { id, username } of [bob, eve]) {
      await setCredentials(app, id, "first", { username, password: "secret" });
    }
    app.first.pages = [[lotw("K1AAA", "2026-07-18 01:43")]];
    const { promise: until, resolve: open } = Promise.withResolvers<void>();
    app.first.until = () => until;
    await isDue(app, bob.id);
    await isDue(app, eve.id);
    await app.scheduler.tick(app.clock());
    const newest = async (userId: number) => (await app.db.read(() => syncJobs.list({ userId, limit: 9 })))[0]!;
    const began = [await newest(bob.id), await newest(eve.id)];
    while (app.first.downloads.length < 2) await SYSTEM_TIME.turn();

    const other = new Connection(app.db.location);
    afterTest(() => other.close());
    other.run("BEGIN IMMEDIATE");
    open();
    const ticks: unknown[] = [];
    while (app.longNaps() < 4) await SYSTEM_TIME.turn();
    for (let passed = 0; passed < 6; passed++) {
      app.clock.advance(10 * SECOND);
      ticks.push(await app.scheduler.tick(app.clock()).catch((error: unknown) => error));
    }
    expect(ticks).toEqual(Array(6).fill(expect.objectContaining({ code: "unavailable" })));
    for (const { id, userId } of began) {
      expect((await app.db.read(() => syncJobs.get(userId, id))).finishedAt).toBeNull();
    }
    other.run("ROLLBACK");

    for (let passed = 0; passed < 2; passed++) {
      app.clock.advance(1 * MINUTE);
      await app.scheduler.tick(app.clock());
    }
    await app.runner.idle();
    await app.scheduler.idle();

    for (const { id, userId } of began) {
      expect((await app.db.read(() => syncJobs.get(userId, id))).status).toBe("completed");
      expect(await logOf(app, userId)).toHaveLength(1);
    }
    expect(await app.db.read(() => many`SELECT source FROM account_leases`)).toEqual([]);
    expect(app.underWay.size).toBe(0);
    expect(app.warnings.filter((event) => event === "scheduler.recovered")).toHaveLength(1);
    expect(app.warnings.filter((event) => event === "database.waited")).toHaveLength(2);
  },
);
