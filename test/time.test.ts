import { describe, expect, test } from "bun:test";
import type { Time } from "../src/kernel/clock.ts";
import { SYSTEM_TIME } from "../src/kernel/time.ts";
import { testTime } from "./support/world.ts";
import { nextTurn } from "./support/turns.ts";

/** Real time and test time follow one contract. */
const KINDS: Record<string, () => { time: Time; pass: (ms: number) => Promise<unknown> }> = {
  "time as it passes": () => ({ time: SYSTEM_TIME, pass: (ms) => Bun.sleep(ms) }),
  "time that a test lets pass": () => {
    const time = testTime();
    return { time, pass: async (ms) => time.pass(ms) };
  },
};

describe.each(Object.entries(KINDS))("%s", (_name, make) => {
  test("runs a task once, or never if it was cancelled", async () => {
    const { time, pass } = make();
    const done: string[] = [];
    time.after(5, () => done.push("kept"));
    time.after(5, () => done.push("called off"))();

    await pass(40);

    expect(done).toEqual(["kept"]);
  });

  test("repeats a task until it is cancelled", async () => {
    const { time, pass } = make();
    let runs = 0;
    const callOff = time.every(5, () => (runs += 1));
    while (runs < 3) await pass(10);
    const before = runs;

    callOff();
    await pass(40);

    expect(runs).toBe(before);
  });

  test("rejects a sleep with the reason of its signal", async () => {
    const { time } = make();
    const control = new AbortController();
    const slept = time.sleep(60_000, control.signal).catch((reason: unknown) => reason);

    control.abort("stopped");

    expect(await slept).toBe("stopped");
    expect(await time.sleep(1, control.signal).catch((reason: unknown) => reason)).toBe("stopped");
  });

  test("lets one of all long-running callers continue in each turn of the event loop", async () => {
    const { time } = make();
    const went: string[] = [];
    const working = ["a", "b", "c"].map((name) => time.turn().then(() => went.push(name)));

    for (const expected of ["a", "ab", "abc"]) {
      await nextTurn();
      expect(went.join("")).toBe(expected);
    }

    await Promise.all(working);
  });

  test("aborts at a deadline, while its stopwatch continues", async () => {
    const { time, pass } = make();
    const before = time.ticks();
    const signal = time.deadline(5);

    await pass(40);
    await time.turn();

    expect(signal.aborted).toBeTrue();
    expect(time.ticks()).toBeGreaterThan(before);
  });
});
