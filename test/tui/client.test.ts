import { expect, test } from "bun:test";
import { localClient } from "../../cli/client/local-client.ts";
import { testApp } from "../support/app.ts";
import { lotw, said, sync } from "../support/sync.ts";

const aLogWithJobs = async () => {
  const app = await testApp();
  await sync(app, app.bob.id, "file", [said("K1AAA", "2026-07-18 01:43"), said("K1AAA", "2026-07-18 01:53")]);
  await sync(app, app.bob.id, "first", [lotw("K1AAA", "2026-07-18 01:48"), lotw("K2BBB", "2026-07-18 02:00")]);
  return { app, client: localClient(app, app.bob), api: await app.as(app.bob) };
};

test("a database here answers about jobs with the documents of the interface", async () => {
  const { client, api } = await aLogWithJobs();
  const get = async (path: string) => (await api.get(path)).body;
  const asJson = (document: unknown) => JSON.parse(JSON.stringify(document));

  const { jobs, nextCursor } = await client.jobs({ limit: 1 });

  expect(asJson(await client.jobs({}))).toEqual(await get("/api/jobs"));
  expect(asJson({ jobs, nextCursor, active: 0 })).toEqual(await get("/api/jobs?limit=1"));
  expect(await client.jobs({ limit: 1, cursor: nextCursor! })).toMatchObject({ jobs: [{ id: 1 }], nextCursor: null });
  expect(asJson(await client.job(2))).toEqual(await get("/api/jobs/2"));
  expect(asJson(await client.changes(2, {}))).toEqual(await get("/api/jobs/2/changes"));
  expect(asJson(await client.changes(1, { limit: 1 }))).toEqual(await get("/api/jobs/1/changes?limit=1"));
  expect(asJson(await client.leftovers(2, {}))).toEqual(await get("/api/jobs/2/leftovers"));
  expect(asJson(await client.services())).toEqual(await get("/api/services"));
  expect(asJson(await client.schedule())).toEqual(await get("/auto-sync/settings"));
});

test("a database here answers about awards with the documents of the interface", async () => {
  const { client, api } = await aLogWithJobs();
  const get = async (path: string) => (await api.get(path)).body;

  expect(await client.awards()).toEqual(await get("/api/awards"));
  expect(await client.award("dxcc", { by: "any" })).toEqual(await get("/api/awards/dxcc?by=any"));
  expect(await client.needed("was")).toEqual(await get("/api/awards/was/needed"));
  expect(await client.news()).toEqual(await get("/api/news"));
  expect(await client.news("2026-01-01")).toEqual(await get("/api/news?since=2026-01-01"));
});

test("a sync that is started here runs here, and ends with the client", async () => {
  const { app, client } = await aLogWithJobs();
  await app.credentialsFor(app.bob, "first");
  app.first.until = () => Promise.withResolvers().promise;

  const { job } = await client.startSync("first", { full: true });
  expect(client.startSync("first")).rejects.toThrow("under way");
  await client.stop();

  expect(job).toMatchObject({ source: "first", trigger: "cli" });
  expect((await client.job(job.id)).job).toMatchObject({ status: "failed", error: { code: "interrupted" } });
});

test("a completed import is undone, and what is not this user's is not there", async () => {
  const { app, client } = await aLogWithJobs();
  const eve = localClient(app, app.eve);

  expect(eve.undo(1)).rejects.toThrow("no such job");
  expect(eve.changes(1, {})).rejects.toThrow("no such job");
  expect(client.rollbackPreview(2)).rejects.toThrow("This job completed");
  const { rollback } = await client.undo(1);

  expect(rollback).toMatchObject({ deleted: 2 });
  expect((await client.job(1)).job.status).toBe("cancelled");
});
