import { expect, test } from "bun:test";
import { prune } from "../../src/upkeep/prune.ts";
import { testApp, type TestApp } from "../support/app.ts";
import { logOf, qrz, said, sync } from "../support/sync.ts";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";

const AT = "2026-07-01 10:00";

/** Bob's log, and syncs of one account of QRZ or another. */
const aLog = async () => {
  const app = await testApp();
  const bob = await app.as(app.bob);
  const downloaded = async (key: string, records: readonly AdifRecord[]): Promise<number> => {
    await bob.put("/api/services/second/credentials", { apiKey: `${key}-0000-0000-0000` });
    app.second.pages = [[...records]];
    const { job } = (await bob.post("/api/sync/second", { full: true })).body;
    await app.runner.idle();
    app.clock.advance(1_000);
    return job.id;
  };
  return { app, bob, downloaded, log: () => logOf(app as TestApp, app.bob.id) };
};

test("records of a wrong account are removed, and no others of its service", async () => {
  const { app, bob, downloaded, log } = await aLog();
  await sync(app as TestApp, app.bob.id, "file", [said("K1AAA", AT, { NAME: "Ann" })]);
  await downloaded("AAAA", [qrz(1, "K1AAA", AT), qrz(2, "K2BBB", AT)]);
  const right = await log();
  const wrong = await downloaded("BBBB", [qrz(91, "N9XXX", AT, { APP_QRZLOG_STATUS: "C" }), qrz(92, "N9YYY", AT)]);
  await downloaded("BBBB", [qrz(91, "N9XXX", AT, { APP_QRZLOG_STATUS: "C", COMMENT: "73" })]);
  const before = await log();
  expect(before).toHaveLength(right.length + 2);
  const request = { filter: {}, takeOut: "second", ofJob: wrong };

  const { preview } = (await bob.post("/api/repairs", { ...request, dryRun: true })).body;
  expect(preview).toMatchObject({ chosen: 2, deleted: 2, changed: 0 });
  const { job } = (await bob.post("/api/repairs", request)).body;
  await app.runner.idle();

  expect(await log()).toEqual(right);
  await bob.post(`/api/jobs/${job.id}/undo`);
  expect(await log()).toEqual(before);
});

test("contacts that the right account also has stay, and another log is not changed", async () => {
  const { app, bob, downloaded, log } = await aLog();
  const wrong = await downloaded("BBBB", [qrz(91, "N9XXX", AT), qrz(92, "N9YYY", AT)]);
  await downloaded("AAAA", [qrz(91, "N9XXX", AT, { COMMENT: "from the right one" })]);
  await sync(app as TestApp, app.eve.id, "second", [qrz(91, "N9XXX", AT)]);

  await bob.post("/api/repairs", { filter: {}, takeOut: "second", ofJob: wrong });
  await app.runner.idle();

  expect((await log()).map(({ call }) => call)).toEqual(["N9XXX"]);
  expect(await logOf(app as TestApp, app.eve.id)).toHaveLength(1);
});

test("a job of another service or user, or without records, is refused", async () => {
  const { app, downloaded } = await aLog();
  const file = await sync(app as TestApp, app.bob.id, "file", [said("K1AAA", AT)]);
  const eves = await sync(app as TestApp, app.eve.id, "second", [qrz(1, "K1AAA", AT)]);
  const old = await downloaded("AAAA", [qrz(1, "K1AAA", AT)]);
  app.clock.advance(100 * 86_400_000);
  await prune(app, { olderThanMs: 86_400_000 });
  const bob = await app.as(app.bob);
  const refused = async (ofJob: number, what: object = { takeOut: "second" }) => {
    const { status, body } = await bob.post("/api/repairs", { filter: {}, ofJob, ...what });
    return [status, body.error.rule ?? body.error.fields?.[0].path ?? body.error.code];
  };

  expect(await refused(file.id)).toEqual([400, "ofJob"]);
  expect(await refused(eves.id)).toEqual([404, "not_found"]);
  expect(await refused(old, { delete: true })).toEqual([400, "ofJob"]);
  expect(await refused(old)).toEqual([409, "job_pruned"]);
});
