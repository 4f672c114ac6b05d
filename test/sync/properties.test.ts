import { expect, test } from "bun:test";
import fc from "fast-check";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { cleanUp } from "../support/cleanup.ts";
import { isFull } from "../support/full.ts";
import { contentOf, logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";

// Each run needs its own database, which is slow to create on a server.
const RUNS = isFull(import.meta) ? 80 : ENGINE === "postgres" ? 2 : 8;
const START = Date.UTC(2026, 7, 1, 12);

const at = (minutes: number, seconds = 0) =>
  new Date(START + minutes * 60_000 + seconds * 1000).toISOString().slice(0, 19).replace("T", " ");

/** Records that collide on purpose: few calls, few bands, one hour. */
const collidingRecord = fc.record({
  call: fc.constantFrom("K1ABC", "K2XYZ", "DL1ABC/P"),
  minute: fc.integer({ min: 0, max: 70 }),
  second: fc.integer({ min: 0, max: 59 }),
  band: fc.constantFrom("20m", "2m"),
  mode: fc.constantFrom("FT8", "CW", "USB", "FM"),
  status: fc.constantFrom("C", "N", "Y"),
});
type Colliding = typeof collidingRecord extends fc.Arbitrary<infer T> ? T : never;

const fileRecord = ({ call, minute, band, mode }: Colliding) =>
  said(call, at(minute).slice(0, 16), { BAND: band, MODE: mode });
const firstRecord = ({ call, minute, second, band, mode, status }: Colliding) =>
  lotw(call, at(minute, second), {
    BAND: band,
    MODE: mode === "USB" ? "SSB" : mode,
    QSL_RCVD: status === "N" ? "N" : "Y",
  });
const secondRecord = ({ call, minute, band, mode, status }: Colliding, index: number) =>
  qrz(index + 1, call, at(minute), { BAND: band, MODE: mode, APP_QRZLOG_STATUS: status === "Y" ? "S" : status });

const colliding = fc.array(collidingRecord, { maxLength: 14 });

/** Realistic contacts: any two with one call on one band are well apart, and each is known to some of three origins. */
const contacts = fc.array(
  fc.record({
    call: fc.constantFrom("K1ABC", "K2XYZ", "DL1ABC", "JA1XYZ"),
    band: fc.constantFrom("20m", "40m"),
    mode: fc.constantFrom("FT8", "CW", "USB", "FT4"),
    second: fc.integer({ min: 1, max: 59 }),
    drift: fc.integer({ min: -5, max: 5 }),
    byFile: fc.boolean(),
    byFirst: fc.boolean(),
    bySecond: fc.boolean(),
    confirmed: fc.boolean(),
  }),
  { maxLength: 14 },
);
type Contact = typeof contacts extends fc.Arbitrary<(infer T)[]> ? T : never;

const LOTW_MODES: Record<string, Record<string, string>> = {
  FT8: { MODE: "FT8" },
  CW: { MODE: "CW" },
  USB: { MODE: "SSB" },
  FT4: { MODE: "MFSK", SUBMODE: "FT4" },
};

const toldBy = (made: readonly Contact[]) => {
  const told = { file: [] as AdifRecord[], first: [] as AdifRecord[], second: [] as AdifRecord[] };
  made.forEach(({ call, band, mode, second, drift, byFile, byFirst, bySecond, confirmed }, index) => {
    const minute = index * 90;
    if (byFile) told.file.push(said(call, at(minute).slice(0, 16), { BAND: band, MODE: mode, NAME: "Ann" }));
    if (byFirst) {
      const state = { BAND: band, ...LOTW_MODES[mode], QSL_RCVD: confirmed ? "Y" : "N", STATE: "WI", DXCC: "291" };
      told.first.push(lotw(call, at(minute, second), state));
    }
    if (bySecond) {
      told.second.push(
        qrz(index + 1, call, at(minute + drift), { BAND: band, MODE: mode, STATE: "IA", APP_QRZLOG_STATUS: "C" }),
      );
    }
  });
  return told;
};

/** Runs each example in a world of its own, which is closed afterwards. */
const holds = async <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => Promise<void>): Promise<void> => {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    await check(value);
    await cleanUp();
  });
  await fc.assert(property, { numRuns: RUNS });
};

// Invariant: a rollback restores the log from before the job
test("rolling back a failed sync restores the log field by field, after any conflicts", async () => {
  const example = fc.record({ file: colliding, other: colliding, download: colliding, first: fc.boolean() });
  await holds(example, async ({ file, other, download, first }) => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    await sync(world, bob.id, "file", file.map(fileRecord));
    await sync(world, bob.id, first ? "second" : "first", other.map(first ? secondRecord : firstRecord));
    const before = await logOf(world, bob.id);
    world.clock.advance(1000);

    const records = download.map(first ? firstRecord : secondRecord);
    const job = await sync(world, bob.id, first ? "first" : "second", records, {
      failure: new Error("lost"),
      batchSize: 3,
    });
    await cancelJob(world, { userId: bob.id, jobId: job.id, by: null });

    expect(await logOf(world, bob.id)).toEqual(before);
  });
});

// Invariant: repeating a download changes nothing
test("repeating a download changes nothing and records no change", async () => {
  await holds(fc.record({ file: colliding, first: colliding, second: colliding }), async ({ file, first, second }) => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const downloads = [
      ["file", file.map(fileRecord)],
      ["first", first.map(firstRecord)],
      ["second", second.map(secondRecord)],
    ] as const;
    for (const [source, records] of downloads) {
      const { unmatched } = (await sync(world, bob.id, source, records)).stats;
      const before = await logOf(world, bob.id);
      world.clock.advance(1000);

      const { stats } = await sync(world, bob.id, source, records);

      expect([stats.added, stats.updated, stats.unmatched]).toEqual([0, 0, unmatched]);
      expect(await logOf(world, bob.id)).toEqual(before);
    }
  });
});

test("repeating the downloads of all services only resolves records, and then changes nothing", async () => {
  await holds(fc.record({ file: colliding, first: colliding, second: colliding }), async ({ file, first, second }) => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const round = async () => {
      const { stats: one } = await sync(world, bob.id, "first", first.map(firstRecord));
      const { stats: two } = await sync(world, bob.id, "second", second.map(secondRecord));
      return {
        changed: one.added + one.updated + two.added + two.updated,
        unmatched: one.unmatched + two.unmatched,
      };
    };
    await sync(world, bob.id, "file", file.map(fileRecord));
    let last = await round();
    for (let rounds = 1; last.changed > 0; rounds++) {
      const next = await round();
      expect(next.unmatched).toBeLessThanOrEqual(last.unmatched);
      if (rounds > 1) expect(next.changed).toBeLessThanOrEqual(last.unmatched);
      expect(rounds).toBeLessThan(6);
      last = next;
    }
  });
});

// Invariant: batch size and the order of the services do not matter
test("the order of services and the batch size make no difference", async () => {
  await holds(contacts, async (made) => {
    const { file, first, second } = toldBy(made);
    const run = async (order: readonly ("first" | "second")[], batchSize: number) => {
      const world = await testWorld();
      const bob = await aUser(world, "bob");
      await sync(world, bob.id, "file", file, { batchSize });
      for (const source of order) await sync(world, bob.id, source, source === "first" ? first : second, { batchSize });
      return contentOf(world, bob.id);
    };

    const reference = await run(["first", "second"], 500);

    expect(await run(["second", "first"], 500)).toEqual(reference);
    expect(await run(["first", "second"], 1)).toEqual(reference);
    expect(await run(["second", "first"], 7)).toEqual(reference);
    expect(reference).toHaveLength(
      made.filter(({ byFile, byFirst, bySecond }) => byFile || byFirst || bySecond).length,
    );
  });
});

// Invariant: batch size and the order of the services do not matter
test("batch size makes no difference if records collide", async () => {
  await holds(fc.record({ file: colliding, first: colliding }), async ({ file, first }) => {
    const run = async (batchSize: number) => {
      const world = await testWorld();
      const bob = await aUser(world, "bob");
      await sync(world, bob.id, "file", file.map(fileRecord), { batchSize });
      const job = await sync(world, bob.id, "first", first.map(firstRecord), { batchSize });
      return { stats: job.stats, log: await contentOf(world, bob.id) };
    };

    const reference = await run(500);

    expect(await run(1)).toEqual(reference);
    expect(await run(7)).toEqual(reference);
  });
});

// Invariant: a dry run writes nothing
test("a dry run reports what the real run does, and changes nothing", async () => {
  await holds(fc.record({ file: colliding, first: colliding }), async ({ file, first }) => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    await sync(world, bob.id, "file", file.map(fileRecord));
    const before = await logOf(world, bob.id);

    const dry = await sync(world, bob.id, "first", first.map(firstRecord), { dryRun: true, batchSize: 2 });
    expect(await logOf(world, bob.id)).toEqual(before);
    const real = await sync(world, bob.id, "first", first.map(firstRecord), { batchSize: 2 });

    expect(dry.stats).toEqual(real.stats);
  });
});
