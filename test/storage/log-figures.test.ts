import { expect, test } from "bun:test";
import { DAY } from "../../src/kernel/clock.ts";
import type { CountsFigure, Figures } from "../../src/domain/statistics/log-figures.ts";
import { computeDistanceKm, computeGridCentre } from "../../src/domain/radio/maidenhead.ts";
import { parseFilter } from "../../src/domain/contact/qso-filter.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import { changeLog } from "../../src/storage/log/log-changes.ts";
import { figuresWork } from "../../src/storage/log/log-figures.ts";
import type { Snapshot } from "../../src/storage/log/qsos.ts";
import { aLog as generated, asRow, storeLog } from "../support/log-generator.ts";
import { logOf } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const isConfirmed = (qso: Qso) => qso.firstConfirmed || qso.secondConfirmed || qso.cardConfirmed;

/** Cases that the log generator does not create: no own square, equal distances, two squares for one contact. */
const ROWS = [...generated({ contacts: 900, seed: 6 })].map((contact, at): Snapshot => {
  const row = asRow(contact, { keepsLayers: false });
  return {
    ...row,
    ownGrid: at % 3 === 0 ? null : at % 2 === 0 ? "KN04" : "JN95",
    gridsquare: at % 4 === 0 ? "RE66" : row.gridsquare,
    awardGrids: at % 10 === 0 ? "FN42,FN43" : row.awardGrids,
    cardConfirmed: at % 6 === 0,
    ...(at % 11 === 0 ? { band: null } : {}),
    ...(at % 13 === 0 ? { mode: null, submode: null, modeGroup: at % 2 === 0 ? null : "phone" } : {}),
  };
});

const aLog = async () => {
  const world = await testWorld();
  const [bob, eve] = [await aUser(world, "bob"), await aUser(world, "eve")];
  await world.db.write(() => changeLog(bob.id, { added: ROWS }, "nobody"));
  await storeLog(world.db, eve.id, { contacts: 50, seed: 7 });
  const figures = (search: string): Promise<Figures> => {
    const filter = parseFilter(search === "" ? {} : { search });
    return world.db.read(() => figuresWork.unit({ userId: bob.id, filter }));
  };
  return { figures, log: (await logOf(world, bob.id)) as Qso[] };
};

/** Every cell of a count figure that is not zero. */
const cellsOf = ({ columns, rows }: CountsFigure): string[] =>
  rows
    .flatMap(({ name, counts }) => counts.map((count, at) => (count > 0 ? `${name} ${columns[at]} ${count}` : "")))
    .filter(Boolean)
    .sort();

const countBy = (log: readonly Qso[], nameOf: (qso: Qso) => string | null): string[] =>
  [...Map.groupBy(log, nameOf)].flatMap(([name, some]) => (name === null ? [] : [`${name} ${some.length}`])).sort();

const middle = (numbers: readonly number[]): number | null =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length / 2) - 1] ?? null;

const delays = (log: readonly Qso[], service: "first" | "second"): number[] =>
  log.flatMap((qso) => {
    const at = qso[`${service}ConfirmedAt`];
    return qso[`${service}Confirmed`] && at !== null && at >= qso.startedAt
      ? [Math.floor((at - qso.startedAt) / DAY)]
      : [];
  });

const SEARCHES: [string, (qso: Qso) => boolean][] = [
  ["", () => true],
  ["20m", ({ band }) => band === "20m"],
  ["confirmed", isConfirmed],
  ["2016..2018", ({ year }) => year >= 2016 && year <= 2018],
];

const CURVES: [string, (qso: Qso) => readonly string[]][] = [
  ["entities", ({ awardEntity }) => (awardEntity === null ? [] : [String(awardEntity)])],
  ["states", ({ awardState }) => (awardState === null ? [] : [awardState])],
  ["zones", ({ awardZone }) => (awardZone === null ? [] : [String(awardZone)])],
  ["grids", ({ awardGrids }) => awardGrids?.split(",") ?? []],
];

// Invariant: the figures of the statistics page agree with counting contacts one by one
test.each(SEARCHES)("the figures of the search %j equal a count one by one", async (search, isMeant) => {
  const { figures, log } = await aLog();
  const meant = log.filter(isMeant);
  const { calendar, hours, bands, modes, curve, confirmations, furthest, map } = await figures(search);
  const modeOf = ({ modeGroup, submode, mode }: Qso) => (modeGroup === null ? null : (submode ?? mode ?? "PHONE"));

  const week = ({ year, startedAt }: Qso) => Math.floor((startedAt - Date.UTC(year, 0, 1)) / (7 * DAY)) + 1;
  expect(cellsOf(calendar)).toEqual(countBy(meant, (qso) => `${qso.year} ${week(qso)}`));
  const hour = ({ startedAt }: Qso) => new Date(startedAt).toISOString().slice(11, 13);
  expect(cellsOf(hours)).toEqual(countBy(meant, (qso) => qso.band && `${qso.band} ${hour(qso)}`));
  expect(cellsOf(bands)).toEqual(countBy(meant, (qso) => qso.band && `${qso.band} ${qso.year}`));
  expect(cellsOf(modes)).toEqual(countBy(meant, (qso) => modeOf(qso) && `${modeOf(qso)} ${qso.year}`));

  for (const [name, keysOf] of CURVES) {
    const line = curve.lines.find((one) => one.name === name)!;
    for (const [at, month] of curve.months.entries()) {
      if (at % 25 !== 0 && at !== curve.months.length - 1) continue;
      const sofar = meant.filter(({ startedAt }) => new Date(startedAt).toISOString().slice(0, 7) <= month);
      const worked = new Set(sofar.flatMap(keysOf));
      const confirmed = new Set(sofar.filter(isConfirmed).flatMap(keysOf));
      expect([name, month, line.worked[at], line.confirmed[at]]).toEqual([name, month, worked.size, confirmed.size]);
    }
  }

  for (const { of, name, ...counts } of confirmations.rows) {
    const some = meant.filter((qso) => of === "all" || String(qso[of]) === name);
    expect([of, name, counts]).toEqual([
      of,
      name,
      {
        total: some.length,
        first: some.filter((qso) => qso.firstConfirmed).length,
        second: some.filter((qso) => qso.secondConfirmed).length,
        card: some.filter((qso) => qso.cardConfirmed).length,
        firstDays: middle(delays(some, "first")),
        secondDays: middle(delays(some, "second")),
      },
    ]);
  }
  expect(confirmations.rows.filter(({ of }) => of === "year")).toHaveLength(
    new Set(meant.map(({ year }) => year)).size,
  );

  const km = ({ ownGrid, gridsquare }: Qso): number => {
    const [from, to] = [computeGridCentre(ownGrid ?? ""), computeGridCentre(gridsquare ?? "")];
    return from && to ? Math.round(computeDistanceKm(from, to)) : -1;
  };
  const byBand = Map.groupBy(
    meant.filter((qso) => qso.band !== null && km(qso) >= 0),
    ({ band }) => band!,
  );
  const best = [...byBand].map(([band, some]) => {
    const [{ id, call, gridsquare }, far] = some
      .map((qso) => [qso, km(qso)] as const)
      .sort(([a, x], [b, y]) => y - x || a.id - b.id)[0]!;
    return { band, km: far, qsoId: id, call, gridsquare };
  });
  const inOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
  expect(inOrder(furthest.rows)).toEqual(inOrder(best));

  expect(map.entities.map(({ dxcc, total }) => `${dxcc} ${total}`).sort()).toEqual(
    countBy(meant, ({ dxcc }) => (dxcc === null ? null : String(dxcc))),
  );
  expect(sum(map.entities.map(({ confirmed }) => confirmed))).toBe(
    meant.filter((qso) => qso.dxcc !== null && isConfirmed(qso)).length,
  );
  const homes = Map.groupBy(
    meant.flatMap(({ ownGrid }) => ownGrid ?? []),
    (grid) => grid,
  );
  expect(map.home?.grid).toBe([...homes].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))[0]?.[0]);
});
