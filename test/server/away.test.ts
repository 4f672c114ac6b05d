import { expect, test } from "bun:test";
import { MINUTE, SECOND } from "../../src/kernel/clock.ts";
import * as autoSync from "../../src/storage/jobs/auto-sync-settings.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { testApp, type TestApp } from "../support/app.ts";
import { lotw, logOf } from "../support/sync.ts";
import { tcpProxy } from "../support/tcp-proxy.ts";
import { anEmptyDatabase, ENGINE, testWorld } from "../support/world.ts";

/** The whole program, with its database behind a line that can fail. */
const behindALine = async () => {
  const direct = await anEmptyDatabase("");
  const line = tcpProxy(Number(new URL(direct).port));
  const world = await testWorld({
    databaseUrl: line.via(direct),
    silentAfterMs: 1_000,
    env: { QSOLOG_PORT: "0" },
  });
  return Object.assign(await testApp({ world }), { line });
};

const isReady = async (app: TestApp): Promise<boolean> => (await app.visitor.get("/readyz")).status === 200;

const untilReady = async (app: TestApp): Promise<void> => {
  for (const giveUpAt = Date.now() + 20_000; !(await isReady(app)); await Bun.sleep(50)) {
    if (Date.now() > giveUpAt) throw new Error("it does not become ready again");
  }
};

test.skipIf(ENGINE !== "postgres").each(["refused", "silent"] as const)(
  "while the database is away (%s) requests get an error, and everything continues when it is back",
  async (way) => {
    const app = await behindALine();
    const { bob, eve, line } = app;
    const asker = await app.as(bob);
    const browser = await app.browser(bob);
    for (const { id, username } of [bob, eve]) {
      await setCredentials(app, id, "first", { username, password: "secret" });
    }
    app.first.pages = [[lotw("K1AAA", "2026-07-18 01:43")]];
    const { promise: until, resolve: open } = Promise.withResolvers<void>();
    app.first.until = () => until;
    const { body: begun } = await asker.post("/api/sync/first");
    while (app.first.downloads.length < 1) await Bun.sleep(10);
    await app.db.write(function* () {
      const { first } = yield* autoSync.get(eve.id);
      yield* autoSync.set(eve.id, "first", { ...first, enabled: true, nextSyncAt: app.clock() }, app.clock());
    });
    expect(await isReady(app)).toBe(true);

    line.set(way);
    const readiness = await app.visitor.get("/readyz");
    expect([readiness.status, readiness.body]).toEqual([
      503,
      { ready: false, checks: { database: false, disk: true, tick: true } },
    ]);
    expect((await app.visitor.get("/healthz")).status).toBe(200);
    const refused = await asker.get("/api/jobs");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(refused.body.error.code).toBe("unavailable");
    for (const page of [
      await browser.get("/"),
      await browser.post("/api/auth/login", { username: "bob", password: "x" }),
    ])
      expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
    const page = await browser.get("/jobs");
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.text).toContain("cannot be reached");
    expect(page.text).not.toContain("postgres");
    const tick = await app.scheduler.tick(app.clock()).catch((error: unknown) => error);
    expect(tick).toMatchObject({ code: "unavailable" });
    open();
    await Bun.sleep(2 * SECOND);
    expect(app.underWay.size).toBe(1);

    line.set("through");
    await untilReady(app);
    app.clock.advance(1 * MINUTE);
    await app.scheduler.tick(app.clock());
    await app.runner.idle();
    await app.scheduler.idle();

    expect((await asker.get(`/api/jobs/${begun.job.id}`)).body.job).toMatchObject({ status: "completed" });
    for (const { id } of [bob, eve]) expect(await logOf(app, id)).toHaveLength(1);
    const [ofEve] = await app.db.read(() => syncJobs.list({ userId: eve.id, limit: 9 }));
    expect(ofEve).toMatchObject({ trigger: "auto", status: "completed" });
    expect((await browser.get("/jobs")).status).toBe(200);
  },
  120_000,
);
