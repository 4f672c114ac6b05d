import { expect, test } from "bun:test";
import { drawn } from "../../cli/figures.ts";
import { counted, grouped, hundredths, percent } from "../../src/kernel/number-text.ts";
import { countsByYear } from "../../src/domain/statistics/log-figures.ts";

test("a part and the rest of it add up to 100, and neither is all or nothing where it is not", () => {
  expect([percent(639, 1000), percent(361, 1000)]).toEqual(["64 %", "36 %"]);
  expect([percent(1, 8), percent(7, 8)]).toEqual(["12 %", "88 %"]);
  expect([percent(9_999, 10_000), percent(1, 10_000)]).toEqual(["99 %", "1 %"]);
  expect([percent(0, 7), percent(7, 7)]).toEqual(["0 %", "100 %"]);
  expect(percent(0, 0)).toBe("–");
});

test("shares of a whole add up to it, whatever the parts are", () => {
  expect(hundredths([1, 1, 1])).toEqual([34, 33, 33]);
  expect(hundredths([])).toEqual([]);
  expect(hundredths([0, 0])).toEqual([0, 0]);
  for (let whole = 1; whole <= 60; whole++) {
    for (let first = 0; first <= whole; first++) {
      const [any = 0, none = 0] = hundredths([whole - first, first]);
      expect(any + none).toBe(100);
      const second = Math.floor((whole - first) / 3);
      const parts = [second, whole - first - second];
      const shares = hundredths(parts, any);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(any);
      expect(shares.every((share, at) => share >= 0 && (parts[at]! > 0 || share === 0))).toBe(true);
    }
  }
});

test("what is counted has its plural, and thousands a comma", () => {
  expect([0, 1, 2, 1200, 1_234_567].map((count) => counted(count, "job"))).toEqual([
    "0 jobs",
    "1 job",
    "2 jobs",
    "1,200 jobs",
    "1,234,567 jobs",
  ]);
  expect(counted(2, "entity", "entities")).toBe("2 entities");
  expect(grouped(999)).toBe("999");
});

const NOBODY = { first: 0, second: 0, card: 0 };

test("a figure of the modes has them all, also where a terminal draws it", () => {
  const cells = Array.from({ length: 17 }, (_, at) => ({
    year: 2024,
    mode: `M${at}`,
    band: "20m",
    contacts: at + 1,
    ...NOBODY,
  }));
  const lines = drawn("modes", countsByYear(cells).modes, 80).split("\n");
  expect(lines.filter((row) => /^ *M\d/.test(row))).toHaveLength(17);
});
