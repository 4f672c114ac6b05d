import { expect, test } from "bun:test";
import { BatchPacer } from "../../src/storage/pacer.ts";
import { testTime } from "../support/world.ts";

/** The sizes that follow when each part of a batch takes so long. */
const sizesAfter = async (msOf: (size: number) => number, rounds: number): Promise<number[]> => {
  const time = testTime();
  const pacer = new BatchPacer(time, { most: 500, first: 24, aimMs: 16 });
  const sizes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await pacer.part(async () => time.pass(msOf(pacer.size)));
    pacer.nextBatch();
    sizes.push(pacer.size);
  }
  return sizes;
};

test("what is written at once doubles while it is quick, up to its limit", async () => {
  expect(await sizesAfter(() => 1, 6)).toEqual([48, 96, 192, 384, 500, 500]);
});

test("what is written at once shrinks while it is slow, and settles where a part takes 16 ms", async () => {
  expect(await sizesAfter(() => 1_000, 6)).toEqual([12, 6, 3, 2, 1, 1]);
  expect((await sizesAfter((size) => size / 5, 8)).at(-1)).toBe(80);
});
