import { describe, expect, test } from "bun:test";
import { addQso, deleteQso, editQso } from "../../src/contacts/edit.ts";
import type { TypedQso } from "../../src/contacts/fields.ts";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { listDuplicates, merge } from "../../src/logbook/duplicates.ts";
import { feed } from "../../src/logbook/feeds.ts";
import { byOwner, type LogCaller } from "../../src/logbook/caller.ts";
import { repair } from "../../src/logbook/repairs.ts";
import { takeBack } from "../../src/logbook/job-actions.ts";
import { run } from "../../src/storage/engine/unit.ts";
import { Feeds } from "../../src/sync/feed/feeds.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { afterTest } from "../support/cleanup.ts";
import { logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";

const aLog = async () => {
  const world = await testWorld();
  const user = await aUser(world, "bob");
  const runner = new SyncRunner(world, 2);
  afterTest(() => runner.stop());
  const bob: LogCaller = byOwner({ id: user.id, username: "bob" });
  const log = () => logOf(world, bob.owner.id);
  const load = async (...records: AdifRecord[]) => (await sync(world, bob.owner.id, "file", records)).stats;
  const undo = (jobId: number) => takeBack(world, bob, { jobId, undo: true });
  const mergeAll = async () => {
    const desk = { ...world, runner };
    const { groups } = await listDuplicates(desk, bob, {});
    const { job } = await merge(desk, bob, { qsoId: groups[0]!.contacts[0]!.id });
    await runner.end(job.id);
    return job.id;
  };
  return { world, bob, log, load, undo, mergeAll };
};

type Log = Awaited<ReturnType<typeof aLog>>;

const rollBack = (world: Log["world"], bob: LogCaller, jobId: number) => takeBack(world, bob, { jobId });

const OF_QRZ = said("K1A", "2026-07-01 10:00", { STATE: "WI", GRIDSQUARE: "FN20" });
const OF_LOGGER = said("K1A", "2026-07-01 10:00", { STATE: "IL", GRIDSQUARE: "EN52", NAME: "Al" });
const NOTHING_NEW = { added: 0, updated: 0, unchanged: 1 };

// Invariant: repeating an import changes nothing
test("importing the files of two programs again and again changes nothing after the first import of both", async () => {
  const { log, load } = await aLog();
  await load(OF_QRZ);
  await load(OF_LOGGER);
  const before = await log();

  for (const record of [OF_QRZ, OF_LOGGER, OF_QRZ]) expect(await load(record)).toMatchObject(NOTHING_NEW);

  expect(await log()).toEqual(before);
});

// Invariant: repeating an import changes nothing
test.each<[string, TypedQso]>([
  ["time", { startedAt: "2026-07-01T11:00Z" }],
  ["call", { call: "K1AB" }],
  ["band", { band: "40m" }],
  ["mode", { mode: "CW" }],
])("a contact whose %s was corrected is known when its file comes again, with a field more too", async (_, typed) => {
  const { world, bob, log, load } = await aLog();
  await load(OF_QRZ);
  await editQso(world, bob.owner.id, (await log())[0]!.id, typed, await world.callFacts());
  const before = await log();

  expect(await load(OF_QRZ)).toMatchObject(NOTHING_NEW);
  expect(await log()).toEqual(before);
  await load({ fields: { ...OF_QRZ.fields, COMMENT: "exported today" } });
  expect(await log()).toMatchObject([{ comment: "exported today", call: before[0]!.call, band: before[0]!.band }]);
});

test("an import is undone exactly even if an earlier one was repeated", async () => {
  const { world, bob, log, load, undo } = await aLog();
  await load(OF_QRZ);
  await load(OF_QRZ);
  const before = await log();
  const { id } = await sync(world, bob.owner.id, "file", [
    said("K1A", "2026-07-01 10:00", { NAME: "Al", QSL_RCVD: "Y" }),
  ]);
  expect((await log())[0]).toMatchObject({ name: "Al", cardConfirmed: true });

  await undo(id);

  expect(await log()).toEqual(before);
});

test.each<[string, (of: Log) => Promise<unknown>]>([
  ["by a file", ({ load }) => load(OF_QRZ)],
  [
    "by hand",
    async ({ world, bob }) => {
      const typed = { call: "K1A", startedAt: "2026-07-01T10:00Z", band: "20m", mode: "FT8" };
      await addQso(world, bob.owner.id, typed, await world.callFacts());
    },
  ],
  [
    "by a logging program that has not named it before",
    ({ world, bob }) => {
      const told = [{ kind: "contact" as const, name: "one", fields: OF_QRZ.fields }];
      return feed({ ...world, feeds: new Feeds(world) }, bob, { client: "n1mm", told });
    },
  ],
])("a deleted contact that is added again %s has its confirmations, including later ones", async (_, addAgain) => {
  const of = await aLog();
  const { world, bob, log, load } = of;
  await load(OF_QRZ);
  await sync(world, bob.owner.id, "first", [lotw("K1A", "2026-07-01 10:00")]);
  await deleteQso(world, bob.owner.id, (await log())[0]!.id);
  await sync(world, bob.owner.id, "second", [qrz(7, "K1A", "2026-07-01 10:00", { APP_QRZLOG_STATUS: "C" })]);
  expect(await log()).toEqual([]);

  await addAgain(of);

  expect(await log()).toMatchObject([{ firstConfirmed: true, secondConfirmed: true, secondId: "7" }]);
});

test("a confirmation from a failed sync that a completed one repeated is there when a deleted contact returns", async () => {
  const { world, bob, log, load } = await aLog();
  const confirmed = qrz(7, "K1A", "2026-07-01 10:00", { APP_QRZLOG_STATUS: "C" });
  await load(OF_QRZ);
  await deleteQso(world, bob.owner.id, (await log())[0]!.id);
  const { id } = await sync(world, bob.owner.id, "second", [confirmed]);
  await world.db.write(() => run`UPDATE sync_jobs SET status = 'failed' WHERE id = ${id}`);
  await sync(world, bob.owner.id, "second", [confirmed]);

  await load(OF_QRZ);

  expect(await log()).toMatchObject([{ secondConfirmed: true }]);
});

test("a contact that was merged and then deleted returns with its file, and another exchange is another contact", async () => {
  const { world, bob, log, load, mergeAll } = await aLog();
  const [one, other] = ["10:00:10", "10:00:40"].map((time) => said("K8A", `2026-07-01 ${time}`, { SRX: "5" }));
  await load(one!);
  await load(other!);
  await mergeAll();
  expect(await load(one!)).toMatchObject(NOTHING_NEW);
  expect(await load(said("K8A", "2026-07-01 10:00:20", { SRX: "99" }))).toMatchObject({ updated: 0, unchanged: 0 });
  const merged = (await log())[0]!;

  await deleteQso(world, bob.owner.id, merged.id);
  const left = (await log()).length;

  expect(await load(one!)).toMatchObject({ added: 1 });
  expect(await log()).toHaveLength(left + 1);
});

test("undoing the import of one of two merged contacts removes only its record", async () => {
  const { world, bob, log, load, undo, mergeAll } = await aLog();
  const job = await sync(world, bob.owner.id, "file", [said("K8A", "2026-07-01 10:00:10", { COMMENT: "one" })]);
  await load(said("K8A", "2026-07-01 10:00:40", { COMMENT: "two" }));
  await mergeAll();

  await undo(job.id);

  expect(await log()).toMatchObject([{ call: "K8A", comment: "two" }]);
});

describe("values of a rolled back job do not return", () => {
  const setQth = async ({ world, bob }: Log, qth: string) => {
    const runner = new SyncRunner(world, 2);
    afterTest(() => runner.stop());
    const { job } = await repair({ ...world, runner } as never, bob, { filter: {}, set: { qth } });
    await runner.end(job.id);
    return job.id;
  };

  test("when two bulk edits are undone, older first", async () => {
    const of = await aLog();
    await of.load(OF_QRZ);
    const [oslo, bergen] = [await setQth(of, "Oslo"), await setQth(of, "Bergen")];

    await of.undo(oslo);
    expect(await of.log()).toMatchObject([{ qth: "Bergen" }]);
    await of.undo(bergen);

    expect(await of.log()).toMatchObject([{ qth: null, own: { file: OF_QRZ } }]);
  });

  test("when a value was removed by typing in between", async () => {
    const of = await aLog();
    await of.load(OF_QRZ);
    const first = await setQth(of, "Oslo");
    await editQso(of.world, of.bob.owner.id, (await of.log())[0]!.id, { qth: "Bergen" }, await of.world.callFacts());
    const second = await setQth(of, "Oslo");

    await of.undo(first);
    expect(await of.log()).toMatchObject([{ qth: "Oslo" }]);
    await of.undo(second);

    expect(await of.log()).toMatchObject([{ qth: "Bergen" }]);
  });

  test("when two failed syncs are rolled back, older first, and the later sync counts", async () => {
    const { world, bob, log, load } = await aLog();
    const failing = async (more: Record<string, string>) =>
      (
        await sync(world, bob.owner.id, "second", [qrz(7, "K1A", "2026-07-01 10:00", more)], {
          failure: new Error("lost"),
        })
      ).id;
    await load(OF_LOGGER);
    const first = await failing({ QTH: "Oslo" });
    const second = await failing({ QTH: "Bergen" });
    await rollBack(world, bob, first);
    expect(await log()).toMatchObject([{ qth: null, second: null }]);
    await sync(world, bob.owner.id, "second", [qrz(7, "K1A", "2026-07-01 10:00", { QTH: "Bodø" })]);

    await rollBack(world, bob, second);

    expect(await log()).toMatchObject([{ qth: "Bodø" }]);
  });

  test("with a deleted contact that is restored after the rollback", async () => {
    const { world, bob, log, load, undo } = await aLog();
    await load(OF_QRZ);
    const before = await log();
    const file = await sync(world, bob.owner.id, "file", [said("K1A", "2026-07-01 10:00", { NAME: "Al" })]);
    const failed = await sync(world, bob.owner.id, "first", [lotw("K1A", "2026-07-01 10:00")], {
      failure: new Error("lost"),
    });
    expect(await log()).toMatchObject([{ name: "Al", firstConfirmed: true }]);
    const runner = new SyncRunner(world, 2);
    afterTest(() => runner.stop());
    const { job } = await repair({ ...world, runner } as never, bob, { filter: {}, delete: true });
    await runner.end(job.id);
    await undo(file.id);
    await rollBack(world, bob, failed.id);

    await undo(job.id);

    expect((await log()).map(({ updatedAt: _, ...rest }) => rest)).toEqual(
      before.map(({ updatedAt: _, ...rest }) => rest),
    );
  });
});
