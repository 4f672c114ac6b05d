import { expect, test } from "bun:test";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import * as workers from "../../src/storage/jobs/workers.ts";
import { testApp } from "../support/app.ts";

/** A sync of Bob's that waits for its service. */
const aRunningSync = async () => {
  const app = await testApp();
  await app.credentialsFor(app.bob, "first");
  app.first.until = () => Promise.withResolvers().promise;
  const bob = await app.withToken(app.bob, "write");
  const { job } = (await bob.post("/api/sync/first")).body;
  return { app, bob, id: job.id as number };
};

test("a stopped job ends as interrupted, and stopping it again is no error", async () => {
  const { app, bob, id } = await aRunningSync();

  const stopped = await bob.post(`/api/jobs/${id}/stop`);
  await app.runner.idle();

  expect([stopped.status, stopped.body.job.id]).toEqual([202, id]);
  expect((await bob.get(`/api/jobs/${id}`)).body.job).toMatchObject({
    status: "failed",
    error: { code: "interrupted" },
  });
  expect((await bob.post(`/api/jobs/${id}/stop`)).body.job.status).toBe("failed");
});

test("a user cannot stop another user's job, and a job of another program is asked to stop", async () => {
  const { app, bob, id } = await aRunningSync();
  const elsewhere = { userId: app.bob.id, source: "second", trigger: "cli", workerId: "w" } as const;
  const other = await app.db.write(function* () {
    yield* workers.recordBeat({ id: "w", host: "elsewhere", pid: 1, beatAt: app.clock() });
    return yield* syncJobs.create(elsewhere, app.clock());
  });

  expect((await (await app.as(app.eve)).post(`/api/jobs/${id}/stop`)).status).toBe(404);
  expect((await bob.post(`/api/jobs/${other.id}/stop`)).status).toBe(202);
  expect(await app.db.read(() => syncJobs.listNotStopped([id, other.id]))).toEqual([id]);
  expect((await bob.get(`/api/jobs/${id}`)).body.job.error).toBeNull();
});

test("a job that has not started ends immediately", async () => {
  const { app, bob } = await aRunningSync();
  const waiting = await app.db.write(() =>
    syncJobs.create({ userId: app.bob.id, source: "second", trigger: "manual" }, app.clock()),
  );

  const stopped = await bob.post(`/api/jobs/${waiting.id}/stop`);

  expect(stopped.body.job).toMatchObject({ status: "failed", error: { code: "interrupted" } });
});
