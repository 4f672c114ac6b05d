// The same work on both engines in turn, so that whatever else the machine does meets both: syncs, rollbacks, statistics
// and awards.
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
import { middleOf, print } from "./figure.ts";
import { BOOK_KEY, LOGIN, NOW, simulated } from "./simulated-account.ts";

const IS_QUICK = process.argv.includes("--quick");
const SYNCED = IS_QUICK ? 5_000 : 20_000;
const COUNTED = IS_QUICK ? 20_000 : 100_000;
/** Of two ratios the worse counts. */
const ROUNDS_OF_WRITING = 2;
const ROUNDS_OF_COUNTING = 15;
const MOST_FOR_WRITING = 2;
const MOST_FOR_COUNTING = 3;

interface Place {
  world: World;
  runner: SyncRunner;
  /** What each piece of work took, in milliseconds, in the order it was done. */
  times: Map<string, number[]>;
}

const main = async (): Promise<void> => {
  const postgres = startPostgres();
  if (!postgres) return console.log("PostgreSQL is not installed: nothing to compare");
  const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  try {
    const services = { first: await simulated("first", SYNCED), second: await simulated("second", SYNCED) };
    const sqlite = await aPlace(join(directory, "sqlite"), null, services);
    const server = await aPlace(join(directory, "postgres"), postgres.url, services);
    for (let round = 0; round < ROUNDS_OF_WRITING; round++) {
      for (const place of [sqlite, server]) await write(place, `user${round}`);
    }
    for (const { stop } of Object.values(services)) stop();
    report(sqlite, server, MOST_FOR_WRITING);
    for (const { times, runner } of [sqlite, server]) {
      times.clear();
      await runner.stop();
    }
    await count([sqlite, server]);
    report(sqlite, server, MOST_FOR_COUNTING);
    for (const { world } of [sqlite, server]) await world.db.close();
  } finally {
    rmSync(directory, { recursive: true });
    postgres.stop();
  }
};

/** The ratio is that of the same round: a machine that has other work to do has it for both. */
const report = (sqlite: Place, postgres: Place, limit: number): void => {
  for (const [name, times] of sqlite.times) {
    const there = postgres.times.get(name)!;
    const ratios = times.map((ms, round) => there[round]! / ms);
    print({ name: `${name}, SQLite`, value: middleOf(times), unit: "ms" });
    print({ name: "  PostgreSQL", value: middleOf(there), unit: "ms" });
    print({ name: "  PostgreSQL : SQLite", value: middleOf(ratios), unit: "×", limit });
  }
};

const timed = async ({ times }: Place, name: string, work: () => Promise<unknown>): Promise<void> => {
  const began = performance.now();
  await work();
  times.set(name, [...(times.get(name) ?? []), performance.now() - began]);
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

const aPlace = async (directory: string, url: string | null, services: Services): Promise<Place> => {
  const world = await aWorld(directory, url, services);
  return { world, runner: new SyncRunner(world, 1), times: new Map() };
};

/** A user who downloads both services, and takes both back. */
const write = async (place: Place, username: string): Promise<void> => {
  const { world, runner } = place;
  const { id: userId } = await createUser(world, OPERATOR, { username, password: "correct horse battery" });
  await setCredentials(world, userId, "first", LOGIN);
  await setCredentials(world, userId, "second", { apiKey: BOOK_KEY });
  const jobs: number[] = [];
  const sync = async (source: Service) => {
    const started = await startSync(world, runner, { userId, source, trigger: "manual", confirm: true });
    const job = (await runner.end(started.id))!;
    if (job.status !== "completed") throw new Error(`${job.error?.code}: ${job.error?.message}`);
    jobs.push(job.id);
  };
  const rollBack = async () => {
    const jobId = jobs.pop()!;
    await world.db.write(() => run`UPDATE sync_jobs SET status = 'failed' WHERE id = ${jobId}`);
    await cancelJob(world, { userId, jobId, by: null });
  };
  await timed(place, `sync of ${SYNCED} contacts, all new`, () => sync("first"));
  await timed(place, `sync of ${SYNCED} contacts, all known`, () => sync("second"));
  await timed(place, `rollback of ${SYNCED} contacts, restored`, rollBack);
  await timed(place, `rollback of ${SYNCED} contacts, removed`, rollBack);
};

const count = async (places: readonly Place[]): Promise<void> => {
  const users: number[] = [];
  for (const { world } of places) {
    const ann = await createUser(world, OPERATOR, { username: "ann", password: "correct horse battery" });
    await storeLog(world.db, ann.id, { contacts: COUNTED });
    await settled(world.db);
    users.push(ann.id);
  }
  for (let round = 0; round < ROUNDS_OF_COUNTING; round++) {
    for (const [at, place] of places.entries()) {
      const { db } = place.world;
      const id = users[at]!;
      await timed(place, `statistics of ${COUNTED} contacts`, () => db.read(() => ofUser(id)));
      await timed(place, `awards of ${COUNTED} contacts`, () =>
        db.read(() => overview(new Reading(id), awardView({}))),
      );
    }
  }
};

await main();
