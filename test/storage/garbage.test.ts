// When what is new is collected, and when everything is.
import * as jsc from "bun:jsc";
import { expect, spyOn, test } from "bun:test";
import { Garbage } from "../../src/storage/garbage.ts";
import { BACKGROUND_THREAD } from "../../src/background/thread.ts";
import { TIME } from "../../src/time.ts";
import { afterTest } from "../support/cleanup.ts";

const MB = 1024 * 1024;

const aHeap = () => {
  const heap = { alive: 20 * MB, garbage: 0 };
  const made = [
    spyOn(jsc, "heapSize").mockImplementation(() => heap.alive + heap.garbage),
    spyOn(jsc, "edenGC").mockImplementation(() => heap.alive + heap.garbage),
    spyOn(jsc, "fullGC").mockImplementation(() => ((heap.garbage = 0), heap.alive)),
    spyOn(Bun, "gc").mockImplementation(() => ((heap.garbage = 0), undefined)),
  ] as const;
  afterTest(() => made.forEach((spy) => spy.mockRestore()));
  const [, young, whole, swept] = made;
  return { heap, young, whole, swept };
};

/** A job writes a batch of contacts, and lets others write. */
const writeBatch = (garbage: Garbage): Promise<void> => {
  garbage.wrote(100, 40);
  return garbage.betweenWrites();
};

test("everything is looked at once, and again when what is no longer new has grown", async () => {
  const { heap, young, swept } = aHeap();
  const garbage = new Garbage({ time: TIME }, { alive: 0 });

  await writeBatch(garbage);
  expect([young, swept].map((spy) => spy.mock.calls.length)).toEqual([1, 1]);

  heap.garbage = 7 * MB;
  await writeBatch(garbage);
  expect([young, swept].map((spy) => spy.mock.calls.length)).toEqual([2, 1]);

  heap.garbage = 8 * MB;
  await writeBatch(garbage);
  expect([young, swept].map((spy) => spy.mock.calls.length)).toEqual([3, 2]);
  expect(heap.garbage).toBe(0);
});

test("what another database of the same thread has left is not looked at once more", async () => {
  const { heap, swept } = aHeap();
  const shared = { alive: 0 };
  await writeBatch(new Garbage({ time: TIME }, shared));

  heap.garbage = 7 * MB;
  await writeBatch(new Garbage({ time: TIME }, shared));
  expect(swept).toHaveBeenCalledTimes(1);
});

test("where much is alive, it may grow by a quarter of it", async () => {
  const { heap, swept } = aHeap();
  const garbage = new Garbage({ time: TIME }, { alive: 0 });
  heap.alive = 128 * MB;
  await writeBatch(garbage);

  heap.garbage = 31 * MB;
  await writeBatch(garbage);
  expect(swept).toHaveBeenCalledTimes(1);
  heap.garbage = 32 * MB;
  await writeBatch(garbage);
  expect(swept).toHaveBeenCalledTimes(2);
});

test("what a few rows leave is collected when several writes have left as much", async () => {
  const { young } = aHeap();
  const garbage = new Garbage({ time: TIME }, { alive: 0 });

  for (let writes = 0; writes < 4; writes++) await garbage.betweenWrites();
  expect(young).toHaveBeenCalledTimes(0);
  await garbage.betweenWrites();
  expect(young).toHaveBeenCalledTimes(1);
});

test("beside requests the heap is not swept in one go, and not at the end of a job either", async () => {
  const { heap, whole, swept } = aHeap();
  const garbage = new Garbage({ time: TIME, backgroundThread: BACKGROUND_THREAD }, { alive: 0 });
  heap.garbage = 8 * MB;

  await garbage.betweenWrites();
  garbage.afterMuch();

  expect([whole, swept].map((spy) => spy.mock.calls.length)).toEqual([1, 0]);
});
