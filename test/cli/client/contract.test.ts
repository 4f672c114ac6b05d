import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { AdifProblem } from "../../../src/adif/reader.ts";
import { read } from "../../adif/reading.ts";
import { CREDENTIALS } from "../../support/app.ts";
import { aBody, lotw } from "../../support/sync.ts";
import { aLog, KINDS } from "./clients.ts";

const CONTACT = { call: "K9NEW", startedAt: "2026-08-01 10:00", band: "20m", mode: "FT8", stationCallsign: "YU1X" };
const ADIF = "<EOH>\n<CALL:5>K8XYZ<QSO_DATE:8>20260701<TIME_ON:4>1200<BAND:3>20m<MODE:2>CW";
const asJson = (document: unknown) => JSON.parse(JSON.stringify(document));

/** The error message, or nothing if there was no error. */
const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    ({ code, rule, message }) => ({ code, rule, message }),
  );

// Invariant: a command gives the same answer from a server and from the local database
describe.each(KINDS)("the client %s", (kind) => {
  test("returns the documents of the API", async () => {
    const { client, api } = await aLog(kind);
    const get = async (path: string) => (await api.get(path)).body;
    const { nextCursor } = await client.jobs({ limit: 1 });
    const asked: [answer: unknown, path: string][] = [
      [await client.jobs({}), "/api/jobs"],
      [await client.jobs({ limit: 1 }), "/api/jobs?limit=1"],
      [await client.jobs({ limit: 1, cursor: nextCursor! }), `/api/jobs?limit=1&cursor=${nextCursor}`],
      [await client.jobs({ source: "file", status: "completed,failed" }), "/api/jobs?source=file"],
      [await client.job(2), "/api/jobs/2"],
      [await client.changes(2, {}), "/api/jobs/2/changes"],
      [await client.changes(1, { limit: 1 }), "/api/jobs/1/changes?limit=1"],
      [await client.leftovers(2, {}), "/api/jobs/2/leftovers"],
      [await client.leftovers(2, { kind: "rejected" }), "/api/jobs/2/leftovers?kind=rejected"],
      [await client.rollbackPreview(1, { undo: true }), "/api/jobs/1/rollback?undo=true"],
      [await client.services(), "/api/services"],
      [await client.schedule(), "/auto-sync/settings"],
      [await client.targets(), "/api/notices/targets"],
      [await client.qsos({ band: "20m", sort: "call" }), "/api/qsos?band=20m&sort=call"],
      [await client.qso(1), "/api/qsos/1"],
      [await client.stats(), "/api/stats"],
      [await client.awards(), "/api/awards"],
      [await client.award("dxcc", { by: "any" }), "/api/awards/dxcc?by=any"],
      [await client.matrix("DXCC", { group: "digital" }), "/api/awards/dxcc/matrix?group=digital"],
      [await client.needed("was"), "/api/awards/was/needed"],
      [await client.news(), "/api/news"],
      [await client.news({ since: "2026-01-01" }), "/api/news?since=2026-01-01"],
    ];

    for (const [answer, path] of asked) expect([path, asJson(answer)]).toEqual([path, await get(path)]);
    expect(await client.account()).toMatchObject({ user: { username: "bob", callsign: null } });
  });

  test("adds, changes, finds, exports and deletes contacts", async () => {
    const { client } = await aLog(kind);

    const added = await client.addQso(CONTACT);
    await client.addQso({ ...CONTACT, mode: "CW", stationCallsign: "YU1X/P" });
    const edited = await client.editQso(added.id, { name: "Ann" });

    expect(edited).toEqual({ ...added, name: "Ann", own: expect.anything() });
    expect(await client.qso(added.id)).toEqual(edited);
    expect(await client.qsos({ call: "K9NEW", mode: "FT8" })).toEqual({
      qsos: [edited],
      total: 1,
      nextCursor: null,
      previousCursor: null,
    });
    expect(await client.stats({ station: "yu1x/p" })).toMatchObject({
      total: 1,
      byMode: [{ mode: "CW", total: 1, confirmed: 0 }],
    });
    const pieces = await Array.fromAsync(client.exportAdif({ call: "K9NEW", mode: "CW" }));
    expect(read(pieces.join("")).records).toMatchObject([{ fields: { CALL: "K9NEW", MODE: "CW" } }]);
    await client.deleteQso(added.id);
    expect(await client.qsos({ call: "K9NEW" })).toMatchObject({ total: 1 });
  });

  test("sees changes since its last question", async () => {
    const { client } = await aLog(kind);
    const questions = async () => [(await client.stats()).total, (await client.qsos({})).total];
    const before = await questions();

    expect(await questions()).toEqual(before);
    await client.addQso(CONTACT);

    expect(await questions()).toEqual(before.map((count) => count + 1));
  });

  test("returns nothing of other users", async () => {
    const { app, clientOf } = await aLog(kind);
    const eve = await clientOf(app.eve);

    expect(await eve.qsos({})).toEqual({ qsos: [], total: 0, nextCursor: null, previousCursor: null });
    const asked = [eve.qso(1), eve.deleteQso(1), eve.job(1), eve.undo(1), eve.changes(1, {}), eve.leftovers(1, {})];
    for (const refusal of await Promise.all(asked.map(refusalOf))) expect(refusal?.code).toBe("not_found");
    expect((await refusalOf(eve.dismissLeftover(1)))?.message).toBe("eve has no unresolved record with the number 1.");
  });

  test("follows a sync to its end", async () => {
    const { app, client } = await aLog(kind);
    await app.credentialsFor(app.bob, "first");
    app.first.pages = [[lotw("K3CCC", "2026-07-18 03:00")]];

    const { job } = await client.startSync("first", { full: true });
    const { job: ended } = await client.untilEnd(job.id);

    expect(ended).toMatchObject({ id: job.id, source: "first", status: "completed", stats: { added: 1 } });
    expect(await client.untilEnd(job.id)).toEqual({ job: ended });
    expect(app.first.downloads).toMatchObject([{ full: true }]);
  });

  test("reports the progress of a job", async () => {
    const { app, client } = await aLog(kind);
    await app.credentialsFor(app.bob, "first");
    const heard = Promise.withResolvers<string>();
    app.first.download = async function* () {
      yield aBody("qsl", [lotw("K3CCC", "2026-07-18 03:00")]);
      await heard.promise;
      return "after";
    };

    const { job } = await client.startSync("first");
    const ended = client.untilEnd(job.id, ({ phase }, { fetched }) => heard.resolve(`${phase} ${fetched}`));

    expect(await heard.promise).toMatch(/^\w+ 1$/);
    expect((await ended).job.status).toBe("completed");
  });

  test("stops a sync after its current batch, which ends it as interrupted", async () => {
    const { app, client } = await aLog(kind);
    await app.credentialsFor(app.bob, "first");
    const begun = Promise.withResolvers<void>();
    app.first.until = () => (begun.resolve(), Promise.withResolvers().promise);

    const { job } = await client.startSync("first");
    await begun.promise;
    expect(await refusalOf(client.startSync("first"))).toMatchObject({ code: "conflict", rule: "job_active" });
    const ended = client.untilEnd(job.id);
    await client.interrupt(job.id);

    expect((await ended).job).toMatchObject({ status: "failed", error: { code: "interrupted" } });
  });

  test("imports a file and a stream, reports the parser's problems, and leaves no copy", async () => {
    const { app, client } = await aLog(kind);
    const path = join(app.dataDir, "log.adi");
    await Bun.write(path, ADIF);
    const problems: AdifProblem[] = [];

    const { job } = await client.startImport(path, { dryRun: true, warn: (problem) => problems.push(problem) });
    const { job: dry } = await client.untilEnd(job.id);
    const { job: streamed } = await client.startImport(new Blob([ADIF]).stream() as AsyncIterable<Uint8Array>);
    const { job: ended } = await client.untilEnd(streamed.id);

    expect(dry).toMatchObject({ source: "file", dryRun: true, status: "completed", stats: { added: 1 } });
    expect(ended).toMatchObject({ dryRun: false, status: "completed", stats: { added: 1 } });
    expect(problems).toMatchObject([{ rule: "unfinished" }]);
    expect([existsSync(path), readdirSync(join(app.dataDir, "spool"))]).toEqual([true, []]);
  });

  test("creates no job for a missing or invalid file", async () => {
    const { app, client } = await aLog(kind);
    const path = join(app.dataDir, "diary.txt");
    await Bun.write(path, "Dear diary");
    const words = new Blob(["nothing like it"]).stream() as AsyncIterable<Uint8Array>;

    const refusals = await Promise.all(
      [path, words, "/nowhere/log.adi"].map((one) => refusalOf(client.startImport(one))),
    );

    expect(refusals.map((refusal) => refusal?.message)).toEqual([
      "This is not an ADIF file: it has no header and no records.",
      "This is not an ADIF file: it has no header and no records.",
      "Could not read the file /nowhere/log.adi: it does not exist.",
    ]);
    expect(refusals.map((refusal) => refusal?.code)).toEqual(["invalid", "invalid", "invalid"]);
    expect((await client.jobs({})).jobs).toHaveLength(2);
  });

  test("rolls back a failed sync and undoes a completed import, once", async () => {
    const { app, client } = await aLog(kind);
    await app.credentialsFor(app.bob, "first");
    app.first.pages = [[lotw("K3CCC", "2026-07-18 03:00")]];
    app.first.fails = new Error("connection lost");
    const { id } = (await client.startSync("first")).job;
    await client.untilEnd(id);

    expect(await client.rollbackPreview(id)).toEqual({
      deleted: 1,
      restored: 0,
      kept: [],
      keptTotal: 0,
      later: [],
      stopped: [],
      staying: 0,
      contacts: { deleted: [expect.objectContaining({ call: "K3CCC" })], restored: [], stays: [] },
    });
    expect(await client.rollback(id)).toMatchObject({
      job: { status: "cancelled" },
      rollback: { deleted: 1, kept: 0 },
    });
    expect(await refusalOf(client.rollback(id))).toMatchObject({ code: "conflict", rule: "job_cancelled" });
    expect(await refusalOf(client.rollbackPreview(2))).toMatchObject({ code: "conflict", rule: "job_completed" });
    expect(await client.undo(1)).toMatchObject({ job: { status: "cancelled" }, rollback: { deleted: 2 } });
  });

  test("dismisses an unresolved record, once", async () => {
    const { client } = await aLog(kind);
    const [leftover] = (await client.leftovers(2, {})).leftovers;

    await client.dismissLeftover(leftover!.id);

    expect(await refusalOf(client.dismissLeftover(leftover!.id))).toEqual({
      code: "not_found",
      rule: undefined,
      message: `bob has no unresolved record with the number ${leftover!.id}.`,
    });
  });

  test("sets up, tests and deletes credentials, and the schedule", async () => {
    const { client } = await aLog(kind);

    expect(await refusalOf(client.startSync("second"))).toMatchObject({ code: "conflict", rule: "not_configured" });
    expect(await refusalOf(client.setCredentials("second", {}))).toMatchObject({ code: "invalid" });
    expect(await client.setCredentials("second", CREDENTIALS.second)).toMatchObject({ label: "QRZ", configured: true });
    expect(await client.testCredentials("second")).toMatchObject({ state: "ok" });
    const changed = await client.changeSchedule({ second: { enabled: true, intervalHours: 12 } });
    expect(changed.second).toMatchObject({ enabled: true, intervalHours: 12, paused: null });
    expect(await client.schedule()).toEqual(changed);
    await client.clearCredentials("second");
    expect(await refusalOf(client.clearCredentials("second"))).toMatchObject({ code: "not_found" });
  });

  test("lists everything that is wrong with a request", async () => {
    const { client } = await aLog(kind);

    expect(client.qsos({ band: "20x", limit: "0" })).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: "band" }, { path: "limit" }],
    });
    expect(await refusalOf(client.award("nonsense"))).toMatchObject({ code: "not_found" });
    expect(await refusalOf(client.matrix("dxcc", { by: "nobody" }))).toMatchObject({ code: "invalid" });
  });
});

test("jobs of a local client end with its process; a server's continue", async () => {
  for (const kind of KINDS) {
    const { app, client } = await aLog(kind);
    await app.credentialsFor(app.bob, "first");
    app.first.until = () => Promise.withResolvers().promise;

    const { job } = await client.startSync("first");
    await client.stop();

    const { trigger, status } = (await client.job(job.id)).job;
    expect([client.runsJobsHere, trigger, status === "failed"]).toEqual(
      kind === "of a server" ? [false, "manual", false] : [true, "cli", true],
    );
  }
});
