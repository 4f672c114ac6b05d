import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BACKGROUND_THREAD } from "../../src/worker/thread.ts";
import { createUser } from "../../src/people/users.ts";
import { readConfig } from "../../src/config.ts";
import { OPERATOR } from "../../src/domain/people/actor.ts";
import { loadCallFacts } from "../../src/callsign/facts.ts";
import type { Clock, Time } from "../../src/kernel/clock.ts";
import type { CallFacts } from "../../src/domain/radio/call-facts.ts";
import { Semaphore } from "../../src/kernel/semaphore.ts";
import type { Role, User } from "../../src/domain/people/user.ts";
import { SILENT_LOG } from "../../src/kernel/log.ts";
import { HourlyLimits } from "../../src/kernel/hourly-limits.ts";
import { LogCache } from "../../src/storage/log/log-cache.ts";
import { migrate } from "../../src/storage/engine/migrate.ts";
import * as users from "../../src/storage/people/users.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import { providers } from "../../src/providers/registry.ts";
import { LastAskedTable } from "../../src/storage/jobs/last-asked.ts";
import { RunningJobs } from "../../src/kernel/running-jobs.ts";
import { createMailer } from "../../src/kernel/mail.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { MAX_QUEUED_HASHES, lazyVault, type World } from "../../src/world.ts";
import { afterTest } from "./cleanup.ts";
import { aPostgresDatabase } from "./databases.ts";
import { aDirectory } from "./directory.ts";

/** The engine under test: PostgreSQL if its address is given, otherwise SQLite. */
export const ENGINE: "sqlite" | "postgres" = process.env.QSOLOG_TEST_POSTGRES ? "postgres" : "sqlite";

export const NOON = Date.UTC(2026, 7, 1, 12);

export interface TestClock extends Clock {
  advance(ms: number): void;
}

export interface TestWorld extends World {
  clock: TestClock;
  dataDir: string;
}

export const testClock = (start = NOON): TestClock => {
  let now = start;
  return Object.assign(() => now, { advance: (ms: number) => void (now += ms) });
};

export interface TestTime extends Time {
  /** Advances the time and runs what is due, in order. */
  pass(ms: number): void;
}

interface Waiting {
  at: number;
  task: () => void;
  again: number | null;
}

/** A clock that the test controls. */
export const testTime = (): TestTime => {
  let now = 0;
  const waiting = new Set<Waiting>();
  const wait = (ms: number, task: () => void, again: number | null) => {
    const one = { at: now + ms, task, again };
    waiting.add(one);
    return () => void waiting.delete(one);
  };
  const nextBefore = (end: number) =>
    [...waiting].filter(({ at }) => at <= end).reduce<Waiting | null>((a, b) => (a && a.at <= b.at ? a : b), null);
  const time: TestTime = {
    ticks: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        const callOff = wait(ms, resolve, null);
        signal?.addEventListener("abort", () => (callOff(), reject(signal.reason as Error)), { once: true });
      }),
    turn: SYSTEM_TIME.turn,
    after: (ms, task) => wait(ms, task, null),
    every: (ms, task) => wait(ms, task, ms),
    deadline(ms) {
      const control = new AbortController();
      wait(ms, () => control.abort(new DOMException("The time is up.", "TimeoutError")), null);
      return control.signal;
    },
    pass(ms) {
      const end = now + ms;
      for (let next = nextBefore(end); next; next = nextBefore(end)) {
        now = Math.max(now, next.at);
        if (next.again === null) waiting.delete(next);
        else next.at += next.again;
        next.task();
      }
      now = end;
    },
  };
  return time;
};

/** Random bytes that are the same in every run. */
export const testRandom = (seed = 1) => {
  let state = seed;
  return (count: number): Uint8Array =>
    Uint8Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    });
};

export const CHEAP_PASSWORDS = { memoryCost: 8, timeCost: 1 };

/** PostgreSQL starts a process for each connection, which takes longer than most tests. */
const MAX_CONNECTIONS = 3;

let databases = 100;

let facts: Promise<CallFacts> | null = null;

export interface WorldOptions {
  thread?: boolean;
  /** Also runs jobs in a thread. Its services come from the configuration, not from the test. */
  jobsThread?: boolean;
  giveUpAfterMs?: number;
  silentAfterMs?: number;
  /** Instead of an empty database of its own. */
  databaseUrl?: string;
  /** The bytes of an SQLite database. The world gets a copy of it. */
  copyOf?: Uint8Array;
  /** Instead of real time. */
  time?: Time;
  env?: Record<string, string>;
  /** Another instance on this world's database. */
  beside?: TestWorld;
  /** Instead of the engine under test. */
  engine?: typeof ENGINE;
}

/** A world on a real, migrated, empty database of its own. */
export const testWorld = async ({
  jobsThread = false,
  thread = jobsThread,
  giveUpAfterMs,
  silentAfterMs,
  databaseUrl: given,
  copyOf,
  time = SYSTEM_TIME,
  env: more,
  beside,
  engine = ENGINE,
}: WorldOptions = {}): Promise<TestWorld> => {
  const dataDir = aDirectory();
  if (copyOf) writeCopy(dataDir, copyOf);
  const databaseUrl = given ?? beside?.config.databaseUrl ?? (await anEmptyDatabase(dataDir, engine));
  const env = { QSOLOG_DATA_DIR: dataDir, QSOLOG_DATABASE_URL: databaseUrl, QSOLOG_PACE: "0", ...more };
  const { config } = readConfig({ env });
  const db = await openDatabase(config.databaseUrl, {
    time,
    backgroundThread: thread ? BACKGROUND_THREAD : undefined,
    giveUpAfterMs,
    silentAfterMs,
    maxConnections: MAX_CONNECTIONS,
  });
  if (!jobsThread) Object.defineProperty(db, "jobsThread", { value: undefined });
  afterTest(() => db.close());
  const clock = beside?.clock ?? testClock();
  const vault = lazyVault(config, testRandom(7));
  return {
    config,
    db,
    cache: new LogCache({ db, clock }),
    limits: new HourlyLimits(clock),
    dataDir,
    clock,
    compareClocks: async () => {},
    random: testRandom(beside ? dataDir.length + databases++ : 1),
    log: SILENT_LOG,
    passwordCost: CHEAP_PASSWORDS,
    hashing: new Semaphore(2, MAX_QUEUED_HASHES),
    underWay: new RunningJobs(),
    callFacts: () => (facts ??= loadCallFacts(dataDir)),
    vault,
    providers,
    lastAsked: new LastAskedTable(db, clock, vault),
    lookup: (host) => Promise.reject(Object.assign(new Error(`no ${host} in tests`), { code: "ENOTFOUND" })),
    sendMail: config.smtpUrl === null ? null : createMailer(config.smtpUrl, config.mailFrom!),
    openBeside: (file) => openDatabase(file, { time, backgroundThread: thread ? BACKGROUND_THREAD : undefined }),
    ...time,
  };
};

/** The user of this name. In a copied database there can be one. */
export const aUser = async (world: World, username: string, role: Role = "user"): Promise<User> =>
  (await world.db.read(() => users.findByName(username))) ??
  createUser(world, OPERATOR, { username, password: "correct horse battery", role });

/** The URL of a migrated, unused database. */
export const anEmptyDatabase = (directory: string, engine = ENGINE): Promise<string> =>
  engine === "postgres" ? aPostgresDatabase(NOON) : copyOfSqliteTemplate(directory);

/** The bytes of a template: a file would have to be deleted when the process ends. */
let template: Promise<Uint8Array> | null = null;

const makeTemplate = async (): Promise<Uint8Array> => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-template-"));
  const file = join(directory, "template.db");
  const db = await openDatabase(file, { time: SYSTEM_TIME });
  await migrate(db, NOON);
  await db.close();
  const bytes = readFileSync(file);
  rmSync(directory, { recursive: true });
  return bytes;
};

const copyOfSqliteTemplate = async (directory: string): Promise<string> =>
  writeCopy(directory, await (template ??= makeTemplate()));

/** Keeps a database that is there. */
const writeCopy = (directory: string, bytes: Uint8Array): string => {
  const copy = join(directory, "qsolog.db");
  if (!existsSync(copy)) writeFileSync(copy, bytes, { mode: 0o600 });
  return copy;
};
