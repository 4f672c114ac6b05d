import { expect, test } from "bun:test";
import { heapStats } from "bun:jsc";
import { readdirSync } from "node:fs";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { derive } from "../../src/domain/contact/derive.ts";
import { NO_LAYERS } from "../../src/domain/contact/layers.ts";
import { ownerOrigin } from "../../src/domain/origins/owner.ts";
import type { Body } from "../../src/domain/jobs/provider.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import { readIncoming, type Incoming } from "../../src/sync/match/incoming.ts";
import { loadCandidateIndex } from "../../src/sync/job/candidates.ts";
import { Scratch } from "../../src/storage/jobs/scratch.ts";
import { afterTest } from "../support/cleanup.ts";
import { aBody, said, sync } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";
import { callOf } from "./services.ts";

test("of the contacts that a dry run added, a batch loads only those its records could match", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const facts = await world.callFacts();
  const overlay = new Scratch(world.config.dataDir);
  afterTest(() => overlay.close());
  const add = (record: AdifRecord) => {
    const layers = ownerOrigin.merge(NO_LAYERS, record);
    const kept = { createdAt: 0, updatedAt: 0, rulesVersion: 1 };
    const qso: Qso = { id: -overlay.size - 1, userId: bob.id, ...kept, ...derive(layers, facts)!, ...layers };
    overlay.putMany([qso]);
    return qso;
  };
  const meant = add(said("K1ABC", "2026-07-18 01:43"));
  add(said("K1ABC", "2020-07-18 01:43"));
  for (let number = 0; number < 500; number++) add(said(callOf(number), "2026-07-18 01:43"));

  const record = readIncoming(said("K1ABC", "2026-07-18 01:50"), "file", "record", facts) as Incoming;
  const bench = await world.db.read(() => loadCandidateIndex(bob.id, [record], overlay));

  expect(bench.list()).toEqual([meant]);
  expect(readdirSync(world.dataDir).filter((name) => name.startsWith("etilqs"))).toEqual([]);
});

test("a dry run keeps no added contacts in memory", async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const heap: number[] = [];
  const body: Body = {
    ...aBody("record", []),
    total: null,
    async *records() {
      for (let number = 0; number < 5_000; number += 250) {
        if (number === 1_000 || number === 4_750) heap.push(heapNow());
        yield Array.from({ length: 250 }, (_, index) =>
          said(callOf(number + index), "2026-07-18 01:43", {
            COMMENT: `Contact ${number + index}, ${"and more. ".repeat(40)}`,
          }),
        );
      }
    },
  };

  const job = await sync(world, bob.id, "file", [body], { dryRun: true });

  expect(job.stats.added).toBe(5_000);
  expect(heap[1]! - heap[0]!).toBeLessThan(4_000_000);
});

const heapNow = (): number => {
  Bun.gc(true);
  return heapStats().heapSize;
};
