import { expect, test } from "bun:test";
import { createRankSteps } from "../../views/charts/rank-steps.tsx";

const rangesOf = (counts: readonly number[]) =>
  createRankSteps(counts).legend.map(({ step, from, to }) => [step, from, to]);

test("each step holds a fifth of the cells that are not zero", () => {
  const counts = Array.from({ length: 100 }, (_, index) => index + 1);
  const { stepOf } = createRankSteps([0, 0, ...counts]);

  expect(rangesOf(counts)).toEqual([
    [1, 1, 20],
    [2, 21, 40],
    [3, 41, 60],
    [4, 61, 80],
    [5, 81, null],
  ]);
  expect([0, 1, 20, 21, 100].map(stepOf)).toEqual([0, 1, 1, 2, 5]);
});

test("one busy week does not wash out the others", () => {
  const { stepOf, isPeak } = createRankSteps([...Array.from({ length: 60 }, (_, index) => 1 + (index % 5)), 5_000]);

  expect(new Set([1, 2, 3, 4, 5].map(stepOf)).size).toBeGreaterThan(3);
  expect([5, 5_000].map(isPeak)).toEqual([false, true]);
});

test("equal limits become one step, and fewer steps are spread over the colours", () => {
  expect(rangesOf([1, 1, 1, 1, 1, 1, 1, 1, 2, 3])).toEqual([
    [1, 1, 1],
    [5, 2, null],
  ]);
  expect(rangesOf([7, 7])).toEqual([[5, 7, null]]);
  expect(rangesOf([0, 0])).toEqual([]);
});
