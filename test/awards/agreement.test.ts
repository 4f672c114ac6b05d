import { expect, test } from "bun:test";
import fc from "fast-check";
import { AWARD_IDS, type AwardId } from "../../src/domain/awards/award.ts";
import { getEntity } from "../../src/domain/radio/entity.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import { Awards } from "../../src/awards/book.ts";
import { parseFilter } from "../../src/domain/contact/qso-filter.ts";
import * as qsoList from "../../src/storage/log/qso-list.ts";
import { addMany, type Snapshot } from "../../src/storage/log/qsos.ts";
import { getStatistics } from "../../src/storage/log/statistics.ts";
import { isFull } from "../support/full.ts";
import { aLog, asRow } from "../support/log-generator.ts";
import { logOf } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";

const FULL = isFull(import.meta);
const FIVE = ["80m", "40m", "20m", "15m", "10m"];
const TEN = ["160m", ...FIVE, "30m", "17m", "12m", "6m"];
const WPX = [...TEN, "60m", "8m"];
const HF = ["2190m", "630m", "560m", "160m", "80m", "60m", "40m", "30m", "20m", "17m", "15m", "12m", "10m", "8m"];
const SIX = ["AF", "AS", "EU", "NA", "OC", "SA"];

interface Asked {
  band: string | null;
  group: string | null;
  station: string | null;
  location?: string;
}

/** What one contact is good for: slots by the operator's word, slots by the first service's, and in which parts. */
interface Worth {
  own: (string | number | null)[];
  seen: (string | number | null)[];
  part: string;
}

const isCurrent = (entity: number | null) => (entity !== null && !getEntity(entity)!.deleted ? entity : null);
const split = (list: string | null) => list?.split(",") ?? [];

/** The rules once more, a contact at a time, written as a person would read them out. */
const worthOf = (id: AwardId, qso: Qso, { band, group, station }: Asked): Worth | null => {
  if (station !== null && qso.stationCallsign !== station) return null;
  if (["RPT", "ECH", "IRL", "INTERNET"].includes(qso.propMode ?? "")) return null;
  const isSat = qso.propMode === "SAT";
  if (group === null || id === "was-triple") {
    if (group !== null && qso.modeGroup !== group) return null;
  } else if (qso.modeGroup !== group) return null;
  if (id === "waz" && group === "digital" && (qso.mode === "RTTY" || qso.startedAt < Date.UTC(2000, 0, 1))) return null;
  if (
    id === "was-triple" &&
    (qso.startedAt < Date.UTC(2009, 0, 1) || !["cw", "phone", "digital"].includes(qso.modeGroup!))
  )
    return null;
  if (id === "vucc" && qso.startedAt < Date.UTC(1983, 0, 1)) return null;
  if (id === "vucc" && !isSat && (qso.band === null || HF.includes(qso.band))) return null;
  const on = isSat ? "sat" : qso.band;
  if (band !== null) {
    if (on !== band) return null;
  } else if (isSat) {
    if (!["vucc", "wac", "iota"].includes(id)) return null;
  } else {
    if (["dxcc", "dxcc-honor", "was", "was-triple"].includes(id) && on === "60m") return null;
    if (id === "dxcc-challenge" && !TEN.includes(on!)) return null;
    if (id.endsWith("-5band") && !FIVE.includes(on!)) return null;
    if (id === "wpx" && !WPX.includes(on!)) return null;
  }
  const isTwoWay = !(id === "was-triple" || (id.startsWith("was") && group !== null)) || qso.twoWay === true;
  const isSeen = qso.firstConfirmed && isTwoWay;
  const part =
    id === "was-triple"
      ? qso.modeGroup!
      : ["dxcc-challenge", "dxcc-5band", "was-5band", "wac-5band", "vucc"].includes(id)
        ? on!
        : "";
  const worth = (own: Worth["own"], seen: Worth["seen"]): Worth => ({ own, seen: isSeen ? seen : [], part });
  if (id === "dxcc") return worth([qso.awardEntity], [qso.firstEntity]);
  if (id.startsWith("dxcc")) return worth([isCurrent(qso.awardEntity)], [isCurrent(qso.firstEntity)]);
  if (id.startsWith("was")) return worth([qso.awardState], [qso.firstState]);
  if (id === "waz") return worth([qso.awardZone], [qso.firstZone]);
  if (id === "vucc") return worth(split(qso.awardGrids), split(qso.firstGrids));
  if (id === "wpx") return worth([qso.prefix], [qso.prefix]);
  if (id === "iota") return worth([qso.iota], [qso.iota]);
  const moved = qso.firstEntity !== null && qso.firstEntity !== qso.dxcc;
  const theirs = moved ? getEntity(qso.firstEntity!)!.continent : qso.continent;
  return worth(
    [qso.continent].filter((name) => SIX.includes(name!)),
    [theirs].filter((name) => SIX.includes(name!)),
  );
};

/** What is there most often, the smaller of two that are there as often. */
const mostUsual = <T extends string | number>(values: readonly (T | null)[]): T | null => {
  const counts = new Map<T, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return [...counts.keys()].filter((value) => counts.get(value) === most).sort((a, b) => (a < b ? -1 : 1))[0] ?? null;
};

/** The contacts of one own place: of the usual one those too that say nothing of it. */
const ofOnePlace = (id: AwardId, log: readonly Qso[], { station, location }: Asked): Qso[] => {
  const mine = log.filter(({ stationCallsign }) => station === null || stationCallsign === station);
  const home = mostUsual(mine.map(({ ownEntity }) => ownEntity));
  const wanted = location === undefined ? home : Number(location);
  const there = mine.filter(({ ownEntity }) => (ownEntity ?? home) === wanted);
  if (id !== "vucc") return there;
  const high = (location === undefined ? mine : there).filter(
    ({ band, propMode }) => propMode === "SAT" || (band !== null && !HF.includes(band)),
  );
  // The squares below are either next to each other, and begin alike, or on the other side of the earth.
  const grid = mostUsual(high.map(({ ownGrid }) => ownGrid));
  return high.filter(({ ownGrid }) => ownGrid === null || ownGrid.slice(0, 2) === grid!.slice(0, 2));
};

const ACCEPTED: Record<string, string[]> = { iota: ["card"], "was-triple": ["first"] };

const countedOneByOne = (id: AwardId, log: readonly Qso[], asked: Asked) => {
  const found = {
    worked: new Set<string>(),
    first: new Set<string>(),
    second: new Set<string>(),
    card: new Set<string>(),
  };
  for (const qso of ofOnePlace(id, log, asked)) {
    const worth = worthOf(id, qso, asked);
    if (!worth) continue;
    for (const key of worth.own) {
      if (key === null) continue;
      found.worked.add(`${worth.part}:${key}`);
      if (qso.secondConfirmed) found.second.add(`${worth.part}:${key}`);
      if (qso.cardConfirmed) found.card.add(`${worth.part}:${key}`);
    }
    for (const key of worth.seen) if (key !== null) found.first.add(`${worth.part}:${key}`);
  }
  const any = new Set([...found.first, ...found.second, ...found.card]);
  const confirmed = new Set((ACCEPTED[id] ?? ["first", "card"]).flatMap((by) => [...found[by as "first"]]));
  return { ...found, any, confirmed };
};

/** What a generated log does not have: odd entities, propagation, squares on a line, confirmations that disagree. */
const ODD: fc.Arbitrary<Partial<Snapshot>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.record({ propMode: fc.constantFrom("SAT", "RPT", "EME", "INTERNET") }),
  fc.record({
    awardGrids: fc.constantFrom("EN52,EN53", "JN00", null),
    firstGrids: fc.constantFrom("EN52,EN53", "JN01", null),
    band: fc.constantFrom("6m", "2m", "70cm"),
  }),
  fc.record({
    dxcc: fc.constantFrom(2, 999, null),
    awardEntity: fc.constantFrom(2, null),
    continent: fc.constantFrom("AN", null, "EU"),
  }),
  fc.record({
    firstEntity: fc.constantFrom(13, 291, null),
    firstState: fc.constantFrom("WI", null),
    firstZone: fc.constantFrom(3, null),
    firstConfirmed: fc.constant(true),
  }),
  fc.record({ ownEntity: fc.constantFrom(110, 110, 6, null), ownGrid: fc.constantFrom("BL11AA", null) }),
  fc.record({ ownGrid: fc.constantFrom("KN04FT", "KN05AA", "BL11AA"), band: fc.constantFrom("6m", "2m") }),
  fc.record({ band: fc.constantFrom("60m", null, "8m", "4m"), mode: fc.constantFrom("RTTY", "SSTV") }),
  fc.record({ twoWay: fc.constantFrom(true, false, null), awardState: fc.constantFrom("WI", "IA", null) }),
  fc.record({ startedAt: fc.constantFrom(Date.UTC(1982, 5, 1), Date.UTC(1999, 5, 1), Date.UTC(2009, 5, 1)) }),
);

const VIEWS: Asked[] = [
  { band: null, group: null, station: null },
  { band: null, group: null, station: "YU1TEST/P" },
  { band: "20m", group: null, station: null },
  { band: "60m", group: null, station: null },
  { band: "sat", group: null, station: null },
  { band: null, group: "cw", station: null },
  { band: null, group: "digital", station: null },
  { band: "6m", group: "phone", station: null },
  { band: null, group: null, station: null, location: "110" },
  { band: "20m", group: "cw", station: null, location: "110" },
];

// Invariant: awards agree with counting contacts one by one, and with the statistics
test("each award's slots, needs, matrix and statistics equal a count one by one", async () => {
  const world = await testWorld();
  const eve = await aUser(world, "eve");
  await world.db.write(() =>
    addMany(
      eve.id,
      [...aLog({ contacts: 50, seed: 3 })].map((contact) => asRow(contact, { keepsLayers: false })),
    ),
  );
  let logs = 0;
  const property = fc.asyncProperty(
    fc.integer({ min: 1, max: 9_999 }),
    fc.array(ODD, { minLength: 150, maxLength: 150 }),
    async (seed, odds) => {
      const bob = await aUser(world, `bob${(logs += 1)}`);
      const rows = [...aLog({ contacts: odds.length, seed })].map((contact, index) => ({
        ...asRow(contact, { keepsLayers: false }),
        firstId: null,
        secondId: null,
        ...odds[index],
      }));
      await world.db.write(() => addMany(bob.id, rows as Snapshot[]));
      const log = await logOf(world, bob.id);
      const book = new Awards(world);
      const overview = await book.overview(bob.id);

      const isFrom = (location: string) => log.some(({ ownEntity }) => ownEntity === Number(location));
      for (const asked of VIEWS.filter(({ location }) => location === undefined || isFrom(location))) {
        for (const id of AWARD_IDS) {
          const naive = countedOneByOne(id, log, asked);
          const detail = await book.detail(bob.id, id, asked);
          const slots = (which: (slot: (typeof detail.slots)[number]) => boolean) => detail.slots.filter(which).length;
          const name = JSON.stringify([id, asked]);

          expect([name, slots((slot) => slot.worked)]).toEqual([name, naive.worked.size]);
          expect([name, slots((slot) => slot.confirmed)]).toEqual([name, naive.confirmed.size]);
          for (const by of ["first", "second", "card", "any"] as const) {
            expect([name, by, slots((slot) => slot.confirmedBy[by])]).toEqual([name, by, naive[by].size]);
          }
          const known = new Map(log.map((qso) => [qso.id, qso]));
          for (const { key, qsoId } of detail.slots) {
            const { own, seen } = worthOf(id, known.get(qsoId)!, asked)!;
            expect([...own, ...seen]).toContain(key);
          }
          if (!["dxcc-5band", "was-5band", "wac-5band", "was-triple", "vucc"].includes(id)) {
            expect([name, detail.worked, detail.confirmed]).toEqual([name, naive.worked.size, naive.confirmed.size]);
          }
          const needed = await book.needed(bob.id, id, asked);
          expect([name, needed.notConfirmed.length]).toEqual([name, slots((slot) => !slot.confirmed)]);
          if (id === "dxcc") {
            const station = asked.station ?? undefined;
            const shown = parseFilter({ ...detail.madeFrom, station });
            const inLog = await world.db.read(() => qsoList.count(bob.id, shown));
            expect([name, inLog]).toEqual([name, ofOnePlace(id, log, asked).length]);
          }
          if (asked === VIEWS[0]) {
            const {
              slots: _,
              parts: __,
              uncounted: ___,
              band: ____,
              group: _____,
              by: ______,
              station: _______,
              location: ________,
              locations: _________,
              madeFrom: __________,
              ...figures
            } = detail;
            expect(overview.find((award) => award.id === id)!).toEqual(figures);
          }
        }
      }
      const { entities } = await getStatistics(world.db, bob.id);
      const matrix = await book.matrix(bob.id, "dxcc");
      const { uncounted, worked: mixed } = await book.detail(bob.id, "dxcc");
      expect(entities).toBe(new Set(log.map(({ dxcc }) => dxcc).filter((dxcc) => dxcc !== null)).size);
      expect(uncounted!.notValid + uncounted!.unknownEntity).toBe(
        ofOnePlace("dxcc", log, VIEWS[0]!).filter(({ awardEntity }) => awardEntity === null).length,
      );
      expect(matrix.rows.filter((row) => row.mixed !== null).length).toBeGreaterThanOrEqual(mixed);
      for (const [index, band] of matrix.bands.entries()) {
        const { worked: done, confirmed } = await book.detail(bob.id, "dxcc", { band });
        const { totals, rows: lines } = matrix;
        expect([band, lines.filter(({ cells }) => cells[index] === "confirmed").length]).toEqual([band, confirmed]);
        expect(totals[index + 1]!.worked).toBeGreaterThanOrEqual(done);
      }
    },
  );

  await fc.assert(property, { numRuns: FULL ? 25 : 4 });
}, 120_000);

test("statistics and awards agree on contacts without an entity", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const rows = [...aLog({ contacts: 40 })].map((contact, index) => ({
    ...asRow(contact),
    ...(index % 4 === 0 && { dxcc: null, awardEntity: null }),
  }));
  await world.db.write(() => addMany(bob.id, rows));

  const { unknownEntity } = await getStatistics(world.db, bob.id);
  const { uncounted } = await new Awards(world).detail(bob.id, "dxcc");

  expect(uncounted).toEqual({ unknownEntity, notValid: 0 });
  expect(unknownEntity).toBe(10);
});
