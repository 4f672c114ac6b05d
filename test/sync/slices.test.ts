import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { editQso } from "../../src/contacts/edit.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { MINUTE } from "../../src/kernel/clock.ts";
import type { Service, Source } from "../../src/domain/jobs/source.ts";
import type { Qso } from "../../src/domain/contact/qso.ts";
import type { JobTrigger, SyncJob } from "../../src/domain/jobs/sync-job.ts";
import type { LotwFault } from "../../src/simulated/faults.ts";
import * as autoSync from "../../src/storage/jobs/auto-sync-settings.ts";
import * as leftovers from "../../src/storage/log/leftovers.ts";
import * as qsoChanges from "../../src/storage/log/qso-changes.ts";
import * as syncCursors from "../../src/storage/jobs/sync-cursors.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { cancelJob, finishRollbacks, previewCancel } from "../../src/sync/undo/rollback.ts";
import { RunningJobs } from "../../src/kernel/running-jobs.ts";
import { prune } from "../../src/upkeep/prune.ts";
import { cleanUp } from "../support/cleanup.ts";
import { isFull } from "../support/full.ts";
import { aHeldBody, logOf, lotw, qrz, said, sync, syncing } from "../support/sync.ts";
import { aUser, ENGINE, testWorld, type TestWorld } from "../support/world.ts";
import { testApp } from "../support/app.ts";
import { aLiveWorld, booked, callOf, DAY, synced, uploaded, type Live } from "./services.ts";
import { logAfterRollback } from "./single-rollback.ts";

const RUNS = isFull(import.meta) ? 80 : ENGINE === "postgres" ? 8 : 12;
const START = Date.UTC(2026, 7, 1, 12);
const LOST = new Error("connection lost");
const SOURCES = ["file", "first", "second"] as const satisfies Source[];

const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString().slice(0, 16).replace("T", " ");

interface Told {
  call: string;
  minute: number;
  word: string;
  isConfirmed: boolean;
}

const told = fc.array(
  fc.record({
    call: fc.constantFrom("K1ABC", "K2XYZ", "DL1ABC/P"),
    minute: fc.integer({ min: 0, max: 70 }),
    word: fc.constantFrom("Ann", "Bob", "Eve"),
    isConfirmed: fc.boolean(),
  }),
  { maxLength: 10 },
);

const recordOf = (source: Source, { call, minute, word, isConfirmed }: Told, index: number) => {
  if (source === "file") return said(call, at(minute), { MODE: "CW", NAME: word });
  if (source === "first") return lotw(call, at(minute), { MODE: "CW", STATE: word, QSL_RCVD: isConfirmed ? "Y" : "N" });
  return qrz(index + 1, call, at(minute), { MODE: "CW", QTH: word, APP_QRZLOG_STATUS: isConfirmed ? "C" : "N" });
};

const events = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom(...SOURCES), told, fails: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("edit" as const), nth: fc.nat(), minute: fc.nat({ max: 70 }) }),
    },
  ),
  { minLength: 1, maxLength: 6 },
);

/** A log in which several jobs and the user changed the same contacts. */
const lived = async (
  world: TestWorld,
  userId: number,
  all: typeof events extends fc.Arbitrary<infer T> ? T : never,
) => {
  for (const event of all) {
    world.clock.advance(1000);
    if (event.kind === "edit") {
      const log = await logOf(world, userId);
      const qso = log[event.nth % log.length];
      if (qso) await edited(world, qso.id, userId, event.minute);
      continue;
    }
    const records = event.told.map((one, index) => recordOf(event.kind, one, index));
    await sync(world, userId, event.kind, records, { failure: event.fails ? LOST : undefined, batchSize: 3 });
  }
};

const edited = async (world: TestWorld, id: number, userId: number, minute: number) => {
  const facts = await world.callFacts();
  await editQso(world, userId, id, { startedAt: `${at(minute)}:00Z`, name: "Zoe" }, facts).catch((error) => {
    if (!(error instanceof AppError)) throw error;
  });
};

const byId = <T extends { id: number }>(log: readonly T[]): T[] => log.toSorted((a, b) => a.id - b.id);

// Invariant: a rollback restores the log from before the job
test("a rollback equals undoing one change after the other, and so does its preview", async () => {
  const property = fc.asyncProperty(events, fc.nat(), async (all, nth) => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    await lived(world, bob.id, all);
    const jobs = await world.db.read(() => syncJobs.list({ userId: bob.id, limit: 50 }));
    const isWrong = ({ status, source }: (typeof jobs)[number]) => status === "failed" || source === "file";
    const wrong = jobs.filter(isWrong);
    const chosen = wrong[nth % wrong.length];
    if (chosen) {
      const { id: jobId, status } = chosen;
      const request = { userId: bob.id, jobId, by: null, undo: status === "completed" };
      const before = await logOf(world, bob.id);
      const job = await world.db.read(() => syncJobs.get(bob.id, jobId));
      const facts = await world.callFacts();
      const expected = await world.db.read(() => logAfterRollback(job, before, facts));

      const { contacts: _, staying: __, keptTotal, ...preview } = await previewCancel(world, request);
      expect(await logOf(world, bob.id)).toEqual(before);
      const { counts, stopped } = await cancelJob(world, request);

      const after = await logOf(world, bob.id);
      expect(byId(after)).toEqual(byId(expected));
      expect({ ...counts, stopped }).toEqual({ ...preview, kept: keptTotal });
      expect(before.length - after.length).toBe(preview.deleted);
      expect(preview.later).toMatchObject(await laterThan(world, job, before, after));
    }
    await cleanUp();
  });
  await fc.assert(property, { numRuns: RUNS });
});

/** Later completed jobs that changed what the job changed and lose something; `after` is what is left. */
const laterThan = async (world: TestWorld, job: SyncJob, before: readonly Qso[], after: readonly Qso[]) => {
  const stood = new Set(before.map(({ id }) => id));
  const left = new Set(after.map(({ id }) => id));
  return world.db.read(function* () {
    const own = new Map<number, number>();
    for (const { id, qsoId } of (yield* qsoChanges.list(job.id, { afterId: 0, limit: 10_000 })).changes)
      if (!own.has(qsoId)) own.set(qsoId, id);
    const losers = [];
    for (const { id: jobId, source } of yield* syncJobs.list({
      userId: job.userId,
      statuses: ["completed"],
      limit: 50,
    })) {
      const changes = jobId === job.id ? [] : (yield* qsoChanges.list(jobId, { afterId: 0, limit: 10_000 })).changes;
      const later = changes.filter(({ id, qsoId }) => stood.has(qsoId) && id > (own.get(qsoId) ?? Infinity));
      const lost = new Set(later.map(({ qsoId }) => qsoId));
      const deleted = [...lost].filter((id) => !left.has(id)).length;
      const restored = source === job.source && source !== "file" ? lost.size - deleted : 0;
      if (deleted + restored > 0) losers.push({ jobId, source, deleted, restored });
    }
    return losers.sort((a, b) => a.jobId - b.jobId);
  });
};

const COUNT = 700;
const records = Array.from({ length: COUNT }, (_, n) => said(callOf(n), at(n * 10)));

/** A failed import of several slices into a log that it partly updated. */
const aFailedImport = async () => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  await sync(world, bob.id, "first", [lotw(callOf(1), at(10)), lotw(callOf(2), at(20))]);
  const before = await logOf(world, bob.id);
  world.clock.advance(1000);
  const job = await sync(world, bob.id, "file", records, { failure: LOST });
  return { world, bob, before, job };
};

const stop = new Error("killed");

/** A rollback whose process dies after this many slices. */
const brokenOff = async (world: TestWorld, job: SyncJob, slices: number, undo = false): Promise<void> => {
  // On a server one slice would hold everything here.
  Object.assign(world.db, { sliceSize: Math.min(world.db.sliceSize, 100) });
  let left = slices;
  const turn: TestWorld["turn"] = async () => {
    left -= 1;
    if (left === 0) throw stop;
  };
  const dying = { ...world, turn };
  const died = cancelJob(dying, { userId: job.userId, jobId: job.id, by: job.userId, undo }).catch((error) => error);
  expect(await died).toBe(stop);
};

const refusalOf = (done: Promise<unknown>): Promise<string | null | undefined> =>
  done.then(
    () => null,
    (error) => (error instanceof AppError ? error.rule : String(error)),
  );

describe("an interrupted rollback", () => {
  for (const slices of [1, 2]) {
    // Invariant: a killed process leaves nothing half done
    test(`after ${slices} of its slices is continued by any process with the same result`, async () => {
      const { world, bob, before, job } = await aFailedImport();
      const preview = await previewCancel(world, { userId: bob.id, jobId: job.id, by: null });
      await brokenOff(world, job, slices);

      const half = await world.db.read(() => syncJobs.get(bob.id, job.id));
      expect(half).toMatchObject({ status: "failed", rollingBackSince: world.clock(), rolledBackAt: null });
      const left = (await logOf(world, bob.id)).length;
      expect(left).toBeLessThan(COUNT);
      expect(left).toBeGreaterThan(2);
      world.clock.advance(5_000);
      await finishRollbacks(world);

      expect(await logOf(world, bob.id)).toEqual(before);
      const done = await world.db.read(() => syncJobs.get(bob.id, job.id));
      expect(done).toMatchObject({ status: "cancelled", rollingBackSince: null, rolledBackAt: world.clock() });
      expect(done.rolledBackBy).toBe(bob.id);
      const counts = await world.db.read(() => syncJobs.findRollback(job.id));
      expect(counts).toMatchObject({ deleted: preview.deleted, restored: preview.restored, kept: preview.keptTotal });
      await finishRollbacks(world);
      expect(await logOf(world, bob.id)).toEqual(before);
    });
  }

  test("removes what the job stored and reopens what it settled, in slices too, and counts nothing twice", async () => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const known = said(callOf(1), at(10));
    await sync(world, bob.id, "file", [known]);
    const before = await logOf(world, bob.id);
    const unreadable = Array.from({ length: COUNT }, (_, n) => ({ fields: { QSO_DATE: "20260801", COMMENT: `${n}` } }));
    const told = [{ fields: { ...known.fields, NAME: "Ann" } }, ...unreadable];
    const job = await sync(world, bob.id, "file", told, { failure: LOST });
    expect(job.stats).toMatchObject({ updated: 1, rejected: COUNT });
    const earlier = await sync(world, bob.id, "second", []);
    const settled = unreadable.map((record, n): leftovers.NewLeftover => {
      return { kind: "rejected", reason: "no call", part: "record", externalId: `x${n}`, record, candidates: [] };
    });
    await world.db.write(function* () {
      yield* leftovers.addMany(earlier, settled, world.clock());
      const open = yield* leftovers.listOpen(bob.id, "second", 0, COUNT);
      yield* leftovers.resolve(
        open.map(({ id }) => id),
        job.id,
        world.clock(),
      );
    });

    const { counts } = await cancelJob(world, { userId: bob.id, jobId: job.id, by: null });

    expect(counts).toMatchObject({ deleted: 0, restored: 1, kept: 0 });
    expect(await logOf(world, bob.id)).toEqual(before);
    const left = await world.db.read(function* () {
      return [
        (yield* leftovers.list(job.id, { limit: 1 })).rows,
        yield* leftovers.listOpen(bob.id, "second", 0, 1_000),
      ];
    });
    expect(left.map(({ length }) => length)).toEqual([0, COUNT]);
  });

  test("lets no job of its user start meanwhile, nor another rollback, and says why", async () => {
    const { world, bob, job } = await aFailedImport();
    const other = await sync(world, bob.id, "second", [qrz(1, "K1ZZZ", at(5))], { failure: LOST });
    const eve = await aUser(world, "eve");
    await brokenOff(world, job, 1);

    for (const source of SOURCES) {
      expect(await refusalOf(syncing(world, bob.id, source, []))).toBe("rollback_active");
    }
    for (const { id } of [job, other]) {
      const request = { userId: bob.id, jobId: id, by: null };
      expect(await refusalOf(cancelJob(world, request))).toBe("rollback_active");
      expect(await refusalOf(previewCancel(world, request))).toBe("rollback_active");
    }
    expect(await sync(world, eve.id, "file", [said("K1AAA", at(1))])).toMatchObject({ status: "completed" });

    await finishRollbacks(world);
    expect(await sync(world, bob.id, "file", [said("K1AAA", at(1))])).toMatchObject({ status: "completed" });
    expect(await refusalOf(cancelJob(world, { userId: bob.id, jobId: other.id, by: null }))).toBeNull();
  });

  test("handles edits in between as if they were made before or after", async () => {
    const { world, bob, job } = await aFailedImport();
    await brokenOff(world, job, 1);
    const facts = await world.callFacts();
    const [first, ...others] = byId(await logOf(world, bob.id));
    const last = others.at(-1)!;
    await editQso(world, bob.id, first!.id, { comment: "before its turn" }, facts);
    await editQso(world, bob.id, last.id, { comment: "before its turn" }, facts);

    await finishRollbacks(world);

    const log = await logOf(world, bob.id);
    expect(log).toHaveLength(2);
    expect(log[0]).toMatchObject({ call: first!.call, comment: "before its turn", own: { typed: expect.anything() } });
    expect(log[0]!.own!.file).toBeUndefined();
  });

  test("keeps change records of an import that pruning would remove", async () => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const job = await sync(world, bob.id, "file", records);
    world.clock.advance(100 * DAY);
    await brokenOff(world, job, 1, true);

    expect(await prune(world, { olderThanMs: 90 * DAY })).toMatchObject({ jobs: 0, changes: 0 });
    await finishRollbacks(world);

    expect(await logOf(world, bob.id)).toEqual([]);
  });

  test("continued by two processes at the same time counts nothing twice", async () => {
    const { world, bob, before, job } = await aFailedImport();
    const preview = await previewCancel(world, { userId: bob.id, jobId: job.id, by: null });
    await brokenOff(world, job, 1);
    const another = { ...world, underWay: new RunningJobs<SyncJob>() };

    await Promise.all([finishRollbacks(world), finishRollbacks(another)]);

    expect(await logOf(world, bob.id)).toEqual(before);
    const counts = await world.db.read(() => syncJobs.findRollback(job.id));
    expect(counts).toMatchObject({ deleted: preview.deleted, restored: preview.restored });
  });
});

describe("a rollback removes changes of later jobs", () => {
  const confirmed = (n: number) => lotw(callOf(n), at(n * 10), { MODE: "CW" });
  const copied = (n: number) => lotw(callOf(n), at(n * 10), { MODE: "CW", QSL_RCVD: "N" });
  const all = Array.from({ length: 30 }, (_, n) => n);

  test("of the same service: the preview lists the job and its confirmations, and the cursor moves back", async () => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    await sync(
      world,
      bob.id,
      "file",
      all.map((n) => said(callOf(n), at(n * 10), { MODE: "CW" })),
    );
    const early = { qso: "2026-07-01 00:00:00", qsl: "2026-07-01 00:00:00" };
    const failed = await sync(world, bob.id, "first", all.map(copied), {
      failure: LOST,
      cursorBefore: { qso: "2026-07-20 00:00:00", qsl: "2026-07-20 00:00:00" },
    });
    const completed = await sync(world, bob.id, "first", all.slice(0, 15).map(confirmed), {
      cursorBefore: early,
      cursor: { qso: "2026-07-30 00:00:00", qsl: "2026-07-30 00:00:00" },
    });
    const request = { userId: bob.id, jobId: failed.id, by: null };
    expect((await logOf(world, bob.id)).filter((qso) => qso.firstConfirmed)).toHaveLength(15);

    const preview = await previewCancel(world, request);
    const { counts } = await cancelJob(world, request);

    const later = [{ jobId: completed.id, source: "first" as const, deleted: 0, restored: 15, confirmations: 15 }];
    expect(preview).toMatchObject({ deleted: 0, restored: 30, later });
    expect(counts.later).toEqual(later);
    expect((await logOf(world, bob.id)).filter((qso) => qso.firstConfirmed)).toHaveLength(0);
    expect(await world.db.read(() => syncCursors.find(bob.id, "first"))).toEqual(early);
  });

  test("of any source if the contact is removed; failed or rolled back jobs are not listed", async () => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const failed = await sync(world, bob.id, "second", [qrz(1, callOf(1), at(10), { MODE: "CW" })], { failure: LOST });
    const gone = await sync(world, bob.id, "file", [said(callOf(1), at(10), { MODE: "CW", NAME: "Ann" })]);
    await cancelJob(world, { userId: bob.id, jobId: gone.id, by: null, undo: true });
    await sync(world, bob.id, "first", [copied(1)], { failure: LOST });
    const completed = await sync(world, bob.id, "first", [confirmed(1)]);

    const { later } = await previewCancel(world, { userId: bob.id, jobId: failed.id, by: null });

    expect(later).toEqual([{ jobId: completed.id, source: "first", deleted: 1, restored: 0, confirmations: 1 }]);
  });

  test("and lists active jobs before it stops them", async () => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const failed = await sync(world, bob.id, "first", [confirmed(1)], { failure: LOST });
    const { body, reached, release } = aHeldBody("record", [qrz(1, callOf(1), at(10))], 0);
    const { job, ended } = await syncing(world, bob.id, "second", [body]);
    await reached;
    const request = { userId: bob.id, jobId: failed.id, by: null };

    const { stopped } = await previewCancel(world, request);
    const rolledBack = await cancelJob(world, request);
    release();

    expect(stopped).toEqual([{ jobId: job.id, source: "second" }]);
    expect(rolledBack.stopped).toEqual(stopped);
    expect((await ended).status).toBe("failed");
  });
});

test("pages and API show what a rollback would remove, and that one is running", async () => {
  const app = await testApp();
  const world = app as unknown as TestWorld;
  const bob = await app.as(app.bob);
  const job = await sync(world, app.bob.id, "file", records, { failure: LOST });
  const other = await sync(world, app.bob.id, "second", [qrz(1, callOf(3), at(30))]);

  const asked = await bob.get(`/jobs/${job.id}/rollback`);
  expect(asked.text).toContain(`Job ${other.id} (QRZ), which ran later, loses 1 QSO.`);
  await brokenOff(world, job, 1);

  expect((await bob.get(`/api/jobs/${job.id}`)).body).toMatchObject({
    job: { status: "failed", rollingBackSince: world.clock(), actions: { rollback: false } },
  });
  for (const page of ["/jobs", `/jobs/${job.id}`]) {
    const { text } = await bob.get(page);
    expect(text).toContain("being rolled back");
    expect(text).toContain("every 2s");
  }
  const refused = { status: 409, body: { error: { rule: "rollback_active" } } };
  expect(await bob.delete(`/api/jobs/${job.id}`)).toMatchObject(refused);
  expect(await bob.get(`/api/jobs/${job.id}/rollback`)).toMatchObject(refused);
  await finishRollbacks(app);
  expect((await bob.get(`/jobs/${job.id}`)).text).not.toContain("being rolled back");
});

describe("the next syncs after a rollback", () => {
  const IN_A_WEEK = 7 * DAY;

  const scheduled = async (live: Live, source: Service, enabled: boolean): Promise<void> => {
    const { world, bob } = live;
    const nextSyncAt = enabled ? world.clock() + IN_A_WEEK : null;
    const schedule = { enabled, intervalHours: 720, lastSyncAt: null, nextSyncAt, paused: null };
    await world.db.write(() => autoSync.set(bob.id, source, schedule, world.clock()));
  };

  const nextOf = async ({ world, bob }: Live) => {
    const { first, second } = await world.db.read(() => autoSync.get(bob.id));
    return { first: first.nextSyncAt, second: second.nextSyncAt };
  };

  /** LoTW adds a contact and fails; QRZ then updates it. */
  const aStory = async (fault: LotwFault = { kind: "dropEof" }, trigger: JobTrigger = "manual") => {
    const live = await aLiveWorld();
    uploaded(live, callOf(1));
    booked(live, callOf(1));
    live.first.fail({ ...fault, when: ({ number }) => number > 1, times: 9 });
    const failed = await synced(live, "first", { trigger });
    expect(failed).toMatchObject({ status: "failed", stats: { added: 1 } });
    expect(await synced(live, "second")).toMatchObject({ status: "completed", stats: { updated: 1 } });
    return { live, request: { userId: live.bob.id, jobId: failed.id, by: null } };
  };

  test("are due immediately for every scheduled service that lost something", async () => {
    const { live, request } = await aStory();
    await scheduled(live, "first", true);
    await scheduled(live, "second", true);

    await cancelJob(live.world, request);

    expect(await nextOf(live)).toEqual({ first: live.world.clock(), second: live.world.clock() });
  });

  test("leave a service alone that asked for time or could not respond", async () => {
    const byHand = await aStory({ kind: "busy" });
    await scheduled(byHand.live, "first", true);
    await scheduled(byHand.live, "second", true);
    const began = byHand.live.world.clock();
    await cancelJob(byHand.live.world, byHand.request);
    expect(await nextOf(byHand.live)).toEqual({ first: began + 15 * MINUTE, second: began });

    const bySchedule = await aStory({ kind: "status", status: 503, retryAfter: 7200 }, "auto");
    const now = bySchedule.live.world.clock();
    const schedule = { enabled: true, intervalHours: 24, lastSyncAt: null, paused: null };
    const set = (nextSyncAt: number) =>
      bySchedule.live.world.db.write(() =>
        autoSync.set(bySchedule.live.bob.id, "first", { ...schedule, nextSyncAt }, now),
      );
    await set(now + 120 * MINUTE);
    await cancelJob(bySchedule.live.world, bySchedule.request);
    expect((await nextOf(bySchedule.live)).first).toBe(now + 120 * MINUTE);
  });

  test("stay off if disabled, and unchanged if nothing was removed", async () => {
    const { live, request } = await aStory();
    await scheduled(live, "first", false);
    await scheduled(live, "second", true);
    const { second } = await nextOf(live);
    live.second.fail({ kind: "status", status: 500, times: 3 });
    const empty = await synced(live, "second");

    await cancelJob(live.world, { ...request, jobId: empty.id });
    expect(await nextOf(live)).toEqual({ first: null, second });
    await cancelJob(live.world, request);
    expect(await nextOf(live)).toEqual({ first: null, second: live.world.clock() + 15 * MINUTE });
  });

  test("are not due while it is running", async () => {
    const { world, bob, job } = await aFailedImport();
    await setCredentials(world, bob.id, "first", { username: "bob", password: "secret word" });
    const now = world.clock();
    const schedule = { enabled: true, intervalHours: 24, lastSyncAt: null, nextSyncAt: now - 1, paused: null };
    await world.db.write(() => autoSync.set(bob.id, "first", schedule, now));
    const due = () => world.db.read(() => autoSync.listDue(now, 10));
    expect(await due()).toHaveLength(1);

    await brokenOff(world, job, 1);
    expect(await due()).toEqual([]);
    await finishRollbacks(world);
    expect(await due()).toHaveLength(1);
  });

  test("are due after the scheduler has continued an interrupted rollback", async () => {
    const app = await testApp();
    const world = app as unknown as TestWorld;
    const job = await sync(world, app.bob.id, "file", records, { failure: LOST });
    await brokenOff(world, job, 1);

    await app.scheduler.tick(world.clock());
    await app.scheduler.idle();

    expect((await world.db.read(() => syncJobs.get(app.bob.id, job.id))).status).toBe("cancelled");
    expect(await logOf(world, app.bob.id)).toEqual([]);
  });
});
