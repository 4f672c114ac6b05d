import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import fc from "fast-check";
import { Awards } from "../../src/awards/book.ts";
import { addQso, deleteQso, editQso } from "../../src/contacts/edit.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { byOwner, type LogCaller } from "../../src/logbook/caller.ts";
import { awards } from "../../src/logbook/awards.ts";
import { contact, exportContacts, listContacts } from "../../src/logbook/contacts.ts";
import { listDuplicates, merge } from "../../src/logbook/duplicates.ts";
import { feed } from "../../src/logbook/feeds.ts";
import { PastLogs } from "../../src/logbook/as-of.ts";
import { repair } from "../../src/logbook/repairs.ts";
import { takeBack } from "../../src/logbook/job-actions.ts";
import { statistics } from "../../src/logbook/statistics.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { Feeds } from "../../src/sync/feed/feeds.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { getSpoolDir } from "../../src/sync/source/spool.ts";
import { prune } from "../../src/upkeep/prune.ts";
import { afterTest, cleanUp } from "../support/cleanup.ts";
import { isFull } from "../support/full.ts";
import { logOf, lotw, qrz, said, sync } from "../support/sync.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

const RUNS = isFull(import.meta) ? 60 : 3;
const STEP_MS = 1_000;

const aDesk = async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  const bob: LogCaller = byOwner({ id, username: "bob" });
  const runner = new SyncRunner(world, 4);
  afterTest(() => runner.stop());
  return { world, bob, runner, ...books(world) };
};

const books = (world: TestWorld) => {
  const pasts = new PastLogs(world);
  afterTest(() => pasts.close());
  const desk = {
    ...world,
    pasts,
    awards: new Awards(world),
    feeds: new Feeds(world),
  };
  return { pasts, desk };
};

type Desk = Awaited<ReturnType<typeof aDesk>>;

const CALLS = ["K1ABC", "DL1ABC", "JA1XYZ"];
const when = (minute: number) =>
  new Date(Date.UTC(2026, 6, 1, 10, minute)).toISOString().slice(0, 16).replace("T", " ");

const record = fc.record({ call: fc.constantFrom(...CALLS), minute: fc.integer({ min: 0, max: 59 }) });
const records = fc.array(record, { minLength: 1, maxLength: 6 });
const choice = fc.nat(50);

type Told = { call: string; minute: number }[];

const acts: Record<string, (desk: Desk, told: Told, at: number) => Promise<unknown>> = {
  import: ({ world, bob, runner }, told, at) => {
    const some = told.map(({ call, minute }) => said(call, when(minute), { NAME: `Ann ${at}` }));
    return sync(world, bob.owner.id, "file", some, { runner });
  },
  first: ({ world, bob, runner }, told) =>
    sync(
      world,
      bob.owner.id,
      "first",
      told.map(({ call, minute }) => lotw(call, when(minute))),
      { runner },
    ),
  second: ({ world, bob, runner }, told, at) => {
    const some = told.map(({ call, minute }) =>
      qrz(minute + 1, call, when(minute), { APP_QRZLOG_STATUS: at % 2 ? "C" : "N" }),
    );
    return sync(world, bob.owner.id, "second", some, { runner, failure: at % 3 ? undefined : new Error("lost") });
  },
  feed: ({ desk, bob }, some, at) => {
    const kinds = ["contact", "contact", "edit", "delete"] as const;
    const told = some.map(({ call, minute }) => ({
      kind: kinds[(at + minute) % kinds.length]!,
      name: String(minute),
      ...said(call, when(minute), { COMMENT: `told ${at}` }),
    }));
    return feed(desk, bob, { client: `n1mm${at % 2}`, told });
  },
  add: async ({ world, bob }, [told], at) =>
    addQso(
      world,
      bob.owner.id,
      { call: told!.call, startedAt: Date.UTC(2026, 6, 2, 0, at), band: "40m", mode: "CW" },
      await world.callFacts(),
    ),
  edit: async ({ world, bob }, [told], at) => {
    const one = await some({ world, bob }, at);
    const patch = at % 4 === 0 ? { name: null } : { name: `Eva ${told!.minute}`, band: at % 3 ? "15m" : undefined };
    return one && editQso(world, bob.owner.id, one.id, patch, await world.callFacts());
  },
  delete: async ({ world, bob }, _, at) => {
    const one = await some({ world, bob }, at);
    return one && deleteQso(world, bob.owner.id, one.id);
  },
  repair: async ({ world, runner, bob }, [told], at) => {
    const request = [{ set: { qth: "Nis" } }, { shiftMinutes: 60 }, { delete: true }, { takeOut: "first" }][at % 4]!;
    const { job } = await repair({ ...world, runner }, bob, { filter: { call: told!.call }, ...request });
    return runner.end(job.id);
  },
  merge: async ({ desk, runner, bob }) => {
    const { groups } = await listDuplicates(desk, bob, {});
    if (groups.length === 0) return;
    const { job } = await merge({ ...desk, runner }, bob, { qsoId: groups[0]!.contacts[0]!.id });
    return runner.end(job.id);
  },
  takeBack: async ({ world, bob }, _, at) => {
    const jobs = await world.db.read(() => syncJobs.list({ userId: bob.owner.id, limit: 100 }));
    const able = jobs.filter(({ status, source }) =>
      status === "failed" ? true : status === "completed" && source !== "first" && source !== "second",
    );
    const job = able[at % Math.max(1, able.length)];
    return job && takeBack(world, bob, { jobId: job.id, undo: job.status === "completed" });
  },
};

const some = async ({ world, bob }: Pick<Desk, "world" | "bob">, at: number) => {
  const log = await logOf(world, bob.owner.id);
  return log[at % Math.max(1, log.length)];
};

/** A refused action changes nothing. */
const unlessRefused = (error: unknown) => {
  if (!(error instanceof AppError)) throw error;
};

const story = fc.array(fc.record({ act: fc.constantFrom(...Object.keys(acts)), told: records, at: choice }), {
  minLength: 4,
  maxLength: 14,
});

// Invariant: the log as of a past day is exact
test("the log as of any time equals what it was then, whatever changed since", async () => {
  const property = fc.asyncProperty(fc.tuple(records, story), async ([told, steps]) => {
    const desk = await aDesk();
    const { world, bob } = desk;
    const asked = async (asOf?: string) => ({
      list: await listContacts(desk.desk, bob, { limit: "500", sort: "call", asOf }),
      stats: await statistics(desk.desk, bob, { asOf }),
      awards: await awards(desk.desk, bob, { asOf }),
    });
    const known: { at: number; answers: Awaited<ReturnType<typeof asked>>; log: unknown }[] = [];
    const remember = async () => {
      known.push({ at: world.clock(), answers: await asked(), log: await logOf(world, bob.owner.id) });
      world.clock.advance(STEP_MS);
    };
    await acts.import!(desk, told, 0);
    await remember();
    for (const { act, told: more, at } of steps) {
      await acts[act]!(desk, more, at).catch(unlessRefused);
      await remember();
    }

    for (const { at, answers, log } of known) {
      const then = await asked(String(at));
      expect(await desk.pasts.ask(bob, at, ({ db }) => logOf({ ...world, db }, bob.owner.id))).toEqual(log as never);
      const asOf = { at, recordedSince: expect.any(Number) };
      for (const name of ["list", "stats", "awards"] as const) {
        expect(then[name]).toEqual({ ...answers[name], asOf } as never);
      }
      for (const qso of answers.list.qsos.slice(0, 3)) {
        expect(await contact(desk.desk, bob, qso.id, { asOf: String(at) })).toEqual({ ...qso, asOf });
      }
    }
    await cleanUp();
  });
  await fc.assert(property, { numRuns: RUNS });
});

test("a day means its end, and a future day means the current log", async () => {
  const { world, bob, desk } = await aDesk();
  await sync(world, bob.owner.id, "file", [said("K1AAA", "2026-07-01 10:00")]);
  const today = world.clock();
  world.clock.advance(86_400_000);
  await sync(world, bob.owner.id, "file", [said("K2BBB", "2026-07-01 11:00")]);

  const totalOn = async (asOf: string) => (await statistics(desk, bob, { asOf })).total;

  expect(await totalOn(new Date(today).toISOString().slice(0, 10))).toBe(1);
  expect(await totalOn(new Date(world.clock()).toISOString().slice(0, 10))).toBe(2);
  expect(await totalOn("2100-01-01")).toBe(2);
});

test("an export as of a day has the log of that day and its owner, and keeps nothing open", async () => {
  const { world, bob, desk, pasts } = await aDesk();
  await sync(world, bob.owner.id, "file", [said("K1AAA", "2026-07-01 10:00")]);
  const then = String(world.clock());
  world.clock.advance(86_400_000);
  const [qso] = await logOf(world, bob.owner.id);
  await editQso(world, bob.owner.id, qso!.id, { name: "Ann" }, await world.callFacts());
  await sync(world, bob.owner.id, "file", [said("K2BBB", "2026-07-01 11:00")]);
  const exported = async (asOf?: string) => {
    const { pieces } = await exportContacts(desk, bob, { asOf, format: "csv", columns: "call,name" });
    return (await Array.fromAsync(pieces)).join("").trim().split(/\r?\n/).slice(1);
  };

  expect(await exported(then)).toEqual(["K1AAA,"]);
  expect(await exported()).toEqual(["K1AAA,Ann", "K2BBB,"]);
  await expect(exported("1999-01-01")).rejects.toMatchObject({ rule: "not_recorded" });
  const { pieces } = await exportContacts(desk, bob, { asOf: then });
  await pieces.next();
  await pieces.return();
  await pasts.close();
  expect(readdirSync(getSpoolDir(world.dataDir))).toEqual([]);
});

test("a day before recording is refused with the date since when changes are recorded", async () => {
  const { world, bob, desk } = await aDesk();
  const born = world.clock();
  await sync(world, bob.owner.id, "file", [said("K1AAA", "2026-07-01 10:00")]);
  const [qso] = await logOf(world, bob.owner.id);
  world.clock.advance(1_000);
  await editQso(world, bob.owner.id, qso!.id, { name: "Ann" }, await world.callFacts());
  const edited = world.clock();
  world.clock.advance(400 * 86_400_000);
  const nameAt = async (at: number) => (await listContacts(desk, bob, { asOf: String(at) })).qsos[0]!.name;

  await expect(nameAt(born - 1)).rejects.toMatchObject({ code: "invalid", rule: "not_recorded" });
  expect(await nameAt(born)).toBe(null);

  await prune(world, { olderThanMs: 90 * 86_400_000 });

  await expect(nameAt(edited - 1)).rejects.toThrow(/available since 2026-08-01 12:00/);
  expect(await nameAt(edited)).toBe("Ann");
});

test("a rebuilt log leaves nothing behind", async () => {
  const { world, bob, desk, pasts } = await aDesk();
  await sync(world, bob.owner.id, "file", [said("K1AAA", "2026-07-01 10:00")]);
  for (let moment = 0; moment < 4; moment++) {
    world.clock.advance(3_600_000);
    await statistics(desk, bob, { asOf: String(world.clock() - 1) });
  }
  const open = readdirSync(getSpoolDir(world.dataDir)).filter((name) => !/-(wal|shm)$/.test(name));
  expect(open.length).toBe(2);

  await pasts.close();

  expect(readdirSync(getSpoolDir(world.dataDir))).toEqual([]);
});
