import { expect, test } from "bun:test";
import { byOwner } from "../../src/logbook/caller.ts";
import { getConfirmation } from "../../src/domain/contact/qso.ts";
import type { Statistics } from "../../src/domain/statistics/statistics.ts";
import { PastLogs } from "../../src/logbook/as-of.ts";
import { statistics } from "../../src/logbook/statistics.ts";
import { changeLog } from "../../src/storage/log/log-changes.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import { computeForUser, statisticsWork, getStatistics } from "../../src/storage/log/statistics.ts";
import { isFull } from "../support/full.ts";
import { aLog, asRow, storeLog, type LogWish } from "../support/log-generator.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";

const FULL = isFull(import.meta);

const [CONTACT] = [...aLog({ contacts: 1 })].map((contact) => asRow(contact, { keepsLayers: false }));

const aRow = (wish: Partial<qsos.Snapshot>): qsos.Snapshot => ({
  ...CONTACT!,
  submode: null,
  firstConfirmed: false,
  secondConfirmed: false,
  cardConfirmed: false,
  ...wish,
});

test("a log is counted by band, mode, group and year, each with its confirmations", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const first = { firstConfirmed: true };
  const second = { secondConfirmed: true };
  const ft4 = { mode: "MFSK", submode: "FT4", modeGroup: "digital" } as const;
  const cw = { mode: "CW", modeGroup: "cw" } as const;
  const phone = { mode: "SSB", modeGroup: "phone" } as const;
  const rows = [
    aRow({ call: "K1ABC", dxcc: 291, band: "20m", ...cw, year: 2024, startedAt: 50, ...first, ...second }),
    aRow({ call: "K1ABC", dxcc: 291, band: "160m", ...cw, year: 2023, startedAt: 40, ...first, cardConfirmed: true }),
    aRow({ call: "DL1ABC", dxcc: 230, band: "20m", ...ft4, year: 2024, startedAt: 60, ...second }),
    aRow({ call: "DL1ABC", dxcc: 230, band: "6m", ...phone, year: 2024, startedAt: 70 }),
    aRow({ call: "N0NE/MM", dxcc: null, band: "20m", ...phone, submode: "USB", year: 1999, startedAt: 10 }),
    aRow({ call: "N0NE/MM", dxcc: null, band: "20m", ...cw, year: 1999, startedAt: 20, cardConfirmed: true }),
    aRow({ call: "UA9XYZ", dxcc: 15, band: null, mode: null, modeGroup: null, year: 1999, startedAt: 30 }),
  ];
  await world.db.write(() => qsos.addMany(bob.id, rows));

  const statistics = await world.db.read(() => computeForUser(bob.id));

  expect(statistics).toEqual({
    total: 7,
    entities: 3,
    unknownEntity: 2,
    bands: 3,
    modes: 4,
    callsigns: 4,
    confirmation: { none: 3, firstOnly: 1, secondOnly: 1, both: 1, cardOnly: 1, first: 2, second: 2, card: 2, any: 4 },
    byBand: [
      { band: "160m", total: 1, confirmed: 1 },
      { band: "20m", total: 4, confirmed: 3 },
      { band: "6m", total: 1, confirmed: 0 },
    ],
    byMode: [
      { mode: "CW", total: 3, confirmed: 3 },
      { mode: "FT4", total: 1, confirmed: 1 },
      { mode: "SSB", total: 1, confirmed: 0 },
      { mode: "USB", total: 1, confirmed: 0 },
    ],
    byGroup: [
      { group: "cw", total: 3, confirmed: 3 },
      { group: "phone", total: 2, confirmed: 0 },
      { group: "digital", total: 1, confirmed: 1 },
    ],
    byYear: [
      { year: 1999, total: 3, confirmed: 1 },
      { year: 2023, total: 1, confirmed: 1 },
      { year: 2024, total: 3, confirmed: 2 },
    ],
    firstQsoAt: 10,
    lastQsoAt: 70,
  });
});

test("an empty log has empty statistics", async () => {
  const world = await testWorld();
  const eve = await aUser(world, "eve");
  const bob = await aUser(world, "bob");
  await storeLog(world.db, bob.id, { contacts: 20 });

  const statistics = await world.db.read(() => computeForUser(eve.id));

  expect(statistics).toMatchObject({ total: 0, entities: 0, unknownEntity: 0, callsigns: 0, byBand: [], byYear: [] });
  expect(statistics.confirmation).toEqual({
    none: 0,
    firstOnly: 0,
    secondOnly: 0,
    both: 0,
    cardOnly: 0,
    first: 0,
    second: 0,
    card: 0,
    any: 0,
  });
  expect([statistics.firstQsoAt, statistics.lastQsoAt]).toEqual([null, null]);
});

/** Counts one by one in the simplest way. */
const countedOneByOne = (wish: LogWish, station?: string): Partial<Statistics> => {
  const rows = [...aLog(wish)]
    .map((contact) => asRow(contact))
    .filter((row) => station === undefined || row.stationCallsign === station);
  const different = (name: keyof qsos.Snapshot) => new Set(rows.map((row) => row[name]).filter((v) => v !== null)).size;
  const states = rows.map(getConfirmation);
  const count = (...wanted: string[]) => states.filter((state) => wanted.includes(state)).length;
  return {
    total: rows.length,
    entities: different("dxcc"),
    bands: different("band"),
    modes: new Set(rows.map(({ mode, submode }) => submode ?? mode)).size,
    callsigns: different("call"),
    confirmation: {
      none: count("none"),
      firstOnly: count("firstOnly"),
      secondOnly: count("secondOnly"),
      both: count("both"),
      cardOnly: count("cardOnly"),
      first: count("firstOnly", "both"),
      second: count("secondOnly", "both"),
      card: rows.filter(({ cardConfirmed }) => cardConfirmed).length,
      any: count("firstOnly", "secondOnly", "both", "cardOnly"),
    },
    firstQsoAt: Math.min(...rows.map(({ startedAt }) => startedAt)),
    lastQsoAt: Math.max(...rows.map(({ startedAt }) => startedAt)),
  };
};

const total = (shares: readonly { total: number }[]) => shares.reduce((sum, share) => sum + share.total, 0);
const confirmed = (shares: readonly { confirmed: number }[]) => shares.reduce((sum, share) => sum + share.confirmed, 0);

// Invariant: statistics agree with counting contacts one by one
test("statistics equal counting one by one, for the whole log and one callsign, whatever other users have", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const eve = await aUser(world, "eve");
  const wish = { contacts: 700, seed: 7, station: "YU1TEST", away: "YU1TEST/P" };
  await storeLog(world.db, bob.id, wish);
  await storeLog(world.db, eve.id, { contacts: 300, seed: 8, station: "YU1TEST" });

  for (const station of [undefined, "YU1TEST", "YU1TEST/P"]) {
    const statistics = await getStatistics(world.db, bob.id, { stations: station === undefined ? null : [station] });

    expect(statistics).toMatchObject(countedOneByOne(wish, station));
    for (const shares of [statistics.byBand, statistics.byMode, statistics.byGroup, statistics.byYear]) {
      expect(total(shares)).toBe(statistics.total);
      expect(confirmed(shares)).toBe(statistics.confirmation.any);
    }
  }
});

test("an unused callsign has no contacts", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await storeLog(world.db, bob.id, { contacts: 20 });

  expect(await getStatistics(world.db, bob.id, { stations: ["K1ABC"] })).toMatchObject({ total: 0, callsigns: 0 });
});

test("the second thread gives the same result", async () => {
  const world = await testWorld({ thread: true });
  const bob = await aUser(world, "bob");
  await storeLog(world.db, bob.id, { contacts: 50 });
  const stations = ["YU1TEST"];

  const inThread = await world.db.inWorker(statisticsWork, { userId: bob.id, stations }, { userId: bob.id });

  expect(inThread).toEqual(await world.db.read(() => computeForUser(bob.id, { stations })));
});

test.skipIf(!FULL || ENGINE !== "sqlite")("a large log is counted in the second thread", async () => {
  const world = await testWorld({ thread: true });
  const bob = await aUser(world, "bob");
  await storeLog(world.db, bob.id, { contacts: 20_001 });
  let beats = 0;
  const heart = setInterval(() => (beats += 1), 1);

  const statistics = await getStatistics(world.db, bob.id);

  clearInterval(heart);
  expect(statistics.total).toBe(20_001);
  expect(beats).toBeGreaterThan(3);
});

test("statistics stay the same object until the log changes, also for some callsigns", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await storeLog(world.db, bob.id, { contacts: 40, station: "YU1TEST" });
  const desk = { ...world, pasts: new PastLogs(world) };
  const look = async () => [
    await statistics(desk, byOwner(bob), {}),
    await statistics(desk, byOwner(bob), { station: "YU1TEST" }),
  ];

  const before = await look();
  expect((await look()).map((one, at) => one === before[at])).toEqual([true, true]);

  await world.db.write(() => changeLog(bob.id, { added: [aRow({ call: "K1ABC" })] }, "nobody"));
  const after = await look();
  expect(after.map((one, at) => one === before[at])).toEqual([false, false]);
  expect(after[0]!.total).toBe(41);
});
