import { describe, expect, test } from "bun:test";
import { derive, RULES_VERSION } from "../../src/domain/contact/derive.ts";
import { NO_LAYERS } from "../../src/domain/contact/layers.ts";
import type { SyncErrorCode } from "../../src/domain/jobs/provider.ts";
import type { LotwFault, Plan } from "../../src/simulated/faults.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import * as tombstones from "../../src/storage/log/tombstones.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { logOf } from "../support/sync.ts";
import { aBob, aLiveWorld, begun, callOf, countOf, cursorOf, HOUR, LOGIN, logVersionOf } from "./services.ts";
import { PASSWORD, stampOf, stateOf, synced, uploaded, writtenIn, type Live } from "./services.ts";

/** Bob has synced K1AAA; K2BBB has arrived at the service since. */
const aSyncedWorld = async (): Promise<Live> => {
  const live = await aLiveWorld();
  uploaded(live, "K1AAA");
  expect((await synced(live, "first")).status).toBe("completed");
  live.world.clock.advance(HOUR);
  const at = live.world.clock() - HOUR / 2;
  uploaded(live, "K2BBB", { at: at - HOUR, rxqso: at, qsl: { rxqsl: at } });
  return live;
};

const requestsSince = ({ first }: Live, count: number) => first.requests.slice(count);

// Invariant: an incomplete download changes nothing
describe("an incomplete report writes nothing and moves no cursor", () => {
  const cases: [string, Plan<LotwFault>, SyncErrorCode, number][] = [
    ["2: Page Request Limit is busy, and not asked again", { kind: "busy" }, "busy", 1],
    ["4: a maintenance page with the words of a report", { kind: "maintenance", tempting: true }, "invalid_answer", 1],
    ["5: a report without APP_LoTW_EOF", { kind: "dropEof" }, "truncated", 1],
    ["6: a report with fewer records than announced", { kind: "numrec", by: 1 }, "truncated", 1],
    ["7: a report cut off in the middle of a value", { kind: "truncate", at: 900 }, "truncated", 1],
    ["10: a report since another date than was asked", { kind: "systemDefault" }, "invalid_answer", 1],
    ["12: a redirect", { kind: "redirect" }, "invalid_answer", 1],
    ["a connection that breaks each time", { kind: "reset", at: 700, times: 3 }, "network", 3],
    ["a service out of order each time", { kind: "status", status: 502, times: 3 }, "network", 3],
  ];
  test.each(cases)("%s", async (_, plan, code, requests) => {
    const live = await aSyncedWorld();
    const [before, asked] = [await writtenIn(live), live.first.requests.length];
    const state = await stateOf(live, "first");
    live.first.fail(plan);

    const job = await synced(live, "first");

    expect(job).toMatchObject({ status: "failed", error: { code }, cursorAfter: null });
    expect(job.stats.fetched).toBe(0);
    expect(job.cursorBefore).toEqual(before.cursors[0]);
    expect(await writtenIn(live)).toEqual(before);
    expect(await stateOf(live, "first")).toEqual(state);
    expect(requestsSince(live, asked)).toHaveLength(requests);
    expect(await countOf(live, "account_leases")).toBe(0);

    const later = await synced(live, "first");
    expect(later).toMatchObject({ status: "completed", stats: { added: 1, newlyConfirmed: 1 } });
    expect(await cursorOf(live, "first")).not.toEqual(before.cursors[0]);
  });
});

test("1: a wrong password is auth_failed and marks the credentials as rejected until a sync succeeds", async () => {
  const live = await aSyncedWorld();
  const before = await writtenIn(live);
  live.store.users[0]!.password = "another one";

  const job = await synced(live, "first");

  expect(job).toMatchObject({ status: "failed", error: { code: "auth_failed" }, stats: { fetched: 0 } });
  expect(await writtenIn(live)).toEqual(before);
  expect(await stateOf(live, "first")).toEqual({ state: "rejected", reason: job.error!.message });

  live.store.users[0]!.password = PASSWORD;
  await synced(live, "first");
  expect(await stateOf(live, "first")).toEqual({ state: "ok", reason: null });
});

test("3: two users with one login run one after the other, and both succeed", async () => {
  const live = await aLiveWorld();
  for (let n = 0; n < 40; n++) uploaded(live, callOf(n), { at: Date.UTC(2026, 6, 1) + n * HOUR });
  const ann = await aBob(live.world, "ann");
  const open = live.first.hold();

  const jobs = await Promise.all([begun(live, "first"), begun(live, "first", { userId: ann.id })]);
  await live.first.journal.waitForArrival(1);
  open();
  const ended = await Promise.all(jobs.map(({ id }) => live.runner.end(id)));

  expect(ended.map((job) => [job!.status, job!.stats.added])).toEqual([
    ["completed", 40],
    ["completed", 40],
  ]);
  expect(live.first.requests.map(({ overlaps, status }) => [overlaps.length, status])).toEqual(Array(4).fill([0, 200]));
});

describe("a first sync", () => {
  test("9: asks from 1945-11-15 explicitly in both queries", async () => {
    const live = await aLiveWorld();
    uploaded(live, "K1AAA");

    const job = await synced(live, "first");

    expect(job).toMatchObject({ status: "completed", stats: { added: 1, newlyConfirmed: 1 }, cursorBefore: null });
    const asked = live.first.requests.map(({ params }) => [
      params.get("qso_qsl"),
      params.get("qso_qsorxsince"),
      params.get("qso_qslsince"),
    ]);
    expect(asked).toEqual([
      ["no", "1945-11-15", null],
      ["yes", null, "1945-11-15"],
    ]);
    expect(await cursorOf(live, "first")).toEqual({ qso: "2026-07-18 01:43:45", qsl: "2026-07-19 01:43:45" });
  });

  test("8: of an account with nothing new completes empty and keeps its cursor", async () => {
    const live = await aLiveWorld();
    uploaded(live, "K1AAA");
    await synced(live, "first");
    live.store.qsosOf(LOGIN).length = 0;
    const before = await writtenIn(live);

    const job = await synced(live, "first");

    expect(job).toMatchObject({ status: "completed", stats: { fetched: 0, added: 0 }, error: null });
    expect(await writtenIn(live)).toEqual(before);
  });

  test("5: cut off at every size fails, even in the shortest windows, with nothing written", async () => {
    const live = await aLiveWorld();
    uploaded(live, "K1AAA");
    const before = await writtenIn(live);
    live.first.fail({ kind: "dropEof", times: 1000 });

    const job = await synced(live, "first");

    expect(job).toMatchObject({ status: "failed", error: { code: "truncated" } });
    expect(await writtenIn(live)).toEqual(before);
  });

  test("15: in windows by year keeps earlier windows when one fails, moves no cursor, and can be rolled back", async () => {
    const live = await aLiveWorld();
    for (const year of [2003, 2004, 2005, 2006, 2025]) {
      uploaded(live, "K1AAA", { at: Date.UTC(year, 5, 1, 12) });
    }
    live.first.fail({ kind: "truncate", at: 300, nth: 1 });
    live.first.fail({ kind: "busy", nth: 6 });

    const job = await synced(live, "first");

    expect(live.first.requests.map(({ params }) => params.get("qso_enddate"))).toEqual([
      null,
      "1945-12-31",
      "2002-12-31",
      "2003-12-31",
      "2004-12-31",
      "2005-12-31",
    ]);
    expect(job).toMatchObject({ status: "failed", error: { code: "busy" }, stats: { added: 2 } });
    expect(await cursorOf(live, "first")).toBeNull();
    const { counts } = await cancelJob(live.world, { userId: live.bob.id, jobId: job.id, by: null });
    expect(counts).toEqual({ deleted: 2, restored: 0, kept: 0, later: [] });
    expect(await logOf(live.world, live.bob.id)).toEqual([]);

    expect(await synced(live, "first")).toMatchObject({ status: "completed", stats: { added: 5 } });
  });
});

test("11: a password with special characters arrives unchanged", async () => {
  const live = await aLiveWorld();

  const job = await synced(live, "first");

  expect(job.status).toBe("completed");
  expect(live.first.requests[0]!.raw).toContain("password=p%40ss%20w%26rd%3D1%2B%25&");
});

test.each([
  ["18, 19: with comments behind its values and an end without length", {}],
  ["30: with CRLF, and no frequency", { kind: "crlf", times: 2 } as const],
])("a report %s is read completely", async (_, fault) => {
  const live = await aLiveWorld();
  const detail = { DXCC: "291", STATE: "WI", CNTY: "WI,PIERCE" };
  uploaded(live, "K1AAA", { qsl: { rxqsl: Date.UTC(2026, 6, 19), detail } });
  if ("kind" in fault) live.first.fail(fault);

  const job = await synced(live, "first");

  expect(job).toMatchObject({ status: "completed", stats: { added: 1, rejected: 0 } });
  const [qso] = await logOf(live.world, live.bob.id);
  expect(qso).toMatchObject({ state: "WI", county: "WI,PIERCE", freqHz: null, firstConfirmed: true });
  expect(qso!.first!.qsl!.fields).toMatchObject({ STATE: "WI", CNTY: "WI,PIERCE" });
});

test("70: a typed state stays, next to the service's state", async () => {
  const live = await aLiveWorld();
  const layers = { CALL: "K1AAA", QSO_DATE: "20260718", TIME_ON: "014345", BAND: "20m", MODE: "CW", STATE: "IA" };
  const typed = { ...NO_LAYERS, own: { typed: layers } };
  const derived = derive(typed, await live.world.callFacts())!;
  const row = { ...typed, ...derived, createdAt: 0, updatedAt: 0, rulesVersion: RULES_VERSION };
  await live.world.db.write(() => qsos.addMany(live.bob.id, [row]));
  uploaded(live, "K1AAA");

  await synced(live, "first");

  expect(await logOf(live.world, live.bob.id)).toMatchObject([
    { state: "IA", awardState: "IA", firstState: "WI", firstConfirmed: true },
  ]);
});

test("71: a contact that the user deleted does not return, unless a full sync asks for it", async () => {
  const live = await aLiveWorld();
  uploaded(live, "K1AAA");
  await synced(live, "first");
  const [qso] = await logOf(live.world, live.bob.id);
  await live.world.db.write(function* () {
    yield* tombstones.add([{ qso: qso! }], live.world.clock());
    yield* qsos.remove([qso!.id]);
  });

  const again = await synced(live, "first", { options: { full: true } });
  expect([again.stats.added, again.reasons.deleted]).toEqual([0, 2]);
  const asked = await synced(live, "first", { options: { full: true, resurrect: true } });

  expect(asked.stats.added).toBe(1);
});

test("13: a record at the time of the cursor arrives twice and is one contact", async () => {
  const live = await aLiveWorld();
  uploaded(live, "K1AAA");
  await synced(live, "first");
  const before = await writtenIn(live);
  const version = await logVersionOf(live);

  const job = await synced(live, "first");

  expect(job).toMatchObject({ status: "completed", stats: { fetched: 2, added: 0, updated: 0, unchanged: 2 } });
  expect(await writtenIn(live)).toEqual(before);
  expect(await logVersionOf(live)).toBe(version + 1);
});

test("14: an old confirmation that is only in the query for contacts confirms", async () => {
  const live = await aSyncedWorld();
  await synced(live, "first");
  const now = live.world.clock();
  uploaded(live, "K3CCC", { at: Date.UTC(2020, 0, 1), rxqso: now, qsl: { rxqsl: Date.UTC(2020, 0, 2) } });

  const job = await synced(live, "first");

  expect(job.stats).toMatchObject({ added: 1, newlyConfirmed: 1 });
  const [old] = await logOf(live.world, live.bob.id);
  expect(old).toMatchObject({ call: "K3CCC", firstConfirmed: true, firstConfirmedAt: Date.UTC(2020, 0, 2) });
  expect(old!.first!.qsl).toBeUndefined();
});

test("16: a long report is applied in batches and shows its progress", async () => {
  const live = await aLiveWorld();
  const count = 1_200;
  for (let n = 0; n < count; n++) uploaded(live, callOf(n), { at: Date.UTC(2026, 0, 1) + n * HOUR });
  const seen: [string, number][] = [];

  const job = await synced(live, "first", { onProgress: ({ phase, done }) => seen.push([phase, done]) });

  expect(job.stats).toMatchObject({ fetched: 2 * count, added: count });
  for (const phase of ["contacts", "confirmations"]) {
    const steps = seen.filter(([name]) => name === phase).map(([, done]) => done);
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(count);
  }
});

describe("17: an answer that arrives too late", () => {
  test("for a stale job that was cancelled writes nothing", async () => {
    const live = await aSyncedWorld();
    const before = await writtenIn(live);
    const open = live.first.hold();
    const asked = live.first.requests.length;
    const job = await begun(live, "first");
    await live.first.journal.waitForArrival(asked + 1);
    live.world.clock.advance(HOUR + 1);
    await cancelJob(live.world, { userId: live.bob.id, jobId: job.id, by: live.bob.id });

    open();
    const ended = await live.runner.end(job.id);

    expect(ended).toMatchObject({ status: "cancelled", rolledBackBy: live.bob.id, error: null });
    expect(await writtenIn(live)).toEqual(before);
    expect(await countOf(live, "account_leases")).toBe(0);
  });

  test("for a job of a worker that was declared dead writes nothing", async () => {
    const live = await aSyncedWorld();
    const before = await writtenIn(live);
    const open = live.first.hold();
    const asked = live.first.requests.length;
    const job = await begun(live, "first");
    await live.first.journal.waitForArrival(asked + 1);
    await live.world.db.write(() => syncJobs.fail(job.id, "interrupted", "gone", live.world.clock()));

    open();

    expect(await live.runner.end(job.id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    expect(await writtenIn(live)).toEqual(before);
  });

  test("for a stopped job aborts the request", async () => {
    const live = await aSyncedWorld();
    live.first.hold();
    const asked = live.first.requests.length;
    const job = await begun(live, "first");
    await live.first.journal.waitForArrival(asked + 1);

    live.world.underWay.interrupt(job.id);

    expect(await live.runner.end(job.id)).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    await live.first.journal.waitForDeparture(asked + 1);
    expect(live.first.requests.at(-1)!.aborted).toBe(true);
  });
});

test("a cursor is the value of the service's header, unchanged", async () => {
  const live = await aSyncedWorld();

  const job = await synced(live, "first");

  const at = stampOf(live.world.clock() - HOUR / 2);
  expect(job.cursorAfter).toEqual({ qso: at, qsl: at });
  expect(await cursorOf(live, "first")).toEqual({ qso: at, qsl: at });
  expect(live.first.requests.at(-1)!.params.get("qso_qslsince")).toBe(stampOf(Date.UTC(2026, 6, 18)).slice(0, 10));
});

test("a later `since` moves no cursor, an earlier one does", async () => {
  const live = await aSyncedWorld();
  const before = await cursorOf(live, "first");

  await synced(live, "first", { options: { since: "2026-07-30" } });
  expect(await cursorOf(live, "first")).toEqual(before);
  await synced(live, "first", { options: { since: "2026-07-01" } });

  const at = stampOf(live.world.clock() - HOUR / 2);
  expect(await cursorOf(live, "first")).toEqual({ qso: at, qsl: at });
});

test("a dry run reports what would come and leaves log, cursor and version unchanged", async () => {
  const live = await aSyncedWorld();
  const [before, version] = [await writtenIn(live), await logVersionOf(live)];

  const job = await synced(live, "first", { dryRun: true });

  expect(job).toMatchObject({ status: "completed", dryRun: true, stats: { added: 1 }, cursorAfter: null });
  expect(await writtenIn(live)).toEqual(before);
  expect(await logVersionOf(live)).toBe(version);
});
