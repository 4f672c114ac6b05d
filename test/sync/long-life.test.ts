import { expect, test } from "bun:test";
import fc from "fast-check";
import type { CallFacts } from "../../src/domain/radio/call-facts.ts";
import { derive } from "../../src/domain/contact/derive.ts";
import { AppError } from "../../src/kernel/errors.ts";
import type { Source } from "../../src/domain/jobs/source.ts";
import type { SyncJob } from "../../src/domain/jobs/sync-job.ts";
import { deleteQso, editQso } from "../../src/contacts/edit.ts";
import { getLayers } from "../../src/storage/log/qsos.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { cleanUp } from "../support/cleanup.ts";
import { isFull } from "../support/full.ts";
import { aHeldBody, logOf, lotw, PART, qrz, said, sync, syncing } from "../support/sync.ts";
import { aUser, ENGINE, testWorld, type TestWorld } from "../support/world.ts";
import { lostOf } from "./lost.ts";

// Each run needs its own database, which is slow to create on a server.
const RUNS = isFull(import.meta) ? 80 : ENGINE === "postgres" ? 3 : 12;
const START = Date.UTC(2026, 7, 1, 12);
const ROUNDS_TO_REST = 8;
const SOURCES = ["file", "first", "second"] as const satisfies Source[];

const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString().slice(0, 16).replace("T", " ");

const records = fc.array(
  fc.record({
    call: fc.constantFrom("K1ABC", "DL1ABC/P"),
    minute: fc.integer({ min: 0, max: 50 }),
    mode: fc.constantFrom("CW", "USB", "FM"),
    isConfirmed: fc.boolean(),
  }),
  { maxLength: 8 },
);

/** The data of the services and the file. Only the second service changes its records over time. */
const origins = fc.record({ file: records, first: records, second: records }).map(({ file, first, second }) => ({
  file: file.map(({ call, minute, mode }) => said(call, at(minute), { MODE: mode })),
  first: first.map(({ call, minute, mode, isConfirmed }) =>
    lotw(call, at(minute), { MODE: mode === "USB" ? "SSB" : mode, QSL_RCVD: isConfirmed ? "Y" : "N" }),
  ),
  second: second.map(({ call, minute, mode, isConfirmed }, index) =>
    qrz(index + 1, call, at(minute), { MODE: mode, APP_QRZLOG_STATUS: isConfirmed ? "C" : "N" }),
  ),
}));
type Origins = typeof origins extends fc.Arbitrary<infer T> ? T : never;

const nth = fc.nat({ max: 20 });
const event = fc.oneof(
  fc.record({
    kind: fc.constant("sync" as const),
    source: fc.constantFrom(...SOURCES),
    /** A download brings all of these, or breaks off after them. */
    from: nth,
    count: nth,
    breaksOff: fc.boolean(),
    batchSize: fc.constantFrom(1, 3, 500),
    /** After how many records it waits while others act; null if it runs to its end. */
    heldBehind: fc.option(fc.nat({ max: 8 })),
  }),
  fc.record({ kind: fc.constant("let go on" as const), nth }),
  fc.record({ kind: fc.constant("roll back" as const), nth }),
  fc.record({ kind: fc.constant("undo" as const), nth }),
  fc.record({ kind: fc.constant("edit" as const), nth, minute: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ kind: fc.constant("delete" as const), nth }),
  fc.record({ kind: fc.constant("change its mind" as const), nth }),
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

test("after any operations a log stays consistent, and full syncs complete it without loss", async () => {
  const life = fc.asyncProperty(origins, fc.array(event, { maxLength: 14 }), async (given, events) => {
    const told = structuredClone(given);
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const facts = await world.callFacts();
    const held: Held[] = [];
    for (const one of events) {
      world.clock.advance(1000);
      await happens(world, bob.id, one, told, facts, held);
      await expectWhole(world, bob.id, facts);
    }
    for (const job of held) await letGoOn(job);
    await expectWhole(world, bob.id, facts);

    for (let rounds = 1, changed = 1; changed > 0; rounds++) {
      expect(rounds).toBeLessThanOrEqual(ROUNDS_TO_REST);
      changed = 0;
      for (const source of SOURCES) {
        const { stats } = await sync(world, bob.id, source, told[source]);
        changed += stats.added + stats.updated;
      }
    }

    await expectWhole(world, bob.id, facts);
    for (const { secondId, second, secondConfirmed } of await logOf(world, bob.id)) {
      const { fields } = told.second.find(({ fields: { APP_QRZLOG_LOGID: id } }) => id === secondId) ?? {};
      expect(second?.record?.fields.APP_QRZLOG_STATUS).toBe(fields?.APP_QRZLOG_STATUS);
      expect(secondConfirmed).toBe(fields?.APP_QRZLOG_STATUS === "C");
    }
    for (const source of SOURCES) expect(await lostOf(world, bob.id, source, told[source], facts)).toEqual([]);
    await cleanUp();
  });
  await fc.assert(life, { numRuns: RUNS });
});

/** A job that waits in the middle while others act. */
interface Held {
  release: () => void;
  ended: Promise<SyncJob>;
}

const letGoOn = async ({ release, ended }: Held): Promise<void> => {
  release();
  await ended;
};

/** One job per source at a time. */
const unlessActive = (error: unknown): null => {
  if (error instanceof AppError && error.rule === "job_active") return null;
  throw error;
};

const happens = async (
  world: TestWorld,
  userId: number,
  event: Event,
  told: Origins,
  facts: CallFacts,
  held: Held[],
): Promise<void> => {
  const jobs = () => world.db.read(() => syncJobs.list({ userId, limit: 50 }));
  switch (event.kind) {
    case "sync": {
      const { source, from, count, breaksOff, batchSize, heldBehind } = event;
      const failure = breaksOff ? new Error("lost") : undefined;
      const records = told[source].slice(from % 8, (from % 8) + count);
      const { body, reached, release } = aHeldBody(PART[source], records, heldBehind ?? 0);
      if (heldBehind === null) release();
      const begun = await syncing(world, userId, source, [body], { failure, batchSize }).catch(unlessActive);
      if (!begun) return;
      await Promise.race([reached, begun.ended]);
      if (heldBehind === null) await begun.ended;
      else held.push({ ...begun, release });
      return;
    }
    case "let go on": {
      const job = held[event.nth % held.length];
      if (job) await letGoOn(job);
      return;
    }
    case "roll back": {
      const failed = (await jobs()).filter(({ status }) => status === "failed");
      const job = failed[event.nth % failed.length];
      if (job) await cancelJob(world, { userId, jobId: job.id, by: null });
      return;
    }
    case "change its mind": {
      const record = told.second[event.nth % told.second.length];
      if (record) record.fields.APP_QRZLOG_STATUS = record.fields.APP_QRZLOG_STATUS === "C" ? "N" : "C";
      return;
    }
    case "undo": {
      const imports = (await jobs()).filter(({ status, source }) => status === "completed" && source === "file");
      const job = imports[event.nth % imports.length];
      if (job) await cancelJob(world, { userId, jobId: job.id, by: null, undo: true });
      return;
    }
  }
  const log = await logOf(world, userId);
  const qso = log[event.nth % log.length];
  if (!qso) return;
  if (event.kind === "delete") await deleteQso(world, userId, qso.id);
  else
    await editQso(world, userId, qso.id, { startedAt: `${at(event.minute)}:00Z` }, facts).catch((error) => {
      if (!(error instanceof AppError)) throw error;
    });
};

/** No two contacts are one contact of a service, and every column matches the layers. */
const expectWhole = async (world: TestWorld, userId: number, facts: CallFacts): Promise<void> => {
  const log = await logOf(world, userId);
  for (const name of ["firstId", "secondId"] as const) {
    const ids = log.map((qso) => qso[name]).filter((id) => id !== null);
    expect(ids.length).toBe(new Set(ids).size);
  }
  for (const qso of log) expect(qso).toMatchObject(derive(getLayers(qso), facts)!);
};
