import { expect, test } from "bun:test";
import * as syncJobs from "../../src/storage/sync-jobs.ts";
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

test("a job that is stopped ends as interrupted, and stopping it once more is no failure", async () => {
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

test("nobody stops another user's job, and none that another program runs", async () => {
  const { app, bob, id } = await aRunningSync();
  const elsewhere = { userId: app.bob.id, source: "second", trigger: "cli" } as const;
  const other = await app.db.write(() => syncJobs.create(elsewhere, app.clock()));

  expect((await (await app.as(app.eve)).post(`/api/jobs/${id}/stop`)).status).toBe(404);
  expect((await bob.post(`/api/jobs/${other.id}/stop`)).body.error).toEqual({
    code: "conflict",
    message: "Another program runs this job: stop it there.",
    rule: "job_elsewhere",
  });
  expect((await bob.get(`/api/jobs/${id}`)).body.job.error).toBeNull();
});
