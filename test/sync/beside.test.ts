import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { editQso } from "../../src/contacts/edit.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { SERVICES, type Source } from "../../src/domain/jobs/source.ts";
import type { JobStats, SyncJob } from "../../src/domain/jobs/sync-job.ts";
import * as syncCursors from "../../src/storage/jobs/sync-cursors.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { cleanUp } from "../support/cleanup.ts";
import { isFull } from "../support/full.ts";
import { aHeldBody, contentOf, logOf, lotw, PART, qrz, said, sync, syncing } from "../support/sync.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";
import { lostOf } from "./lost.ts";
import { aLiveWorld, begun, callOf, synced, uploaded, type Live } from "./services.ts";

const CONTACTS = isFull(import.meta) ? 2_000 : 300;
const MADE = Date.UTC(2026, 6, 18, 1, 43);
const AT = "2026-08-01 10:00";
const RUNS = isFull(import.meta) ? 100 : ENGINE === "postgres" ? 3 : 6;
const LOST = new Error("connection lost");

/** LoTW has the contacts; nothing was downloaded yet. */
const aFullAccount = async (): Promise<Live> => {
  const live = await aLiveWorld();
  for (let n = 0; n < CONTACTS; n++) uploaded(live, callOf(n), { at: MADE });
  return live;
};

/** A sync that has applied the first of its two reports and waits for the second. */
const halfway = async (live: Live) => {
  const asked = Promise.withResolvers<() => void>();
  let isHeld = false;
  live.first.fail({
    kind: "busy",
    when: ({ params }) => {
      if (!isHeld && params.get("qso_qsl") === "yes") asked.resolve(live.first.hold());
      isHeld ||= params.get("qso_qsl") === "yes";
      return false;
    },
  });
  const job = await begun(live, "first");
  const release = await asked.promise;
  const answer = async () => {
    release();
    await live.first.journal.waitForDeparture(live.first.requests.length);
  };
  return { job, answer };
};

/** The last records of a report can be written while the next one is requested. */
const hasCome = async ({ world, bob }: Live, { id }: Pick<SyncJob, "id">, wanted: Partial<JobStats>): Promise<void> => {
  for (;;) {
    const { stats } = await world.db.read(() => syncJobs.get(bob.id, id));
    if (Object.entries(wanted).every(([part, count]) => stats[part as keyof JobStats] === count)) return;
    await Bun.sleep(5);
  }
};

/** The log after undisturbed syncs. */
const undisturbed = async (): Promise<Awaited<ReturnType<typeof contentOf>>> => {
  const live = await aFullAccount();
  await synced(live, "first");
  return contentOf(live.world, live.bob.id);
};

describe("a sync that runs during the rollback of what it built on", () => {
  // Invariant: a rollback loses nothing that others said
  test("loses no contacts of a failed job: the next sync, not a full one, brings them all", async () => {
    const whole = await undisturbed();
    const live = await aFullAccount();
    const { world, bob } = live;
    live.first.fail({ kind: "busy", when: ({ params }) => params.get("qso_qsl") === "yes" });
    const failed = await synced(live, "first");
    expect(failed).toMatchObject({ status: "failed", stats: { added: CONTACTS } });
    const { job, answer } = await halfway(live);
    await hasCome(live, job, { unchanged: CONTACTS });

    const { counts } = await cancelJob(world, { userId: bob.id, jobId: failed.id, by: null });
    await answer();
    await live.runner.idle();
    const beside = await world.db.read(() => syncJobs.get(bob.id, job.id));

    expect(counts.deleted).toBe(CONTACTS);
    expect(beside).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    expect(await synced(live, "first")).toMatchObject({ status: "completed", error: null });
    expect(await contentOf(world, bob.id)).toEqual(whole);
  });

  // Invariant: a rollback loses nothing that others said
  test("loses no contacts of an import", async () => {
    const whole = await undisturbed();
    const live = await aFullAccount();
    const { world, bob } = live;
    const records = Array.from({ length: CONTACTS }, (_, n) => said(callOf(n), "2026-07-18 01:43", { MODE: "CW" }));
    const imported = await sync(world, bob.id, "file", records);
    const { job, answer } = await halfway(live);
    await hasCome(live, job, { updated: CONTACTS });

    await cancelJob(world, { userId: bob.id, jobId: imported.id, by: null, undo: true });
    await answer();
    await live.runner.idle();

    expect(await logOf(world, bob.id)).toEqual([]);
    expect(await synced(live, "first")).toMatchObject({ status: "completed", error: null });
    expect(await contentOf(world, bob.id)).toEqual(whole);
  });

  test("continues if there was nothing to roll back", async () => {
    const live = await aLiveWorld();
    uploaded(live, "K1AAA");
    live.first.fail({ kind: "busy" });
    const failed = await synced(live, "first");
    expect(failed).toMatchObject({ status: "failed", stats: { fetched: 0 } });
    const { job, answer } = await halfway(live);

    await cancelJob(live.world, { userId: live.bob.id, jobId: failed.id, by: null });
    await answer();

    await live.runner.idle();
    const ended = await live.world.db.read(() => syncJobs.get(live.bob.id, job.id));
    expect(ended).toMatchObject({ status: "completed", stats: { added: 1 } });
  });

  test("is also stopped if it is of another source or waits for its turn", async () => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const failed = await sync(world, bob.id, "first", [lotw("K1AAA", AT)], { failure: LOST });
    const runner = new SyncRunner(world, 1);
    const { body, reached, release } = aHeldBody("record", [qrz(1, "K1AAA", AT), qrz(2, "K1BBB", AT)], 1);
    const running = await syncing(world, bob.id, "second", [body], { batchSize: 1, runner });
    await reached;
    const waiting = await syncing(world, bob.id, "file", [said("K1AAA", AT)], { runner });

    await cancelJob(world, { userId: bob.id, jobId: failed.id, by: null });
    release();

    for (const { ended } of [running, waiting]) {
      expect(await ended).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    }
    expect(await logOf(world, bob.id)).toEqual([]);
    await runner.stop();
  });

  test("of another user is not affected", async () => {
    const world = await testWorld();
    const [bob, eve] = [await aUser(world, "bob"), await aUser(world, "eve")];
    const failed = await sync(world, bob.id, "first", [lotw("K1AAA", AT)], { failure: LOST });
    const { body, reached, release } = aHeldBody("qsl", [lotw("K1AAA", AT)], 0);
    const { ended } = await syncing(world, eve.id, "first", [body]);
    await reached;

    await cancelJob(world, { userId: bob.id, jobId: failed.id, by: null });
    release();

    expect(await ended).toMatchObject({ status: "completed", stats: { added: 1 } });
  });
});

/** What the services have in the end, in order of arrival. */
const minutes = fc.array(fc.nat({ max: 20 }), { minLength: 4, maxLength: 8 });
const arrivals = fc.record({ first: minutes, second: minutes });
const ALL = ["first", "first", "second", "file"] as const satisfies Source[];
const nth = fc.nat({ max: 3 });
const happening = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("begin" as const),
      source: fc.constantFrom(...ALL),
      behind: fc.option(fc.nat({ max: 6 }), { freq: 1 }),
      breaksOff: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("let go on" as const), nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("roll back" as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("undo" as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("type" as const), nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("arrive" as const), count: fc.nat({ max: 5 }) }) },
);

/** What users do: a sync fails, they start another, and roll back the failed one before that ends. */
const usual = fc
  .record({ source: fc.constantFrom(...SERVICES), behind: fc.nat({ max: 6 }) })
  .map(({ source, behind }) => [
    { kind: "begin" as const, source, behind: null, breaksOff: true },
    { kind: "begin" as const, source, behind, breaksOff: false },
    { kind: "roll back" as const, nth: 0 },
  ]);
const happenings = fc
  .array(fc.oneof({ weight: 6, arbitrary: happening.map((one) => [one]) }, { weight: 1, arbitrary: usual }), {
    minLength: 3,
    maxLength: 12,
  })
  .map((some) => some.flat());

/** The services' cursors: a position in the order of arrival, written as a time. */
const CURSOR_AT = {
  first: (place: number) => ({ qso: timeOf(place), qsl: timeOf(place) }),
  second: (place: number) => ({ since: timeOf(place), sweptAt: 0 }),
  file: () => null,
};
const timeOf = (place: number) =>
  new Date(Date.UTC(2026, 6, 1) + place * 60_000).toISOString().slice(0, 19).replace("T", " ");
const placeOf = (time: string) => (Date.parse(`${time.replace(" ", "T")}Z`) - Date.UTC(2026, 6, 1)) / 60_000;
const placeIn = (cursor: unknown): number => {
  const { qsl, since } = (cursor ?? {}) as { qsl?: string; since?: string };
  return placeOf(qsl ?? since ?? timeOf(0));
};

// Invariant: a rollback loses nothing that others said
test("however syncs and rollbacks overlap, the next syncs bring everything that the services have", async () => {
  const life = fc.asyncProperty(arrivals, happenings, async (arriving, events) => {
    const world = await testWorld();
    const bob = await aUser(world, "bob");
    const minute = (n: number) => new Date(Date.UTC(2026, 7, 1, 12, n)).toISOString().slice(0, 16).replace("T", " ");
    const told = {
      first: arriving.first.map((n) => lotw(callOf(n), minute(n), { MODE: "CW" })),
      second: arriving.second.map((n, index) => qrz(index + 1, callOf(n), minute(n), { MODE: "CW" })),
      file: arriving.first.map((n) => said(callOf(n), minute(n), { MODE: "CW" })),
    };
    const there = { first: 3, second: 3, file: told.file.length };
    const held: { release: () => void; ended: Promise<SyncJob> }[] = [];
    const begin = async (source: (typeof ALL)[number], behind: number | null, breaksOff: boolean) => {
      const cursorBefore = source === "file" ? null : await world.db.read(() => syncCursors.find(bob.id, source));
      const known = told[source].slice(placeIn(cursorBefore), there[source]);
      const { body, reached, release } = aHeldBody(PART[source], known, behind ?? 0);
      if (behind === null) release();
      const cursor = CURSOR_AT[source](Math.min(there[source], told[source].length));
      const options = { cursorBefore, cursor, batchSize: 2, failure: breaksOff ? LOST : undefined };
      const begun = await syncing(world, bob.id, source, [body], options).catch((error: unknown) => {
        if (error instanceof AppError && error.rule === "job_active") return null;
        throw error;
      });
      if (!begun) return;
      await Promise.race([reached, begun.ended]);
      if (behind === null) await begun.ended;
      else held.push({ ...begun, release });
    };
    const letGoOn = async (job: (typeof held)[number] | undefined) => {
      job?.release();
      await job?.ended;
    };
    const takeBack = async (nth: number, undo: boolean) => {
      const statuses = [undo ? ("completed" as const) : ("failed" as const)];
      const source = undo ? ("file" as const) : undefined;
      const found = await world.db.read(() => syncJobs.list({ userId: bob.id, statuses, source, limit: 50 }));
      const job = found[nth % found.length];
      if (job) await cancelJob(world, { userId: bob.id, jobId: job.id, by: null, undo });
    };

    for (const event of events) {
      world.clock.advance(1000);
      if (event.kind === "begin") await begin(event.source, event.behind, event.breaksOff);
      if (event.kind === "let go on") await letGoOn(held[event.nth % held.length]);
      if (event.kind === "roll back") await takeBack(event.nth, false);
      if (event.kind === "undo") await takeBack(event.nth, true);
      if (event.kind === "arrive") for (const source of SERVICES) there[source] += event.count;
      if (event.kind === "type") {
        const log = await logOf(world, bob.id);
        const qso = log[event.nth % log.length];
        if (qso) await editQso(world, bob.id, qso.id, { comment: `typed ${event.nth}` }, await world.callFacts());
      }
    }
    for (const job of held) await letGoOn(job);
    for (const source of SERVICES) await begin(source, null, false);

    for (const source of SERVICES) {
      const known = told[source].slice(0, there[source]);
      expect(await lostOf(world, bob.id, source, known, await world.callFacts())).toEqual([]);
    }
    await cleanUp();
  });
  await fc.assert(life, { numRuns: RUNS });
});
