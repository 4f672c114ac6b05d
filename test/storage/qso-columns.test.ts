import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseListing, SORT_KEYS, type QsoListing, type QsoParameters } from "../../src/domain/qso-filter.ts";
import type { Qso } from "../../src/domain/qso.ts";
import { changeLog } from "../../src/storage/log-changes.ts";
import { figuresOf } from "../../src/storage/log-figures.ts";
import * as qsoList from "../../src/storage/qso-list.ts";
import type { Snapshot } from "../../src/storage/qsos.ts";
import { many, run } from "../../src/storage/unit.ts";
import { isFull } from "../support/full.ts";
import { aLog, asRow } from "../support/log-generator.ts";
import { logOf } from "../support/sync.ts";
import { aUser, ENGINE, NOON, testWorld, type TestWorld } from "../support/world.ts";

const IS_FULL = isFull(import.meta);
const RUNS = IS_FULL ? 400 : ENGINE === "sqlite" ? 12 : 4;

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length]!;

/** Contacts that share most of what lists are asked by, moments and times of change too. */
const ROWS = [...aLog({ contacts: 150, seed: 11 })].map((contact, at): Snapshot => {
  const row = asRow(contact, { keepsLayers: at % 4 === 0 });
  return {
    ...row,
    call: pick(["K1ABC", "K1AB", "DL1A", "YU1_X", "N0NEW/P", "ÄÖ1\u{1F600}A", "\uFB01A1", "\u{1F600}A1", "K1"], at * 5),
    startedAt: at % 3 === 0 ? Date.UTC(2015 + (at % 4), 5, 1, 12) : row.startedAt,
    year: at % 3 === 0 ? 2015 + (at % 4) : row.year,
    updatedAt: NOON + (at % 6) * 1_001,
    band: pick(["20m", "2m", null, "160m"], at * 3),
    dxcc: pick([291, null, 1, 230], at * 7),
    state: pick(["CA", null, "NY", null], at),
    contestId: pick([null, null, "CQ-WW-CW"], at),
    stationCallsign: pick(["YU1TEST", "YU1TEST/P", null], at),
    ownEntity: pick([296, 0, null], at),
    ownGrid: pick(["KN04", "KN04FR", null, "JN95"], at),
    name: pick(["Ann", null, "ANNA\u212a", "Jürgen Ü", "", "o'*b"], at * 3),
    qth: pick([null, "Übelbach", "San Juan", "100% sure", "\u{1F600}\u017f"], at * 2),
    comment: pick([null, "number 1 of a hundred", "a\\_b", null, '"R 12" Straße'], at * 7),
    gridsquare: pick(["KN04FR", null, "JN95", "kn04"], at),
    cardConfirmed: at % 6 === 0,
    ...(at % 9 === 0 ? { mode: null, submode: null } : {}),
  };
});

const WORDS: Record<string, readonly string[]> = {
  call: ["K1ABC", "K1*", "*1A*", "*1*A*", "*A", "K*C,DL1A", "*", "N0NEW/P,*X", "nobody", "*\u{1F600}*"],
  band: ["20m", "2m,160m", "70cm"],
  mode: ["CW", "SSB,FT8", "USB", "=SSB", "=SSB,FT8"],
  group: ["digital", "cw,phone"],
  station: ["YU1TEST", "YU1TEST,YU1TEST/P"],
  dxcc: ["291", "none", "1,none"],
  state: ["CA", "NY,TX"],
  contest: ["CQ-WW-CW", "NONE"],
  ownDxcc: ["296", "none,unknown"],
  ownGrid: ["KN04", "KN04FR,unknown"],
  confirmation: ["none", "both", "any", "card,firstOnly", "cardOnly,secondOnly", "second"],
  hour: ["14", "0,23", "3,4,5,6,7,8"],
  at: ["first", "second", "first,second"],
  notAt: ["first", "first,second"],
  q: ["a", "A", "1a", "\u{1F600}", "an", "Ü", "üm", "K", "ß", "%", "k1abc", "R 1", "NOT THERE", "'*", "\\_", "kn04fr"],
  from: ["2016-01-01", "2015-06-01", "2017-03-04"],
  to: ["2016-12-31", "2018-06-01", String(Date.UTC(2016, 5, 1, 12))],
};

/** Most often with a text among them. */
const filter = fc
  .tuple(fc.subarray(Object.keys(WORDS), { maxLength: 3 }), fc.constantFrom([], ["q"]))
  .map(([some, more]) => [...new Set([...some, ...more])])
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...WORDS[name]!)]))));

const SORTS = SORT_KEYS.flatMap((key) => [key, `-${key}`]);
const sort = fc.constantFrom(...SORTS);

/** Every page as the columns have it and as looking into each contact gives it, to the end and all the way back. */
const walk = async ({ db }: TestWorld, userId: number, words: QsoParameters, pages = 12) => {
  const { filter, sort } = parseListing(words);
  let place: QsoParameters = {};
  for (let page = 0, isBack = false; page < pages; page++) {
    const listing = { filter, sort, limit: 9, ...place } as QsoListing;
    const whole = await db.read(() => qsoList.pageWithTotal({ userId, listing }));
    const found = await db.read(() => qsoList.pageByColumns(userId, listing));
    expect([words, page, found]).toEqual([words, page, { ...whole, isWorn: expect.any(Boolean) }]);
    for (const fewAre of [{ fewToSearch: 0 }, { few: 0, fewToSearch: 0 }]) {
      const ordered = await db.read(() => qsoList.pageByColumns(userId, listing, fewAre));
      expect([words, page, fewAre, ordered]).toEqual([words, page, fewAre, found]);
    }
    isBack ||= whole.nextCursor === null || page === Math.floor(pages / 2) - 1;
    if (isBack ? whole.previousCursor === null : whole.nextCursor === null) return;
    place = isBack ? { before: whole.previousCursor! } : { cursor: whole.nextCursor! };
  }
};

const change = fc.record({
  kind: fc.constantFrom("add", "replace", "remove"),
  which: fc.array(fc.nat(ROWS.length - 1), { minLength: 1, maxLength: 8 }),
  by: fc.nat(ROWS.length - 1),
});

// Invariant: a list by the columns of a log is the list that looking into each contact gives
test("whatever is asked, in whatever order, and whatever has changed since they were read", async () => {
  const world = await testWorld();
  const { db } = world;
  const bob = await aUser(world, "bob");
  const eve = await aUser(world, "eve");
  for (const { id } of [bob, eve]) await db.write(() => changeLog(id, { added: ROWS }, "nobody"));
  await figuresOf(db, { userId: bob.id, filter: {} });
  await fc.assert(
    fc.asyncProperty(filter, sort, fc.option(change, { freq: 3 }), async (words, sort, one) => {
      await walk(world, bob.id, { ...words, sort });
      if (one === null) return;
      const log = (await logOf(world, bob.id)) as Qso[];
      const some = [...new Set(one.which.map((at) => pick(log, at)))];
      const replaced = some.map((before) => ({ id: before.id, before, after: ROWS[one.by]! }));
      const added = one.which.map((at) => ROWS[at]!);
      const changes = { add: { added }, replace: { replaced }, remove: { removed: some } };
      await db.write(() => changeLog(bob.id, changes[one.kind as keyof typeof changes], "nobody"));
    }),
    { numRuns: RUNS, seed: 31 },
  );
}, 240_000);

test("whatever one filter asks, in some or every order, on the first page, the next and the one before it", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  await world.db.write(() => changeLog(id, { added: ROWS }, "nobody"));
  await figuresOf(world.db, { userId: id, filter: {} });
  for (const [index, [name, asked]] of Object.entries(WORDS).entries())
    for (const [at, sort] of SORTS.entries()) {
      // In the short form each filter meets a quarter of the orders, and all filters together meet every order.
      if (IS_FULL || (at + index) % 4 === 0) await walk(world, id, { [name]: pick(asked, at), sort }, 4);
    }
}, 120_000);

const folded = (text: string) => [...text].map((letter) => (letter < "\x80" ? letter.toLowerCase() : letter)).join("");

// Invariant: a search finds every contact that holds a text, and no other
test("a text is found wherever it stands in what is looked into, small letters for capitals as every alphabet has them", async () => {
  const world = await testWorld();
  const { db } = world;
  const { id } = await aUser(world, "bob");
  await db.write(() => changeLog(id, { added: ROWS }, "nobody"));
  await figuresOf(db, { userId: id, filter: {} });
  const log = (await logOf(world, id)) as Qso[];
  for (const q of WORDS.q!) {
    const holding = log.filter(({ call, name, qth, comment, gridsquare }) =>
      [call, name, qth, comment, gridsquare].some((text) => folded(text ?? "").includes(folded(q))),
    );
    const listing = parseListing({ q, limit: "500" });
    const among = (await db.read(() => qsoList.pageByColumns(id, listing)))!;
    const byColumns = (await db.read(() => qsoList.pageByColumns(id, listing, { fewToSearch: 0 })))!;
    const each = await db.read(() => qsoList.pageWithTotal({ userId: id, listing }));
    for (const { qsos, total } of [among, byColumns, each])
      expect([q, total, qsos.map((qso) => qso.id).sort()]).toEqual([
        q,
        holding.length,
        holding.map((qso) => qso.id).sort(),
      ]);
  }
});

test("is not found where the columns are behind: another program changed the log, or too much is not read", async () => {
  const world = await testWorld();
  const { db } = world;
  const { id } = await aUser(world, "bob");
  const listing = parseListing({ state: "CA" });
  const find = () => db.read(() => qsoList.pageByColumns(id, listing));
  await db.write(() => changeLog(id, { added: ROWS }, "nobody"));
  expect((await find())!.total).toBe(ROWS.filter(({ state }) => state === "CA").length);

  await db.write(() => run`UPDATE users SET log_version = log_version + 1 WHERE id = ${id}`);
  expect(await find()).toBeNull();

  const { id: eve } = await aUser(world, "eve");
  const many = Array.from({ length: 5_003 }, () => ROWS[0]!);
  await db.write(() => changeLog(eve, { added: many }, "nobody"));
  expect(await db.read(() => qsoList.pageByColumns(eve, listing))).toBeNull();
  await figuresOf(db, { userId: eve, filter: {} });
  expect((await db.read(() => qsoList.pageByColumns(eve, listing)))!.total).toBe(5_003);
});

test("years that a program of another version packed are not read, but packed anew", async () => {
  const world = await testWorld();
  const { db } = world;
  const { id } = await aUser(world, "bob");
  await db.write(() => changeLog(id, { added: ROWS }, "nobody"));
  await figuresOf(db, { userId: id, filter: {} });
  const listing = parseListing({ band: "20m", q: "a" });
  const right = await db.read(() => qsoList.pageWithTotal({ userId: id, listing }));
  await db.write(function* () {
    yield* run`UPDATE log_years SET format = 0`;
    yield* run`DELETE FROM log_columns WHERE name IN ('letters', 'band')`;
  });

  expect(await db.read(() => qsoList.pageByColumns(id, listing))).toEqual({ ...right, isWorn: true });
  await figuresOf(db, { userId: id, filter: {} });
  expect(await db.read(() => qsoList.pageByColumns(id, listing))).toEqual({ ...right, isWorn: false });
});

test.each(SORTS)("pages of stretches are in the order of the database: %s", async (sort) => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  await world.db.write(() => changeLog(id, { added: ROWS }, "nobody"));
  const log = (await logOf(world, id)) as Qso[];
  for (let place: QsoParameters | null = {}; place !== null;) {
    const listing: QsoListing = parseListing({ sort, limit: "40", ...place });
    const whole = await world.db.read(() => qsoList.pageWithTotal({ userId: id, listing }));
    const ids = whole.qsos.map(({ id }) => id);
    const unordered = log.filter(({ id }) => ids.includes(id));
    expect(qsoList.pageOfStretches(listing, unordered).qsos.map(({ id }) => id)).toEqual(ids);
    place = whole.nextCursor === null ? null : { cursor: whole.nextCursor };
  }
});

test("a year notes what has changed in it, and is read anew when that is much", async () => {
  const world = await testWorld();
  const { db } = world;
  const { id } = await aUser(world, "bob");
  const inYear = { ...ROWS[0]!, startedAt: Date.UTC(2020, 1, 1), year: 2020 };
  const add = (count: number) =>
    db.write(() => changeLog(id, { added: Array.from({ length: count }, () => inYear) }, "nobody"));
  const years = () =>
    db.read(() => many<{ contacts: number; changed: string | null }>`SELECT contacts, changed FROM log_years`);
  const noted = async () => (await years()).map(({ changed }) => JSON.parse(changed ?? "[]").length);
  await add(3);
  await figuresOf(db, { userId: id, filter: {} });
  expect(await years()).toEqual([{ contacts: 3, changed: null }]);

  await add(90);
  expect(await noted()).toEqual([90]);
  await figuresOf(db, { userId: id, filter: {} });
  expect(await noted()).toEqual([90]);

  await add(10);
  await figuresOf(db, { userId: id, filter: {} });
  expect(await years()).toEqual([{ contacts: 103, changed: null }]);

  await add(251);
  expect(await years()).toEqual([]);
});
