// Syncs and imports a large log, parse to the commit that ends the job, beside bare writes of the same rows: contacts,
// layers and changes batch by batch in the same transactions, then whatever else the job wrote, into tables with the same
// indexes and triggers. What a person waits for is time by the clock: one batch is decided while the one before is
// written. Processor time stands beside it, because other work on the machine makes waits longer, and never both by the
// same. Years are packed behind a sync, and by neither.
import { Database as Connection } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BACKGROUND_THREAD } from "../../src/background/thread.ts";
import { createUser } from "../../src/people/users.ts";
import { writeRecord } from "../../src/adif/writer.ts";
import { readConfig } from "../../src/config.ts";
import { OPERATOR } from "../../src/domain/actor.ts";
import type { Provider } from "../../src/domain/provider.ts";
import type { SyncJob } from "../../src/domain/sync-job.ts";
import { byService, SERVICES, type Service } from "../../src/domain/source.ts";
import { SILENT_LOG } from "../../src/log.ts";
import type { Database } from "../../src/storage/database.ts";
import { packLayer } from "../../src/storage/packed.ts";
import * as qsoChanges from "../../src/storage/qso-changes.ts";
import type * as qsos from "../../src/storage/qsos.ts";
import { snakeCase, type Value } from "../../src/storage/unit.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { startImport } from "../../src/sync/source/file.ts";
import { SyncRunner } from "../../src/sync/job/runner.ts";
import { startSync } from "../../src/sync/source/service.ts";
import { openWorld, prepareDataDir, type World } from "../../src/world.ts";
import { aLog } from "../support/log-generator.ts";
import { asFile } from "../support/log-records.ts";
import { print } from "./figure.ts";
import { BOOK_KEY, LOGIN, NOW, simulated } from "./simulated-account.ts";

const RECORDS = process.argv.includes("--quick") ? 10_000 : 25_000;
/** A machine that others share is fast now and slow then: jobs and copies take turns, and what they take is added up. */
const ROUNDS = process.argv.includes("--quick") ? 1 : 4;
/** As many as a batch of a job has. */
const BATCH = 500;
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

/** What came of all rounds of one kind of job. */
class Account {
  readonly #job: Spent = { seconds: 0, worked: 0 };
  readonly #bare: Spent = { seconds: 0, worked: 0 };
  readonly #stall: Stall = { workMs: 0, clockMs: 0 };
  #records = 0;
  #seconds = 0;

  add(round: Round): void {
    for (const [sum, one] of [
      [this.#job, round.job],
      [this.#bare, round.bare],
    ] as const) {
      sum.seconds += one.seconds;
      sum.worked += one.worked;
    }
    this.#records += round.records;
    this.#seconds += round.seconds;
    this.#stall.workMs = Math.max(this.#stall.workMs, round.stall.workMs);
    this.#stall.clockMs = Math.max(this.#stall.clockMs, round.stall.clockMs);
  }

  print(what: string): void {
    const [job, bare] = [this.#job, this.#bare];
    const label = `${what}, ${this.#records} records`;
    print({ name: `${label}, from the first byte to the end`, value: this.#seconds, unit: "s" });
    print({
      name: `${label}, from the answer to commit`,
      value: job.seconds / bare.seconds,
      unit: "× bare",
      limit: BARE_LIMIT,
    });
    print({ name: "  in processor time", value: job.worked / bare.worked, unit: "× bare" });
    print({ name: "  the bare copy", value: bare.worked, unit: "s" });
    print({ name: `${label}, longest stall`, value: this.#stall.workMs, unit: "ms", limit: STALL_LIMIT_MS });
    print({ name: "  by the clock", value: this.#stall.clockMs, unit: "ms" });
  }
}

interface Round {
  job: Spent;
  bare: Spent;
  stall: Stall;
  records: number;
  seconds: number;
}

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

/** What is there before a job, and what is made behind it. */
const NOT_COPIED = /^(users|sync_jobs|installation|migrations|workers|sqlite_|log_years|log_columns|kept_answers)/;
/** Written with the contacts, batch by batch. */
const OF_CONTACTS = ["qsos", "first_layers", "second_layers", "qso_changes"];

type Row = Record<string, Value>;
type Statement = [text: string, values: readonly Value[]];

/**
 * What a job wrote of contacts, worked out beforehand: in transactions of as many changes as a batch has, each contact
 * as the batch left it, its layers, and its changes. A contact that changes is updated in the columns that change.
 */
const writesOf = async (db: Database, source: Connection): Promise<Statement[][]> => {
  const { jobId, userId } = source.query("SELECT id AS jobId, user_id AS userId FROM sync_jobs").get() as {
    jobId: number;
    userId: number;
  };
  const kept = source.query("SELECT * FROM qso_changes ORDER BY id").all() as Row[];
  const transactions: Statement[][] = [];
  let last = 0;
  for (let at = 0; at < kept.length; at += BATCH) {
    const changes = await db.read(() => qsoChanges.list(jobId, last, BATCH));
    last = changes.at(-1)!.id;
    const left = new Map(changes.map(({ qsoId, after }) => [qsoId, after!]));
    const first = changes.filter(({ qsoId }, index) => changes.findIndex((one) => one.qsoId === qsoId) === index);
    const contacts = first.flatMap(({ qsoId, before }) => written({ id: qsoId, userId }, before, left.get(qsoId)!));
    transactions.push([...contacts, ...kept.slice(at, at + BATCH).map((row) => inserted("qso_changes", row))]);
  }
  return transactions;
};

const written = (
  { id, userId }: { id: number; userId: number },
  before: qsos.Snapshot | null,
  after: qsos.Snapshot,
): Statement[] => {
  const [row, known] = [rowOf(after), before && rowOf(before)];
  const layers = SERVICES.flatMap((service): Statement[] => {
    const layer = packLayer(after[service]);
    if (layer === null || (before && isSame(packLayer(before[service]), layer))) return [];
    const [text, values] = inserted(`${service}_layers`, { qso_id: id, layer });
    return [[`${text} ON CONFLICT (qso_id) DO UPDATE SET layer = excluded.layer`, values]];
  });
  if (known === null) return [inserted("qsos", { id, user_id: userId, ...row }), ...layers];
  const names = Object.keys(row).filter((name) => !isSame(known[name]!, row[name]!));
  const text = `UPDATE qsos SET ${names.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`;
  return [[text, [...names.map((name) => row[name]!), id]], ...layers];
};

const inserted = (table: string, row: Row): Statement => [
  `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row)
    .map(() => "?")
    .join(", ")})`,
  Object.values(row),
];

const rowOf = ({ first: _, second: __, own, ...columns }: qsos.Snapshot): Row => ({
  own: packLayer(own),
  ...Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [
      snakeCase(name),
      typeof value === "boolean" ? Number(value) : value,
    ]),
  ),
});

const isSame = (a: Value, b: Value): boolean =>
  a === b || (a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0);

/** All rows that a job wrote, written again without any thought into tables with the same indexes and triggers. */
const bareInserts = async (db: Database): Promise<Spent> => {
  const source = new Connection(db.location, { readonly: true });
  const target = new Connection(`${db.location}.bare`);
  const schema = source
    .query("SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    .all() as { name: string; type: string; sql: string }[];
  const order = ["table", "index", "trigger"];
  for (const { sql } of schema.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))) target.run(sql);
  for (const pragma of [
    "journal_mode = WAL",
    "synchronous = NORMAL",
    "wal_autocheckpoint = 10000",
    "cache_size = -16000",
  ])
    target.run(`PRAGMA ${pragma}`);
  const prepared = new Map<string, ReturnType<Connection["prepare"]>>();
  const run = ([text, values]: Statement): void => {
    let statement = prepared.get(text);
    if (!statement) prepared.set(text, (statement = target.prepare(text)));
    statement.run(...(values as never[]));
  };
  const copiesOf = (table: string) =>
    (source.query(`SELECT * FROM ${table}`).all() as Row[]).map((row) => inserted(table, row));
  for (const table of ["users", "sync_jobs"]) copiesOf(table).forEach(run);
  target.run("PRAGMA foreign_keys = ON");
  const others = schema
    .filter(({ name, type }) => type === "table" && !NOT_COPIED.test(name) && !OF_CONTACTS.includes(name))
    .flatMap(({ name }) => copiesOf(name));
  const transactions = await writesOf(db, source);
  for (let at = 0; at < others.length; at += BATCH) transactions.push(others.slice(at, at + BATCH));
  const began = now();
  for (const statements of transactions) target.transaction(() => statements.forEach(run))();
  const spent = since(began);
  assertCopied(source, target);
  target.close();
  source.close();
  return spent;
};

/** A copy of less would be no baseline. */
const assertCopied = (source: Connection, target: Connection): void => {
  for (const table of OF_CONTACTS) {
    const name = table.endsWith("_layers") ? "qso_id" : "id";
    const rowsOf = (connection: Connection) =>
      connection.query(`SELECT * FROM ${table} ORDER BY ${name}`).all() as Row[];
    if (!Bun.deepEquals(rowsOf(source), rowsOf(target))) throw new Error(`the bare copy of ${table} is another`);
  }
};

/**
 * What a job spent from its beginning to the commit that ends it, without the time in which it did nothing but wait for
 * an answer: what is written meanwhile counts.
 */
const workMeter = (world: World) => {
  const spent: Spent = { seconds: 0, worked: 0 };
  let last = now();
  let [asking, writing] = [0, 0];
  let hasEnded = false;
  const add = () => {
    const { seconds, worked } = since(last);
    last = now();
    if (hasEnded || (asking > 0 && writing === 0)) return;
    spent.seconds += seconds;
    spent.worked += worked;
  };
  const during = async <T>(change: (by: 1 | -1) => void, work: () => Promise<T>): Promise<T> => {
    add();
    change(1);
    try {
      return await work();
    } finally {
      add();
      change(-1);
    }
  };
  const { db, providers } = world;
  const inBackground = db.inBackground.bind(db);
  db.inBackground = (work, args) =>
    during(
      (by) => (writing += by),
      () => inBackground(work, args),
    );
  const asked = <T, R>(feed: AsyncGenerator<T, R>): AsyncGenerator<T, R> => {
    const next = feed.next.bind(feed);
    feed.next = (...given) =>
      during(
        (by) => (asking += by),
        () => next(...given),
      );
    return feed;
  };
  const metered = (provider: Provider): Provider => ({
    ...provider,
    download: (...given) => asked(provider.download(...given)),
  });
  // The first thing behind the commit.
  const analyze = db.analyze.bind(db);
  db.analyze = () => {
    add();
    hasEnded = true;
    return analyze();
  };
  const stop = (): void => void Object.assign(db, { inBackground, analyze });
  return { world: { ...world, providers: byService((service) => metered(providers[service])) }, spent, stop };
};

/** What is in the database but its schema goes, and its copy. */
const emptied = (db: Database): void => {
  rmSync(`${db.location}.bare`);
  const connection = new Connection(db.location, { readwrite: true });
  const tables = connection
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .filter(({ name }) => !/^(installation|migrations|workers|sqlite_)/.test(name));
  connection.run("PRAGMA foreign_keys = OFF");
  for (const { name } of tables) connection.run(`DELETE FROM ${name}`);
  connection.run("VACUUM");
  connection.close();
  Bun.gc(true);
};

/** Runs a job again and again in one program, as a server would, each for a user with nothing in the log. */
const rounds = async (
  what: string,
  services: { firstUrl: string; secondUrl: string },
  begin: (world: World, runner: SyncRunner, userId: number) => Promise<SyncJob>,
): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  const world = await aWorld(directory, services);
  const account = new Account();
  for (let n = 0; n < ROUNDS; n++) {
    const bob = await createUser(world, OPERATOR, { username: "bob", password: "correct horse battery" });
    const runner = new SyncRunner(world, 1);
    const meter = workMeter(world);
    const { result, stall, spent } = await stallDuring(async () => {
      const { id } = await begin(meter.world, runner, bob.id);
      return (await runner.end(id))!;
    });
    const { status, error, stats } = result;
    if (status !== "completed") throw new Error(`${error?.code}: ${error?.message}`);
    await runner.stop();
    meter.stop();
    const bare = await bareInserts(world.db);
    account.add({ job: meter.spent, bare, stall, records: stats.fetched, seconds: spent.seconds });
    emptied(world.db);
  }
  await world.db.close();
  rmSync(directory, { recursive: true });
  account.print(what);
};

const importRounds = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  const file = join(directory, "log.adi");
  const writer = Bun.file(file).writer();
  writer.write("bench\n<EOH>\n");
  for (const contact of aLog({ contacts: RECORDS })) writer.write(writeRecord(asFile(contact)));
  await writer.end();
  await rounds("import", { firstUrl: NOWHERE, secondUrl: NOWHERE }, (world, runner, userId) =>
    startImport(world, runner, { userId, path: file, trigger: "cli" }),
  );
  rmSync(directory, { recursive: true });
};

const serviceRounds = async (what: string, source: Service): Promise<void> => {
  const services = await simulated(source, RECORDS);
  await rounds(what, services, async (world, runner, userId) => {
    await setCredentials(world, userId, source, source === "first" ? LOGIN : { apiKey: BOOK_KEY });
    return startSync(world, runner, { userId, source, trigger: "manual" });
  });
  services.stop();
};

await importRounds();
await serviceRounds("sync of LoTW", "first");
await serviceRounds("sync of QRZ", "second");
