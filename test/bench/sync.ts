// Syncs and imports a large log, parse to the commit that ends the job, beside bare writes of the same rows: contacts,
// layers and changes batch by batch in the same transactions, then whatever else the job wrote, into tables with the same
// indexes and triggers. What a person waits for is time by the clock: one batch is decided while the one before is
// written. Processor time stands beside it, because other work on the machine makes waits longer, and never both by the
// same. Years are packed behind a sync, and by neither. A million contacts take half an hour; `--contacts=N` takes fewer.
import { Database as Connection } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BACKGROUND_THREAD } from "../../src/background/thread.ts";
import { createUser } from "../../src/people/users.ts";
import { writeRecord } from "../../src/adif/writer.ts";
import { readConfig } from "../../src/config.ts";
import { OPERATOR } from "../../src/domain/actor.ts";
import type { Body, Credentials } from "../../src/domain/provider.ts";
import type { SyncJob } from "../../src/domain/sync-job.ts";
import { SERVICES, type Service } from "../../src/domain/source.ts";
import { SILENT_LOG } from "../../src/log.ts";
import type { Database } from "../../src/storage/database.ts";
import { packLayer } from "../../src/storage/packed.ts";
import * as qsoChanges from "../../src/storage/qso-changes.ts";
import type * as qsos from "../../src/storage/qsos.ts";
import { snakeCase, type Value } from "../../src/storage/unit.ts";
import { providerDeps, setCredentials } from "../../src/sync/source/credentials.ts";
import { startImport } from "../../src/sync/source/file.ts";
import type { Feed } from "../../src/sync/job/run.ts";
import { SyncRunner, type JobSource } from "../../src/sync/job/runner.ts";
import { startSync } from "../../src/sync/source/service.ts";
import { openWorld, prepareDataDir, type World } from "../../src/world.ts";
import { aLog } from "../support/log-generator.ts";
import { asFile } from "../support/log-records.ts";
import { contactsAsked } from "./contacts-asked.ts";
import { print } from "./figure.ts";
import { BOOK_KEY, LOGIN, NOW, simulated } from "./simulated-account.ts";

const CONTACTS = contactsAsked(process.argv.includes("--quick") ? 10_000 : 1_000_000);
/** A machine that others share is fast now and slow then: job and copy take turns of so many records. */
const TURN = 50_000;
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
class Heart {
  readonly stall: Stall = { workMs: 0, clockMs: 0 };
  #last = this.#here();
  #beat: Timer | null = null;

  start(): void {
    this.#last = this.#here();
    this.#beat = setInterval(() => {
      const here = this.#here();
      this.stall.clockMs = Math.max(this.stall.clockMs, here.clockMs - this.#last.clockMs - HEART_MS);
      this.stall.workMs = Math.max(this.stall.workMs, here.workMs - this.#last.workMs);
      this.#last = here;
    }, HEART_MS);
  }

  stop(): void {
    clearInterval(this.#beat!);
  }

  #here(): Stall {
    return { clockMs: performance.now(), workMs: workOfThread() };
  }
}

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

class Stopwatch {
  readonly spent: Spent = { seconds: 0, worked: 0 };
  #last = now();

  /** Takes what passed since the last call, or lets it be. */
  next(counts: boolean): void {
    const { seconds, worked } = since(this.#last);
    this.#last = now();
    if (!counts) return;
    this.spent.seconds += seconds;
    this.spent.worked += worked;
  }
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

/** All rows that a job writes, written again without any thought into tables with the same indexes and triggers. */
class Copy {
  readonly watch = new Stopwatch();
  readonly #db: Database;
  readonly #source: Connection;
  readonly #target: Connection;
  readonly #prepared = new Map<string, ReturnType<Connection["prepare"]>>();
  readonly #tables: readonly string[];
  #job: { jobId: number; userId: number } | null = null;
  #last = 0;

  constructor(db: Database) {
    this.#db = db;
    this.#source = new Connection(db.location, { readonly: true });
    this.#target = new Connection(`${db.location}.bare`);
    const schema = this.#source
      .query("SELECT name, type, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
      .all() as { name: string; type: string; sql: string }[];
    const order = ["table", "index", "trigger"];
    for (const { sql } of schema.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))) {
      this.#target.run(sql);
    }
    this.#tables = schema.filter(({ type }) => type === "table").map(({ name }) => name);
    for (const pragma of [
      "journal_mode = WAL",
      "synchronous = NORMAL",
      "wal_autocheckpoint = 10000",
      "cache_size = -16000",
    ])
      this.#target.run(`PRAGMA ${pragma}`);
  }

  /** Writes what the job wrote of contacts since the last time. What is written is worked out beforehand. */
  async catchUp(): Promise<void> {
    const transactions = await this.#writesOfContacts();
    this.watch.next(false);
    for (const statements of transactions) this.#write(statements);
    this.watch.next(true);
  }

  /** When the job has ended: whatever else it wrote. */
  async finish(): Promise<void> {
    await this.catchUp();
    const others = this.#tables.filter((name) => !NOT_COPIED.test(name) && !OF_CONTACTS.includes(name));
    const rows = others.flatMap((name) => this.#copiesOf(name));
    this.watch.next(false);
    for (let at = 0; at < rows.length; at += BATCH) this.#write(rows.slice(at, at + BATCH));
    this.watch.next(true);
    this.#assertCopied();
    this.#target.close();
    this.#source.close();
  }

  #write(statements: readonly Statement[]): void {
    this.#target.transaction(() => statements.forEach((one) => this.#run(one)))();
  }

  #run([text, values]: Statement): void {
    let statement = this.#prepared.get(text);
    if (!statement) this.#prepared.set(text, (statement = this.#target.prepare(text)));
    statement.run(...(values as never[]));
  }

  #copiesOf(table: string): Statement[] {
    return (this.#source.query(`SELECT * FROM ${table}`).all() as Row[]).map((row) => inserted(table, row));
  }

  /**
   * In transactions of as many changes as a batch has: each contact as the batch left it, its layers, and its changes. A
   * contact that changes is updated in the columns that change.
   */
  async #writesOfContacts(): Promise<Statement[][]> {
    const { jobId, userId } = (this.#job ??= this.#begun());
    const transactions: Statement[][] = [];
    for (;;) {
      const changes = await this.#db.read(() => qsoChanges.list(jobId, this.#last, BATCH));
      if (changes.length === 0) return transactions;
      const kept = this.#source
        .query("SELECT * FROM qso_changes WHERE job_id = ? AND id > ? ORDER BY id LIMIT ?")
        .all(jobId, this.#last, BATCH) as Row[];
      this.#last = changes.at(-1)!.id;
      const left = new Map(changes.map(({ qsoId, after }) => [qsoId, after!]));
      const seen = new Set<number>();
      const first = changes.filter(({ qsoId }) => !seen.has(qsoId) && seen.add(qsoId));
      const contacts = first.flatMap(({ qsoId, before }) => written({ id: qsoId, userId }, before, left.get(qsoId)!));
      transactions.push([...contacts, ...kept.map((row) => inserted("qso_changes", row))]);
    }
  }

  /** Whose job it is, which is there before any contact. */
  #begun(): { jobId: number; userId: number } {
    for (const table of ["users", "sync_jobs"]) for (const one of this.#copiesOf(table)) this.#run(one);
    this.#target.run("PRAGMA foreign_keys = ON");
    return this.#source.query("SELECT id AS jobId, user_id AS userId FROM sync_jobs").get() as never;
  }

  /** A copy of less would be no baseline. */
  #assertCopied(): void {
    for (const table of OF_CONTACTS) {
      const name = table.endsWith("_layers") ? "qso_id" : "id";
      const rowsOf = (connection: Connection) => connection.query(`SELECT * FROM ${table} ORDER BY ${name}`).iterate();
      const copied = rowsOf(this.#target);
      for (const row of rowsOf(this.#source)) {
        if (!Bun.deepEquals(row, copied.next().value)) throw new Error(`the bare copy of ${table} is another`);
      }
      if (!copied.next().done) throw new Error(`the bare copy of ${table} has more`);
    }
  }
}

/**
 * A job and its copy in turns. A job has spent what passed from its beginning to the commit that ends it, without the time
 * in which it did nothing but wait for an answer: what is written meanwhile counts.
 */
class Race {
  readonly watch = new Stopwatch();
  readonly heart = new Heart();
  readonly copy: Copy;
  readonly #runner: SyncRunner;
  #asking = 0;
  #writing = 0;
  #hasEnded = false;
  #read = 0;

  constructor(db: Database, runner: SyncRunner) {
    this.copy = new Copy(db);
    this.#runner = runner;
    const inBackground = db.inBackground.bind(db);
    db.inBackground = (work, args) =>
      this.#during(
        (by) => (this.#writing += by),
        () => inBackground(work, args),
      );
    // The first thing behind the commit.
    const analyze = db.analyze.bind(db);
    db.analyze = () => {
      this.#next();
      this.#hasEnded = true;
      return analyze();
    };
    const start = runner.start.bind(runner);
    runner.start = (job, source) => start(job, this.#inTurns(source));
  }

  async run(begin: () => Promise<SyncJob>) {
    this.heart.start();
    this.watch.next(false);
    const { id } = await begin();
    const { status, error, stats } = (await this.#runner.end(id))!;
    this.heart.stop();
    if (status !== "completed") throw new Error(`${error?.code}: ${error?.message}`);
    await this.copy.finish();
    return { watch: this.watch, heart: this.heart, copy: this.copy, stats };
  }

  #next(): void {
    this.watch.next(!this.#hasEnded && (this.#asking === 0 || this.#writing > 0));
  }

  async #during<T>(change: (by: 1 | -1) => void, work: () => Promise<T>): Promise<T> {
    this.#next();
    change(1);
    try {
      return await work();
    } finally {
      this.#next();
      change(-1);
    }
  }

  #whileAsking<T>(work: () => Promise<T>): Promise<T> {
    return this.#during((by) => (this.#asking += by), work);
  }

  #inTurns(source: JobSource): JobSource {
    const prepare = source.prepare.bind(source);
    source.prepare = async (...given) => {
      const prepared = await prepare(...given);
      return prepared && "feed" in prepared ? { ...prepared, feed: this.#feedInTurns(prepared.feed) } : prepared;
    };
    return source;
  }

  #feedInTurns(feed: Feed): Feed {
    const next = feed.next.bind(feed);
    feed.next = async (...given) => {
      const step = await this.#whileAsking(() => next(...given));
      return step.done ? step : { ...step, value: { ...step.value, records: () => this.#recordsInTurns(step.value) } };
    };
    return feed;
  }

  async *#recordsInTurns({ records }: Body): ReturnType<Body["records"]> {
    for await (const some of records()) {
      yield some;
      this.#read += some.length;
      if (this.#read < TURN) continue;
      this.#read = 0;
      await this.#whileAsking(() => this.#letCopyCatchUp());
    }
  }

  async #letCopyCatchUp(): Promise<void> {
    while (this.#writing > 0) await Bun.sleep(1);
    this.heart.stop();
    await this.copy.catchUp();
    Bun.gc(true);
    this.heart.start();
  }
}

/** Runs a job as a server would, for a user with nothing in the log. */
const race = async (
  what: string,
  services: { firstUrl: string; secondUrl: string },
  prepared: (world: World, userId: number) => Promise<(runner: SyncRunner) => Promise<SyncJob>>,
): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  const world = await aWorld(directory, services);
  const bob = await createUser(world, OPERATOR, { username: "bob", password: "correct horse battery" });
  const begin = await prepared(world, bob.id);
  const runner = new SyncRunner(world, 1);
  const { watch, heart, copy, ...result } = await new Race(world.db, runner).run(() => begin(runner));
  await runner.stop();
  await world.db.close();
  rmSync(directory, { recursive: true });
  const label = `${what}, ${result.stats.fetched} records`;
  const [job, bare] = [watch.spent, copy.watch.spent];
  print({ name: `${label}, from the answer to commit`, value: job.seconds, unit: "s" });
  print({ name: "  beside the bare copy", value: job.seconds / bare.seconds, unit: "× bare", limit: BARE_LIMIT });
  print({ name: "  in processor time", value: job.worked / bare.worked, unit: "× bare" });
  print({ name: "  the bare copy", value: bare.worked, unit: "s" });
  print({ name: `${label}, longest stall`, value: heart.stall.workMs, unit: "ms", limit: STALL_LIMIT_MS });
  print({ name: "  by the clock", value: heart.stall.clockMs, unit: "ms" });
};

const importRace = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  const file = join(directory, "log.adi");
  const writer = Bun.file(file).writer();
  writer.write("bench\n<EOH>\n");
  for (const contact of aLog({ contacts: CONTACTS })) writer.write(writeRecord(asFile(contact)));
  await writer.end();
  await race(
    "import",
    { firstUrl: NOWHERE, secondUrl: NOWHERE },
    async (world, userId) => (runner) => startImport(world, runner, { userId, path: file, trigger: "cli" }),
  );
  rmSync(directory, { recursive: true });
};

const serviceRace = async (what: string, source: Service): Promise<void> => {
  const services = await simulated(source, CONTACTS);
  const credentials = source === "first" ? LOGIN : { apiKey: BOOK_KEY };
  await race(what, services, async (world, userId) => {
    await setCredentials(world, userId, source, credentials);
    await rehearse(world, source, credentials);
    return (runner) => startSync(world, runner, { userId, source, trigger: "manual" });
  });
  services.stop();
};

/** All answers are made beforehand: a real service makes them elsewhere, and not on our processors. */
const rehearse = async (world: World, source: Service, credentials: Credentials): Promise<void> => {
  const request = { credentials, cursor: null, full: false, since: null, callsign: null };
  const pages = world.providers[source].download(providerDeps(world, source), request, new AbortController().signal);
  for await (const { records } of pages) for await (const _ of records());
};

await importRace();
await serviceRace("sync of LoTW", "first");
await serviceRace("sync of QRZ", "second");
