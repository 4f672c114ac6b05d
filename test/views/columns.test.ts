import { expect, test } from "bun:test";
import { Columns } from "../../views/charts/columns.tsx";

/** In the large letters of a phone. */
const DIGIT_WIDTH = 9;

test.each([7, 400, 8_000, 120_000])("the numbers beside columns of up to %i have room", (total) => {
  const drawing = String(Columns({ title: "By year", bars: [{ name: "2026", total, confirmed: 0 }] }));

  const numbers = [...drawing.matchAll(/<text x="([\d.]+)"[^>]*text-anchor="end"[^>]*>([^<]*)</g)];
  expect(numbers).toHaveLength(3);
  for (const [, x, words] of numbers) expect(Number(x)).toBeGreaterThanOrEqual(DIGIT_WIDTH * words!.length);
});
