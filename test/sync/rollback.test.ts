import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { derive, RULES_VERSION } from "../../src/domain/contact/derive.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { setTyped } from "../../src/domain/origins/owner.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import { toPreviewed } from "../../src/domain/jobs/rollback-words.ts";
import type { SyncJob } from "../../src/domain/jobs/sync-job.ts";
import * as leftovers from "../../src/storage/log/leftovers.ts";
import { changeLog } from "../../src/storage/log/log-changes.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import * as syncCursors from "../../src/storage/jobs/sync-cursors.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { run } from "../../src/storage/engine/unit.ts";
import { describeKept } from "../../src/domain/jobs/rollback-words.ts";
import { cancelJob, previewCancel } from "../../src/sync/undo/rollback.ts";
import { isFull } from "../support/full.ts";
import { aBody, contentOf, logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, ENGINE, testWorld, type TestWorld } from "../support/world.ts";
import { aLiveWorld, begun, booked, callOf, countOf, cursorOf, DAY, HOUR, logVersionOf } from "./services.ts";
import { synced, uploaded, writtenIn, type Live } from "./services.ts";

const LOST = new Error("connection lost");

const orderFor = (job: SyncJob, more: { undo?: boolean } = {}) => ({
  userId: job.userId,
  jobId: job.id,
  by: null,
  ...more,
});

/** The violated rule, or null. A matcher's `rejects` would block a second thread's answer. */
const refusalOf = (done: Promise<unknown>): Promise<string | null | undefined> =>
  done.then(
    () => null,
    (error) => (error instanceof AppError ? error.rule : String(error)),
  );

/** Rolls back a job after checking that the preview was right and changed nothing. */
const takenBack = async (world: TestWorld, job: SyncJob, more: { undo?: boolean } = {}) => {
  const before = await logOf(world, job.userId);
  const { contacts, staying, keptTotal, ...preview } = await previewCancel(world, orderFor(job, more));
  expect(await logOf(world, job.userId)).toEqual(before);
  expect((await world.db.read(() => syncJobs.get(job.userId, job.id))).status).toBe(job.status);
  const { job: cancelled, counts, stopped } = await cancelJob(world, orderFor(job, more));
  expect(cancelled).toMatchObject({ status: "cancelled", rolledBackAt: world.clock() });
  expect({ ...counts, stopped }).toEqual({ ...preview, kept: keptTotal });
  expect([contacts.deleted.length, contacts.restored.length, contacts.stays.length]).toEqual(
    [preview.deleted, preview.restored, staying].map((count) => Math.min(100, count)),
  );
  const { deleted, restored, kept } = preview;
  expect(staying).toBeLessThanOrEqual(new Set(kept.map(({ qsoId }) => qsoId)).size);
  return { deleted, restored, kept };
};

/** Edits a contact as a user does. */
const typed = async (world: TestWorld, qso: Qso, fields: Record<string, string>): Promise<void> => {
  const layers = setTyped(qsos.getLayers(qso), fields);
  const derived = derive(layers, await world.callFacts())!;
  const after = { ...qsos.toSnapshot(qso), ...derived, ...layers, updatedAt: world.clock() };
  const by = { cause: "hand" as const, now: world.clock() };
  await world.db.write(() => changeLog(qso.userId, { replaced: [{ id: qso.id, before: qso, after }] }, by));
};

const letters = (at: number): string => String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26));

const aWorldWithBob = async () => {
  const world = await testWorld();
  return { world, bob: await aUser(world, "bob") };
};

describe("only a failed or stale job can be rolled back", () => {
  test("a completed or cancelled one is refused", async () => {
    const { world, bob } = await aWorldWithBob();
    const completed = await sync(world, bob.id, "first", [lotw("K1ABC", "2026-08-01 10:00")]);
    const failed = await sync(world, bob.id, "second", [qrz(1, "K2XYZ", "2026-08-01 10:00")], { failure: LOST });
    await takenBack(world, failed);
    const before = await logOf(world, bob.id);

    expect(await refusalOf(cancelJob(world, orderFor(completed)))).toBe("job_completed");
    expect(await refusalOf(previewCancel(world, orderFor(completed)))).toBe("job_completed");
    expect(await refusalOf(cancelJob(world, orderFor(completed, { undo: true })))).toBe("job_completed");
    expect(await refusalOf(cancelJob(world, orderFor(failed)))).toBe("job_cancelled");
    expect(await logOf(world, bob.id)).toEqual(before);
  });

  test("an active one is refused until it is more than an hour old", async () => {
    const live = await aLiveWorld();
    uploaded(live, "K1AAA");
    live.first.hold();
    const job = await begun(live, "first");
    await live.first.journal.waitForArrival(1);
    const running = await live.world.db.read(() => syncJobs.get(live.bob.id, job.id));

    expect(await refusalOf(cancelJob(live.world, orderFor(running)))).toBe("job_active");
    live.world.clock.advance(HOUR);
    expect(await refusalOf(cancelJob(live.world, orderFor(running)))).toBe("job_active");
    live.world.clock.advance(1);
    await takenBack(live.world, running);
  });

  // Defence: another user's data is "not found"
  test("another user's does not exist", async () => {
    const { world, bob } = await aWorldWithBob();
    const eve = await aUser(world, "eve");
    const failed = await sync(world, bob.id, "first", [lotw("K1ABC", "2026-08-01 10:00")], { failure: LOST });

    const refused = await cancelJob(world, { ...orderFor(failed), userId: eve.id }).catch((error: AppError) => error);

    expect(refused).toMatchObject({ code: "not_found" });
    expect(await logOf(world, bob.id)).toHaveLength(1);
  });
});

describe("later values of other origins", () => {
  test("are counted for each contact, and a hundred are listed", async () => {
    const { world, bob } = await aWorldWithBob();
    const calls = Array.from({ length: 120 }, (_, at) => `K1A${letters(at)}`);
    const told = (record: typeof said) => calls.map((call) => record(call, "2026-08-01 10:00"));
    await sync(world, bob.id, "file", told(said));
    const job = await sync(world, bob.id, "first", told(lotw), { failure: LOST });
    for (const qso of await logOf(world, bob.id)) await typed(world, qso, { NAME: "Ann" });

    const { staying, contacts } = await previewCancel(world, orderFor(job));

    expect([staying, contacts.stays.length]).toEqual([120, 100]);
    await takenBack(world, job);
  });

  test("68: stay for a contact both services know; only the job's layer goes", async () => {
    const { world, bob } = await aWorldWithBob();
    await sync(world, bob.id, "second", [qrz(1, "K1ABC", "2026-08-01 10:00", { APP_QRZLOG_STATUS: "C" })]);
    const [before] = await logOf(world, bob.id);
    world.clock.advance(1000);

    const job = await sync(world, bob.id, "first", [lotw("K1ABC", "2026-08-01 10:00:20")], { failure: LOST });
    expect((await logOf(world, bob.id))[0]).toMatchObject({ firstConfirmed: true, secondConfirmed: true });

    expect(await takenBack(world, job)).toEqual({ deleted: 0, restored: 1, kept: [] });
    expect(await logOf(world, bob.id)).toEqual([before!]);
  });

  test("are kept and reported once, and the job's own layer goes", async () => {
    const { world, bob } = await aWorldWithBob();
    await sync(world, bob.id, "file", [said("K1ABC", "2026-08-01 10:00"), said("K2XYZ", "2026-08-01 11:00")]);
    const record = lotw("K1ABC", "2026-08-01 10:00", { STATE: "WI", DXCC: "291" });
    const bodies = [aBody("qso", [record]), aBody("qsl", [record, lotw("K2XYZ", "2026-08-01 11:00")])];
    const job = await sync(world, bob.id, "first", bodies, { failure: LOST });
    await sync(world, bob.id, "second", [qrz(5, "K1ABC", "2026-08-01 10:00", { APP_QRZLOG_STATUS: "C" })]);
    const [one, two] = await logOf(world, bob.id);
    await typed(world, two!, { NAME: "Ann" });

    const { deleted, restored, kept } = await takenBack(world, job);

    expect([deleted, restored]).toEqual([0, 2]);
    expect(kept.map(({ qsoId, field, value }) => [qsoId, field, value])).toEqual([
      [one!.id, "secondId", "5"],
      [one!.id, "secondConfirmed", true],
      [two!.id, "name", "Ann"],
    ]);
    const log = await logOf(world, bob.id);
    expect(log.map(({ first, firstConfirmed, firstId }) => [first, firstConfirmed, firstId])).toEqual([
      [null, false, null],
      [null, false, null],
    ]);
    expect(log.map(({ secondConfirmed, name }) => [secondConfirmed, name])).toEqual([
      [true, null],
      [false, "Ann"],
    ]);
  });

  test("of a contact that the job added go with it, and the preview lists it", async () => {
    const { world, bob } = await aWorldWithBob();
    const job = await sync(world, bob.id, "second", [qrz(5, "K1ABC", "2026-08-01 10:00")], { failure: LOST });
    await sync(world, bob.id, "first", [lotw("K1ABC", "2026-08-01 10:00")]);
    await sync(world, bob.id, "file", [said("K1ABC", "2026-08-01 10:00")]);
    const [qso] = await logOf(world, bob.id);
    await typed(world, qso!, { NAME: "Ann" });

    const { deleted, restored, kept } = await takenBack(world, job);

    expect([deleted, restored]).toEqual([1, 0]);
    expect(kept.map(({ field, reason }) => [field, reason.split(";")[0]])).toEqual([
      ["first", "deleted with the contact"],
      ["own", "entered by hand"],
      ["own", "from a file imported later"],
    ]);
    expect(await logOf(world, bob.id)).toEqual([]);
  });

  test("do not include new derivation rules: the contact is as it was before", async () => {
    const { world, bob } = await aWorldWithBob();
    await sync(world, bob.id, "file", [said("K1ABC", "2026-08-01 10:00")]);
    const before = await logOf(world, bob.id);
    const job = await sync(world, bob.id, "first", [lotw("K1ABC", "2026-08-01 10:00")], { failure: LOST });
    const [qso] = await logOf(world, bob.id);
    const after = { ...qso!, rulesVersion: RULES_VERSION + 1, cqZone: 40 };
    const replaced = [{ id: after.id, before: qso!, after }];
    await world.db.write(() => changeLog(bob.id, { replaced }, "nobody"));

    expect(await takenBack(world, job)).toEqual({ deleted: 0, restored: 1, kept: [] });
    expect(await logOf(world, bob.id)).toEqual(before);
  });

  test("do not restore a contact that the user deleted meanwhile", async () => {
    const { world, bob } = await aWorldWithBob();
    await sync(world, bob.id, "file", [said("K1ABC", "2026-08-01 10:00")]);
    const job = await sync(world, bob.id, "first", [lotw("K1ABC", "2026-08-01 10:00")], { failure: LOST });
    const [qso] = await logOf(world, bob.id);
    const by = { cause: "hand" as const, now: world.clock() };
    await world.db.write(() => changeLog(bob.id, { removed: [qso!] }, by));

    expect(await takenBack(world, job)).toEqual({ deleted: 0, restored: 0, kept: [] });
    expect(await logOf(world, bob.id)).toEqual([]);
  });
});

test("a contact that a job added and then confirmed counts once, as deleted", async () => {
  const { world, bob } = await aWorldWithBob();
  const record = lotw("K1ABC", "2026-08-01 10:00", { APP_LOTW_2XQSL: "Y" });
  const plain: AdifRecord = { fields: { ...record.fields, QSL_RCVD: "N" } };

  const bodies = [aBody("qso", [plain]), aBody("qsl", [record])];
  const job = await sync(world, bob.id, "first", bodies, { failure: LOST });

  expect(job.stats).toMatchObject({ added: 1, updated: 1 });
  expect(await takenBack(world, job)).toEqual({ deleted: 1, restored: 0, kept: [] });
});

describe("cursors after a rollback", () => {
  /** The second service fails after its first batch, and the first service confirms what that batch brought. */
  const aConfirmedHalf = async (): Promise<{ live: Live; half: SyncJob }> => {
    const live = await aLiveWorld();
    live.second.style.shuffleFields = false;
    for (let n = 0; n < 300; n++) booked(live, callOf(n), { TIME_ON: "0200" });
    live.second.fail({ kind: "reset", times: 3, when: ({ raw }) => /AFTERLOGID%3A10000025\d/.test(raw) });
    uploaded(live, "K9OLD", { at: Date.UTC(2026, 5, 1) });
    await synced(live, "first");
    const half = await synced(live, "second");
    expect(half).toMatchObject({ status: "failed", stats: { added: 250 } });
    return { live, half };
  };

  // Invariant: a rollback loses nothing that others said
  test("69: let a removed contact return with the next sync of each service that has it", async () => {
    const { live, half } = await aConfirmedHalf();
    const beforeB = await cursorOf(live, "first");
    live.world.clock.advance(HOUR);
    for (const n of [3, 5]) {
      const rxqsl = live.world.clock() - HOUR / 2;
      uploaded(live, callOf(n), { at: Date.UTC(2026, 6, 18, 2), rxqso: rxqsl, qsl: { rxqsl } });
    }
    expect((await synced(live, "first")).stats).toMatchObject({ added: 0, newlyConfirmed: 2 });
    expect((await synced(live, "second")).stats).toMatchObject({ added: 50 });
    const whole = await contentOf(live.world, live.bob.id);
    live.world.clock.advance(9 * DAY);
    await synced(live, "first");

    const { deleted, restored, kept } = await takenBack(live.world, half);

    expect([deleted, restored]).toEqual([250, 0]);
    expect(kept.map(({ field, reason }) => `${field}: ${reason}`)).toEqual(
      Array(2).fill("first: deleted with the contact; the next sync restores it"),
    );
    expect(await cursorOf(live, "first")).toEqual(beforeB);
    expect(await cursorOf(live, "second")).toBeNull();

    await synced(live, "first");
    await synced(live, "second");
    expect(await contentOf(live.world, live.bob.id)).toEqual(whole);
  });

  test("never move forward", async () => {
    const live = await aLiveWorld();
    uploaded(live, "K1AAA");
    await synced(live, "first");
    const early = await cursorOf(live, "first");
    live.world.clock.advance(HOUR);
    uploaded(live, "K2BBB", { rxqso: live.world.clock(), qsl: { rxqsl: live.world.clock() } });
    await synced(live, "first");
    const fails = async () => {
      live.first.fail({ kind: "busy", when: ({ params }) => params.get("qso_qsl") === "yes" });
      return synced(live, "first");
    };
    const late = await fails();
    await live.world.db.write(() => syncCursors.set(live.bob.id, "first", early, live.world.clock()));

    await takenBack(live.world, late);

    expect(late.cursorBefore).not.toEqual(early);
    expect(await cursorOf(live, "first")).toEqual(early);
  });

  test("stay unchanged for a job that never started", async () => {
    const live = await aLiveWorld();
    uploaded(live, "K1AAA");
    await synced(live, "first");
    const cursor = await cursorOf(live, "first");
    const { id } = await begun(live, "first");
    live.world.underWay.interrupt(id);
    const job = (await live.runner.end(id))!;
    expect(job).toMatchObject({ status: "failed", error: { code: "interrupted" }, startedAt: null });

    await takenBack(live.world, job);

    expect(await cursorOf(live, "first")).toEqual(cursor);
  });

  test("of a job since a date move before that date, whatever other job had the contact first", async () => {
    const live = await aLiveWorld();
    live.second.style.shuffleFields = false;
    booked(live, "K1AAA", { QSO_DATE: "20200101" });
    booked(live, "K2BBB", { QSO_DATE: "20200101" });
    uploaded(live, "K9OLD", { at: Date.UTC(2026, 5, 1) });
    await synced(live, "first");
    live.second.fail({ kind: "count", by: 1, when: ({ params }) => params.get("ACTION") === "FETCH" });
    live.second.fail({ kind: "reset", times: 3, when: ({ params }) => params.get("ACTION") === "FETCH" });
    const half = await synced(live, "second");
    expect(half).toMatchObject({ status: "failed", stats: { added: 2 } });
    const now = live.world.clock();
    uploaded(live, "K1AAA", { at: Date.UTC(2020, 0, 1, 1, 43), rxqso: now, qsl: { rxqsl: now } });
    await synced(live, "first");
    const old = Date.UTC(2020, 0, 2);
    uploaded(live, "K2BBB", { at: Date.UTC(2020, 0, 1, 1, 43), rxqso: old, qsl: { rxqsl: old } });
    await synced(live, "first", { options: { since: "2020-01-01" } });
    const whole = await contentOf(live.world, live.bob.id);
    expect(whole.filter(({ firstConfirmed }) => firstConfirmed)).toHaveLength(3);

    await takenBack(live.world, half);
    await synced(live, "first");
    await synced(live, "second");

    expect(await contentOf(live.world, live.bob.id)).toEqual(whole);
  });
});

describe("unresolved records", () => {
  const twoAlike = [said("K1ABC", "2026-08-01 14:00"), said("K1ABC", "2026-08-01 14:10")];
  const between = lotw("K1ABC", "2026-08-01 14:05");

  test("of the job are removed, and those it settled are reopened", async () => {
    const { world, bob } = await aWorldWithBob();
    await sync(world, bob.id, "file", twoAlike);
    await sync(world, bob.id, "first", [between]);
    await sync(world, bob.id, "file", [said("K1ABC", "2026-08-01 14:05")]);
    const settles = await sync(world, bob.id, "first", []);
    const failed = await failAgain(world, settles);

    await takenBack(world, failed);

    expect((await sync(world, bob.id, "first", [])).stats).toMatchObject({ fetched: 1, updated: 1 });
  });

  test("that a later job settled in a removed contact are reopened", async () => {
    const { world, bob } = await aWorldWithBob();
    await sync(world, bob.id, "file", twoAlike);
    await sync(world, bob.id, "first", [between]);
    const file = await sync(world, bob.id, "file", [said("K1ABC", "2026-08-01 14:05")]);
    expect((await sync(world, bob.id, "first", [])).stats).toMatchObject({ updated: 1 });

    const { deleted } = await takenBack(world, file, { undo: true });

    expect(deleted).toBe(1);
    const open = await world.db.read(() => leftovers.listOpen(bob.id, "first", 0, 10));
    expect(open.map(({ record }) => record.fields.TIME_ON)).toEqual(["140500"]);
  });
});

describe("an import", () => {
  test("that completed is undone field by field, and counts again when it is repeated", async () => {
    const { world, bob } = await aWorldWithBob();
    await sync(world, bob.id, "first", [lotw("K1ABC", "2026-08-01 10:00")]);
    await sync(world, bob.id, "file", [said("K1ABC", "2026-08-01 10:00", { NAME: "Ann" })]);
    const before = await logOf(world, bob.id);
    world.clock.advance(1000);
    const records = [said("K1ABC", "2026-08-01 10:00", { QTH: "Home" }), said("K2XYZ", "2026-08-01 11:00")];

    const job = await sync(world, bob.id, "file", records);
    expect(job).toMatchObject({ status: "completed", stats: { added: 1, updated: 1 } });

    expect(await refusalOf(cancelJob(world, orderFor(job)))).toBe("job_completed");
    expect(await takenBack(world, job, { undo: true })).toEqual({ deleted: 1, restored: 1, kept: [] });
    expect(await logOf(world, bob.id)).toEqual(before);
    expect(await refusalOf(cancelJob(world, orderFor(job, { undo: true })))).toBe("job_cancelled");
    expect((await sync(world, bob.id, "file", records)).stats).toMatchObject({ added: 1, updated: 1 });
  });

  test("that another import built on is undone without the other's values, which the preview lists", async () => {
    const { world, bob } = await aWorldWithBob();
    const file = (more: Record<string, string>) =>
      sync(world, bob.id, "file", [said("K1ABC", "2026-07-18 01:43", more)]);
    await file({ NAME: "Bob", QTH: "Oslo" });
    const middle = await file({ QTH: "Paris", NOTES: "n" });
    await file({ COMMENT: "hi", NOTES: "m" });

    const { kept } = await takenBack(world, middle, { undo: true });

    const [qso] = await logOf(world, bob.id);
    expect(qso).toMatchObject({ name: "Bob", qth: "Oslo", comment: "hi" });
    expect(qso!.own!.file!.fields.NOTES).toBe("m");
    expect(kept.map(({ field, value }) => [field, value])).toEqual([["comment", "hi"]]);
  });

  test("into a service's contact keeps the values of a later import, which is recognised when repeated", async () => {
    const { world, bob } = await aWorldWithBob();
    await sync(world, bob.id, "second", [qrz(1, "K1ABC", "2026-07-18 01:43")]);
    const file = (more: Record<string, string>) =>
      sync(world, bob.id, "file", [said("K1ABC", "2026-07-18 01:43", more)]);
    const undone = await file({ QTH: "Paris" });
    await file({ COMMENT: "hi" });

    await takenBack(world, undone, { undo: true });

    const log = await logOf(world, bob.id);
    expect(log).toMatchObject([{ qth: null, comment: "hi" }]);
    expect((await file({ COMMENT: "hi" })).stats).toMatchObject({ added: 0, updated: 0, unchanged: 1 });
    expect(await logOf(world, bob.id)).toEqual(log);
  });

  test("that failed is rolled back without what the same file brought again, and what stays is known", async () => {
    const { world, bob } = await aWorldWithBob();
    const [one, two, three] = ["K1ABC", "K2ABC", "K3ABC"].map((call) =>
      said(call, "2026-08-01 10:00", { NAME: "Ann" }),
    );
    const failed = await sync(world, bob.id, "file", [one!, two!], { failure: LOST });
    const again = await sync(world, bob.id, "file", [two!, three!]);
    expect(again.stats).toMatchObject({ added: 1, unchanged: 1 });
    const [, known] = await logOf(world, bob.id);

    const preview = await previewCancel(world, orderFor(failed));
    const { deleted, restored, kept } = await takenBack(world, failed);

    expect([deleted, restored]).toEqual([1, 0]);
    expect(kept).toEqual([{ ...toPreviewed(known!), field: "own", value: null, reason: `also in job ${again.id}` }]);
    expect(preview.contacts).toMatchObject({ deleted: [{ call: "K1ABC" }], restored: [], stays: [{ call: "K2ABC" }] });
    expect((await logOf(world, bob.id)).map(({ call }) => call).sort()).toEqual(["K2ABC", "K3ABC"]);
    expect(await takenBack(world, again, { undo: true })).toMatchObject({ deleted: 2 });
  });

  // Invariant: undoing an import keeps contacts that another import contains
  test("in any order: a contact stays in the log while any import of it stands", async () => {
    const calls = ["K1A", "K2B", "K3C", "K4D", "K5E"];
    const words: Record<string, string>[] = [{}, { NAME: "Ann" }, { NAME: "Ann", QTH: "Home" }];
    const file = fc.record({
      told: fc.uniqueArray(fc.tuple(fc.nat(4), fc.nat(2)), { selector: ([n]) => n, minLength: 1 }),
      fails: fc.boolean(),
    });
    const event = fc.oneof(file, fc.record({ nth: fc.nat(9) }));
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 2, maxLength: 12 }), async (events) => {
        const { world, bob } = await aWorldWithBob();
        const standing: { job: SyncJob; told: string[] }[] = [];
        for (const one of events) {
          world.clock.advance(1000);
          if ("told" in one) {
            const records = one.told.map(([n, word]) => said(calls[n]!, "2026-08-01 10:00", words[word]));
            const job = await sync(world, bob.id, "file", records, one.fails ? { failure: LOST } : {});
            standing.push({ job, told: one.told.map(([n]) => calls[n]!) });
          } else if (standing.length > 0) {
            const { job } = standing.splice(one.nth % standing.length, 1)[0]!;
            await takenBack(world, job, { undo: job.status === "completed" });
          }
          const expected = [...new Set(standing.flatMap(({ told }) => told))].sort();
          expect((await logOf(world, bob.id)).map(({ call }) => call).sort()).toEqual(expected);
        }
      }),
      { numRuns: isFull(import.meta) ? 100 : ENGINE === "postgres" ? 3 : 10 },
    );
  });

  test("that a service has confirmed since is undone with the cursor of that service moved back", async () => {
    const live = await aLiveWorld();
    uploaded(live, "K9OLD", { at: Date.UTC(2026, 5, 1) });
    await synced(live, "first");
    const cursor = await cursorOf(live, "first");
    const job = await sync(live.world, live.bob.id, "file", [said("K1AAA", "2026-07-18 01:43", { MODE: "CW" })]);
    live.world.clock.advance(HOUR);
    const now = live.world.clock();
    uploaded(live, "K1AAA", { rxqso: now, qsl: { rxqsl: now } });
    expect((await synced(live, "first")).stats).toMatchObject({ newlyConfirmed: 1, added: 0 });

    expect((await takenBack(live.world, job, { undo: true })).deleted).toBe(1);

    expect(await cursorOf(live, "first")).toEqual(cursor);
    expect((await synced(live, "first")).stats).toMatchObject({ added: 1, newlyConfirmed: 1 });
  });
});

test("a rollback raises the log version, so that no cached count is shown", async () => {
  const live = await aLiveWorld();
  uploaded(live, "K1AAA");
  live.first.fail({ kind: "busy", nth: 2 });
  const job = await synced(live, "first");
  const version = await logVersionOf(live);

  await takenBack(live.world, job);

  expect(await logVersionOf(live)).toBeGreaterThan(version);
  expect(await writtenIn(live)).toMatchObject({ log: [], cursors: [null, null], leftovers: 0 });
  expect(await countOf(live, "account_leases")).toBe(0);
});

test("a thousand kept values are listed, and all are counted", async () => {
  const { world, bob } = await aWorldWithBob();
  const count = 1_010;
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 600_000).toISOString().slice(0, 16).replace("T", " ");
  const each = Array.from({ length: count }, (_, n) => n);
  const job = await sync(
    world,
    bob.id,
    "file",
    each.map((n) => said(callOf(n), at(n))),
    { failure: LOST },
  );
  await sync(
    world,
    bob.id,
    "first",
    each.map((n) => lotw(callOf(n), at(n))),
  );

  const preview = await previewCancel(world, orderFor(job));
  const { counts } = await cancelJob(world, orderFor(job));

  expect(preview.kept).toHaveLength(1_000);
  expect(preview.keptTotal).toBe(count);
  expect(counts.kept).toBe(count);
  expect(describeKept(preview, 20).at(-1)).toBe("… and 10 more values");
});

test.skipIf(ENGINE === "postgres")(
  "thousands of contacts are rolled back in the second thread without blocking the event loop",
  async () => {
    const world = await testWorld({ thread: true });
    const bob = await aUser(world, "bob");
    const count = isFull(import.meta) ? 20_000 : 6_000;
    const start = Date.UTC(2026, 0, 1);
    const records = Array.from({ length: count }, (_, n) => {
      const at = new Date(start + n * 600_000).toISOString();
      return said(callOf(n), `${at.slice(0, 10)} ${at.slice(11, 16)}`);
    });
    const job = await sync(world, bob.id, "file", records, { failure: LOST });
    await previewCancel(world, orderFor(job));
    let turns = 0;
    const watch = setInterval(() => void (turns += 1), 1);

    const { counts } = await cancelJob(world, orderFor(job));
    clearInterval(watch);

    expect(counts).toEqual({ deleted: count, restored: 0, kept: 0, later: [] });
    expect(await logOf(world, bob.id)).toEqual([]);
    expect(turns).toBeGreaterThan(10);
  },
  120_000,
);

/** Marks the job as failed after all its batches. */
const failAgain = async (world: TestWorld, job: SyncJob): Promise<SyncJob> => {
  await world.db.write(() => run`UPDATE sync_jobs SET status = 'failed' WHERE id = ${job.id}`);
  return world.db.read(() => syncJobs.get(job.userId, job.id));
};
