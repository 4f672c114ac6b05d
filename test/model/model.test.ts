import { expect, test } from "bun:test";
import { isFull } from "../support/full.ts";
import { ENGINE } from "../support/world.ts";
import { play, describeFailure } from "./play.ts";

const SHORT = ENGINE === "postgres" ? { seeds: [1], steps: 60, atEnd: 5 } : { seeds: [1], steps: 300, atEnd: 15 };
const LONG = {
  seeds: Array.from({ length: 20 }, (_, index) => index + 1),
  steps: 300,
  atEnd: Number.POSITIVE_INFINITY,
};
const { seeds, steps, atEnd } = isFull(import.meta) ? LONG : SHORT;
const MINUTES = 60_000;

test.each(seeds)(
  "after any sequence of operations the log equals that of the model (seed %d)",
  async (seed) => {
    const outcome = await play(seed, { steps, marks: { some: 1, atEnd } });

    expect(outcome.problem === null ? "as the model says" : describeFailure(outcome)).toBe("as the model says");
  },
  10 * MINUTES,
);
