import { expect, test } from "bun:test";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import type { Service } from "../../src/domain/jobs/source.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { afterTest } from "../support/cleanup.ts";
import { isFull } from "../support/full.ts";
import { contentOf, lotw, qrz, sync } from "../support/sync.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";
import { callOf } from "./services.ts";

const USERS = isFull(import.meta) ? 40 : 16;
const RECORDS = isFull(import.meta) ? 600 : 120;

const nameOf = (user: number) => `user${user}`;

/** What both services have for a user; half of it is at both, in different words. */
const booksOf = (user: number): Record<Service, AdifRecord[]> => {
  const contacts = Array.from({ length: RECORDS }, (_, n) => ({
    call: callOf(user * RECORDS + n),
    at: `2026-07-${String(1 + (n % 28)).padStart(2, "0")} ${String(n % 24).padStart(2, "0")}:30`,
  }));
  const known = RECORDS / 4;
  return {
    first: contacts.slice(0, 3 * known).map(({ call, at }) => lotw(call, at)),
    second: contacts.slice(known).map(({ call, at }, n) => qrz(n + 1, call, at)),
  };
};

const everybodyIn = async (world: TestWorld): Promise<number[]> => {
  const ids: number[] = [];
  for (let user = 0; user < USERS; user++) ids.push((await aUser(world, nameOf(user))).id);
  return ids;
};

const SERVICES = ["first", "second"] as const;

/** The logs if nobody runs at the same time. */
const oneAfterTheOther = async () => {
  const world = await testWorld({ engine: "sqlite" });
  const logs = [];
  for (const [user, id] of (await everybodyIn(world)).entries()) {
    for (const service of SERVICES) await sync(world, id, service, booksOf(user)[service]);
    logs.push(await contentOf(world, id));
  }
  return logs;
};

// Invariant: syncs of many users never make each other fail
test.each([1, 3])(
  "many users who sync both services in parallel, on %d instances, get the same logs as one after the other",
  async (instances) => {
    const first = await testWorld();
    const worlds = [first];
    while (worlds.length < instances) worlds.push(await testWorld({ beside: first }));
    const runners = worlds.map((world) => {
      const runner = new SyncRunner(world, USERS);
      afterTest(() => runner.stop());
      return runner;
    });
    const ids = await everybodyIn(first);

    const jobs = await Promise.all(
      ids.flatMap((id, user) =>
        SERVICES.map((service, index) => {
          const at = (user + index) % instances;
          return sync(worlds[at]!, id, service, booksOf(user)[service], { runner: runners[at], batchSize: 40 });
        }),
      ),
    );

    expect(jobs.filter(({ status }) => status !== "completed").map(({ error }) => error)).toEqual([]);
    // Each job appears once, with its first attempt.
    for (const [at, id] of ids.entries()) {
      const seen = await first.db.read(() => syncJobs.list({ userId: id, limit: 9 }));
      const told = seen.map(({ source, status, attempt, stats }) => [source, status, attempt, stats.fetched].join(" "));
      const all = SERVICES.map((source) => [source, "completed", 1, booksOf(at)[source].length].join(" "));
      expect(told.sort()).toEqual(all.sort());
    }
    const logs = await Promise.all(ids.map((id) => contentOf(first, id)));
    expect(logs).toEqual(await oneAfterTheOther());
  },
  isFull(import.meta) ? 900_000 : 240_000,
);
