import { existsSync, readdirSync, rmSync } from "node:fs";
import { describe, expect, test } from "bun:test";
import { BackgroundThread } from "../../src/storage/engine/background-thread.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { JobsThread } from "../../src/sync/job/jobs-thread.ts";
import { getSpoolDir } from "../../src/sync/source/spool.ts";
import { testApp } from "../support/app.ts";
import { afterTest } from "../support/cleanup.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";

const CRASHING = new URL("../support/crashing-thread.ts", import.meta.url);

const ADI = "<EOH>\n<CALL:5>K1AAA<QSO_DATE:8>20260718<TIME_ON:4>0143<BAND:3>20m<MODE:2>CW<EOR>\n";

/** An app whose jobs run in a thread, and a service that never responds. */
const anApp = async () => {
  const asked = Promise.withResolvers<void>();
  const service = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => {
      asked.resolve();
      return new Promise<Response>(() => {});
    },
  });
  afterTest(() => service.stop(true));
  const app = await testApp({ jobsThread: true, env: { QSOLOG_FIRST_URL: `http://127.0.0.1:${service.port}` } });
  await app.credentialsFor(app.bob, "first");
  const bob = await app.withToken(app.bob, "write");
  const ended = async (id: number) => {
    await app.runner.end(id);
    return app.db.read(() => syncJobs.get(app.bob.id, id));
  };
  const importLog = async () => (await bob.post("/api/qsos/import", ADI, { "content-type": "text/plain" })).body.job.id;
  return { app, bob, ended, importLog, asked: asked.promise };
};

describe.skipIf(ENGINE !== "sqlite")("in the jobs' thread", () => {
  // Starting a thread takes a second of processor time, so each test checks several things.
  test("an import runs to its end, its uploaded file is removed, and another import starts", async () => {
    const { app, bob, ended, importLog } = await anApp();

    expect(await ended(await importLog())).toMatchObject({ status: "completed", stats: { added: 1 } });
    expect(await ended(await importLog())).toMatchObject({ status: "completed", stats: { unchanged: 1 } });
    expect((await bob.get("/api/qsos")).body.total).toBe(1);
    expect(readdirSync(getSpoolDir(app.dataDir))).toEqual([]);
    expect(app.runner.size).toBe(0);
  });

  test("while a sync waits, another is refused and an import runs and is undone; it stops within three seconds", async () => {
    const { bob, ended, importLog, asked } = await anApp();
    const { id } = (await bob.post("/api/sync/first")).body.job;
    await asked;

    const refused = await bob.post("/api/sync/first");
    expect([refused.status, refused.body.error.jobId]).toEqual([409, id]);
    const imported = await importLog();
    expect(await ended(imported)).toMatchObject({ status: "completed" });
    const undone = await bob.post(`/api/jobs/${imported}/undo`);
    expect(undone.body).toMatchObject({ job: { status: "cancelled" }, rollback: { deleted: 1 } });
    expect((await bob.get("/api/qsos")).body.total).toBe(0);
    const began = performance.now();
    await bob.post(`/api/jobs/${id}/stop`);

    expect(await ended(id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  test("a rotated log is opened again, and a job ends when the server stops", async () => {
    const { app, bob, asked } = await anApp();
    const { id } = (await bob.post("/api/sync/first")).body.job;
    await asked;
    const { logFile } = app.config;
    rmSync(logFile);

    app.db.jobsThread!.tell({ kind: "reopenLog" });

    while (!existsSync(logFile)) await Bun.sleep(5);
    await app.stop();
    expect((await app.db.read(() => syncJobs.get(app.bob.id, id))).error).toMatchObject({ code: "interrupted" });
  });

  test("jobs of a crashed thread fail and can be rolled back", async () => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const thread = new BackgroundThread(CRASHING, { file: "", identity: { dev: 0, ino: 0 }, isReadOnly: false });
    const runner = new JobsThread(world, thread);
    afterTest(() => runner.stop());

    const { id } = await runner.start({ userId: bob.id, source: "first", trigger: "manual" });
    await runner.idle();

    const lost = await world.db.read(() => syncJobs.get(bob.id, id));
    expect(lost).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    expect(runner.size).toBe(0);
  });
});
