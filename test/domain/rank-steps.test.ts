import { expect, test } from "bun:test";
import { createRankSteps } from "../../src/domain/statistics/rank-steps.ts";

test("one busy week does not hide the others", () => {
  const { stepOf, isPeak } = createRankSteps([0, ...Array.from({ length: 99 }, (_, at) => 1 + (at % 10)), 5_000]);

  expect([0, 1, 3, 5, 7, 9, 5_000].map(stepOf)).toEqual([0, 1, 2, 3, 4, 5, 5]);
  expect([isPeak(9), isPeak(5_000)]).toEqual([false, true]);
});

test("equal limits become one step, and fewer steps are spread over the colours", () => {
  const { stepOf, legend } = createRankSteps([1, 1, 1, 1, 2, 2, 3]);

  expect([1, 2, 3].map(stepOf)).toEqual([1, 3, 5]);
  expect(legend).toEqual([
    { step: 1, from: 1, to: 1 },
    { step: 3, from: 2, to: 2 },
    { step: 5, from: 3, to: null },
  ]);
  expect(createRankSteps([7]).stepOf(7)).toBe(5);
  expect(createRankSteps([0]).legend).toEqual([]);
});
