import { expect, test } from "bun:test";
import type { JobProgress } from "../../src/domain/jobs/sync-job.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { afterTest } from "../support/cleanup.ts";
import { aBody, aFeed, said } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";

test("no batch is larger than the limit, and progress continues over the answers of one part", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const heard: JobProgress[] = [];
  const records = (from: number) =>
    Array.from({ length: 9 }, (_, n) => said(`K${from + n}ABC`, `2026-07-18 01:${10 + from + n}`));
  const runner = new SyncRunner(world, 1);
  afterTest(() => runner.stop());

  const job = await runner.start({ userId: bob.id, source: "file", trigger: "manual" }, () => ({
    prepare: async () => ({
      cursorBefore: null,
      feed: aFeed([0, 9].map((from) => ({ ...aBody("record", records(from)), total: null }))),
      maxBatchRecords: 7,
      onProgress: (progress) => void heard.push(progress),
    }),
  }));
  await runner.end(job.id);

  const sizes = heard.map(({ done }, index) => done - (heard[index - 1]?.done ?? 0));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(7);
  expect(heard.at(-1)).toMatchObject({ done: 18, total: 18 });
});
