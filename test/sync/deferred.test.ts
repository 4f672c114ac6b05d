import { expect, test } from "bun:test";
import { heapStats } from "bun:jsc";
import { readdirSync } from "node:fs";
import fc from "fast-check";
import { Deferred } from "../../src/sync/job/deferred.ts";
import { readIncoming, type Incoming } from "../../src/sync/match/incoming.ts";
import { TOLERANCE } from "../../src/sync/match/match.ts";
import { logOf, lotw, said, sync } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";
import { callOf } from "./services.ts";

const records = async () => {
  const world = await testWorld();
  const facts = await world.callFacts();
  const read = (call: string, at: string, comment = "") =>
    readIncoming(lotw(call, at, { COMMENT: comment }), "first", "qso", facts) as Incoming;
  return { world, read };
};

test("deferred records of a station that are close in time are decided together, in download order", async () => {
  const { world, read } = await records();
  const one = fc.record({
    call: fc.constantFrom("K1ABC", "DL1ABC", "JA1ABC"),
    minute: fc.integer({ min: 0, max: 599 }),
    isLeftover: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 40 }), (all) => {
      const deferred = new Deferred(world.config.dataDir);
      const kept: Incoming[] = [];
      for (const [place, { call, minute, isLeftover }] of all.entries()) {
        const at = `2026-08-01 ${clock(minute)}:00`;
        const incoming = { ...read(call, at, String(place)), ...(isLeftover ? { leftoverId: place } : {}) };
        const isKnown = kept.some(({ key }) => JSON.stringify(key) === JSON.stringify(incoming.key));
        if (!(isLeftover && isKnown)) kept.push(incoming);
        deferred.push(incoming);
      }

      const groups = [...deferred.groupNeighbours()];

      const place = (incoming: Incoming) => kept.findIndex((one) => Bun.deepEquals(one, incoming));
      const places = groups.map((group) => group.map(place));
      expect(deferred.size).toBe(kept.length);
      expect(places.flat().toSorted((a, b) => a - b)).toEqual([...kept.keys()]);
      for (const group of places) expect(group).toEqual(group.toSorted((a, b) => a - b));
      for (const [a, group] of groups.entries())
        for (const other of groups.slice(a + 1)) expect(areNeighbours(group, other)).toBe(false);
      deferred.close();
    }),
    { numRuns: 60 },
  );
});

const areNeighbours = (some: readonly Incoming[], others: readonly Incoming[]): boolean =>
  some.some(({ key: a }) => others.some(({ key: b }) => a.call === b.call && Math.abs(a.at - b.at) <= 2 * TOLERANCE));

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

test("deferred records do not stay in memory, however many there are", async () => {
  const { world, read } = await records();
  const deferred = new Deferred(world.config.dataDir);
  const wait = (from: number, to: number) => {
    for (let number = from; number < to; number++)
      deferred.push(read(callOf(number), "2026-08-01 14:05:00", `${number} ${"and more. ".repeat(40)}`));
  };

  wait(0, 4_000);
  const before = heapNow();
  wait(4_000, 12_000);
  const more = heapNow() - before;
  expect(deferred.size).toBe(12_000);
  deferred.close();

  expect(more).toBeLessThan(4_000_000);
});

const heapNow = (): number => {
  Bun.gc(true);
  return heapStats().heapSize;
};

test("each record finds its contact even if the clock of the whole log was wrong", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const numbers = Array.from({ length: 2_100 }, (_, number) => number);
  await sync(
    world,
    bob.id,
    "file",
    numbers.map((number) => said(callOf(number), "2026-08-01 14:00")),
  );

  const job = await sync(
    world,
    bob.id,
    "first",
    numbers.map((number) => lotw(callOf(number), "2026-08-01 14:05:00")),
  );

  expect(job.stats).toMatchObject({ fetched: 2_100, added: 0, updated: 2_100, unmatched: 0 });
  expect(await logOf(world, bob.id)).toHaveLength(2_100);
  expect(readdirSync(world.dataDir).filter((name) => name.startsWith("etilqs"))).toEqual([]);
});
