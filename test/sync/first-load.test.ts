// What a job looks up of a log that was empty: never less than what a record could mean.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MINUTE } from "../../src/domain/clock.ts";
import type { AdifRecord } from "../../src/domain/adif-record.ts";
import type { Qso } from "../../src/domain/qso.ts";
import type { Source } from "../../src/domain/source.ts";
import { addQso, deleteQso } from "../../src/contacts/edit.ts";
import { FirstLoad, firstLoadOf, keysOf } from "../../src/sync/job/first-load.ts";
import type { Incoming } from "../../src/sync/match/incoming.ts";
import { TOLERANCE } from "../../src/sync/match/match.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { isFull } from "../support/full.ts";
import { afterTest } from "../support/cleanup.ts";
import { aBody, contentOf, logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

const BEGIN = Date.UTC(2026, 6, 18);

const aContact = fc.record({
  call: fc.constantFrom("K1ABC", "OK6NUC", "JA1XYZ", "HB9AA"),
  startedAt: fc.integer({ min: -200, max: 200 }).map((minutes) => BEGIN + minutes * MINUTE),
  firstId: fc.option(fc.constantFrom("1", "2", "K1ABC")),
  secondId: fc.option(fc.constantFrom("1", "2", "K1ABC")),
}) as fc.Arbitrary<Qso>;

const aRecord = fc.record({
  key: fc.record({
    call: fc.constantFrom("K1ABC", "OK6NUC", "JA1XYZ", "HB9AA", "DL1AA"),
    at: fc.integer({ min: -20_000, max: 20_000 }).map((seconds) => BEGIN + seconds * 1_000),
  }),
  ids: fc.record({
    first: fc.option(fc.constantFrom("1", "2", "3", "K1ABC")),
    second: fc.option(fc.constantFrom("1", "2", "3", "K1ABC")),
  }),
}) as unknown as fc.Arbitrary<Incoming>;

const could = ({ key, ids }: Incoming, qso: Qso): boolean =>
  (key.call === qso.call && Math.abs(key.at - qso.startedAt) <= TOLERANCE) ||
  (ids.first !== null && ids.first === qso.firstId) ||
  (ids.second !== null && ids.second === qso.secondId);

test("a record that could mean a contact that was noted is looked up", () => {
  fc.assert(
    fc.property(fc.array(aContact, { maxLength: 20 }), aRecord, (contacts, record) => {
      const load = new FirstLoad(0);
      load.note(contacts.flatMap(keysOf));

      if (contacts.some((qso) => could(record, qso))) expect(load.mayMean(record)).toBeTrue();
    }),
    { numRuns: isFull(import.meta) ? 2_000 : 300 },
  );
});

test("hardly anything else is, among very many contacts too", () => {
  const load = new FirstLoad(0);
  for (let n = 0; n < (isFull(import.meta) ? 1_000_000 : 100_000); n++) {
    const qso = { call: `K${n % 10}${(n % 30_000).toString(36)}`, startedAt: BEGIN + n * 7 * MINUTE };
    load.note(keysOf({ ...qso, firstId: String(n), secondId: null } as Qso));
  }
  let asked = 0;
  for (let n = 0; n < 10_000; n++) {
    const key = { call: `W${n % 10}${n.toString(36)}`, at: BEGIN + n * 700 * MINUTE };
    if (load.mayMean({ key, ids: { first: `x${n}`, second: null } } as Incoming)) asked += 1;
  }
  expect(asked).toBeLessThan(1_000);
});

const typed = async (world: TestWorld, userId: number, call: string) =>
  addQso(world, userId, { call, startedAt: "2001-01-01 00:00", band: "20m", mode: "CW" }, await world.callFacts());

describe("a log", () => {
  test("is empty where nothing is in it, and nothing was deleted", async () => {
    const world = await testWorld();
    const [bob, eve] = [await aUser(world, "bob"), await aUser(world, "eve")];
    const isEmpty = async () => (await world.db.read(() => firstLoadOf(bob.id))) !== null;

    await typed(world, eve.id, "K1ABC");
    expect(await isEmpty()).toBeTrue();
    const { id } = await typed(world, bob.id, "K1ABC");
    expect(await isEmpty()).toBeFalse();
    await deleteQso(world, bob.id, id);
    expect(await isEmpty()).toBeFalse();
  });

  test("that somebody else changes while nothing is under way is looked into from then on", async () => {
    const world = await testWorld({ thread: true });
    const bob = await aUser(world, "bob");
    const facts = await world.callFacts();
    const runner = new SyncRunner(world, 1);
    afterTest(() => runner.stop());
    const minute = (n: number) => `2026-07-18 01:${String(n).padStart(2, "0")}`;
    const ofOne = (from: number) =>
      Array.from({ length: 5 }, (_, n) => said("K1ABC", minute(from + n), { BAND: `${20 + n}m` }));
    const isWritten = async (count: number) => (await logOf(world, bob.id)).length >= count;
    const feed = async function* () {
      yield aBody("record", ofOne(0));
      while (!(await isWritten(5))) await Bun.sleep(1);
      await addQso(world, bob.id, { call: "F5AA", startedAt: minute(30), band: "20m", mode: "SSB" }, facts);
      // Each has to do with what is under way, which is therefore waited for.
      yield aBody("record", ofOne(0));
      yield aBody("record", [said("F5AA", minute(30), { BAND: "20m", MODE: "SSB" })]);
      return null;
    };

    const job = await runner.start(
      { userId: bob.id, source: "file", trigger: "manual" },
      { prepare: async () => ({ cursorBefore: null, feed: feed(), facts, mostRecordsABatch: 5 }) },
    );
    await runner.end(job.id);

    expect((await logOf(world, bob.id)).filter(({ call }) => call === "F5AA")).toHaveLength(1);
  });

  const at = (n: number) => new Date(BEGIN + n * 40 * MINUTE).toISOString().slice(0, 16).replace("T", " ");
  const calls = ["K1ABC", "OK6NUC", "JA1XYZ"];
  const TOLD = Array.from({ length: 90 }, (_, n) => [calls[n % 3]!, at(n % 60), 1_000 + (n % 60)] as const);

  test.each<[Source, AdifRecord[]]>([
    ["file", TOLD.map(([call, when]) => said(call, when, { BAND: "20m" }))],
    ["second", TOLD.map(([call, when, logid]) => qrz(logid, call, when, { BAND: "20m" }))],
    ["first", TOLD.map(([call, when]) => lotw(call, when, { BAND: "20m" }))],
  ])("comes to the same by looking up everything, whatever %s tells twice", async (source, records) => {
    const comeTo = async (other: string | null) => {
      const world = await testWorld({ thread: true });
      const bob = await aUser(world, "bob");
      // A contact of long ago: it has to do with nothing, and the log is not empty.
      if (other) await typed(world, bob.id, other);
      const { stats, reasons } = await sync(world, bob.id, source, records, { batchSize: 10 });
      const log = await contentOf(world, bob.id);
      return { stats, reasons, log: log.filter(({ call }) => call !== other) };
    };

    const emptyAtFirst = await comeTo(null);

    expect(emptyAtFirst.log).toHaveLength(60);
    expect(await comeTo("F5AA")).toEqual(emptyAtFirst);
  });
});
