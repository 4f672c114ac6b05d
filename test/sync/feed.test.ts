import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { removeParts } from "../../src/domain/contact/layers.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { DAY, MINUTE } from "../../src/kernel/clock.ts";
import { describeTaken, type Told } from "../../src/domain/jobs/feed.ts";
import { deleteQso } from "../../src/contacts/edit.ts";
import { byOwner, type LogCaller } from "../../src/logbook/caller.ts";
import { feed } from "../../src/logbook/feeds.ts";
import { jobStory, listJobs } from "../../src/logbook/jobs.ts";
import { repair } from "../../src/logbook/repairs.ts";
import { takeBack } from "../../src/logbook/job-actions.ts";
import { gainsOfJob } from "../../src/awards/gains.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { run } from "../../src/storage/engine/unit.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { Feeds } from "../../src/sync/feed/feeds.ts";
import { logOf, lotw, said, sync } from "../support/sync.ts";
import { turnsDuring } from "../support/turns.ts";
import { isFull } from "../support/full.ts";
import { aUser, ENGINE, NOON, testWorld } from "../support/world.ts";

const contact = (call: string, at: string, more: Record<string, string> = {}, name?: string): Told => ({
  kind: "contact",
  name,
  fields: said(call, at, more).fields,
});

const manyContacts = (count: number): Told[] =>
  Array.from({ length: count }, (_, n) =>
    contact(`DL${n % 10}A${String.fromCharCode(65 + (n % 26), 65 + Math.floor(n / 26))}`, "2026-08-01 11:58"),
  );

const aStation = async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const asker: LogCaller = byOwner(bob);
  const feeds = new Feeds(world);
  return {
    world,
    bob,
    asker,
    tell: (told: readonly Told[], client = "WSJT-X", dryRun = false) =>
      feed({ ...world, feeds }, asker, { client, told: [...told], dryRun }),
    log: () => logOf(world, bob.id),
    jobs: async () => (await listJobs(world, asker, {})).jobs,
    undo: (jobId: number) =>
      takeBack({ ...world, runner: new SyncRunner(world, 1) } as never, asker, { jobId, undo: true }),
    story: (jobId: number) => jobStory(world, asker, jobId, {}),
  };
};

describe("what a program sends", () => {
  test("is one job per program and day, which keeps counting", async () => {
    const { tell, jobs, world } = await aStation();

    await tell([contact("K1ABC", "2026-08-01 11:58")]);
    world.clock.advance(5 * MINUTE);
    await tell([contact("DL1ABC", "2026-08-01 12:03")]);
    await tell([contact("DL1ABC", "2026-08-01 12:03")], "GridTracker");
    world.clock.advance(DAY);
    await tell([contact("K2DEF", "2026-08-02 12:03")]);

    expect((await jobs()).map(({ client, status, stats }) => [client, status, stats.fetched, stats.added])).toEqual([
      ["WSJT-X", "completed", 1, 1],
      ["GridTracker", "completed", 1, 0],
      ["WSJT-X", "completed", 2, 2],
    ]);
    const [, , first] = await jobs();
    expect(first).toMatchObject({ source: "feed", startedAt: NOON, finishedAt: NOON + 5 * MINUTE });
    expect(first!.actions).toMatchObject({ undo: true, rollback: false });
  });

  // Invariant: a program that repeats a contact changes nothing
  test("twice changes nothing, from any program and with any details", async () => {
    const { tell, log } = await aStation();
    const { taken } = await tell([contact("K1ABC", "2026-08-01 11:58:30", { RST_SENT: "-10" })]);
    const before = await log();

    const again = await tell([contact("K1ABC", "2026-08-01 11:58:30", { RST_SENT: "-10" })]);
    const through = await tell([contact("K1ABC", "2026-08-01 11:58", { RST_SENT: "-10" })], "GridTracker");

    expect(again.taken[0]).toMatchObject({ outcome: "unchanged", qsoId: taken[0]!.qsoId });
    expect(through.taken[0]).toMatchObject({ outcome: "unchanged", qsoId: taken[0]!.qsoId });
    const [{ own, ...qso }] = (await log()) as [Qso];
    expect<unknown>([{ ...qso, own: { ...own, file: removeParts(own!.file!) } }]).toEqual(before);
  });

  test("again for the same minute by the same program is a correction", async () => {
    const { tell, log } = await aStation();
    await tell([contact("K1ABC", "2026-08-01 11:58", { GRIDSQUARE: "FN42" })]);

    const { taken } = await tell([contact("K1ABC", "2026-08-01 11:58", { GRIDSQUARE: "FN31" })]);

    expect(taken[0]!.outcome).toBe("updated");
    expect((await log()).map(({ gridsquare }) => gridsquare)).toEqual(["FN31"]);
  });

  test("is merged with what a service said", async () => {
    const { world, bob, tell, log } = await aStation();
    await sync(world, bob.id, "first", [lotw("K1ABC", "2026-08-01 11:58")]);

    const { taken } = await tell([contact("K1ABC", "2026-08-01 11:58", { COMMENT: "nice" })]);

    expect(taken[0]!.outcome).toBe("updated");
    expect((await log()).map(({ comment, firstConfirmed }) => [comment, firstConfirmed])).toEqual([["nice", true]]);
  });

  test("has the user's callsign if the program sends none", async () => {
    const { world, bob, tell, log } = await aStation();
    await world.db.write(() => run`UPDATE users SET callsign = 'YU1BOB' WHERE id = ${bob.id}`);
    const { STATION_CALLSIGN: _, ...fields } = said("K1ABC", "2026-08-01 11:58").fields;

    await tell([{ kind: "contact", fields }]);

    expect((await log())[0]!.stationCallsign).toBe("YU1BOB");
  });

  // Defence: requests about a large log do not delay other users
  test("in large numbers is written in parts, with other work in between", async () => {
    const { world, tell, log } = await aStation();
    const told = manyContacts(world.db.engine === "sqlite" ? 600 : 300);

    const added = await turnsDuring(() => tell(told));
    const edited = await turnsDuring(() => tell(told.map((one) => ({ ...one, kind: "edit" as const }))));
    const deleted = await turnsDuring(() => tell(told.map((one) => ({ ...one, kind: "delete" as const }))));

    const least = world.db.engine === "sqlite" ? 5 : 3;
    expect(Math.min(added, edited, deleted)).toBeGreaterThanOrEqual(least);
    expect(await log()).toEqual([]);
  });

  // A repeated entry is recognised, so a part that fails loses nothing.
  test("is recognised when all of it is sent again after a part failed", async () => {
    const { world, asker, log } = await aStation();
    const told = manyContacts(150);
    let writes = 0;
    // The first hundred are written.
    const last = 2;
    const write = (unit: () => never) =>
      ++writes === last ? Promise.reject(new AppError("unavailable", "The disk is full.")) : world.db.write(unit);
    const db = {
      ...world.db,
      read: world.db.read.bind(world.db),
      inWorker: world.db.inWorker.bind(world.db),
      write,
    };
    const failing = { ...world, feeds: new Feeds({ ...world, db: db as never }) };
    const order = { client: "WSJT-X", told };

    expect(await feed(failing, asker, order).catch((error: unknown) => error)).toMatchObject({ code: "unavailable" });
    const first = (await log()).length;
    const { taken } = await feed(failing, asker, order);

    expect(first).toBeWithin(1, 150);
    expect(taken).toHaveLength(150);
    expect(await log()).toHaveLength(150);
  });

  test("brings news once, and reports it", async () => {
    const { tell } = await aStation();

    const { taken } = await tell([
      contact("DL1ABC", "2026-08-01 11:58", { DXCC: "230", CQZ: "14" }),
      contact("DL2ABC", "2026-08-01 11:59", { DXCC: "230", CQZ: "14", BAND: "17m" }),
      contact("DL3ABC", "2026-08-01 12:00", { DXCC: "230", CQZ: "14", BAND: "17m" }),
    ]);

    expect(taken.map(describeTaken)).toEqual([
      "DL1ABC 20m FT8: logged, new entity, new zone 14",
      "DL2ABC 17m FT8: logged, new on 17m",
      "DL3ABC 17m FT8: logged",
    ]);
  });

  test("is kept for the user if it is unreadable, and the rest is logged", async () => {
    const { tell, story } = await aStation();

    const { jobId, taken } = await tell([
      { kind: "contact", fields: { CALL: "K1ABC" } },
      contact("K2DEF", "2026-08-01 11:58"),
    ]);

    expect(taken.map(({ outcome }) => outcome)).toEqual(["rejected", "added"]);
    expect(taken[0]!.reason).toStartWith("no valid date");
    expect((await story(jobId!)).leftovers.leftovers).toHaveLength(1);
  });

  test("in a dry run reports what would happen and writes nothing", async () => {
    const { tell, log, jobs } = await aStation();

    const { jobId, taken } = await tell([contact("K1ABC", "2026-08-01 11:58")], "WSJT-X", true);

    expect(jobId).toBeNull();
    expect(taken[0]).toMatchObject({
      outcome: "added",
      qsoId: null,
      call: "K1ABC",
      news: ["new entity", "new zone 5"],
    });
    expect([await log(), await jobs()]).toEqual([[], []]);
  });

  test("does not restore a contact that the user deleted", async () => {
    const { world, bob, tell, log } = await aStation();
    const { taken } = await tell([
      contact("K1ABC", "2026-08-01 11:58"),
      contact("K2ABC", "2026-08-01 11:58", {}, "n1"),
    ]);
    for (const { qsoId } of taken) await deleteQso(world, bob.id, qsoId!);

    const again = await tell([contact("K1ABC", "2026-08-01 11:58"), contact("K2ABC", "2026-08-01 11:58", {}, "n1")]);

    expect(again.taken.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ["unchanged", "deleted in the log before, so not added again"],
      ["unchanged", "deleted in the log before, so not added again"],
    ]);
    expect(await log()).toEqual([]);
  });
});

describe("a program with ids for its contacts", () => {
  test("corrects one, even its call, and clears what it leaves empty", async () => {
    const { tell, log, story } = await aStation();
    const { taken } = await tell([contact("K1ABC", "2026-08-01 11:58", { COMMENT: "x" }, "n1")]);

    const edited = await tell([{ ...contact("K1ABD", "2026-08-01 11:59", { COMMENT: "" }, "n1"), kind: "edit" }]);

    expect(edited.taken[0]).toMatchObject({ outcome: "updated", qsoId: taken[0]!.qsoId, call: "K1ABD" });
    expect((await log()).map(({ call, comment }) => [call, comment])).toEqual([["K1ABD", null]]);
    expect((await story(edited.jobId!)).changes.changes.map(({ kind }) => kind)).toEqual(["added", "updated"]);
  });

  test("sends an edit before the contact: it is added", async () => {
    const { tell } = await aStation();

    const { taken } = await tell([{ ...contact("K1ABC", "2026-08-01 11:58", {}, "n1"), kind: "edit" }]);

    expect(taken[0]!.outcome).toBe("added");
  });

  test("deletes one, once, and logs another under the same id", async () => {
    const { tell, log, story } = await aStation();
    await tell([contact("K1ABC", "2026-08-01 11:58", {}, "n1")]);

    const { jobId, taken } = await tell([
      { kind: "delete", name: "n1" },
      { kind: "delete", name: "n1" },
      contact("K1ABC", "2026-08-01 11:58", {}, "n2"),
    ]);

    expect(taken.map(({ outcome, call }) => [outcome, call])).toEqual([
      ["deleted", "K1ABC"],
      ["unchanged", null],
      ["added", "K1ABC"],
    ]);
    expect(await log()).toHaveLength(1);
    expect((await story(jobId!)).changes.changes.map(({ kind }) => kind)).toEqual(["added", "deleted", "added"]);
  });

  test("sends a contact again that was removed with its service and came back", async () => {
    const { world, bob, asker, tell, undo } = await aStation();
    const runner = new SyncRunner(world, 1);
    const records = [lotw("K1ABC", "2026-08-01 11:58")];
    await sync(world, bob.id, "first", records);
    const { jobId } = await tell([contact("K1ABC", "2026-08-01 11:58", {}, "n1")]);
    await undo(jobId!);
    const { job } = await repair({ ...world, runner } as never, asker, { filter: {}, takeOut: "first" });
    await runner.end(job.id);
    await sync(world, bob.id, "first", records);

    const { taken } = await tell([contact("K1ABC", "2026-08-01 11:58", { NAME: "Ann" }, "n1")]);

    expect(taken).toMatchObject([{ outcome: "updated", reason: null }]);
  });

  test("deletes by fields if there is no id", async () => {
    const { tell, log } = await aStation();
    await tell([contact("K1ABC", "2026-08-01 11:58:10"), contact("K1ABC", "2026-08-01 11:58:10", { BAND: "40m" })]);

    const { taken } = await tell([{ kind: "delete", fields: said("K1ABC", "2026-08-01 11:58:10").fields }], "N1MM");

    expect(taken[0]).toMatchObject({ outcome: "deleted", band: "20m" });
    expect((await log()).map(({ band }) => band)).toEqual(["40m"]);
  });
});

describe("undoing what a program sent on a day", () => {
  test("restores the log from before, including corrected and deleted contacts", async () => {
    const { world, bob, tell, log, undo } = await aStation();
    await tell(
      [contact("K1ABC", "2026-07-31 11:58", {}, "n1"), contact("K2DEF", "2026-07-31 11:59", {}, "n2")],
      "N1MM",
    );
    await sync(world, bob.id, "file", [said("K3GHI", "2026-07-30 10:00")]);
    world.clock.advance(DAY);
    const before = await log();

    const { jobId } = await tell(
      [
        { ...contact("K1XYZ", "2026-07-31 11:58", { NAME: "Ann" }, "n1"), kind: "edit" },
        { kind: "delete", name: "n2" },
        contact("K4JKL", "2026-08-01 11:00", {}, "n3"),
        { ...contact("K4JKL", "2026-08-01 11:00", { NAME: "Eve" }, "n3"), kind: "edit" },
        contact("K5MNO", "2026-08-01 11:00", {}, "n4"),
        { kind: "delete", name: "n4" },
        contact("K3GHI", "2026-07-30 10:00", { NAME: "Bob" }),
      ],
      "N1MM",
    );
    expect(await log()).not.toEqual(before);
    await undo(jobId!);

    expect(await log()).toEqual(before);
  });

  test("lets the next contact start a new job, and the same contacts can come back", async () => {
    const { tell, log, undo, jobs } = await aStation();
    const told = [contact("K1ABC", "2026-08-01 11:58", {}, "n1"), contact("K2DEF", "2026-08-01 11:59")];
    const { jobId } = await tell(told);
    await undo(jobId!);
    expect(await log()).toEqual([]);

    const again = await tell(told);

    expect(again.jobId).not.toBe(jobId);
    expect(again.taken.map(({ outcome }) => outcome)).toEqual(["added", "added"]);
    expect((await jobs()).map(({ status }) => status)).toEqual(["completed", "cancelled"]);
  });

  test("refuses new entries meanwhile with an error that can be retried", async () => {
    const { world, tell, bob } = await aStation();
    const { jobId } = await tell([contact("K1ABC", "2026-08-01 11:58")]);
    await world.db.write(() => syncJobs.beginRollback(jobId!, bob.id, NOON));

    const refused = tell([contact("K2DEF", "2026-08-01 11:59")]);

    expect(refused).rejects.toMatchObject({ code: "unavailable", rule: "rollback_active", retryAfterSeconds: 5 });
  });
});

test("the news of the feed's contacts add up to those of its job", async () => {
  const calls = fc.constantFrom("K1ABC", "DL1ABC", "VK2ABC", "JA1ABC", "9A1A");
  const bands = fc.constantFrom("20m", "17m", "6m", "60m");
  const one = fc.record({
    call: calls,
    band: bands,
    minute: fc.integer({ min: 0, max: 9 }),
    state: fc.constantFrom("", "WI", "CA"),
    grid: fc.constantFrom("", "EN52", "FN42"),
    name: fc.option(fc.constantFrom("a", "b", "c"), { nil: undefined }),
    kind: fc.constantFrom("contact", "contact", "contact", "edit", "delete"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(one, { maxLength: 4 }), { maxLength: 6 }), async (posts) => {
      const { world, bob, tell } = await aStation();
      await sync(world, bob.id, "file", [said("DL9ZZ", "2026-07-01 10:00", { DXCC: "230" })]);
      let jobId: number | null = null;
      for (const post of posts) {
        const told = post.map(({ call, band, minute, state, grid, name, kind }): Told => {
          const more = { BAND: band, ...(state && { STATE: state, DXCC: "291" }), ...(grid && { GRIDSQUARE: grid }) };
          const { fields } = said(call, `2026-08-01 11:0${minute}`, more);
          return { kind: kind as Told["kind"], name, fields };
        });
        if (told.length > 0) jobId = (await tell(told)).jobId;
      }
      if (jobId === null) return;
      const { gains } = await world.db.read(() => syncJobs.get(bob.id, jobId!));

      expect(gains).toEqual(await gainsOfJob(world, jobId, bob.id));
    }),
    { numRuns: ENGINE === "sqlite" || isFull(import.meta) ? 25 : 3, seed: 7 },
  );
}, 60_000);
