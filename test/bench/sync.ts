// Syncs and imports a large log, parse to commit with change records, beside bare inserts of the same rows into the same
// tables. What a person waits for is time by the clock: one batch is decided while the one before is written. Processor
// time stands beside it, because other work on the machine makes waits longer, and never both by the same. The index of
// texts is filled behind a sync and by neither; the triggers that feed it are there in both.
import { Database as Connection } from "bun:sqlite";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BACKGROUND_THREAD } from "../../src/background/thread.ts";
import { createUser } from "../../src/people/users.ts";
import { writeRecord } from "../../src/adif/writer.ts";
import { readConfig } from "../../src/config.ts";
import { OPERATOR } from "../../src/domain/actor.ts";
import type { Service } from "../../src/domain/source.ts";
import { SILENT_LOG } from "../../src/log.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { startImport } from "../../src/sync/source/file.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { startSync } from "../../src/sync/source/service.ts";
import { openWorld, prepareDataDir, type World } from "../../src/world.ts";
import { aLog } from "../support/log-generator.ts";
import { asFile } from "../support/log-records.ts";
import { print } from "./figure.ts";
import { BOOK_KEY, LOGIN, NOW, simulated } from "./simulated-account.ts";

const RECORDS = process.argv.includes("--quick") ? 10_000 : 100_000;
const BARE_LIMIT = 1.5;
const STALL_LIMIT_MS = 25;
const NOWHERE = "http://127.0.0.1:9";

interface Stall {
  /** Of processor time, in which this thread did nothing else. */
  workMs: number;
  /** By the clock, with all that the rest of the machine does. */
  clockMs: number;
}

/** The longest time in which nothing else could run, while some work goes on. */
const stallDuring = async <T>(work: () => Promise<T>): Promise<{ result: T; stall: Stall; spent: Spent }> => {
  const stall: Stall = { workMs: 0, clockMs: 0 };
  const look = () => ({ clockMs: performance.now(), workMs: workOfThread() });
  let last = look();
  const heart = setInterval(() => {
    const here = look();
    stall.clockMs = Math.max(stall.clockMs, here.clockMs - last.clockMs - HEART_MS);
    stall.workMs = Math.max(stall.workMs, here.workMs - last.workMs);
    last = here;
  }, HEART_MS);
  const began = now();
  const result = await work();
  clearInterval(heart);
  return { result, stall, spent: since(began) };
};

const HEART_MS = 5;

const workOfThread = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const printStall = (label: string, { workMs, clockMs }: Stall): void => {
  print({ name: `${label}, longest stall`, value: workMs, unit: "ms", limit: STALL_LIMIT_MS });
  print({ name: "  by the clock", value: clockMs, unit: "ms" });
};

interface Spent {
  /** By the clock. */
  seconds: number;
  /** Of all threads together. */
  worked: number;
}

const now = (): Spent => {
  const { user, system } = process.cpuUsage();
  return { seconds: performance.now() / 1000, worked: (user + system) / 1e6 };
};

const since = (began: Spent): Spent => {
  const { seconds, worked } = now();
  return { seconds: seconds - began.seconds, worked: worked - began.worked };
};

const beside = (label: string, spent: Spent, bare: Spent, share = 1): void => {
  const name = `${label}, from the answer to commit`;
  print({ name, value: (spent.seconds / bare.seconds) * share, unit: "× bare", limit: BARE_LIMIT });
  print({ name: "  in processor time", value: (spent.worked / bare.worked) * share, unit: "× bare" });
};

const aWorld = async (directory: string, services: { firstUrl: string; secondUrl: string }): Promise<World> => {
  const env = {
    QSOLOG_DATA_DIR: directory,
    QSOLOG_PACE: "0",
    QSOLOG_FIRST_URL: services.firstUrl,
    QSOLOG_SECOND_URL: services.secondUrl,
  };
  const { config } = readConfig({ env });
  prepareDataDir(config);
  const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));
  const world = await openWorld(config, {
    clock: () => NOW,
    random,
    log: SILENT_LOG,
    backgroundThread: BACKGROUND_THREAD,
  });
  await world.callFacts();
  return world;
};

/** What is there before a job, and what the index of texts makes of its own tables. */
const NOT_COPIED = /^(users|sync_jobs|installation|migrations|workers|sqlite_|qso_texts)/;
const TEXTS_MAKE = /^qso_texts_(?!filled|back|gone)/;

/** All rows that a job left, written again without any thought into tables with the same indexes. */
const bareInserts = (file: string): Spent => {
  const source = new Connection(file, { readonly: true });
  const copy = `${file}.bare`;
  const target = new Connection(copy);
  const schema = source
    .query("SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    .all() as { name: string; type: string; sql: string }[];
  const order = ["table", "index", "trigger"];
  for (const { name, sql } of schema.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))) {
    if (!TEXTS_MAKE.test(name)) target.run(sql);
  }
  for (const pragma of ["journal_mode = WAL", "synchronous = NORMAL", "wal_autocheckpoint = 10000"])
    target.run(`PRAGMA ${pragma}`);
  const rowsOf = (table: string) => source.query(`SELECT * FROM ${table}`).values() as never[][];
  const into = (table: string, row: never[]) =>
    target.prepare(`INSERT INTO ${table} VALUES (${row.map(() => "?").join(", ")})`);
  for (const table of ["users", "sync_jobs", "qso_texts_filled"])
    for (const row of rowsOf(table)) into(table, row).run(...row);
  target.run("PRAGMA foreign_keys = ON");
  const tables = schema
    .filter(({ name, type }) => type === "table" && !NOT_COPIED.test(name))
    .map(({ name }) => ({ table: name, rows: rowsOf(name) }))
    .filter(({ rows }) => rows.length > 0)
    .sort((a, b) => Number(b.table === "qsos") - Number(a.table === "qsos"));
  const began = now();
  for (const { table, rows } of tables) {
    const insert = into(table, rows[0]!);
    for (let start = 0; start < rows.length; start += 500) {
      target.transaction(() => {
        for (const row of rows.slice(start, start + 500)) insert.run(...row);
      })();
    }
  }
  const spent = since(began);
  target.close();
  source.close();
  return spent;
};

/** What a job spent on records, and not on waiting for a download. */
const workTimer = () => {
  const spent: Spent = { seconds: 0, worked: 0 };
  let last = now();
  const add = () => {
    const { seconds, worked } = since(last);
    spent.seconds += seconds;
    spent.worked += worked;
  };
  const onProgress = ({ phase }: { phase: string }) => {
    if (phase !== "downloading") add();
    last = now();
  };
  return { onProgress, spent: () => (add(), spent) };
};

const serviceRun = async (source: Service): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  const services = await simulated(source, RECORDS);
  const world = await aWorld(directory, services);
  const bob = await createUser(world, OPERATOR, { username: "bob", password: "correct horse battery" });
  await setCredentials(world, bob.id, source, source === "first" ? LOGIN : { apiKey: BOOK_KEY });
  const runner = new SyncRunner(world, 1);
  const memory = peakOf();
  const { result, stall, spent } = await stallDuring(async () => {
    const work = workTimer();
    const order = { userId: bob.id, source, trigger: "manual" as const, onProgress: work.onProgress };
    const started = await startSync(world, runner, order);
    return { job: (await runner.end(started.id))!, applied: work.spent() };
  });
  const { job, applied } = result;
  if (job.status !== "completed") throw new Error(`${job.error?.code}: ${job.error?.message}`);
  const gained = memory.stop();
  await runner.stop();
  const { location } = world.db;
  await world.db.close();
  services.stop();
  const bare = bareInserts(location);
  const { fetched, added } = job.stats;
  const label = `sync ${source}, ${fetched} records`;
  print({ name: `${label}, seconds with the download`, value: spent.seconds, unit: "s" });
  beside(label, applied, bare, added / fetched);
  printStall(label, stall);
  print({ name: `${label}, memory gained at most`, value: gained / 1e6, unit: "MB" });
  print({ name: `${label}, database`, value: statSync(location).size / 1e6, unit: "MB" });
  rmSync(directory, { recursive: true });
};

/** How much the process grew at most while something went on. */
const peakOf = () => {
  const before = process.memoryUsage.rss();
  let peak = before;
  const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 100);
  return {
    stop: () => {
      clearInterval(look);
      return peak - before;
    },
  };
};

const importRun = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  const file = join(directory, "log.adi");
  const writer = Bun.file(file).writer();
  writer.write("bench\n<EOH>\n");
  for (const contact of aLog({ contacts: RECORDS })) writer.write(writeRecord(asFile(contact)));
  await writer.end();
  const world = await aWorld(join(directory, "data"), { firstUrl: NOWHERE, secondUrl: NOWHERE });
  const bob = await createUser(world, OPERATOR, { username: "bob", password: "correct horse battery" });
  const runner = new SyncRunner(world, 1);
  const memory = peakOf();
  const {
    result: job,
    stall,
    spent,
  } = await stallDuring(async () => {
    const started = await startImport(world, runner, { userId: bob.id, path: file, trigger: "cli" });
    return (await runner.end(started.id))!;
  });
  const gained = memory.stop();
  await runner.stop();
  const { location } = world.db;
  await world.db.close();
  const bare = bareInserts(location);
  const label = `import, ${job.stats.added} records`;
  print({ name: `${label}, records a second`, value: job.stats.added / spent.seconds, unit: "/s" });
  beside(label, spent, bare);
  printStall(label, stall);
  print({ name: `${label}, memory gained at most`, value: gained / 1e6, unit: "MB" });
  rmSync(directory, { recursive: true });
};

await importRun();
await serviceRun("first");
await serviceRun("second");
