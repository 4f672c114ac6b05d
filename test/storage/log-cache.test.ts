import { expect, test } from "bun:test";
import { MINUTE } from "../../src/kernel/clock.ts";
import type { OnProgress } from "../../src/kernel/progress.ts";
import { LogCache } from "../../src/storage/log/log-cache.ts";
import type { Waiting } from "../../src/storage/engine/reader-threads.ts";
import * as users from "../../src/storage/people/users.ts";
import { aUser, testWorld } from "../support/world.ts";

const aCache = async (maxWeight?: number) => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  const cache = new LogCache(world, maxWeight);
  let computed = 0;
  const ask = <T>(question: string, answer: T, userId = id) =>
    cache.getOrCompute(userId, question, async () => {
      computed += 1;
      return answer;
    });
  return { world, id, cache, ask, computed: () => computed };
};

test("an answer is cached until the log changes, and for five minutes at most", async () => {
  const { world, id, ask, computed } = await aCache();
  const eve = await aUser(world, "eve");

  await ask("a", [1]);
  await ask("a", [1], eve.id);
  world.clock.advance(5 * MINUTE - 1);
  await ask("a", [1]);
  expect(computed()).toBe(2);

  world.clock.advance(1);
  await ask("a", [1]);
  expect(computed()).toBe(3);

  await ask("a", [1], eve.id);
  await world.db.write(() => users.raiseLogVersion(id));
  await ask("a", [1]);
  await ask("a", [1], eve.id);
  expect(computed()).toBe(5);
});

test("questions asked at the same time are computed once and get the same object", async () => {
  const { ask, computed } = await aCache();

  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => ask("a", [1, 2])));

  expect(computed()).toBe(1);
  expect(others.every((one) => one === first)).toBe(true);
});

test("a failure is not cached", async () => {
  const { id, cache, ask } = await aCache();

  await expect(cache.getOrCompute(id, "a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");

  expect(await ask("a", "works")).toBe("works");
});

// Invariant: the cache is bounded
test("the cache is bounded: the least recently used answers are removed first, and too large ones are not stored", async () => {
  const { id, cache, ask } = await aCache(11);
  const isCached = async (question: string) => (await cache.find(id, question)) !== undefined;

  await ask("a", [1, 2, 3]);
  await ask("b", { names: new Set([1, 2]) });
  await ask("a", []);
  await ask("c", new Map([[1, { of: 2 }]]));
  await ask("large", Array.from({ length: 20 }));

  expect([await isCached("a"), await isCached("b"), await isCached("c"), await isCached("large")]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(cache.size).toBe(2);
});

test("an answer about an older version is dropped, and one about another version is not returned", async () => {
  const { world, id, cache, ask } = await aCache();
  await ask("a", [1]);
  await ask("b", [1]);

  await world.db.write(() => users.raiseLogVersion(id));
  await ask("c", [1]);
  expect(cache.size).toBe(1);

  const version = await world.db.read(() => users.logVersion(id));
  cache.put(id, "d", version, "now");
  expect(await cache.find<string>(id, "d")).toBe("now");
  cache.put(id, "d", version + 1, "later");
  expect(await cache.find<string>(id, "d")).toBeUndefined();
});

test("a computation is cancelled when all waiting callers have disconnected, and not before", async () => {
  const { id, cache } = await aCache();
  const started = Promise.withResolvers<AbortSignal>();
  const joined = Promise.withResolvers<number>();
  const ask = (client: AbortController, onProgress: OnProgress) =>
    cache.getOrCompute(id, "a", compute, { signal: client.signal, onProgress }).catch((error: Error) => error.message);
  const compute = ({ signal, onProgress }: Waiting) => {
    onProgress!(0.5);
    started.resolve(signal!);
    return new Promise<never>((_, reject) => signal!.addEventListener("abort", () => reject(new Error("called off"))));
  };
  const clients = [new AbortController(), new AbortController()] as const;
  const first = ask(clients[0], () => {});
  const computing = await started.promise;
  // A later caller immediately gets the current progress.
  const second = ask(clients[1], joined.resolve);
  await joined.promise;

  clients[0].abort();
  expect(computing.aborted).toBe(false);
  clients[1].abort();

  expect(await Promise.all([first, second])).toEqual(["called off", "called off"]);
  expect(await cache.getOrCompute(id, "a", async () => "asked again")).toBe("asked again");
});

test("nothing is computed for a caller who disconnected while the version was read", async () => {
  const { id, cache, ask } = await aCache();
  const client = new AbortController();
  let isComputed = false;

  const answer = cache.getOrCompute(id, "a", async () => (isComputed = true), client);
  client.abort(new Error("hung up"));

  await expect(answer).rejects.toThrow("hung up");
  expect(isComputed).toBe(false);
  expect(await ask("a", "asked again")).toBe("asked again");
});
