import { expect, test } from "bun:test";
import { drawFigure } from "../../cli/figures.ts";
import { formatCount, formatNumber, computePercentages, formatShare } from "../../src/kernel/number-text.ts";

test("a part and the rest add up to 100, and neither is rounded to all or nothing", () => {
  expect([formatShare(639, 1000), formatShare(361, 1000)]).toEqual(["64 %", "36 %"]);
  expect([formatShare(1, 8), formatShare(7, 8)]).toEqual(["12 %", "88 %"]);
  expect([formatShare(9_999, 10_000), formatShare(1, 10_000)]).toEqual(["99 %", "1 %"]);
  expect([formatShare(0, 7), formatShare(7, 7)]).toEqual(["0 %", "100 %"]);
  expect(formatShare(0, 0)).toBe("–");
});

test("percentages of a whole add up to 100", () => {
  expect(computePercentages([1, 1, 1])).toEqual([34, 33, 33]);
  expect(computePercentages([])).toEqual([]);
  expect(computePercentages([0, 0])).toEqual([0, 0]);
  for (let whole = 1; whole <= 60; whole++) {
    for (let first = 0; first <= whole; first++) {
      const [any = 0, none = 0] = computePercentages([whole - first, first]);
      expect(any + none).toBe(100);
      const second = Math.floor((whole - first) / 3);
      const parts = [second, whole - first - second];
      const shares = computePercentages(parts, any);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(any);
      expect(shares.every((share, at) => share >= 0 && (parts[at]! > 0 || share === 0))).toBe(true);
    }
  }
});

test("counts have a plural, and thousands a comma", () => {
  expect([0, 1, 2, 1200, 1_234_567].map((count) => formatCount(count, "job"))).toEqual([
    "0 jobs",
    "1 job",
    "2 jobs",
    "1,200 jobs",
    "1,234,567 jobs",
  ]);
  expect(formatCount(2, "entity", "entities")).toBe("2 entities");
  expect(formatNumber(999)).toBe("999");
});

test("a figure by mode has all modes, also in a terminal", () => {
  const rows = Array.from({ length: 17 }, (_, at) => ({ name: `M${at}`, counts: [at + 1] }));
  const lines = drawFigure("modes", { columns: ["2024"], rows }, 80).split("\n");
  expect(lines.filter((row) => /^ *M\d/.test(row))).toHaveLength(17);
});
