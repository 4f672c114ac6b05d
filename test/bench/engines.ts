// The same work on both engines, side by side: syncs, rollbacks, statistics and awards.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { overview } from "../../src/awards/questions.ts";
import { Reading } from "../../src/awards/reading.ts";
import { BACKGROUND_THREAD } from "../../src/background/thread.ts";
import { readConfig } from "../../src/config.ts";
import { OPERATOR } from "../../src/domain/actor.ts";
import { awardView } from "../../src/domain/award.ts";
import type { Service } from "../../src/domain/source.ts";
import { SILENT_LOG } from "../../src/log.ts";
import { createUser } from "../../src/people/users.ts";
import { ofUser } from "../../src/storage/statistics.ts";
import type { Database } from "../../src/storage/database.ts";
import { one, run } from "../../src/storage/unit.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { startSync } from "../../src/sync/source/service.ts";
import { cancelJob } from "../../src/sync/undo/rollback.ts";
import { openWorld, prepareDataDir, type World } from "../../src/world.ts";
import { storeLog } from "../support/log-generator.ts";
import { startPostgres } from "../support/postgres.ts";
import { median, print } from "./figure.ts";
import { BOOK_KEY, LOGIN, NOW, simulated } from "./simulated-account.ts";

const IS_QUICK = process.argv.includes("--quick");
const SYNCED = IS_QUICK ? 5_000 : 20_000;
const COUNTED = IS_QUICK ? 20_000 : 100_000;
const ROUNDS = 15;
const MOST_FOR_WRITING = 2;
const MOST_FOR_COUNTING = 3;

/** What one engine needs for each piece of work, in the order they are done; milliseconds. */
type Times = Map<string, { ms: number; limit: number }>;

const ENGINES = ["sqlite", "postgres"] as const;

const main = async (): Promise<void> => {
  const postgres = startPostgres();
  if (!postgres) return console.log("PostgreSQL is not installed: nothing to compare");
  try {
    const services = { first: await simulated("first", SYNCED), second: await simulated("second", SYNCED) };
    const times: Times[] = [];
    for (const engine of ENGINES) {
      times.push(await measured(engine === "postgres" ? postgres.url : null, services));
    }
    for (const { stop } of Object.values(services)) stop();
    report(times);
  } finally {
    postgres.stop();
  }
};

const report = ([sqlite, postgres]: readonly Times[]): void => {
  for (const [name, { ms, limit }] of sqlite!) {
    const there = postgres!.get(name)!.ms;
    print({ name: `${name}, SQLite`, value: ms, unit: "ms" });
    print({ name: "  PostgreSQL", value: there, unit: "ms" });
    print({ name: "  PostgreSQL : SQLite", value: there / ms, unit: "×", limit });
  }
};

/** As a log is that has been there for a while: what is known of each table is new, and its pages are visible to all. */
const settled = async (db: Database): Promise<void> => {
  for (let tries = 0; tries < 20; tries++) {
    await db.analyze();
    if (db.engine === "sqlite") return;
    const { hidden } = await db.read(
      () => one<{ hidden: number }>`SELECT relpages - relallvisible AS hidden FROM pg_class WHERE relname = 'qsos'`,
    );
    if (hidden < 600) return;
    await Bun.sleep(500);
  }
};

type Services = Record<Service, { firstUrl: string; secondUrl: string }>;

const aWorld = async (directory: string, url: string | null, services: Services): Promise<World> => {
  const env = {
    QSOLOG_DATA_DIR: directory,
    QSOLOG_PACE: "0",
    QSOLOG_FIRST_URL: services.first.firstUrl,
    QSOLOG_SECOND_URL: services.second.secondUrl,
    ...(url && { QSOLOG_DATABASE_URL: url }),
  };
  const { config } = readConfig({ env });
  prepareDataDir(config);
  const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));
  const options = { clock: () => NOW, random, log: SILENT_LOG, backgroundThread: BACKGROUND_THREAD };
  const world = await openWorld(config, options);
  await world.callFacts();
  return world;
};

const measured = async (url: string | null, services: Services): Promise<Times> => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  const world = await aWorld(directory, url, services);
  const runner = new SyncRunner(world, 1);
  const times: Times = new Map();
  const timed = async (name: string, limit: number, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    times.set(name, { ms: performance.now() - began, limit });
  };
  const bob = await createUser(world, OPERATOR, { username: "bob", password: "correct horse battery" });
  await setCredentials(world, bob.id, "first", LOGIN);
  await setCredentials(world, bob.id, "second", { apiKey: BOOK_KEY });
  const jobs: number[] = [];
  const sync = async (source: Service) => {
    const started = await startSync(world, runner, { userId: bob.id, source, trigger: "manual", confirm: true });
    const job = (await runner.end(started.id))!;
    if (job.status !== "completed") throw new Error(`${job.error?.code}: ${job.error?.message}`);
    jobs.push(job.id);
  };
  const rollBack = async () => {
    const jobId = jobs.pop()!;
    await world.db.write(() => run`UPDATE sync_jobs SET status = 'failed' WHERE id = ${jobId}`);
    await cancelJob(world, { userId: bob.id, jobId, by: null });
  };
  await timed(`sync of ${SYNCED} contacts, all new`, MOST_FOR_WRITING, () => sync("first"));
  await timed(`sync of ${SYNCED} contacts, all known`, MOST_FOR_WRITING, () => sync("second"));
  await timed(`rollback of ${SYNCED} contacts, restored`, MOST_FOR_WRITING, rollBack);
  await timed(`rollback of ${SYNCED} contacts, removed`, MOST_FOR_WRITING, rollBack);
  await runner.stop();

  const ann = await createUser(world, OPERATOR, { username: "ann", password: "correct horse battery" });
  await storeLog(world.db, ann.id, { contacts: COUNTED });
  await settled(world.db);
  const counted = async (name: string, work: () => Promise<unknown>) =>
    times.set(`${name} of ${COUNTED} contacts`, { ms: await median(ROUNDS, work), limit: MOST_FOR_COUNTING });
  await counted("statistics", () => world.db.read(() => ofUser(ann.id)));
  await counted("awards", () => world.db.read(() => overview(new Reading(ann.id), awardView({}))));
  await world.db.close();
  rmSync(directory, { recursive: true });
  return times;
};

await main();
