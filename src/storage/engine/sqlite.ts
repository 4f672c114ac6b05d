import { dirname } from "node:path";
import { Database as Connection, type Statement } from "bun:sqlite";
import { closeSync, openSync, statSync } from "node:fs";
import type { Cancel } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { BackgroundThread } from "./background-thread.ts";
import { runWork, type Work, type Database, type DatabaseOptions, type WorkRequester } from "./database.ts";
import { nextVersion, OpenFile, type FileIdentity, type FileProblem } from "./file-identity.ts";
import { ReaderThreads } from "./reader-threads.ts";
import { assertNotRestoring } from "./restore-mark.ts";
import { isLocked, isSqlite } from "./sqlite-file.ts";
import { putTemporaryFilesInto } from "./temporary-tables.ts";
import * as users from "../people/users.ts";
import { one, render, script, snakeCase, type Dialect, type Sql, type Step, type Unit } from "./unit.ts";

const LOCK_WAIT_MS = 100;
const GIVE_UP_AFTER_MS = 5_000;
const PAUSE_BETWEEN_TRIES_MS = 20;
/** Other threads write for some milliseconds at a time. */
const PAUSE_BESIDE_THREADS_MS = 2;
const PREPARED_STATEMENTS = 400;
const PAGES_BETWEEN_CHECKPOINTS = 10_000;
const WRITES_BETWEEN_LOOKS = 4;
/** A write-ahead log of this size is moved into the database. */
const LOG_LONG = 40 * 1024 * 1024;
/** A write-ahead log that is still this large after writing has ended is truncated. */
const LOG_LEFT = 4 * 1024 * 1024;
const LOOK_FOR_REST_MS = 60_000;
/** How often to check whether the file was replaced. */
const LOOK_AT_FILE_MS = 2_000;
/** How long a preview runs before other work gets a turn. */
const SLICE_MS = 25;
/** Heartbeats are always written; more writes than these mean work. */
const WRITES_AT_REST = 30;

type Mode = "IMMEDIATE" | "DEFERRED";

/** The threads of a server. Each starts when it is first needed. */
interface Threads {
  /** Writes of jobs, and maintenance of the file. */
  jobs: BackgroundThread;
  /** Reads of large logs. */
  readers: ReaderThreads;
  /** Work for which no user is queued: signing in, loading tables. */
  program: BackgroundThread;
}

/** SQLite: one connection that runs each unit to its end before anything else. */
export class SqliteDatabase implements Database {
  readonly engine = "sqlite";
  readonly sliceSize = 100;
  readonly isShared = false;
  readonly location: string;
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement>();
  readonly #threads: Threads | null;
  readonly #isReadOnly: boolean;
  readonly #time: DatabaseOptions["time"];
  readonly #giveUpAfterMs: number;
  #lastWriter: Promise<unknown> = Promise.resolve();
  #waitingWriters = 0;
  readonly #file: OpenFile;
  #problem: FileProblem | null = null;
  #endFileLooks: Cancel = () => {};
  #report: (message: string) => void = () => {};
  #writes = 0;
  #writesAtLook = 0;
  #endLooks: Cancel = () => {};
  #checkpoint: Promise<void> | null = null;

  constructor(file: string, options: DatabaseOptions) {
    this.location = file;
    this.#time = options.time;
    this.#giveUpAfterMs = options.giveUpAfterMs ?? GIVE_UP_AFTER_MS;
    this.#isReadOnly = options.isReadOnly ?? false;
    this.#connection = connect(file, options.openHere !== undefined, this.#isReadOnly);
    this.#file = new OpenFile(file, options.openHere);
    this.#threads = options.backgroundThread ? threadsFor(options.backgroundThread, file, this.#file.identity) : null;
    if (!this.#threads) return;
    // The jobs thread writes for tens of milliseconds. Waiting for it here would block all requests.
    this.#connection.run("PRAGMA busy_timeout = 0");
    this.#connection.run("PRAGMA wal_autocheckpoint = 0");
    this.#endLooks = options.time.every(LOOK_FOR_REST_MS, () => this.#shortenAtRest());
  }

  get jobsThread(): BackgroundThread | undefined {
    return this.#threads?.jobs;
  }

  async watchFile(random: number, report: (message: string) => void): Promise<void> {
    this.#report = report;
    try {
      const version = await this.write(() => this.#markFile(random));
      this.#connection.run("PRAGMA wal_checkpoint(PASSIVE)");
      this.#file.compareContents(version);
    } catch (error) {
      // The mark cannot be written to a full disk. A new inode is noticed anyway.
      if (!(error instanceof AppError)) throw error;
    }
    this.#endFileLooks = this.#time.every(LOOK_AT_FILE_MS, () => this.#lookAtTheFile());
  }

  *#markFile(random = 0): Unit<number> {
    const { user_version: known } = yield* one<{ user_version: number }>`PRAGMA user_version`;
    const version = nextVersion(known, random);
    yield* script(`PRAGMA user_version = ${version}`);
    return version;
  }

  *#afterMark<T>(unit: () => Unit<T>): Unit<T> {
    yield* this.#markFile();
    const value = yield* unit();
    this.#file.isTouched = false;
    return value;
  }

  #lookAtTheFile(): void {
    if (this.#problem === null) this.#notice(this.#file.problem() ?? this.#file.logProblem());
    // A file that was missing may have been replaced since.
    else if (this.#problem === "missing" && this.#file.problem() === "replaced") this.#notice("replaced");
  }

  #notice(problem: FileProblem | null): void {
    if (problem === null) return;
    const isNew = this.#problem === null;
    this.#problem = problem;
    if (problem === "replaced" || problem === "overwritten") this.#leaveTheFile(problem);
    if (isNew) this.#report(wordsFor(problem, this.location));
  }

  /** Keeps everything of the old database out of the file that replaced it, now and at the next start. */
  #leaveTheFile(problem: FileProblem): void {
    try {
      // The old file may have another name now. This completes it.
      if (problem === "replaced") this.#connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
      this.#file.setLogsAside();
    } catch (error) {
      this.#report(`Could not rename the write-ahead log of ${this.location}: ${(error as Error).message}.`);
    }
  }

  #assertFileInPlace(): void {
    if (this.#problem === null) this.#notice(this.#file.problem());
    if (this.#problem !== null) throw this.#refusal();
  }

  #refusal(): AppError {
    return new AppError("unavailable", wordsFor(this.#problem!, this.location), { rule: "database_replaced" });
  }

  async read<T>(unit: () => Unit<T>): Promise<T> {
    // Reads would mix two databases.
    if (this.#problem === "overwritten") throw this.#refusal();
    return this.#untilUnlocked(() => this.#transaction("DEFERRED", unit));
  }

  /** A writer that finds the database locked queues here, so that only one of them asks for the lock. */
  async write<T>(unit: () => Unit<T>): Promise<T> {
    const transaction = () => {
      this.#assertFileInPlace();
      return this.#transaction("IMMEDIATE", this.#file.isTouched ? () => this.#afterMark(unit) : unit);
    };
    const giveUpAt = this.#giveUpAt();
    if (this.#waitingWriters === 0) {
      try {
        return transaction();
      } catch (error) {
        if (!isLocked(error)) throw readable(error, this.location);
      }
    }
    this.#waitingWriters += 1;
    const turn = this.#lastWriter
      .then(() => this.#untilUnlocked(transaction, giveUpAt))
      .finally(() => {
        this.#waitingWriters -= 1;
      });
    this.#lastWriter = turn.catch(() => {});
    return turn;
  }

  async inWorker<Args, Result, Tools>(
    work: Work<Args, Result, Tools>,
    args: Args,
    { userId, ...waiting }: WorkRequester,
  ): Promise<Result> {
    if (work.access === "write") this.#assertFileInPlace();
    else if (this.#problem === "overwritten") throw this.#refusal();
    if (!this.#threads) return runWork(this, work, args, waiting.onProgress);
    const { jobs, readers, program } = this.#threads;
    const { name, access, isPreview = false } = work;
    if (access === "write") return jobs.ask<Result>({ kind: "unit", name, args });
    if (userId === null) return program.ask<Result>({ kind: "unit", name, args });
    // The time of asking does not make it a different question.
    const { now: _, ...asked } = args as { now?: number };
    const identity = JSON.stringify([userId, await this.read(() => users.logVersion(userId)), name, asked]);
    return readers.read<Result>({ userId, identity, name, args, isPreview }, waiting);
  }

  /** Reads on one snapshot, one slice per call of `next`. */
  *readInSlices<T>(unit: () => Unit<T>): Generator<void, T, void> {
    this.#prepare("BEGIN DEFERRED").run();
    try {
      const steps = unit();
      let began = this.#time.ticks();
      let step = steps.next();
      while (!step.done) {
        step = steps.next(this.#take(step.value));
        if (this.#time.ticks() - began < SLICE_MS) continue;
        yield;
        began = this.#time.ticks();
      }
      return step.value;
    } catch (error) {
      throw readable(error, this.location);
    } finally {
      if (this.#connection.inTransaction) this.#prepare("ROLLBACK").run();
    }
  }

  /** Each migration takes the write lock and checks again, so two processes cannot both apply it. */
  withExclusiveLock<T>(job: () => Promise<T>): Promise<T> {
    return job();
  }

  /** With a second connection that takes the write lock and writes nothing. */
  async freezeWrites<T>(work: () => Promise<T>): Promise<T> {
    const holder = new Connection(this.location, { readwrite: true });
    try {
      holder.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`);
      await this.#untilUnlocked(() => holder.run("BEGIN IMMEDIATE"));
      return await work();
    } finally {
      holder.close();
    }
  }

  /** One index at a time, because it needs the write lock, and others may want to write in between. */
  async analyze(): Promise<void> {
    if (this.#threads) return this.#threads.jobs.ask<void>({ kind: "maintain", call: "analyze" });
    const indexes = this.#connection
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'index'")
      .all();
    for (const { name } of indexes) {
      await this.#untilUnlocked(() => this.#connection.run(`ANALYZE "${name}"`));
      await this.#time.turn();
    }
    // Other connections keep the statistics they read when they were opened, until the schema changes.
    await this.write(() => script("CREATE TABLE analyzed (x); DROP TABLE analyzed"));
  }

  async copyTo(file: string): Promise<void> {
    if (this.#threads) return this.#threads.jobs.ask<void>({ kind: "copy", file });
    await this.#untilUnlocked(() => this.#copy(file));
  }

  #copy(file: string): void {
    try {
      this.#prepare("VACUUM INTO ?").run(file);
      removeMark(file);
    } catch (error) {
      throw aboutTheCopy(error, file);
    }
  }

  async checkpoint(): Promise<void> {
    this.#connection.run("PRAGMA wal_checkpoint(PASSIVE)");
  }

  /** Moves the write-ahead log into the database and truncates it. */
  async shorten(): Promise<void> {
    await this.checkpoint();
    this.#connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  async sizeBytes(): Promise<number> {
    const row = this.#prepare(
      "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
    ).get() as { bytes: number };
    return row.bytes;
  }

  async close(): Promise<void> {
    this.#endLooks();
    this.#endFileLooks();
    this.#lookAtTheFile();
    // Closing a connection would move the write-ahead log into the file, and remove any log there.
    if (this.#problem === "replaced" || this.#problem === "overwritten") return;
    await Promise.all(Object.values(this.#threads ?? {}).map((thread) => thread.stop()));
    await this.#lastWriter;
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    if (this.#isReadOnly) return this.#connection.close();
    try {
      this.#connection.run("PRAGMA optimize");
      this.#connection.run("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // Another process may have the database open. The last connection checkpoints.
    }
    this.#connection.close();
    this.#file.close();
  }

  #giveUpAt(): number {
    return this.#time.ticks() + this.#giveUpAfterMs;
  }

  async #untilUnlocked<T>(action: () => T, giveUpAt = this.#giveUpAt()): Promise<T> {
    for (;;) {
      try {
        return action();
      } catch (error) {
        if (!isLocked(error)) throw readable(error, this.location);
        if (this.#time.ticks() > giveUpAt) {
          throw new AppError("unavailable", "The database is busy: another program is writing to it. Try again.", {
            retryAfterSeconds: 5,
          });
        }
      }
      await this.#time.sleep(this.#threads ? PAUSE_BESIDE_THREADS_MS : PAUSE_BETWEEN_TRIES_MS);
    }
  }

  #transaction<T>(mode: Mode, unit: () => Unit<T>): T {
    this.#prepare(`BEGIN ${mode}`).run();
    try {
      const value = this.#drive(unit());
      this.#prepare("COMMIT").run();
      if (mode === "IMMEDIATE" && this.#threads) this.#lookAtTheLog(this.#threads);
      return value;
    } catch (error) {
      if (this.#connection.inTransaction) this.#prepare("ROLLBACK").run();
      throw error;
    }
  }

  /** Moving the write-ahead log into the database takes time, so the jobs thread does it. */
  #lookAtTheLog({ jobs }: Threads): void {
    if (++this.#writes % WRITES_BETWEEN_LOOKS !== 0 || this.#checkpoint || this.#logSize() < LOG_LONG) return;
    this.#moveTheLog(jobs, "checkpoint");
  }

  #moveTheLog(jobs: BackgroundThread, call: "checkpoint" | "shorten"): void {
    this.#checkpoint = jobs
      .ask<void>({ kind: "maintain", call })
      .catch(() => {})
      .finally(() => (this.#checkpoint = null));
  }

  #shortenAtRest(): void {
    const writes = this.#writes - this.#writesAtLook;
    this.#writesAtLook = this.#writes;
    this.#lookAtTheFile();
    if (
      !this.#threads ||
      this.#problem !== null ||
      writes > WRITES_AT_REST ||
      this.#checkpoint ||
      this.#logSize() < LOG_LEFT
    )
      return;
    this.#moveTheLog(this.#threads.jobs, "shorten");
  }

  #logSize(): number {
    return statSync(`${this.location}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }

  #drive<T>(unit: Unit<T>): T {
    let step = unit.next();
    while (!step.done) step = unit.next(this.#take(step.value));
    return step.value;
  }

  #take(step: Step): unknown {
    switch (step.kind) {
      case "scope":
      // A writing transaction has the whole database to itself.
      case "progress":
        return undefined;
      case "rows":
        return this.#rows(step.sql);
      case "run":
        return this.#run(step.sql);
      case "script":
        this.#connection.run(step.text);
        return undefined;
      case "insertMany":
        return this.#insertMany(step);
      case "updateMany":
        return this.#updateMany(step);
    }
  }

  #rows(piece: Sql): unknown[] {
    const { text, values } = render(piece, DIALECT);
    return this.#prepare(text).all(...(values as never[]));
  }

  #run(piece: Sql): number {
    const { text, values } = render(piece, DIALECT);
    return this.#prepare(text).run(...(values as never[])).changes;
  }

  /** Returns the new ids, which SQLite knows without reading the rows. */
  #insertMany({ table, rows, onConflict }: Extract<Step, { kind: "insertMany" }>): number[] {
    const names = Object.keys(rows[0]!);
    const places = names.map(() => "?").join(", ");
    const columns = names.map(snakeCase).join(", ");
    const insert = this.#prepare(`INSERT INTO ${table} (${columns}) VALUES (${places}) ${onConflict}`);
    return rows.map((row) => Number(insert.run(...(names.map((name) => row[name]) as never[])).lastInsertRowid));
  }

  /** Writes only changed columns, so that indexes of the others are not touched. */
  #updateMany({ table, rows }: Extract<Step, { kind: "updateMany" }>): void {
    for (const { id, values, changed } of rows) {
      const assignments = changed.map((name) => `${snakeCase(name)} = ?`).join(", ");
      const update = this.#prepare(`UPDATE ${table} SET ${assignments} WHERE id = ?`);
      update.run(...([...changed.map((name) => values[name]!), id] as never[]));
    }
  }

  #prepare(text: string): Statement {
    const known = this.#statements.get(text);
    if (known) return known;
    const statement = this.#connection.prepare(text);
    this.#statements.set(text, statement);
    if (this.#statements.size > PREPARED_STATEMENTS) {
      const [oldest, unused] = this.#statements.entries().next().value!;
      this.#statements.delete(oldest);
      unused.finalize();
    }
    return statement;
  }
}

export const DIALECT: Dialect = {
  engine: "sqlite",
  /**
   * The unary plus changes no value. It keeps the planner from looking at bound values: where it does, as in many
   * joins and with partial indexes, the statement is planned again for every new value.
   */
  placeholder: () => "+?",
  list: (values, placeholder) => [`IN (SELECT value FROM json_each(${placeholder}))`, JSON.stringify(values)],
  table: (columns, placeholder) => {
    const names = Object.keys(columns);
    const given = Object.values(columns);
    const rows = given[0]!.map((_, row) => given.map((values) => values[row]));
    const selected = names.map((name, index) => `value ->> ${index} AS ${name}`).join(", ");
    return [`(SELECT ${selected} FROM json_each(${placeholder(1)}))`, JSON.stringify(rows)];
  },
};

const threadsFor = (entry: URL, file: string, identity: FileIdentity): Threads => {
  const thread = (isReadOnly: boolean) => new BackgroundThread(entry, { file, identity, isReadOnly });
  return { jobs: thread(false), readers: new ReaderThreads(() => thread(true)), program: thread(true) };
};

const connect = (file: string, isOpenHere: boolean, isReadOnly: boolean): Connection => {
  try {
    if (!isOpenHere) {
      assertNotRestoring(file);
      refuseForeignFile(file);
      closeToOthers(file);
    }
    const access = isReadOnly ? { readonly: true } : { create: true, readwrite: true };
    const connection = new Connection(file, { ...access, strict: true });
    connection.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`);
    if (isReadOnly) {
      connection.run("PRAGMA cache_size = -16000");
      return connection;
    }
    connection.run("PRAGMA journal_mode = WAL");
    connection.run("PRAGMA synchronous = NORMAL");
    connection.run(`PRAGMA wal_autocheckpoint = ${PAGES_BETWEEN_CHECKPOINTS}`);
    connection.run("PRAGMA foreign_keys = ON");
    connection.run("PRAGMA cache_size = -16000");
    if (!isOpenHere) putTemporaryFilesInto(dirname(file), connection);
    return connection;
  } catch (error) {
    throw readable(error, file);
  }
};

/** A new file is readable only by its owner. SQLite gives its journals the same mode. */
const closeToOthers = (file: string): void => {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
};

/** SQLite treats a short file that is not a database as an empty one and would overwrite it. */
const refuseForeignFile = (file: string): void => {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found || found.size === 0) return;
  if (!found.isFile()) throw new AppError("unavailable", `${file} is not a file, so it cannot be the database.`);
  if (!isSqlite(file)) throw notADatabase(file);
};

const wordsFor = (problem: FileProblem, file: string): string => {
  switch (problem) {
    case "missing":
      return (
        `The database file ${file} was moved or removed while qsolog was running, so qsolog no longer writes to it. ` +
        "Stop qsolog, put the file back or restore a backup with qsolog db restore FILE, and start qsolog."
      );
    case "log replaced":
      return (
        `The file ${file}-wal, a part of the database, was moved, replaced or removed while qsolog was running, ` +
        "so qsolog no longer writes to it. Restart qsolog: it saves the contents of that file when it stops."
      );
    case "replaced":
    case "overwritten":
      return (
        `The database ${file} was replaced by another file while qsolog was running, so qsolog no longer writes to it. ` +
        "Restart qsolog to use the file that is there now, or stop it and restore a backup with qsolog db restore FILE."
      );
  }
};

/** The mark distinguishes the database from a copy that replaces it. */
const removeMark = (copy: string): void => {
  const connection = new Connection(copy, { readwrite: true });
  try {
    connection.run("PRAGMA user_version = 0");
  } finally {
    connection.close();
  }
};

const notADatabase = (file: string, cause?: unknown) =>
  new AppError("unavailable", `${file} is not a qsolog database. It was not changed.`, { cause });

/** If a copy cannot be written, the message names its path instead of the database. */
const aboutTheCopy = (error: unknown, file: string): unknown => {
  const code = String((error as { code?: unknown }).code ?? "");
  const say = (message: string) => new AppError("unavailable", message, { cause: error });
  if (code === "SQLITE_FULL") return say(`The disk is full. ${file} was not written.`);
  if (/^SQLITE_(CANTOPEN|READONLY|PERM)/.test(code)) {
    return say(`Could not write ${file}. Check its directory and permissions.`);
  }
  return code.startsWith("SQLITE_IOERR") ? say(`The disk failed while writing ${file}.`) : error;
};

/** Turns errors that people can act on into messages. Others stay unchanged. */
const readable = (error: unknown, file: string): unknown => {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const code = String((error as { code?: unknown }).code ?? "");
  const say = (message: string) => new AppError("unavailable", message, { cause: error });
  if (code === "SQLITE_FULL" || code === "ENOSPC") return say(`The disk is full. Nothing was written to ${file}.`);
  if (code === "SQLITE_NOTADB") return notADatabase(file, error);
  if (code.startsWith("SQLITE_CORRUPT")) return say(`The database ${file} is damaged. Restore a backup.`);
  if (code.startsWith("SQLITE_CANTOPEN") || code === "ENOENT") return say(`Could not open the database ${file}.`);
  if (code.startsWith("SQLITE_READONLY") || code === "EACCES" || code === "EPERM") {
    return say(`Could not write to the database ${file}. Check the permissions of the file and its directory.`);
  }
  if (code.startsWith("SQLITE_IOERR")) return say(`The disk failed while using the database ${file}.`);
  return error;
};
