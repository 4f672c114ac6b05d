import { expect, test } from "bun:test";
import fc from "fast-check";
import type { AdifRecord } from "../../src/domain/adif-record.ts";
import type { CallFacts } from "../../src/domain/call-facts.ts";
import { derive } from "../../src/domain/derive.ts";
import { AppError } from "../../src/domain/errors.ts";
import type { Source } from "../../src/domain/source.ts";
import { deleteQso, editQso } from "../../src/contacts/edit.ts";
import * as leftovers from "../../src/storage/leftovers.ts";
import { layersOf } from "../../src/storage/qsos.ts";
import * as syncJobs from "../../src/storage/sync-jobs.ts";
import * as tombstones from "../../src/storage/tombstones.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { readIncoming } from "../../src/sync/match/incoming.ts";
import { TOLERANCE } from "../../src/sync/match/match.ts";
import { cleanUp } from "../support/cleanup.ts";
import { logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

const RUNS = process.env.QSOLOG_TEST_FULL ? 150 : 25;
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

/** What stands at the services and in the file. Only the second service changes its mind while the log lives. */
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
    /** A download brings every one of these, or breaks off behind them. */
    from: nth,
    count: nth,
    breaksOff: fc.boolean(),
    batchSize: fc.constantFrom(1, 3, 500),
  }),
  fc.record({ kind: fc.constant("roll back" as const), nth }),
  fc.record({ kind: fc.constant("undo" as const), nth }),
  fc.record({ kind: fc.constant("edit" as const), nth, minute: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ kind: fc.constant("delete" as const), nth }),
  fc.record({ kind: fc.constant("change its mind" as const), nth }),
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

test("whatever happens to a log, it holds together, and full syncs bring it to rest with nothing lost", async () => {
  const life = fc.asyncProperty(origins, fc.array(event, { maxLength: 14 }), async (given, events) => {
    const told = structuredClone(given);
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const facts = await world.callFacts();
    for (const one of events) {
      world.clock.advance(1000);
      await happens(world, bob.id, one, told, facts);
      await expectWhole(world, bob.id, facts);
    }

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
      expect(second?.fields.APP_QRZLOG_STATUS).toBe(fields?.APP_QRZLOG_STATUS);
      expect(secondConfirmed).toBe(fields?.APP_QRZLOG_STATUS === "C");
    }
    for (const source of SOURCES) expect(await lostOf(world, bob.id, source, told[source], facts)).toEqual([]);
    await cleanUp();
  });
  await fc.assert(life, { numRuns: RUNS });
});

const happens = async (world: TestWorld, userId: number, event: Event, told: Origins, facts: CallFacts) => {
  const jobs = () => world.db.read(() => syncJobs.list({ userId, limit: 50 }));
  switch (event.kind) {
    case "sync": {
      const { source, from, count, breaksOff, batchSize } = event;
      const failure = breaksOff ? new Error("lost") : undefined;
      await sync(world, userId, source, told[source].slice(from % 8, (from % 8) + count), { failure, batchSize });
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

/** No two contacts are one contact of a service, and every column is what the layers say. */
const expectWhole = async (world: TestWorld, userId: number, facts: CallFacts): Promise<void> => {
  const log = await logOf(world, userId);
  for (const name of ["firstId", "secondId"] as const) {
    const ids = log.map((qso) => qso[name]).filter((id) => id !== null);
    expect(ids.length).toBe(new Set(ids).size);
  }
  for (const qso of log) expect(qso).toMatchObject(derive(layersOf(qso), facts)!);
};

/** The records that are in no contact, wait nowhere, and were not deleted by hand. */
const lostOf = async (
  world: TestWorld,
  userId: number,
  source: Source,
  told: readonly AdifRecord[],
  facts: CallFacts,
): Promise<AdifRecord[]> => {
  const log = await logOf(world, userId);
  const open = await world.db.read(() => leftovers.listOpen(userId, source, 0, 1_000));
  const buried = await world.db.read(() => tombstones.findAround(userId, ["K1ABC", "DL1ABC/P"], 0, Date.now() * 2));
  return told.filter((record) => {
    const part = source === "first" ? "qsl" : "record";
    const incoming = readIncoming(record, source, part, facts);
    if (!("key" in incoming)) throw new Error(incoming.reason);
    const { key, ids } = incoming;
    const { first: firstId, second: secondId } = ids;
    const isHeard = log.some((qso) => {
      if (source === "first") return qso.firstId === firstId;
      if (source === "second") return qso.secondId === secondId;
      const { CALL, QSO_DATE, TIME_ON, MODE } = qso.own?.file?.fields ?? {};
      const { fields } = record;
      return CALL === fields.CALL && QSO_DATE === fields.QSO_DATE && TIME_ON === fields.TIME_ON && MODE === fields.MODE;
    });
    const waits = open.some((leftover) => Bun.deepEquals(leftover.record, record));
    const isBuried =
      source !== "file" &&
      buried.some(
        (grave) =>
          (firstId !== null && grave.firstId === firstId) ||
          (secondId !== null && grave.secondId === secondId) ||
          (grave.call === key.call && Math.abs(grave.startedAt - key.at) <= TOLERANCE),
      );
    return !isHeard && !waits && !isBuried;
  });
};
