import { expect, test } from "bun:test";
import { HOUR, MINUTE, SECOND } from "../src/kernel/clock.ts";
import { createApp } from "../src/app.ts";
import * as autoSync from "../src/storage/jobs/auto-sync-settings.ts";
import * as syncJobs from "../src/storage/jobs/sync-jobs.ts";
import { setCredentials } from "../src/sync/source/credentials.ts";
import { SILENT_LOG } from "../src/kernel/log.ts";
import { openWorld } from "../src/world.ts";
import { afterTest } from "./support/cleanup.ts";
import { aUser, ENGINE, testRandom, testWorld, type TestWorld } from "./support/world.ts";

const opened = async ({ config }: TestWorld, clock: () => number) => {
  const world = await openWorld(config, { clock, random: testRandom(9), log: SILENT_LOG });
  afterTest(() => world.db.close());
  return world;
};

test.skipIf(ENGINE !== "postgres").each([HOUR, -HOUR])(
  "an instance whose clock is wrong by %d ms uses the time of the database, and starts nothing early or late",
  async (wrongBy) => {
    const there = await testWorld();
    const world = await opened(there, () => Date.now() + wrongBy);
    expect(Math.abs(world.clock() - Date.now())).toBeLessThan(5 * SECOND);

    const [early, late] = [await aUser(there, "early"), await aUser(there, "late")];
    for (const { id, username } of [early, late])
      await setCredentials(world, id, "first", { username, password: "secret" });
    await world.db.write(function* () {
      for (const [{ id }, at] of [[early, Date.now() + 30 * MINUTE] as const, [late, Date.now() - MINUTE] as const]) {
        const { first } = yield* autoSync.get(id);
        yield* autoSync.set(id, "first", { ...first, enabled: true, nextSyncAt: at }, Date.now());
      }
    });
    const app = createApp({ ...world, providers: there.providers });
    await app.scheduler.tick(world.clock());
    const jobsOf = ({ id: userId }: { id: number }) => world.db.read(() => syncJobs.list({ userId, limit: 9 }));
    const [none, some] = [await jobsOf(early), await jobsOf(late)];
    await app.stop();

    expect([none.length, some.length]).toEqual([0, 1]);
  },
  60_000,
);

test("a corrected clock is noticed, and a clock that becomes wrong is corrected again", async () => {
  const there = await testWorld();
  let wrongBy = 0;
  const world = await opened(there, () => Date.now() + wrongBy);
  const isRight = () => Math.abs(world.clock() - Date.now()) < 5 * SECOND;

  expect(isRight()).toBeTrue();
  wrongBy = HOUR;
  expect(isRight()).toBeFalse();
  await world.compareClocks();
  // A single machine has no other clock to compare with.
  expect(isRight()).toBe(ENGINE === "postgres");
  wrongBy = 0;
  await world.compareClocks();

  expect(isRight()).toBeTrue();
});
