import { expect, test } from "bun:test";
import { MINUTE } from "../src/kernel/clock.ts";
import { Gauges } from "../src/kernel/gauges.ts";
import { testTime } from "./support/world.ts";

test("while something is active, a late timer shows how long the event loop was blocked", () => {
  const time = testTime();
  let now = 0;
  const gauges = new Gauges({ ...time, ticks: () => now });
  const beat = (late: number) => {
    now += 20 + late;
    time.pass(20);
  };

  gauges.begin();
  gauges.begin();
  for (const late of [0, 35]) beat(late);
  gauges.end();
  beat(5);
  gauges.end();
  beat(1_000);

  expect(gauges.longestStallMs).toBe(35);
  now += 5 * MINUTE;
  expect(gauges.longestStallMs).toBe(0);
});
