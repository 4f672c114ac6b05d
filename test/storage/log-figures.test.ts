import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DAY } from "../../src/domain/clock.ts";
import { FigureTally } from "../../src/domain/figure-tally.ts";
import { fitting, segmentOf } from "../../src/domain/column-page.ts";
import { figuredOf, type KeptContact, type YearColumns } from "../../src/domain/year-contacts.ts";
import { countYear } from "../../src/domain/year-figures.ts";
import { packCoded } from "../support/pack-coded.ts";
import type { Figures } from "../../src/domain/log-figures.ts";
import { parseFilter } from "../../src/domain/qso-filter.ts";
import { isAt, type Qso } from "../../src/domain/qso.ts";
import type { Database } from "../../src/storage/database.ts";
import { figuresOf } from "../../src/storage/log-figures.ts";
import { changeLog } from "../../src/storage/log-changes.ts";
import type { Snapshot } from "../../src/storage/qsos.ts";
import { figuresOfLog } from "../../src/storage/statistics.ts";
import { many, run } from "../../src/storage/unit.ts";
import { aLog as generated, asRow, storeLog } from "../support/log-generator.ts";
import { logOf, said, sync } from "../support/sync.ts";
import { isFull } from "../support/full.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const cell = ({ columns, rows }: Figures["hours"], row: string, column: string): number =>
  rows.find(({ name }) => name === row)?.counts[columns.indexOf(column)] ?? 0;
const isConfirmed = (qso: Qso) => qso.firstConfirmed || qso.secondConfirmed || qso.cardConfirmed;

const RUNS = isFull(import.meta) ? 30 : ENGINE === "sqlite" ? 10 : 3;

const ROWS = [...generated({ contacts: 60, seed: 5 })].map((contact, at): Snapshot => ({
  ...asRow(contact, { keepsLayers: false }),
  call: `K${at % 7}ABC`,
  ownGrid: at % 3 === 0 ? null : at % 2 === 0 ? "KN04" : "JN95",
  cardConfirmed: at % 6 === 0,
}));

const act = fc.record({
  kind: fc.constantFrom("add", "replace", "remove", "another program", "count"),
  which: fc.array(fc.nat(ROWS.length - 1), { maxLength: 6 }),
  by: fc.nat(ROWS.length - 1),
});

const kept = (qso: Qso): KeptContact => ({
  ...qso,
  first: Number(qso.firstConfirmed),
  second: Number(qso.secondConfirmed),
  card: Number(qso.cardConfirmed),
  firstAt: qso.firstConfirmedAt,
  secondAt: qso.secondConfirmedAt,
  atFirst: Number(isAt(qso, "first")),
  atSecond: Number(isAt(qso, "second")),
});

const contactsOf = (year: number, contacts: readonly Qso[]) => {
  const inOrder = contacts.toSorted((a, b) => a.startedAt - b.startedAt || a.id - b.id);
  const segment = segmentOf(year, inOrder.map(kept));
  return figuredOf(segment.columns as YearColumns, fitting(segment, {}));
};

/** From the contacts in hand, with nothing that was kept. */
const countedAnew = (log: readonly Qso[]): Figures => {
  const tally = new FigureTally();
  for (const [year, contacts] of Map.groupBy(log, (qso) => qso.year))
    tally.add(countYear(year, contactsOf(year, contacts)));
  return tally.figures(new Map(log.map(({ id, call, gridsquare }) => [id, { call, gridsquare: gridsquare! }])));
};

/** Writes another band into what is kept of every year. */
const writeBands = (db: Database, band: string) =>
  db.write(function* () {
    const years = yield* many<{ year: number; contacts: number }>`SELECT year, contacts FROM log_years`;
    for (const { year, contacts } of years) {
      const bands = packCoded(Array<string>(contacts).fill(band));
      yield* run`UPDATE log_columns SET packed = ${bands} WHERE year = ${year} AND name = 'band'`;
    }
  });

describe("the figures of a log", () => {
  const aLog = async () => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const eve = await aUser(world, "eve");
    await storeLog(world.db, bob.id, { contacts: 900, seed: 6 });
    await storeLog(world.db, eve.id, { contacts: 50, seed: 7 });
    const figures = async (search: string) => {
      const filter = parseFilter(search === "" ? {} : { search });
      return figuresOf(world.db, { userId: bob.id, filter });
    };
    return { figures, contacts: (await logOf(world, bob.id)) as Qso[] };
  };

  test("agree with counting one by one, whole and chosen by a search", async () => {
    const { figures, contacts } = await aLog();
    for (const [search, isMeant] of [
      ["", () => true],
      ["20m", ({ band }: Qso) => band === "20m"],
      ["confirmed", isConfirmed],
    ] as const) {
      const meant = contacts.filter(isMeant);
      const { calendar, hours, bands, modes, curve, confirmations, furthest, map } = await figures(search);

      expect(sum(calendar.rows.flatMap(({ counts }) => counts))).toBe(meant.length);
      for (const year of [2015, 2020]) {
        const total = meant.filter((qso) => qso.year === year).length;
        expect(sum(calendar.rows.find(({ name }) => name === String(year))?.counts ?? [])).toBe(total);
        const on20m = meant.filter((qso) => qso.year === year && qso.band === "20m").length;
        expect(cell(bands, "20m", String(year))).toBe(on20m);
      }
      const atTwelve = meant.filter((qso) => qso.band === "20m" && new Date(qso.startedAt).getUTCHours() === 12);
      expect(cell(hours, "20m", "12")).toBe(atTwelve.length);
      expect(sum(modes.rows.flatMap(({ counts }) => counts))).toBeLessThanOrEqual(meant.length);

      const entities = new Set(meant.flatMap(({ awardEntity }) => awardEntity ?? []));
      const confirmed = new Set(meant.filter(isConfirmed).flatMap(({ awardEntity }) => awardEntity ?? []));
      const line = curve.lines.find(({ name }) => name === "entities")!;
      expect([line.worked.at(-1), line.confirmed.at(-1)]).toEqual([entities.size, confirmed.size]);
      expect(line.worked.length).toBe(curve.months.length);

      const delays = meant
        .filter((qso) => qso.firstConfirmed && qso.firstConfirmedAt !== null && qso.firstConfirmedAt >= qso.startedAt)
        .map((qso) => Math.floor((qso.firstConfirmedAt! - qso.startedAt) / DAY))
        .sort((a, b) => a - b);
      expect(confirmations.rows[0]).toMatchObject({
        total: meant.length,
        first: meant.filter((qso) => qso.firstConfirmed).length,
        second: meant.filter((qso) => qso.secondConfirmed).length,
        firstDays: delays[Math.ceil(delays.length / 2) - 1] ?? null,
      });
      expect(sum(map.entities.map(({ total }) => total))).toBe(meant.filter(({ dxcc }) => dxcc !== null).length);
      for (const { qsoId, band, call } of furthest.rows)
        expect(meant.find(({ id }) => id === qsoId)).toMatchObject({ band, call });
    }
  });

  // Invariant: what is kept of the years of a log is what counting them anew gives
  test("stay right whatever happens to the log, though only the years of a change are counted anew", async () => {
    const world = await testWorld();
    const { db } = world;
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 10 }), async (acts) => {
        const { id } = await aUser(world, `user${(made += 1)}`);
        for (const one of acts) {
          const log = (await logOf(world, id)) as Qso[];
          const some = [...new Set(one.which.flatMap((at) => (log.length > 0 ? [log[at % log.length]!] : [])))];
          if (one.kind === "add")
            await db.write(() => changeLog(id, { added: one.which.map((at) => ROWS[at]!) }, "nobody"));
          if (one.kind === "remove") await db.write(() => changeLog(id, { removed: some }, "nobody"));
          if (one.kind === "replace") {
            const replaced = some.map((before) => ({ id: before.id, before, after: ROWS[one.by]! }));
            await db.write(() => changeLog(id, { replaced }, "nobody"));
          }
          if (one.kind === "another program")
            await db.write(function* () {
              yield* run`UPDATE users SET log_version = log_version + 1 WHERE id = ${id}`;
              yield* run`UPDATE qsos SET band = '17m' WHERE user_id = ${id}`;
            });
          if (one.kind === "count") await figuresOfLog(db, id);
          const anew = countedAnew((await logOf(world, id)) as Qso[]);
          expect(await figuresOf(db, { userId: id, filter: {} })).toEqual(anew);
        }
      }),
      { numRuns: RUNS, seed: 21 },
    );
  });

  test("of what nobody changed are read and not counted", async () => {
    const world = await testWorld();
    const { db } = world;
    const bob = await aUser(world, "bob");
    await db.write(() => changeLog(bob.id, { added: ROWS }, "nobody"));
    const drawn = () => figuresOf(db, { userId: bob.id, filter: {} });
    const before = await drawn();

    const log = (await logOf(world, bob.id)) as Qso[];
    const one = log.find(({ id, year }) => log.some((other) => other.id !== id && other.year === year))!;
    await db.write(() => changeLog(bob.id, { removed: [one] }, "nobody"));
    // What nobody counts again keeps what was written into it.
    await writeBands(db, "2190m");
    const after = await drawn();
    expect(after.bands.rows.map(({ name }) => name)).toEqual(["2190m"]);
    expect(sum(after.bands.rows[0]!.counts)).toBe(log.length - 1);
    expect(before.bands.rows.some(({ name }) => name === "2190m")).toBe(false);
  });

  test("of some whole years are those of the log between them", async () => {
    const { figures } = await aLog();
    const whole = await figures("");
    const some = await figures("2016..2018");
    expect(some.bands.columns).toEqual(["2016", "2017", "2018"]);
    for (const { name, counts } of some.bands.rows)
      expect(counts).toEqual(["2016", "2017", "2018"].map((year) => cell(whole.bands, name, year)));
  });

  test("of a large log are read ahead when a job has changed it, and only the years it changed", async () => {
    const world = await testWorld();
    const { db } = world;
    const bob = await aUser(world, "bob");
    await storeLog(db, bob.id, { contacts: 20_100, seed: 8 });
    const keptYears = async () =>
      (await db.read(() => many<{ year: number }>`SELECT year FROM log_years WHERE user_id = ${bob.id}`)).length;
    expect(await keptYears()).toBe(0);

    await sync(world, bob.id, "file", [said("K1AAA", "2020-07-18 01:43")]);
    const years = await keptYears();
    expect(years).toBeGreaterThan(3);

    await writeBands(db, "2190m");
    await sync(world, bob.id, "file", [said("K2AAA", "2020-07-19 01:43")]);
    expect(await keptYears()).toBe(years);
    const figures = await figuresOf(db, { userId: bob.id, filter: {} });
    expect(figures.bands.rows.map(({ name, counts }) => [name, sum(counts)])).toEqual([
      ["2190m", 20_101],
      ["20m", 1],
    ]);
  });
});
