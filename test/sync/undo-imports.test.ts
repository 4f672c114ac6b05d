import { describe, expect, test } from "bun:test";
import type { Fields } from "../../src/domain/contact/adif-record.ts";
import { DAY } from "../../src/kernel/clock.ts";
import { listDuplicates, merge } from "../../src/logbook/duplicates.ts";
import { feed } from "../../src/logbook/feeds.ts";
import { byOwner, type LogCaller } from "../../src/logbook/caller.ts";
import { deleteQso } from "../../src/contacts/edit.ts";
import { repair } from "../../src/logbook/repairs.ts";
import { takeBack } from "../../src/logbook/job-actions.ts";
import * as qsoChanges from "../../src/storage/log/qso-changes.ts";
import { one } from "../../src/storage/engine/unit.ts";
import { Feeds } from "../../src/sync/feed/feeds.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { prune } from "../../src/upkeep/prune.ts";
import { afterTest } from "../support/cleanup.ts";
import { logOf, said, sync } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";

const AT = "2026-07-18 01:43";

const aLog = async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  const runner = new SyncRunner(world, 2);
  afterTest(() => runner.stop());
  const bob: LogCaller = byOwner({ id, username: "bob" });
  const desk = { ...world, runner };
  const feeds = new Feeds(world);
  const done = async ({ id: jobId }: { id: number }) => {
    await runner.end(jobId);
    return jobId;
  };
  /** Imports a file with one record and returns the job's id. */
  const load = async (more: Fields, at = AT): Promise<number> => {
    world.clock.advance(60_000);
    return (await sync(world, bob.owner.id, "file", [said("K1A", at, more)])).id;
  };
  return {
    world,
    bob,
    load,
    log: () => logOf(world, bob.owner.id),
    undo: (jobId: number) => takeBack(world, bob, { jobId, undo: true }),
    told: async (kind: "contact" | "edit", more: Fields) => {
      world.clock.advance(DAY);
      const { fields } = said("K1A", AT, more);
      return (await feed({ ...world, feeds }, bob, { client: "n1mm", told: [{ kind, name: "1", fields }] })).jobId!;
    },
    mergeAll: async () => {
      const { groups } = await listDuplicates(desk, bob, {});
      return done((await merge(desk, bob, { qsoId: groups[0]!.contacts[0]!.id })).job);
    },
    deleteAll: async () => done((await repair(desk as never, bob, { filter: {}, delete: true })).job),
    records: () =>
      world.db.read(() => one<{ n: number }>`SELECT CAST(count(*) AS BIGINT) AS n FROM records`).then(({ n }) => n),
  };
};

type Log = Awaited<ReturnType<typeof aLog>>;

/** The file values of each contact. */
const words = async ({ log }: Log): Promise<Fields[]> => (await log()).map(({ own }) => own?.file?.fields ?? {});

/** The file values if only these files are imported. */
const wordsOfOnly = async (...files: Fields[]): Promise<Fields[]> => {
  const alone = await aLog();
  for (const more of files) await alone.load(more);
  return words(alone);
};

const [OSLO, BERGEN, ANN] = [{ QTH: "Oslo" }, { QTH: "Bergen" }, { NAME: "Ann" }];

test("an undo that somebody else asks for changes the owner's log and names who asked", async () => {
  const { world, bob, load, log } = await aLog();
  const eve = await aUser(world, "eve");
  const jobId = await load(OSLO);

  const { job } = await takeBack(world, { owner: bob.owner, by: eve }, { jobId, undo: true });

  expect([job.userId, job.rolledBackBy]).toEqual([bob.owner.id, eve.id]);
  expect(await log()).toEqual([]);
});

describe("undoing an import leaves exactly what the others said", () => {
  test.each<[string, Fields[], number]>([
    ["of two that say the same value, the older one", [{ ...OSLO, ...ANN }, OSLO], 0],
    ["of two that say the same value, the newer one", [OSLO, { ...OSLO, ...ANN }], 1],
    ["of two of which the newer says less, the newer one", [{ ...OSLO, ...ANN }, OSLO], 1],
    ["of two that contradict each other, the older one", [{ ...OSLO, ...ANN }, BERGEN], 0],
    ["of two that contradict each other, the newer one", [OSLO, { ...BERGEN, ...ANN }], 1],
    ["of three, the one in the middle", [OSLO, { ...BERGEN, ...ANN, QSL_RCVD: "Y" }, { QTH: "Paris" }], 1],
    ["of three, the oldest one, whose value the newest repeats", [OSLO, BERGEN, { ...OSLO, ...ANN }], 0],
    ["of three that say the same, the one in the middle", [OSLO, { ...OSLO, ...ANN }, { ...OSLO, COMMENT: "x" }], 1],
  ])("%s", async (_, files, undone) => {
    const of = await aLog();
    const jobs: number[] = [];
    for (const more of files) jobs.push(await of.load(more));

    await of.undo(jobs[undone]!);

    expect(await words(of)).toEqual(await wordsOfOnly(...files.filter((_, at) => at !== undone)));
  });

  test("in any order, until the last one removes the contact", async () => {
    const files = [OSLO, { ...OSLO, ...ANN }, BERGEN];
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [2, 1, 0],
    ]) {
      const of = await aLog();
      const jobs: number[] = [];
      for (const more of files) jobs.push(await of.load(more));
      const left = new Set(files);
      for (const at of order) {
        await of.undo(jobs[at]!);
        left.delete(files[at]!);
        expect(await words(of)).toEqual(await wordsOfOnly(...left));
      }
    }
  });

  test("of a file and of a logging program", async () => {
    const of = await aLog();
    const file = await of.load({ ...OSLO, ...ANN });
    const fed = await of.told("contact", { ...OSLO, COMMENT: "fed" });

    await of.undo(file);
    expect((await words(of))[0]).toMatchObject({ ...OSLO, COMMENT: "fed" });
    expect((await words(of))[0]).not.toHaveProperty("NAME");
    await of.undo(fed);

    expect(await of.log()).toEqual([]);
  });

  test("of a logging program that corrected itself: its former values return", async () => {
    const of = await aLog();
    const file = await of.load({ ...ANN, QTH: "Paris" });
    await of.told("contact", OSLO);
    const corrected = await of.told("edit", { ...BERGEN, COMMENT: "" });
    expect((await words(of))[0]).toMatchObject({ ...ANN, ...BERGEN });

    await of.undo(corrected);
    expect((await words(of))[0]).toMatchObject({ ...ANN, ...OSLO });
    await of.undo(file);

    expect((await words(of))[0]).toMatchObject(OSLO);
    expect((await words(of))[0]).not.toHaveProperty("NAME");
  });

  test("of a logging program that corrected itself twice: the newest correction counts", async () => {
    const of = await aLog();
    await of.told("contact", { ...OSLO, ...ANN });
    const first = await of.told("edit", BERGEN);
    const second = await of.told("edit", { QTH: "Paris", NAME: "" });

    await of.undo(first);
    expect((await words(of))[0]).toMatchObject({ QTH: "Paris" });
    expect((await words(of))[0]).not.toHaveProperty("NAME");
    await of.undo(second);

    expect((await words(of))[0]).toMatchObject({ ...OSLO, ...ANN });
  });

  test("of one file that two programs wrote: either record stays without the other", async () => {
    const of = await aLog();
    const [first, second] = [
      { ...OSLO, APP_FIRST_ID: "7" },
      { ...OSLO, APP_SECOND_ID: "8" },
    ];
    const one = await of.load(first);
    await of.load(second);
    expect(await of.records()).toBe(2);

    await of.undo(one);

    expect(await words(of)).toEqual(await wordsOfOnly(second));
  });

  test("after a merge, for either contact", async () => {
    const seconds = (more: Fields, second: string) => [{ SRX: "5", ...more }, `${AT}:${second}`] as const;
    for (const undone of [0, 1]) {
      const of = await aLog();
      const jobs = [
        await of.load(...seconds({ ...OSLO, COMMENT: "one" }, "10")),
        await of.load(...seconds({ ...OSLO, COMMENT: "two" }, "40")),
      ];
      const again = await of.load(...seconds({ ...OSLO, ...ANN }, "10"));
      const merged = await of.mergeAll();
      const before = await of.log();
      await of.undo(again);
      expect((await words(of))[0]).not.toHaveProperty("NAME");
      expect((await words(of))[0]).toMatchObject(OSLO);

      await of.undo(merged);
      expect(await of.log()).toHaveLength(2);
      await of.undo(jobs[undone]!);

      expect(before).toHaveLength(1);
      expect(await words(of)).toMatchObject([{ ...OSLO, COMMENT: ["two", "one"][undone]! }]);
    }
  });

  test("after the records of the older job were pruned", async () => {
    const of = await aLog();
    await of.load({ ...OSLO, ...ANN });
    of.world.clock.advance(91 * DAY);
    const newer = await of.load({ ...OSLO, COMMENT: "new" });
    expect(await prune(of.world, { olderThanMs: 90 * DAY })).toMatchObject({ jobs: 1 });

    await of.undo(newer);

    expect(await words(of)).toEqual(await wordsOfOnly({ ...OSLO, ...ANN }));
  });

  test("after pruning kept only the text of records that still count", async () => {
    const of = await aLog();
    const daily = (day: string) => of.load({ ...OSLO, APP_LOGGER_EXPORTED: day });
    for (const day of ["1", "2", "3"]) await daily(day);
    await of.load(ANN);
    of.world.clock.advance(91 * DAY);
    const newest = await of.load({ ...BERGEN, APP_LOGGER_EXPORTED: "4" });
    const said = (await of.log())[0]!.own!.file!;
    expect(said.parts).toHaveLength(5);

    expect(await prune(of.world, { olderThanMs: 90 * DAY })).toMatchObject({ jobs: 4 });

    const left = (await of.log())[0]!.own!.file!;
    expect(left.fields).toEqual(said.fields);
    expect(left.parts).toHaveLength(3);
    const rows = await of.records();
    await daily("1");
    expect(await of.records()).toBe(rows);
    await of.undo(newest);
    expect(await words(of)).toEqual(await wordsOfOnly({ ...OSLO, APP_LOGGER_EXPORTED: "3" }, ANN));
  });

  test("while the contact is deleted, which then returns with what is left", async () => {
    for (const undone of [0, 1]) {
      const of = await aLog();
      const files = [{ ...OSLO, ...ANN }, OSLO];
      const jobs = [await of.load(files[0]!), await of.load(files[1]!)];
      const deletion = await of.deleteAll();

      await of.undo(jobs[undone]!);
      await of.undo(deletion);

      expect(await words(of)).toEqual(await wordsOfOnly(files[1 - undone]!));
    }
  });
});

test("a deleted contact does not return when every import of it is undone", async () => {
  const of = await aLog();
  const jobs = [await of.load(OSLO), await of.load({ ...OSLO, ...ANN })];
  const deletion = await of.deleteAll();

  for (const job of jobs) await of.undo(job);
  await of.undo(deletion);

  expect(await of.log()).toEqual([]);
});

describe("a repeated record", () => {
  test("adds no row and stays until every import of it is undone", async () => {
    const of = await aLog();
    const one = await of.load(OSLO);
    const rows = await of.records();
    const again = await of.load(OSLO);
    expect(await of.records()).toBe(rows);

    await of.undo(one);
    expect(await words(of)).toEqual(await wordsOfOnly(OSLO));
    await of.load(ANN);
    await of.undo(again);

    expect(await words(of)).toEqual(await wordsOfOnly(ANN));
  });

  test("stays even if the contact was deleted when its first import was undone", async () => {
    const of = await aLog();
    const one = await of.load(OSLO);
    await of.load(OSLO);
    const deletion = await of.deleteAll();

    await of.undo(one);
    await of.undo(deletion);

    expect(await words(of)).toEqual(await wordsOfOnly(OSLO));
  });

  test("is recognised when its contact is deleted, and restores it", async () => {
    const of = await aLog();
    await of.load({ ...OSLO, ...ANN });
    await of.load(OSLO);
    await deleteQso(of.world, of.bob.owner.id, (await of.log())[0]!.id);

    await of.load(OSLO);

    expect(await words(of)).toEqual(await wordsOfOnly(OSLO));
  });
});

test("a record without new values is stored but is no visible change", async () => {
  const of = await aLog();
  await of.load({ ...OSLO, ...ANN });
  const before = await of.log();
  const silent = await sync(of.world, of.bob.owner.id, "file", [said("K1A", AT, OSLO)]);

  expect(silent.stats).toMatchObject({ updated: 0, unchanged: 1 });
  expect((await of.log())[0]!.updatedAt).toBe(before[0]!.updatedAt);
  expect((await of.world.db.read(() => qsoChanges.list(silent.id, { afterId: 0, limit: 10 }))).changes).toEqual([]);
  expect(await of.records()).toBe(2);
  expect(await of.undo(silent.id)).toMatchObject({ rollback: { deleted: 0, restored: 0, kept: 0 } });
  expect(await of.log()).toEqual(before);
});
