import { expect, test } from "bun:test";
import { Turns } from "../../src/server/turns.ts";

/** A clock that stands still, and turns of the event loop that come when the test says so. */
const aLoop = () => {
  const waiting: (() => void)[] = [];
  const loop = {
    now: 0,
    ticks: () => loop.now,
    next: () => new Promise<void>((resolve) => waiting.push(resolve)),
    async goOn() {
      waiting.splice(0).forEach((resolve) => resolve());
      for (let at = 0; at < 5; at++) await Promise.resolve();
    },
  };
  return loop;
};

// Defence: nothing that is asked of a large log holds the others up
test("a crowd from one address stands in line behind its first milliseconds, and nobody else stands behind it", async () => {
  const loop = aLoop();
  const turns = new Turns(loop);
  const came: string[] = [];
  const comes = (name: string, address: string) => {
    const wait = turns.wait(() => address);
    if (wait === null) came.push(name);
    else void wait.then(() => came.push(name));
  };

  for (const name of ["a1", "a2"]) comes(name, "192.0.2.1");
  loop.now = 9;
  for (const name of ["a3", "a4", "a5"]) comes(name, "192.0.2.1");
  expect(came).toEqual(["a1", "a2"]);

  comes("b1", "192.0.2.2");
  await loop.goOn();
  await loop.goOn();
  expect(came).toEqual(["a1", "a2", "a3", "b1"]);

  for (let at = 0; at < 3; at++) await loop.goOn();
  expect(came).toEqual(["a1", "a2", "a3", "b1", "a4", "a5"]);

  comes("a6", "192.0.2.1");
  expect(came.at(-1)).toBe("a6");
});
