import { SQL } from "bun";
import { expect, test } from "bun:test";
import { MINUTE } from "../../src/kernel/clock.ts";
import { migrate } from "../../src/storage/engine/migrate.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { testApp } from "../support/app.ts";
import { afterTest } from "../support/cleanup.ts";
import { startPostgres } from "../support/postgres.ts";
import { aShell } from "../support/qsolog.ts";
import { lotw, logOf } from "../support/sync.ts";
import { ENGINE, NOON, testWorld } from "../support/world.ts";

const MAX_CONNECTIONS = 16;

/** The whole program on a server that lets few in. */
const onASmallServer = async () => {
  const server = startPostgres({
    settings: [`max_connections=${MAX_CONNECTIONS}`, "superuser_reserved_connections=0"],
  })!;
  afterTest(() => server.stop());
  const db = await openDatabase(server.url, { time: SYSTEM_TIME });
  await migrate(db, NOON);
  await db.close();
  const world = await testWorld({ databaseUrl: server.url, silentAfterMs: 1_000, env: { QSOLOG_PORT: "0" } });
  return Object.assign(await testApp({ world }), { url: server.url });
};

/** Others, who take every connection that they get. */
const others = (url: string) => {
  const taken = new Set<SQL>();
  const take = async (): Promise<boolean> => {
    const sql = new SQL(url, { max: 1, connection: { application_name: "other" } });
    try {
      await sql.unsafe("SELECT 1");
      taken.add(sql);
      return true;
    } catch {
      await sql.close({ timeout: 0 }).catch(() => {});
      return false;
    }
  };
  const leave = async () => {
    for (const sql of taken) await sql.close({ timeout: 0 }).catch(() => {});
    taken.clear();
  };
  afterTest(leave);
  const fill = async () => {
    while (await take());
  };
  /** Those of the program end, and are taken before it makes others. */
  const driveOut = async () => {
    for (const giveUpAt = Date.now() + 20_000; taken.size < MAX_CONNECTIONS; await fill()) {
      if (Date.now() > giveUpAt) throw new Error("somebody else keeps a connection");
      const [one] = taken;
      await one!.unsafe("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'qsolog'");
    }
  };
  return { fill, driveOut, leave };
};

test.skipIf(ENGINE !== "postgres")(
  "with one free connection to the database everybody is served; with none everybody gets an error, jobs wait, and it recovers by itself",
  async () => {
    const app = await onASmallServer();
    const { fill, driveOut, leave } = others(app.url);
    const [asker, browser] = [await app.as(app.bob), await app.browser(app.bob)];
    const { id, username } = app.bob;
    await setCredentials(app, id, "first", { username, password: "secret" });
    app.first.pages = [[lotw("K1AAA", "2026-07-18 01:43")]];
    const { promise: until, resolve: open } = Promise.withResolvers<void>();
    app.first.until = () => until;
    const { body: begun } = await asker.post("/api/sync/first");
    while (app.first.downloads.length < 1) await Bun.sleep(10);
    const qsolog = aShell();
    const env = { QSOLOG_DATABASE_URL: app.url, QSOLOG_DATA_DIR: app.dataDir };
    const command = () => qsolog(["jobs", "--user", "bob"], { env });
    expect((await command()).code).toBe(0);

    await fill();
    const together = await Promise.all(Array.from({ length: 30 }, () => asker.get("/api/jobs")));
    expect(new Set(together.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await command()).code).toBe(1);

    await driveOut();
    const [refused, page, ready, alive, told] = await Promise.all([
      asker.get("/api/jobs"),
      browser.get("/jobs"),
      app.visitor.get("/readyz"),
      app.visitor.get("/healthz"),
      command(),
    ]);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(refused.body.error).toEqual({
      code: "unavailable",
      rule: "database_away",
      message: "The database server has no free connections. Try again in a moment.",
    });
    expect([page.status, page.text.includes("has no free connections")]).toEqual([503, true]);
    expect([alive.status, ready.status, ready.body.checks.database]).toEqual([200, 503, false]);
    expect([told.code, told.err]).toEqual([
      1,
      "qsolog: The database server of <data>/qsolog.db has no free connections. Try again in a moment.\n",
    ]);
    open();
    await Bun.sleep(500);
    expect(app.underWay.size).toBe(1);

    await leave();
    for (const giveUpAt = Date.now() + 20_000; Date.now() < giveUpAt && (await asker.get("/api/jobs")).status !== 200;)
      await Bun.sleep(50);
    app.clock.advance(1 * MINUTE);
    await app.scheduler.tick(app.clock());
    await app.runner.idle();

    expect(await app.db.read(() => syncJobs.get(id, begun.job.id))).toMatchObject({ status: "completed" });
    expect(await logOf(app, id)).toHaveLength(1);
    expect((await app.visitor.get("/readyz")).status).toBe(200);
    expect((await command()).code).toBe(0);
  },
  120_000,
);
