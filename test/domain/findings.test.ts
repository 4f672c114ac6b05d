import { expect, test } from "bun:test";
import { describeFindings, formatWeek } from "../../src/domain/statistics/findings.ts";
import type { Figures } from "../../src/domain/statistics/log-figures.ts";

const WEEKS = Array.from({ length: 53 }, (_, at) => at);
const NOTHING: Figures = {
  calendar: { columns: WEEKS.map((at) => String(at + 1)), rows: [] },
  hours: { columns: ["00", "01", "02"], rows: [] },
  bands: { columns: [], rows: [] },
  modes: { columns: [], rows: [] },
  curve: { months: [], lines: [] },
  confirmations: { rows: [] },
  furthest: { rows: [] },
  map: { home: null, entities: [] },
  shares: [],
};
const findingsOf = (figures: Partial<Figures>) => describeFindings({ ...NOTHING, ...figures });
const calendarOf = (years: Record<string, (week: number) => number>): Partial<Figures> => ({
  calendar: {
    ...NOTHING.calendar,
    rows: Object.entries(years)
      .map(([name, count]) => ({ name, counts: WEEKS.map(count) }))
      .toReversed(),
  },
});

test("an unbroken run of weeks is the title of the calendar, even in the middle of a year", () => {
  const { calendar } = findingsOf(
    calendarOf({
      2023: (week) => Number(week >= 20),
      2024: (week) => Number(week < 52),
      2025: (week) => Number(week < 30),
    }),
  );
  expect(calendar).toBe("On the air every week since May 2023");
});

test("a gap, or a year without contacts, ends the run: the busiest week is the title", () => {
  expect(
    findingsOf(calendarOf({ 2024: () => 1, 2025: (week) => (week === 3 ? 0 : week === 9 ? 83 : 1) })).calendar,
  ).toBe("The busiest week began on 2025-03-05: 83 QSOs");
  expect(findingsOf(calendarOf({ 2023: () => 2, 2025: (week) => Number(week < 20) })).calendar).toBe(
    "The busiest week began on 2023-12-24: 2 QSOs",
  );
});

test.each([
  [[30, 30, 30, 30], "one QSO in four"],
  [[50, 50], "every other QSO"],
  [[64, 36], "two QSOs in three"],
  [[75, 25], "three QSOs in four"],
  [[95, 5], "nearly every QSO"],
  [[7], "every QSO"],
  [Array.from({ length: 25 }, () => 4), "4 % of your QSOs"],
])("a share of %j is told as %s", (totals, words) => {
  const shares = totals.map((total, at) => ({ band: at === 0 ? "20m" : `${at}cm`, total, confirmed: 0 }));
  expect(findingsOf({ shares }).shares).toBe(`20m is your band: ${words}`);
});

test("each chart says what it shows", () => {
  const months = Array.from({ length: 73 }, (_, at) => `m${at}`);
  const findings = findingsOf({
    hours: {
      columns: ["00", "01", "02"],
      rows: [
        { name: "40m", counts: [0, 3, 0] },
        { name: "20m", counts: [1, 2, 9] },
      ],
    },
    bands: { columns: ["2024", "2025"], rows: [{ name: "20m", counts: [3, 8] }] },
    modes: { columns: ["2024"], rows: [{ name: "FT8", counts: [9] }] },
    curve: {
      months,
      lines: [{ name: "entities", worked: months.map((_, at) => 100 + at), confirmed: months.map(() => 90) }],
    },
    confirmations: {
      rows: [{ of: "all", name: "all", total: 9, first: 1, second: 1, card: 0, firstDays: 36, secondDays: 62 }],
    },
    furthest: {
      rows: [
        { band: "20m", km: 9_000, qsoId: 1, call: "JA1ABC", gridsquare: "PM95" },
        { band: "80m", km: 18_631, qsoId: 2, call: "ZL7EJA", gridsquare: "AE16" },
      ],
    },
    map: { home: { lat: 44, lon: 20, grid: "KN04" }, entities: [{ dxcc: 1, total: 1, confirmed: 0 }] },
  });

  expect(findings).toMatchObject({
    hours: "20m works around the clock, best at 02 UTC",
    bands: "2025 is your busiest year: 8 QSOs",
    modes: "FT8 is your mode: every QSO",
    curve: "172 entities worked, 90 confirmed, 12 new a year",
    confirmations: "LoTW confirms in 36 days, QRZ in 62",
    furthest: "Longest contact: 18,631 km to ZL7EJA on 80m",
    map: "1 entity reached from KN04",
  });
});

test("a chart without data has its usual title", () => {
  expect(findingsOf({}).calendar).toBe("Activity by week");
  expect(findingsOf({}).curve).toBe("Worked and confirmed over time");
});

test("a week of a search has seven days, and the last one of a year one or two", () => {
  expect([formatWeek(2026, 46), formatWeek(2026, 52), formatWeek(2024, 52)]).toEqual([
    "2026-11-19..2026-11-25",
    "2026-12-31..2026-12-31",
    "2024-12-30..2024-12-31",
  ]);
});
