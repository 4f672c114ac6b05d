import { describe, expect, test } from "bun:test";
import { DAY } from "../../src/domain/clock.ts";
import { FIGURE_NAMES, type Figures } from "../../src/domain/log-figures.ts";
import { parseFilter } from "../../src/domain/qso-filter.ts";
import type { Qso } from "../../src/domain/qso.ts";
import { figuresOf } from "../../src/storage/log-figures.ts";
import { logOf } from "../support/sync.ts";
import { storeLog } from "../support/log-generator.ts";
import { aUser, testWorld } from "../support/world.ts";

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const cell = ({ columns, rows }: Figures["hours"], row: string, column: string): number =>
  rows.find(({ name }) => name === row)?.counts[columns.indexOf(column)] ?? 0;
const isConfirmed = (qso: Qso) => qso.firstConfirmed || qso.secondConfirmed || qso.cardConfirmed;

describe("the figures of a log", () => {
  const aLog = async () => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const eve = await aUser(world, "eve");
    await storeLog(world.db, bob.id, { contacts: 900, seed: 6 });
    await storeLog(world.db, eve.id, { contacts: 50, seed: 7 });
    const figures = async (search: string) => {
      const filter = parseFilter(search === "" ? {} : { search });
      return (await figuresOf(world.db, { userId: bob.id, filter, names: FIGURE_NAMES })) as Figures;
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
});
