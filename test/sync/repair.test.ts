import { describe, expect, test } from "bun:test";
import { Awards } from "../../src/awards/book.ts";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { AWARD_IDS, type AwardId, type Slot } from "../../src/domain/awards/award.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { byOwner, type LogCaller } from "../../src/logbook/caller.ts";
import { previewRepair, repair } from "../../src/logbook/repairs.ts";
import type { RepairRequest } from "../../src/logbook/contract.ts";
import { listChanges } from "../../src/logbook/jobs.ts";
import { previewOfTakingBack, takeBack } from "../../src/logbook/job-actions.ts";
import * as repairTargets from "../../src/storage/jobs/repair-targets.ts";
import * as syncCursors from "../../src/storage/jobs/sync-cursors.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { run } from "../../src/storage/engine/unit.ts";
import { failOrphanedJobs } from "../../src/sync/job/finish.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { resumeRepairs } from "../../src/sync/repair/run.ts";
import { afterTest } from "../support/cleanup.ts";
import { aLog } from "../support/log-generator.ts";
import { asFile, asFirst } from "../support/log-records.ts";
import { contentOf, logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

const aDesk = async () => {
  const world = await testWorld();
  const user = await aUser(world, "bob");
  const runner = new SyncRunner(world, 4);
  afterTest(() => runner.stop());
  const bob: LogCaller = byOwner({ id: user.id, username: "bob" });
  const desk = { ...world, runner };
  return {
    world,
    bob,
    desk,
    runner,
    load: (records: readonly AdifRecord[]) => sync(world, bob.owner.id, "file", records, { runner }),
    mended: async (request: RepairRequest) => {
      const { job } = await repair(desk, bob, request);
      return (await runner.end(job.id))!;
    },
    undone: (jobId: number) => takeBack(world, bob, { jobId, undo: true }),
    log: () => logOf(world, bob.owner.id),
  };
};

const contactOf = async ({ log }: Awaited<ReturnType<typeof aDesk>>, call: string) =>
  (await log()).find((qso) => qso.call === call)!;

const refusalOf = (asked: Promise<unknown>): Promise<AppError | null> =>
  asked.then(
    () => null,
    (error: unknown) => error as AppError,
  );

describe("a bulk edit", () => {
  test("sets and clears fields of the selected contacts only, and undoing it restores the log", async () => {
    const desk = await aDesk();
    await desk.load([
      said("K1AAA", "2026-07-01 10:00", { GRIDSQUARE: "FN42", NAME: "Ann", STATION_CALLSIGN: "YU1OLD" }),
      said("K2BBB", "2026-07-01 11:00", { GRIDSQUARE: "FN31", STATION_CALLSIGN: "YU1OLD" }),
      said("K3CCC", "2026-07-01 12:00", { GRIDSQUARE: "FN20" }),
    ]);
    await sync(desk.world, desk.bob.owner.id, "first", [
      lotw("K1AAA", "2026-07-01 10:00", { GRIDSQUARE: "FN42aa", STATION_CALLSIGN: "YU1OLD" }),
    ]);
    const before = await desk.log();

    const job = await desk.mended({
      filter: { station: "YU1OLD" },
      set: { stationCallsign: "yu1new", ownGrid: "kn04fr", MY_RIG: "K3" },
      clear: ["gridsquare"],
    });

    expect(job).toMatchObject({ source: "repair", status: "completed", stats: { fetched: 2, updated: 2, deleted: 0 } });
    const [one, two, three] = await desk.log();
    for (const qso of [one!, two!]) {
      expect(qso).toMatchObject({ stationCallsign: "YU1NEW", ownGrid: "KN04FR", gridsquare: null });
      expect(qso.own?.typed).toMatchObject({ MY_RIG: "K3" });
    }
    expect(one).toMatchObject({ name: "Ann", firstConfirmed: true, firstGrids: "FN42" });
    expect(three).toEqual(before[2]!);

    expect((await desk.undone(job.id)).rollback).toMatchObject({ deleted: 0, restored: 2, kept: 0 });
    expect(await desk.log()).toEqual(before);
  });

  test("shifts times, follows the frequency, and swaps FT8 and FT4 where that makes sense", async () => {
    const desk = await aDesk();
    await desk.load([
      said("K1AAA", "2026-07-01 23:30", { TIME_OFF: "2335", BAND: "20m", FREQ: "7.074" }),
      said("K2BBB", "2026-07-01 11:00:20", { MODE: "MFSK", SUBMODE: "FT4" }),
      said("K3CCC", "2026-07-01 12:00", { MODE: "CW" }),
    ]);
    const before = await desk.log();

    const moved = await desk.mended({ filter: {}, shiftMinutes: 60, byFrequency: true, ftModes: "swap" });

    expect(await contactOf(desk, "K1AAA")).toMatchObject({
      startedAt: Date.UTC(2026, 6, 2, 0, 30),
      endedAt: Date.UTC(2026, 6, 2, 0, 35),
      band: "40m",
      freqHz: 7_074_000,
      mode: "MFSK",
      submode: "FT4",
    });
    expect(await contactOf(desk, "K2BBB")).toMatchObject({
      startedAt: Date.UTC(2026, 6, 1, 12, 0, 20),
      mode: "FT8",
      submode: null,
      band: "20m",
    });
    expect(await contactOf(desk, "K3CCC")).toMatchObject({ mode: "CW", band: "20m" });
    await desk.undone(moved.id);
    expect(await desk.log()).toEqual(before);
  });

  test("sets FT8 or FT4 as a service has it, and leaves the others", async () => {
    const desk = await aDesk();
    await desk.load([said("K1AAA", "2026-07-01 10:00"), said("K2BBB", "2026-07-01 11:00")]);
    await sync(desk.world, desk.bob.owner.id, "first", [
      lotw("K1AAA", "2026-07-01 10:00", { MODE: "MFSK", SUBMODE: "FT4" }),
      lotw("K2BBB", "2026-07-01 11:00", { MODE: "FT8" }),
    ]);

    const job = await desk.mended({ filter: { confirmation: "first" }, ftModes: "service" });

    expect(job.stats).toMatchObject({ updated: 1, unchanged: 1 });
    expect(await contactOf(desk, "K1AAA")).toMatchObject({ mode: "MFSK", submode: "FT4" });
    expect(await contactOf(desk, "K2BBB")).toMatchObject({ mode: "FT8" });
  });

  test("corrects swapped band and frequency", async () => {
    const desk = await aDesk();
    await desk.load([said("K1AAA", "2026-07-01 10:00", { BAND: "14.076", FREQ: "20m" })]);
    expect(await contactOf(desk, "K1AAA")).toMatchObject({ band: null });

    await desk.mended({ filter: { call: "K1AAA" }, byFrequency: true });

    expect(await contactOf(desk, "K1AAA")).toMatchObject({ band: "20m", freqHz: 14_076_000 });
  });

  test("deletes; no service restores the contacts, but undoing does, with ids and the services' values", async () => {
    const desk = await aDesk();
    const { world, bob } = desk;
    await desk.load([said("K1AAA", "2026-07-01 10:00"), said("K2BBB", "2026-07-01 11:00")]);
    await sync(world, bob.owner.id, "first", [lotw("K1AAA", "2026-07-01 10:00")]);
    const before = await desk.log();

    const job = await desk.mended({ filter: { call: "K1*" }, delete: true });

    expect(job.stats).toMatchObject({ fetched: 1, deleted: 1 });
    expect(await desk.log()).toEqual([before[1]!]);
    const later = await sync(world, bob.owner.id, "first", [lotw("K1AAA", "2026-07-01 10:00", { STATE: "MA" })]);
    expect(later.reasons.deleted).toBe(1);
    expect(await desk.log()).toHaveLength(1);
    const { changes } = await listChanges(world, bob, job.id, {});
    expect(changes).toMatchObject([{ kind: "deleted", after: null, before: { call: "K1AAA" } }]);

    const preview = await previewOfTakingBack(world, bob, { jobId: job.id, undo: true });
    expect(preview).toMatchObject({ deleted: 0, restored: 1 });
    await desk.undone(job.id);

    expect(await desk.log()).toEqual(before);
    const again = await sync(world, bob.owner.id, "first", [lotw("K1AAA", "2026-07-01 10:00", { STATE: "MA" })]);
    expect(again.stats).toMatchObject({ updated: 1, added: 0 });
  });

  test("is undone after later syncs and edits, whose values stay", async () => {
    const desk = await aDesk();
    const { world, bob } = desk;
    await desk.load([said("K1AAA", "2026-07-01 10:00", { NAME: "Ann" })]);
    const job = await desk.mended({ filter: {}, set: { name: "Zoe", qth: "Nis" } });
    await sync(world, bob.owner.id, "first", [lotw("K1AAA", "2026-07-01 10:00", { STATE: "MA", DXCC: "291" })]);
    await sync(world, bob.owner.id, "second", [qrz(7, "K1AAA", "2026-07-01 10:00", { COMMENT: "73" })]);
    const { job: second } = await repair(desk.desk, bob, { filter: {}, set: { qth: "Pirot" } });
    await desk.runner.end(second.id);

    await desk.undone(job.id);

    expect(await contactOf(desk, "K1AAA")).toMatchObject({
      name: "Ann",
      qth: "Pirot",
      state: "MA",
      firstConfirmed: true,
      comment: "73",
    });
  });

  test("removes the records of one service, resets its cursor, and keeps other sources", async () => {
    const desk = await aDesk();
    const { world, bob } = desk;
    await desk.load([said("K1AAA", "2026-07-01 10:00")]);
    const wrong = [lotw("K1AAA", "2026-07-01 10:00"), lotw("K9XXX", "2026-07-01 15:00")];
    await sync(world, bob.owner.id, "first", wrong, { cursor: { qso: "2026-07-02", qsl: "2026-07-02" } });
    await sync(world, bob.owner.id, "second", [qrz(7, "K1AAA", "2026-07-01 10:00", { COMMENT: "73" })]);
    const before = await desk.log();
    expect(before).toHaveLength(2);

    const job = await desk.mended({ filter: {}, takeOut: "first" });

    expect(job.stats).toMatchObject({ updated: 1, deleted: 1 });
    expect(await desk.log()).toMatchObject([{ call: "K1AAA", first: null, firstConfirmed: false, comment: "73" }]);
    expect(await world.db.read(() => syncCursors.find(bob.owner.id, "first"))).toBeNull();
    await desk.undone(job.id);
    expect(await desk.log()).toEqual(before);
    expect((await sync(world, bob.owner.id, "first", wrong)).stats).toMatchObject({ added: 0, unchanged: 2 });
  });

  test("reports everything that is wrong", async () => {
    const { desk, bob } = await aDesk();
    const asked = (request: RepairRequest) => refusalOf(repair(desk, bob, request));

    expect(await asked({ filter: {} })).toMatchObject({ code: "invalid" });
    expect(await asked({ filter: { band: "21m" }, delete: true })).toMatchObject({ code: "invalid" });
    expect(await asked({ filter: {}, delete: true, shiftMinutes: 5 })).toMatchObject({ code: "invalid" });
    expect((await asked({ filter: {}, clear: ["call", "nonsense"], set: { state: "?!" } }))?.fields).toHaveLength(3);
    expect(await asked({ filter: {}, ftModes: "both", takeOut: "third" })).toMatchObject({ code: "invalid" });
  });

  test("skips contacts where the change makes no sense, with the reason", async () => {
    const desk = await aDesk();
    await desk.load([said("K1AAA", "2026-08-01 11:00"), said("K2BBB", "2026-07-01 11:00")]);

    const { preview } = await previewRepair(desk.world, desk.bob, { filter: {}, shiftMinutes: 3 * 24 * 60 });
    const job = await desk.mended({ filter: {}, shiftMinutes: 3 * 24 * 60 });

    expect(preview).toMatchObject({ chosen: 2, changed: 1, refused: [{ contacts: 1 }] });
    expect(job.stats).toMatchObject({ updated: 1, rejected: 1 });
  });
});

describe("the preview of a bulk edit", () => {
  test("counts what the bulk edit then does, with ten examples and the gains and losses of awards, and writes nothing", async () => {
    const desk = await aDesk();
    const { world, bob } = desk;
    const many = Array.from({ length: 12 }, (_, n) =>
      said(`K1AA${String.fromCharCode(65 + n)}`, `2026-07-01 10:${10 + n}`),
    );
    await desk.load([
      ...many,
      said("DL1ABC", "2026-07-02 10:00", { DXCC: "230" }),
      said("F5XYZ", "2026-07-02 11:00", { DXCC: "227", BAND: "15m" }),
    ]);
    await sync(world, bob.owner.id, "first", [lotw("F5XYZ", "2026-07-02 11:00", { DXCC: "227", BAND: "15m" })]);
    const before = await desk.log();
    const book = () => new Awards(world).detail(bob.owner.id, "dxcc");
    const slotsBefore = await book();
    const request: RepairRequest = { filter: { from: "2026-07-02" }, set: { dxcc: 281 } };

    const { preview } = await previewRepair(world, bob, request);
    expect(await desk.log()).toEqual(before);
    const job = await desk.mended(request);
    const slotsAfter = await book();

    expect(preview).toMatchObject({ chosen: 2, changed: 2, deleted: 0, unchanged: 0, refused: [] });
    expect(job.stats).toMatchObject({ fetched: 2, updated: 2 });
    const dxcc = preview.awards.find(({ id }) => id === "dxcc")!;
    const worked = ({ slots }: typeof slotsBefore) => slots.filter((slot) => slot.worked).map(({ label }) => label);
    const lost = worked(slotsBefore).filter((label) => !worked(slotsAfter).includes(label));
    expect(dxcc.worked).toEqual({ gained: ["Spain"], lost });
    expect(lost).toEqual(["France", "Germany"]);
    expect(dxcc.confirmed).toEqual({ gained: [], lost: [] });
    const all = await previewRepair(world, bob, { filter: {}, delete: true });
    expect(all.preview).toMatchObject({ deleted: 14, chosen: 14 });
    expect(all.preview.examples).toHaveLength(10);
    expect(all.preview.awards.find(({ id }) => id === "dxcc")!.confirmed).toEqual({ gained: [], lost: ["France"] });
  });
});

describe("the changes of awards by a bulk edit", () => {
  const request: RepairRequest[] = [
    { filter: { band: "20m" }, set: { dxcc: 281 } },
    { filter: { from: "2015-01-01" }, delete: true },
    { filter: { to: "2010-01-01" }, set: { band: "6m" } },
    { filter: { mode: "CW" }, delete: true },
    { filter: {}, set: { gridsquare: "JN55" } },
  ];
  test.each(request)("are those of its preview: %j", async (wish) => {
    const desk = await aDesk();
    const { world, bob } = desk;
    const neighbour = await aUser(world, "neighbour");
    const log = [...aLog({ contacts: 300, seed: 7 })];
    // The ids of two logs are interleaved.
    for (let at = 0; at < log.length; at += 60) {
      await desk.load(log.slice(at, at + 60).map(asFile));
      await sync(world, neighbour.id, "file", log.slice(at, at + 40).map(asFile));
    }
    await sync(world, bob.owner.id, "first", log.filter(({ isConfirmedByFirst }) => isConfirmedByFirst).map(asFirst));
    const before = await standings(world, bob.owner.id);

    const { preview } = await previewRepair(world, bob, wish);
    expect(preview.changed + preview.deleted).toBeGreaterThan(20);
    await desk.mended(wish);
    const after = await standings(world, bob.owner.id);

    const differences = AWARD_IDS.map((id) => ({
      id,
      worked: between(before[id].worked, after[id].worked),
      confirmed: between(before[id].confirmed, after[id].confirmed),
    }));
    const changed = differences.filter(({ worked, confirmed }) =>
      [worked, confirmed].some(({ gained, lost }) => gained.length + lost.length > 0),
    );
    expect(changed.length).toBeGreaterThan(0);
    expect(preview.awards.map(({ label: _, ...award }) => award)).toEqual(changed);
  });

  const standings = async (world: TestWorld, userId: number) => {
    const book = new Awards(world);
    const all = {} as Record<AwardId, Record<"worked" | "confirmed", Set<string>>>;
    for (const id of AWARD_IDS) {
      const { slots } = await book.detail(userId, id);
      const names = (those: Slot[]) =>
        new Set(those.map(({ label, band, group }) => ((band ?? group) ? `${label} (${band ?? group})` : label)));
      all[id] = {
        worked: names(slots.filter(({ worked }) => worked)),
        confirmed: names(slots.filter(({ confirmed }) => confirmed)),
      };
    }
    return all;
  };

  const between = (before: Set<string>, after: Set<string>) => ({
    gained: [...after.difference(before)].sort(),
    lost: [...before.difference(after)].sort(),
  });
});

describe("a bulk edit of many contacts", () => {
  const many = Array.from({ length: 300 }, (_, n) => {
    const [hour, minute] = [10 + Math.floor(n / 60), n % 60];
    return said(
      `K${n % 10}A${String.fromCharCode(65 + (n % 26))}`,
      `2026-07-01 ${hour}:${String(minute).padStart(2, "0")}`,
    );
  });

  // Invariant: a bulk edit continues after a crash and is undone completely
  test("that was interrupted continues and changes each contact once", async () => {
    const desk = await aDesk();
    const { world, bob, runner } = desk;
    await desk.load(many);
    const before = await contentOf(world, bob.owner.id);
    const other = new SyncRunner({ ...world, underWay: world.underWay }, 1);
    const held = Promise.withResolvers<void>();
    const stuck = { ...desk.desk, runner: other, turn: () => held.promise };
    const { job } = await repair(stuck, bob, { filter: {}, set: { qth: "Nis" } });
    const isPartDone = async () => {
      const { length } = await world.db.read(() => repairTargets.next(job.id, 400));
      return length > 0 && length < 300;
    };
    while (!(await isPartDone())) await Bun.sleep(1);
    // The job goes on only after it was told to stop.
    const { underWay } = world;
    const interruptAll = underWay.interruptAll.bind(underWay);
    underWay.interruptAll = () => (interruptAll(), held.resolve());
    await other.stop();

    const left = await world.db.read(() => syncJobs.get(bob.owner.id, job.id));
    expect(left).toMatchObject({ status: "pending", progress: { total: 300 } });
    expect(left.progress!.done).toBeLessThan(300);
    const [resumed] = await resumeRepairs(world, runner);
    expect(resumed?.id).toBe(job.id);
    const ended = await runner.end(job.id);

    expect(ended).toMatchObject({ status: "completed", stats: { fetched: 300, updated: 300 } });
    expect((await desk.log()).every(({ qth }) => qth === "Nis")).toBe(true);
    const { changes } = await listChanges(world, bob, job.id, { limit: 500 });
    expect(new Set(changes.map(({ qsoId }) => qsoId)).size).toBe(300);
    expect(changes).toHaveLength(300);
    await desk.undone(job.id);
    expect(await contentOf(world, bob.owner.id)).toEqual(before);
  });

  test("survives its dead worker and waits for the next", async () => {
    const desk = await aDesk();
    const { world, bob } = desk;
    await desk.load(many.slice(0, 5));
    const job = await world.db.write(() =>
      syncJobs.create(
        {
          userId: bob.owner.id,
          source: "repair",
          trigger: "manual",
          options: { repair: { choice: { filter: {} }, change: { kind: "delete" } } },
        },
        world.clock(),
      ),
    );
    await world.db.write(() => run`UPDATE sync_jobs SET status = 'running' WHERE id = ${job.id}`);

    await world.db.write(() => failOrphanedJobs([], world.clock()));
    await resumeRepairs(world, desk.runner);

    expect(await desk.runner.end(job.id)).toMatchObject({ status: "completed", stats: { deleted: 5 } });
    expect(await desk.log()).toEqual([]);
  });
});
