import { expect, test } from "bun:test";
import { Gauges } from "../src/gauges.ts";
import { testTime } from "./support/world.ts";

test("a beat that comes late tells how long everything waited, until the gauges are stopped", () => {
  const time = testTime();
  let now = 0;
  const gauges = new Gauges({ ...time, ticks: () => now });
  const beat = (late: number) => {
    now += 20 + late;
    time.pass(20);
  };
  gauges.start();

  for (const late of [0, 35, 5]) beat(late);
  gauges.stop();
  beat(1_000);

  expect(gauges.longestStallMs).toBe(35);
});
