import { expect, test } from "bun:test";
import fc from "fast-check";
import { BAND_NAMES } from "../../src/domain/radio/band.ts";
import { DAY, HOUR } from "../../src/kernel/clock.ts";
import { FIELDS, listFieldsWith } from "../../src/domain/contact/fields.ts";
import { ONLY_SO } from "../../src/domain/contact/field-texts.ts";
import {
  parseListing,
  SORT_KEYS,
  type ConfirmationWord,
  type QsoFilter,
  type QsoListing,
  type QsoParameters,
  type QsoSort,
  type SortKey,
} from "../../src/domain/contact/qso-filter.ts";
import { isAt, type Qso } from "../../src/domain/contact/qso.ts";
import { changeLog } from "../../src/storage/log/log-changes.ts";
import * as qsoList from "../../src/storage/log/qso-list.ts";
import type { Snapshot } from "../../src/storage/log/qsos.ts";
import { isFull } from "../support/full.ts";
import { aLog, asRow } from "../support/log-generator.ts";
import { logOf } from "../support/sync.ts";
import { aUser, ENGINE, NOON, testWorld, type TestWorld } from "../support/world.ts";

const IS_FULL = isFull(import.meta);
const RUNS = IS_FULL ? 400 : ENGINE === "sqlite" ? 12 : 4;

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length]!;

/** Contacts with many equal values in what lists filter by, including times. */
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
  name: ["ann", "ANN,o'*", "%", "Ü"],
  qth: ["san", "100% s", "\u{1F600}"],
  comment: ["HUNDRED", "\\_", '"R,b'],
  grid: ["kn04", "KN04FR,jn", "N04"],
  confirmation: ["none", "both", "any", "card,firstOnly", "cardOnly,secondOnly", "second"],
  hour: ["14", "0,23", "3,4,5,6,7,8"],
  at: ["first", "second", "first,second"],
  notAt: ["first", "first,second"],
  q: ["a", "A", "1a", "\u{1F600}", "an", "Ü", "üm", "K", "ß", "%", "k1abc", "R 1", "NOT THERE", "'*", "\\_", "kn04fr"],
  from: ["2016-01-01", "2015-06-01", "2017-03-04"],
  to: ["2016-12-31", "2018-06-01", String(Date.UTC(2016, 5, 1, 12))],
};

/** Usually with a text filter. */
const filter = fc
  .tuple(fc.subarray(Object.keys(WORDS), { maxLength: 3 }), fc.constantFrom([], ["q"]))
  .map(([some, more]) => [...new Set([...some, ...more])])
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...WORDS[name]!)]))));

const SORTS = SORT_KEYS.flatMap((key) => [key, `-${key}`]);
const sort = fc.constantFrom(...SORTS);

/** Lower case for ASCII letters only. */
const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const CONFIRMED: Record<ConfirmationWord, (qso: Qso) => boolean> = {
  none: (qso) => !CONFIRMED.any(qso),
  firstOnly: (qso) => qso.firstConfirmed && !qso.secondConfirmed,
  secondOnly: (qso) => !qso.firstConfirmed && qso.secondConfirmed,
  both: (qso) => qso.firstConfirmed && qso.secondConfirmed,
  first: (qso) => qso.firstConfirmed,
  second: (qso) => qso.secondConfirmed,
  card: (qso) => qso.cardConfirmed,
  cardOnly: (qso) => qso.cardConfirmed && !qso.firstConfirmed && !qso.secondConfirmed,
  any: (qso) => qso.firstConfirmed || qso.secondConfirmed || qso.cardConfirmed,
};

const holds = (text: string | null, part: string | number | null): boolean =>
  folded(text ?? "").includes(folded(String(part)));

const SPECIAL: Record<string, (qso: Qso, value: string | number | null) => boolean> = {
  call: ({ call }, pattern) => new RegExp(`^${String(pattern).split("*").map(escaped).join(".*")}$`, "su").test(call),
  mode: ({ mode, submode }, value) => {
    const name = String(value);
    if (name.startsWith(ONLY_SO)) return (submode ?? mode) === name.slice(ONLY_SO.length);
    return mode === name || submode === name;
  },
  name: ({ name }, text) => holds(name, text),
  qth: ({ qth }, text) => holds(qth, text),
  comment: ({ comment }, text) => holds(comment, text),
  grid: ({ gridsquare }, text) => folded(gridsquare ?? "").startsWith(folded(String(text))),
  ownGrid: ({ ownGrid }, square) =>
    ownGrid === square || (ownGrid !== null && String(square).length === 4 && ownGrid.startsWith(String(square))),
};

/** Whether a contact matches a filter, computed without the database. */
const fits = (qso: Qso, filter: QsoFilter): boolean => {
  const { from = -Infinity, to = Infinity, hour, confirmation, at, notAt, q } = filter;
  const ofFields = listFieldsWith("filter").every((field) => {
    const { name } = FIELDS[field].filter;
    const values = filter[name] as readonly (string | number | null)[] | undefined;
    return !values || values.some((value) => SPECIAL[name]?.(qso, value) ?? qso[field] === value);
  });
  const texts = [qso.call, qso.name, qso.qth, qso.comment, qso.gridsquare];
  return (
    ofFields &&
    qso.startedAt >= from &&
    qso.startedAt < to &&
    (!hour || hour.includes(Math.floor((qso.startedAt - Math.floor(qso.startedAt / DAY) * DAY) / HOUR))) &&
    (!confirmation || confirmation.some((word) => CONFIRMED[word](qso))) &&
    (!at || at.some((service) => isAt(qso, service))) &&
    !notAt?.some((service) => isAt(qso, service)) &&
    (q === undefined || texts.some((text) => folded(text ?? "").includes(folded(q))))
  );
};

const SORTED_BY: Record<SortKey, (qso: Qso) => string | number | null> = {
  startedAt: (qso) => qso.startedAt,
  updatedAt: (qso) => qso.updatedAt,
  call: (qso) => qso.call,
  dxcc: (qso) => qso.dxcc,
  band: ({ band }) => (band === null ? null : BAND_NAMES.indexOf(band as never)),
  mode: ({ mode, submode }) => submode ?? mode,
};

/** Compares texts by bytes, as both databases do. */
const compare = (a: string | number, b: string | number): number =>
  typeof a === "string" ? Buffer.compare(Buffer.from(a), Buffer.from(String(b))) : a - Number(b);

/** Contacts with equal values are sorted by time, and unknown values come last in both directions. */
const comparing = ({ key, descending }: QsoSort) => {
  const direction = descending ? -1 : 1;
  return (a: Qso, b: Qso): number => {
    const [one, other] = [SORTED_BY[key](a), SORTED_BY[key](b)];
    if ((one === null) !== (other === null)) return one === null ? 1 : -1;
    const byKey = one === null ? 0 : compare(one, other!);
    const byTime = key === "startedAt" || key === "updatedAt" ? 0 : a.startedAt - b.startedAt;
    return direction * (byKey || byTime || a.id - b.id);
  };
};

const PAGE = 9;

/** Compares every page, forwards and backwards, with filtering and sorting the log in memory. */
const walk = async ({ db }: TestWorld, userId: number, words: QsoParameters, pages = 12) => {
  const { filter, sort } = parseListing(words);
  const log = (await logOf({ db } as TestWorld, userId)) as Qso[];
  const expected = log.filter((qso) => fits(qso, filter)).sort(comparing(sort));
  const ids = expected.map(({ id }) => id);
  let [place, start]: [QsoParameters, number] = [{}, 0];
  let known: qsoList.VersionedTotal | null = null;
  for (let page = 0, isBack = false; page < pages; page++) {
    const listing = { filter, sort, limit: PAGE, ...place } as QsoListing;
    const found = await db.read(() => qsoList.page({ userId, listing, known }));
    expect([words, page, found.total, found.qsos.map(({ id }) => id)]).toEqual([
      words,
      page,
      expected.length,
      ids.slice(start, start + PAGE),
    ]);
    expect(found.qsos).toEqual(expected.slice(start, start + PAGE));
    // Every other page counts again.
    known = page % 2 === 0 ? { version: found.version, total: found.total } : null;
    isBack ||= found.nextCursor === null || page === Math.floor(pages / 2) - 1;
    expect([words, page, found.nextCursor === null && place.before === undefined]).toEqual([
      words,
      page,
      start + PAGE >= expected.length && place.before === undefined,
    ]);
    if (isBack ? found.previousCursor === null : found.nextCursor === null) return;
    place = isBack ? { before: found.previousCursor! } : { cursor: found.nextCursor! };
    start = isBack ? Math.max(0, start - PAGE) : start + PAGE;
  }
};

const change = fc.record({
  kind: fc.constantFrom("add", "replace", "remove"),
  which: fc.array(fc.nat(ROWS.length - 1), { minLength: 1, maxLength: 8 }),
  by: fc.nat(ROWS.length - 1),
});

const aLogOfRows = async () => {
  const world = await testWorld();
  const [bob, eve] = [await aUser(world, "bob"), await aUser(world, "eve")];
  for (const { id } of [bob, eve]) await world.db.write(() => changeLog(id, { added: ROWS }, "nobody"));
  return { world, db: world.db, bob };
};

// Invariant: a list equals filtering the contacts one by one
test("every page of every list equals filtering in memory, after any changes to the log", async () => {
  const { world, db, bob } = await aLogOfRows();
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

test("each filter with several or all orders gives the first, the next and the previous page", async () => {
  const { world, bob } = await aLogOfRows();
  for (const [index, [name, asked]] of Object.entries(WORDS).entries())
    for (const [at, sort] of SORTS.entries()) {
      // In the short form each filter is combined with a quarter of the orders, and all filters together with every
      // order.
      if (IS_FULL || (at + index) % 4 === 0) await walk(world, bob.id, { [name]: pick(asked, at), sort }, 4);
    }
}, 120_000);

// Invariant: a search finds every contact that contains a text, and no other
test("a search finds text in every searched column, and ignores case for ASCII letters only", async () => {
  const { world, bob } = await aLogOfRows();
  for (const q of WORDS.q!) await walk(world, bob.id, { q }, 40);
}, 120_000);

test("contacts are counted once for all pages while the log does not change", async () => {
  const { db, bob } = await aLogOfRows();
  const listing = parseListing({ mode: "CW" });
  const find = (known: qsoList.VersionedTotal | null) =>
    db.read(() => qsoList.page({ userId: bob.id, listing, known }));
  const { version, total } = await find(null);

  expect((await find({ version, total: 12_345 })).total).toBe(12_345);
  expect((await find({ version: version - 1, total: 12_345 })).total).toBe(total);
});
