import { describe, expect, test } from "bun:test";
import { deleteQso } from "../../src/contacts/edit.ts";
import { byOwner, type LogCaller } from "../../src/logbook/caller.ts";
import { RECONCILE_CLASSES, type ReconcileClass } from "../../src/domain/jobs/reconcile.ts";
import { reconcile, settle } from "../../src/logbook/reconcile.ts";
import { takeBack } from "../../src/logbook/job-actions.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { afterTest } from "../support/cleanup.ts";
import { storeLog } from "../support/log-generator.ts";
import { logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";

const aDesk = async () => {
  const world = await testWorld();
  const user = await aUser(world, "bob");
  const runner = new SyncRunner(world, 2);
  afterTest(() => runner.stop());
  const bob: LogCaller = byOwner({ id: user.id, username: "bob" });
  return { world, bob, runner, desk: { ...world, runner } };
};

const day = (n: number, time = "10:00") => `2026-07-${String(n).padStart(2, "0")} ${time}`;

/** One contact of each class, with the records of each service. */
const planted = async ({ world, bob }: Awaited<ReturnType<typeof aDesk>>) => {
  const place = { DXCC: "291", STATE: "MA", CQZ: "5", GRIDSQUARE: "FN42" };
  await sync(world, bob.owner.id, "file", [
    said("K1ALL", day(1), place),
    said("K2LOTW", day(2)),
    said("K3QRZ", day(3)),
    said("K4NONE", day(4)),
    said("K5BAND", day(5), { ...place, MODE: "CW" }),
    said("K6FILE", day(6), { LOTW_QSL_RCVD: "Y", LOTW_QSLRDATE: "20260710", APP_QRZLOG_LOGID: "66" }),
    said("K7CALL", day(7)),
    said("K8GONE", day(8)),
    said("K9TWICE", day(9), { MODE: "CW" }),
    said("K9TWICE", day(9, "10:10"), { MODE: "CW" }),
  ]);
  await sync(world, bob.owner.id, "first", [
    lotw("K1ALL", day(1), place),
    lotw("K2LOTW", day(2)),
    lotw("K5BAND", day(5, "10:20"), { MODE: "CW", DXCC: "291", STATE: "CT", CQZ: "5", GRIDSQUARE: "FN31pr" }),
    lotw("K7CALL", day(7)),
    lotw("K8GONE", day(8)),
    lotw("K9TWICE", day(9, "10:05"), { MODE: "CW" }),
  ]);
  await sync(world, bob.owner.id, "second", [
    qrz(1, "K1ALL", day(1), place),
    qrz(3, "K3QRZ", day(3)),
    qrz(5, "K5BAND", day(5), { MODE: "CW", DXCC: "291", STATE: "MA" }),
    qrz(7, "K7CALL", day(7)),
  ]);
  const facts = await world.callFacts();
  const log = await logOf(world, bob.owner.id);
  const idOf = (call: string) => log.find((qso) => qso.call === call)!.id;
  await deleteQso(world, bob.owner.id, idOf("K8GONE"));
  const { editQso } = await import("../../src/contacts/edit.ts");
  await editQso(world, bob.owner.id, idOf("K7CALL"), { call: "K7CALM" }, facts);
};

const EXPECTED: Record<ReconcileClass, string[]> = {
  everywhere: ["K1ALL"],
  notAtFirst: ["K3QRZ", "K4NONE", "K9TWICE", "K9TWICE"],
  notAtSecond: ["K2LOTW", "K4NONE", "K9TWICE", "K9TWICE"],
  differs: ["K5BAND"],
  fileOnly: ["K6FILE"],
  otherCall: ["K7CALM"],
  deleted: ["K8GONE"],
  leftovers: ["K9TWICE"],
};

describe("a log compared with both services", () => {
  // Invariant: reconciling puts each contact into the right classes
  test("has every planted contact in exactly its classes", async () => {
    const line = await aDesk();
    const { bob, desk } = line;
    await planted(line);

    const { counts } = await reconcile(desk, bob, {});
    expect(counts).toEqual(
      Object.fromEntries(RECONCILE_CLASSES.map((name) => [name, EXPECTED[name].length])) as typeof counts,
    );
    for (const name of RECONCILE_CLASSES) {
      const calls: string[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await reconcile(desk, bob, { class: name, limit: 1, cursor });
        const rows = [
          ...page.contacts,
          ...page.deleted,
          ...page.leftovers.map(({ record }) => ({ call: record.CALL! })),
        ];
        expect(rows.length).toBeLessThanOrEqual(1);
        calls.push(...rows.map(({ call }) => call));
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
      expect([name, calls]).toEqual([name, EXPECTED[name]]);
    }
  });

  test("shows each origin's value, and whose value counts for which award", async () => {
    const line = await aDesk();
    const { bob, desk } = line;
    await planted(line);

    const { contacts } = await reconcile(desk, bob, { class: "differs" });
    const [{ differences }] = contacts as [(typeof contacts)[number]];
    expect(differences.map(({ field }) => field)).toEqual(["time", "grid", "state"]);
    expect(differences[1]).toEqual({
      field: "grid",
      here: "FN42",
      first: "FN31PR",
      second: null,
      counts: { awards: ["vucc"], by: "first", value: "FN31" },
    });
    expect(differences[2]).toMatchObject({
      here: "MA",
      first: "CT",
      second: "MA",
      counts: { by: "first", value: "CT" },
    });
    const other = await reconcile(desk, bob, { class: "otherCall" });
    expect(other.contacts[0]).toMatchObject({ otherCall: { first: "K7CALL", second: "K7CALL" } });
    const file = await reconcile(desk, bob, { class: "fileOnly" });
    expect(file.contacts[0]).toMatchObject({ fileOnly: ["first"], at: ["first", "second"] });
  });

  test("refuses an unknown class", async () => {
    const { bob, desk } = await aDesk();

    await expect(reconcile(desk, bob, { class: "somewhere" })).rejects.toMatchObject({ code: "invalid" });
  });

  test("is counted the same in parts as one by one", async () => {
    const { world, bob, desk } = await aDesk();
    const contacts = ENGINE === "postgres" ? 700 : 5_000;
    await storeLog(world.db, bob.owner.id, { contacts }, { keepsLayers: true });

    const { counts } = await reconcile(desk, bob, {});

    const log = await logOf(world, bob.owner.id);
    expect(counts.notAtFirst).toBe(
      log.filter((qso) => qso.first === null && qso.firstId === null && !qso.firstConfirmed).length,
    );
    const classes = counts.everywhere + counts.notAtFirst + counts.notAtSecond + counts.differs + counts.fileOnly;
    expect(classes).toBeGreaterThanOrEqual(contacts);
  });
});

describe("an unmatched record", () => {
  const aWaiting = async () => {
    const line = await aDesk();
    await planted(line);
    const { leftovers } = await reconcile(line.desk, line.bob, { class: "leftovers" });
    const [waiting] = leftovers as [(typeof leftovers)[number]];
    expect(waiting.candidates).toHaveLength(2);
    const before = await logOf(line.world, line.bob.owner.id);
    const done = async (act: string, qsoId?: number) => {
      const { job } = await settle(line.desk, line.bob, { act, leftovers: [{ id: waiting.id, qsoId }] });
      return (await line.runner.end(job.id))!;
    };
    const open = async () => (await reconcile(line.desk, line.bob, {})).counts.leftovers;
    return { ...line, waiting, before, done, open };
  };

  test("matches the contact that the user chooses, until that is undone", async () => {
    const { world, bob, waiting, before, done, open } = await aWaiting();
    const { id } = waiting.candidates[1]!;

    const job = await done("match", id);

    expect(job).toMatchObject({ source: "repair", status: "completed", stats: { updated: 1, newlyConfirmed: 1 } });
    expect((await logOf(world, bob.owner.id)).find((qso) => qso.id === id)).toMatchObject({ firstConfirmed: true });
    expect(await open()).toBe(0);
    await takeBack(world, bob, { jobId: job.id, undo: true });
    expect(await logOf(world, bob.owner.id)).toEqual(before);
    expect(await open()).toBe(1);
  });

  test("becomes a new contact or is dismissed, and both can be undone", async () => {
    const { world, bob, before, done, open } = await aWaiting();

    const added = await done("new");
    expect(added.stats).toMatchObject({ added: 1 });
    expect(await logOf(world, bob.owner.id)).toHaveLength(before.length + 1);
    expect(await open()).toBe(0);
    await takeBack(world, bob, { jobId: added.id, undo: true });
    expect(await logOf(world, bob.owner.id)).toEqual(before);
    const dismissed = await done("dismiss");
    expect(await open()).toBe(0);
    await takeBack(world, bob, { jobId: dismissed.id, undo: true });

    expect(await logOf(world, bob.owner.id)).toEqual(before);
    expect(await open()).toBe(1);
  });

  test("is not settled without an action", async () => {
    const { desk, bob, waiting } = await aWaiting();
    const settled = (act: string, qsoId?: number) => settle(desk, bob, { act, leftovers: [{ id: waiting.id, qsoId }] });

    await expect(settled("match")).rejects.toMatchObject({ code: "invalid" });
    await expect(settled("new", 1)).rejects.toMatchObject({ code: "invalid" });
    await expect(settled("forget")).rejects.toMatchObject({ code: "invalid" });
  });
});
