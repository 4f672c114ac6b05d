import { SQL } from "bun";
import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/kernel/clock.ts";
import { ORIGIN_BITS } from "../../src/domain/origins/bits.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import * as credentials from "../../src/storage/jobs/service-credentials.ts";
import * as autoSync from "../../src/storage/jobs/auto-sync-settings.ts";
import * as syncCursors from "../../src/storage/jobs/sync-cursors.ts";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { run } from "../../src/storage/engine/unit.ts";
import * as deletedUsers from "../../src/storage/people/deleted-users.ts";
import * as users from "../../src/storage/people/users.ts";
import * as workers from "../../src/storage/jobs/workers.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import type { Reply } from "../../src/upkeep/checks/services.ts";
import { checkBloat, checkLocks, checkServer } from "../../src/upkeep/checks/server.ts";
import { adoptDatabase } from "../../src/upkeep/sealed.ts";
import { getOwnMark } from "../../src/kernel/processes.ts";
import { runChecks } from "../../src/upkeep/doctor.ts";
import type { Finding } from "../../src/upkeep/diagnostic.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { CREDENTIALS } from "../support/app.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { anApp } from "../support/factors.ts";
import { lotw, sync } from "../support/sync.ts";
import { aUser, ENGINE, NOON, testWorld, type TestWorld } from "../support/world.ts";
import { typeContacts } from "./log.ts";

/** Ann is an administrator with three contacts and credentials for the second service. */
const aHealthyWorld = async () => {
  const world = await testWorld();
  const ann = await aUser(world, "ann", "admin");
  await setCredentials(world, ann.id, "second", CREDENTIALS.second);
  await typeContacts(world, ann.id, 3);
  return { world, ann };
};

type Ill = Awaited<ReturnType<typeof aHealthyWorld>>;

const examined = async (
  { config, clock, random, ticks, sleep, turn, every, dataDir }: TestWorld,
  knock?: (url: string) => Promise<Reply>,
) => {
  const database = join(dataDir, "qsolog.db");
  if (existsSync(database)) utimesSync(database, NOON / 1000, NOON / 1000);
  return runChecks({ config, clock, random, ticks, sleep, turn, every }, { knock });
};

/** The test server runs without durability and with another time; both have tests of their own. */
const troubles = (findings: readonly Finding[]) =>
  findings.filter(
    ({ check, severity, message }) =>
      severity !== "ok" && check !== "settings" && !message.includes("The clock of the database server"),
  );

const aDeadPid = async (): Promise<number> => {
  const gone = Bun.spawn(["true"]);
  await gone.exited;
  return gone.pid;
};

const aJobOf = async ({ world, ann }: Ill, pid: number) => {
  await world.db.write(() => workers.recordBeat({ id: "w", host: hostname(), pid, beatAt: world.clock() }));
  return world.db.write(() =>
    syncJobs.create({ userId: ann.id, source: "first", trigger: "manual", workerId: "w" }, world.clock()),
  );
};

/** Changes the database directly, because the program would prevent it. */
const tampered = async ({ db }: TestWorld, ...statements: string[]) => {
  await db.close();
  const connection = new Connection(db.location);
  for (const statement of statements) connection.run(statement);
  connection.close(true);
};

const cursor = ({ world, ann }: Ill, value: unknown, updatedAt: number) =>
  world.db.write(() => syncCursors.set(ann.id, "second", value, updatedAt));

/** What a listener left, or is about to send. */
const aQueue = ({ world }: Ill, at: number, pid?: number) => {
  const folder = join(world.dataDir, "listen");
  mkdirSync(folder, { mode: 0o700 });
  const lines = [{ to: "https://log.example.org" }, ...[1, 2].map((n) => ({ n, at, told: { kind: "contact" } }))];
  writeFileSync(join(folder, "queue.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  if (pid === undefined) return;
  writeFileSync(join(folder, "listener.json"), JSON.stringify({ ...getOwnMark(), pid, born: null }));
  utimesSync(join(folder, "listener.json"), NOON / 1000, NOON / 1000);
};

type Case = [name: string, fallIll: (ill: Ill) => unknown, expected: [string, string, string, string]];

const OF_BOTH: Case[] = [
  [
    "no user",
    ({ world, ann }) => world.db.write(() => run`DELETE FROM users WHERE id = ${ann.id}`),
    ["users", "note", "There are no users yet", "qsolog admin create NAME"],
  ],
  [
    "no administrator",
    ({ world, ann }) => world.db.write(() => users.setRole(ann.id, "user")),
    ["users", "fail", "no administrator", "qsolog admin promote NAME"],
  ],
  [
    "an open data directory",
    ({ world }) => chmodSync(world.dataDir, 0o755),
    ["permissions", "warn", "Other users can read", "chmod 700 /"],
  ],
  [
    "an open configuration",
    ({ world }) => writeFileSync(join(world.dataDir, "qsolog.toml"), "", { mode: 0o644 }),
    ["permissions", "warn", "qsolog.toml", "chmod 600 /"],
  ],
  [
    "an open secret",
    ({ world }) => chmodSync(join(world.dataDir, "secret"), 0o644),
    ["secret", "fail", "Other users can read the secret", "/secret"],
  ],
  [
    "another secret",
    ({ world }) => writeFileSync(join(world.dataDir, "secret"), "x".repeat(43)),
    ["secret", "fail", "The database uses a different secret", "qsolog db adopt"],
  ],
  [
    "credentials of another secret",
    async ({ world }) => {
      writeFileSync(join(world.dataDir, "secret"), "x".repeat(43));
      await adoptDatabase(world);
    },
    ["secret", "fail", "cannot decrypt the QRZ account of ann", "qsolog service set qrz --user ann"],
  ],
  [
    "a second factor of another secret",
    async ({ world, ann }) => {
      await anApp(world, ann);
      writeFileSync(join(world.dataDir, "secret"), "x".repeat(43));
      await adoptDatabase(world);
    },
    ["secret", "fail", "cannot decrypt the authenticator app of ann", "qsolog user reset-factor ann"],
  ],
  [
    "no secret",
    ({ world }) => rmSync(join(world.dataDir, "secret")),
    ["secret", "fail", "There is no secret file", "Put the secret"],
  ],
  [
    "a newer schema",
    ({ world }) =>
      world.db.write(() => run`INSERT INTO migrations (name, hash, applied_at) VALUES ('9999_future', 'x', 1)`),
    ["database", "fail", "newer qsolog", "qsolog db status"],
  ],
  [
    "a missing migration",
    ({ world }) => world.db.write(() => run`DELETE FROM migrations WHERE name = '0005_auto_sync'`),
    ["schema", "warn", "0005_auto_sync", "qsolog db migrate"],
  ],
  [
    "contacts without layers",
    ({ world }) => world.db.write(() => run`DELETE FROM records WHERE qso_id = 2`),
    ["orphans", "warn", "1 QSO has no source: 2.", "qsolog sync all --full"],
  ],
  [
    "an account half deleted",
    async ({ world }) => {
      const { id } = await aUser(world, "eve");
      await world.db.write(() => deletedUsers.markDeleted(id, NOON));
    },
    ["orphans", "note", "1 deleted account still", "qsolog serve"],
  ],
  [
    "old rules",
    ({ world }) => world.db.write(() => run`UPDATE qsos SET rules_version = 0 WHERE id > 1`),
    ["rules", "warn", "2 QSOs processed by the rules of another version", "qsolog db derive"],
  ],
  [
    "a stale job",
    async (ill) => {
      const { id } = await aJobOf(ill, process.pid);
      ill.world.clock.advance(2 * HOUR);
      await ill.world.db.write(() =>
        workers.recordBeat({ id: "w", host: hostname(), pid: process.pid, beatAt: ill.world.clock() }),
      );
      expect(id).toBe(1);
    },
    ["jobs", "warn", "Job 1 of ann (LoTW), pending since 2026-08-01 12:00 UTC, is stuck", "qsolog rollback 1"],
  ],
  [
    "a rollback that was broken off",
    async (ill) => {
      const { id } = await aJobOf(ill, process.pid);
      await ill.world.db.write(() => syncJobs.beginRollback(id, null, NOON));
    },
    ["jobs", "note", "Job 1 of ann has been rolling back since 2026-08-01 12:00 UTC", "qsolog serve"],
  ],
  [
    "a job without its program",
    async (ill) => aJobOf(ill, await aDeadPid()),
    ["jobs", "warn", "has lost the program that ran it", "qsolog rollback 1"],
  ],
  [
    "a program that is gone",
    async ({ world }) => {
      const pid = await aDeadPid();
      await world.db.write(() => workers.recordBeat({ id: "w", host: hostname(), pid, beatAt: NOON }));
    },
    ["jobs", "note", "A program that ran jobs is gone", "qsolog serve"],
  ],
  [
    "a failed job that left changes",
    ({ world, ann }) =>
      sync(world, ann.id, "first", [lotw("K1AAA", "2026-07-18 01:43")], { failure: new Error("lost") }),
    ["jobs", "note", "1 failed job left changes in the logs: 1.", "qsolog rollback 1 --dry-run"],
  ],
  [
    "rejected credentials",
    ({ world, ann }) =>
      world.db.write(function* () {
        const known = (yield* credentials.find(ann.id, "second"))!;
        yield* credentials.setState(known, "rejected", "wrong key", NOON);
      }),
    ["credentials", "warn", "QRZ rejected the account of ann: wrong key", "qsolog service set qrz --user ann"],
  ],
  [
    "a cursor in the future",
    (ill) => cursor(ill, { since: "2027-01-01", sweptAt: NOON }, NOON),
    ["cursors", "warn", "continue in the future, at 2027-01-01", "qsolog sync qrz --full --user ann"],
  ],
  [
    "a time of a cursor in the future",
    (ill) => cursor(ill, { since: "2026-07-01", sweptAt: NOON + 3 * DAY }, NOON),
    ["cursors", "warn", "in the future", "--full"],
  ],
  [
    "a cursor of long ago",
    (ill) => cursor(ill, { since: "2024-01-01", sweptAt: 1 }, NOON - 400 * DAY),
    ["cursors", "warn", "last ran 2025-06-27", "qsolog sync qrz --user ann"],
  ],
  [
    "a cursor without credentials",
    async (ill) => {
      await cursor(ill, { since: "2026-07-01", sweptAt: 1 }, NOON);
      await ill.world.db.write(() => credentials.remove(ill.ann.id, "second"));
    },
    ["cursors", "note", "no longer has an account", "qsolog service set qrz --user ann"],
  ],
  [
    "contacts that wait while nothing listens",
    (ill) => aQueue(ill, NOON),
    ["listen", "warn", "2 contacts from programs have been waiting for https://log.example.org", "qsolog listen"],
  ],
  [
    "contacts that have waited for long",
    (ill) => aQueue(ill, NOON - HOUR, process.pid),
    ["listen", "warn", "since 2026-08-01 11:00 UTC.", "Check that the server is running"],
  ],
  [
    "contacts that a log refused",
    (ill) => {
      aQueue(ill, NOON, process.pid);
      writeFileSync(join(ill.world.dataDir, "listen", "refused.jsonl"), "{}\n");
    },
    ["listen", "warn", "The log refused 1 contact from programs", "refused.jsonl"],
  ],
  [
    "an old country file",
    ({ world }) => world.clock.advance(3 * 365 * DAY),
    ["country", "note", "Newer callsigns", "qsolog country update cty.csv"],
  ],
  [
    "a broken country file",
    ({ world }) => writeFileSync(join(world.dataDir, "cty.csv"), "nonsense", { mode: 0o600 }),
    ["country", "fail", "Could not use", "qsolog country update cty.csv"],
  ],
  [
    "a clock that is behind",
    ({ world }) => world.clock.advance(-30 * MINUTE),
    ["clock", "fail", "the database contains an entry from 2026-08-01 12:00 UTC", "timedatectl"],
  ],
  [
    "a sync of the future",
    ({ world, ann }) => world.db.write(() => autoSync.setLast(ann.id, "second", Date.UTC(2039, 0, 2, 3, 4))),
    ["schedules", "warn", "The QRZ schedule of ann contains 2039-01-02 03:04 UTC", "qsolog sync qrz"],
  ],
  [
    "a sync of the future, after the server has moved the next one back",
    ({ world, ann }) =>
      world.db.write(function* () {
        const schedule = { enabled: true, intervalHours: 24, lastSyncAt: null, nextSyncAt: NOON + HOUR, paused: null };
        yield* autoSync.set(ann.id, "second", schedule, NOON);
        yield* autoSync.setLast(ann.id, "second", Date.UTC(2039, 0, 2, 3, 4));
      }),
    ["schedules", "note", "The next sync, at 2026-08-01 13:00 UTC, corrects that.", "qsolog sync qrz"],
  ],
  [
    "a file of the future",
    ({ world }) => {
      writeFileSync(join(world.dataDir, "qsolog.log"), "", { mode: 0o600 });
      const later = NOON / 1000 + 3600;
      utimesSync(join(world.dataDir, "qsolog.log"), later, later);
    },
    ["clock", "warn", "qsolog.log was written at 2026-08-01 13:00", "timedatectl"],
  ],
];

const spoiled =
  (change: (bytes: Buffer) => Uint8Array) =>
  async ({ world }: Ill) => {
    await world.db.close();
    writeFileSync(world.db.location, change(readFileSync(world.db.location)));
  };

const OF_SQLITE: Case[] = [
  [
    "an open database",
    ({ world }) => chmodSync(world.db.location, 0o644),
    ["permissions", "warn", "qsolog.db", "chmod 600 /"],
  ],
  [
    "no database",
    async ({ world }) => {
      await world.db.close();
      rmSync(world.db.location);
    },
    ["database", "fail", "There is no database", "qsolog serve"],
  ],
  [
    "a letter in its place",
    spoiled(() => Buffer.from("hello")),
    ["database", "fail", "is not a database", "qsolog db restore FILE"],
  ],
  [
    "damaged pages",
    spoiled((bytes) => bytes.fill(0xff, 8192, 16_384)),
    ["integrity", "fail", "is damaged", "qsolog db restore FILE"],
  ],
  [
    "a damaged head",
    spoiled((bytes) => bytes.fill(0xff, 100, 4096)),
    ["integrity", "fail", "is damaged", "qsolog db restore FILE"],
  ],
  [
    "half a file",
    spoiled((bytes) => bytes.subarray(0, 50_000)),
    ["integrity", "fail", "is damaged", "qsolog db restore FILE"],
  ],
  [
    "rows whose user is gone",
    ({ world }) => tampered(world, "PRAGMA foreign_keys = OFF", "DELETE FROM users"),
    ["orphans", "warn", "3 rows of qsos without their users", "qsolog db restore FILE"],
  ],
  [
    "a database that another program keeps",
    async ({ world }) => {
      await world.db.close();
      const other = new Connection(world.db.location);
      other.run("PRAGMA locking_mode = EXCLUSIVE");
      other.run("BEGIN EXCLUSIVE");
      afterTest(() => other.close());
    },
    ["database", "fail", "is locked", "qsolog doctor"],
  ],
];

const holds = async (fallIll: Case[1], [check, severity, message, todo]: Case[2]) => {
  const ill = await aHealthyWorld();
  await fallIll(ill);

  const findings = await examined(ill.world);

  expect(troubles(findings)).toContainEqual({
    check,
    severity: severity as Finding["severity"],
    message: expect.stringContaining(message),
    todo: expect.stringContaining(todo),
  });
};

// Invariant: the doctor finds faults and survives them
test("a healthy installation passes every check", async () => {
  const { world } = await aHealthyWorld();

  const findings = await examined(world);

  expect(troubles(findings)).toEqual([]);
  const ofFile = ENGINE === "sqlite" ? ["integrity"] : ["server", "settings", "locks", "bloat", "replication"];
  expect(new Set(findings.map(({ check }) => check))).toEqual(
    new Set([
      "permissions",
      "disk",
      "database",
      ...ofFile,
      "schema",
      "orphans",
      "statistics",
      "rules",
      "users",
      "jobs",
      "listen",
      "secret",
      "credentials",
      "cursors",
      "schedules",
      "country",
      "clock",
    ]),
  );
});

// Invariant: the doctor finds faults and survives them
test.each(OF_BOTH)("%s is found", (_name, fallIll, expected) => holds(fallIll, expected));

const said = (findings: readonly Finding[]) =>
  findings.map(({ severity, message, todo }) => [severity, message, todo].filter(Boolean).join(" | "));

const within = async (isSo: () => Promise<boolean>): Promise<void> => {
  for (const giveUpAt = Date.now() + 20_000; !(await isSo()); await Bun.sleep(100)) {
    if (Date.now() > giveUpAt) throw new Error("it has not come to that in time");
  }
};

describe.skipIf(ENGINE !== "postgres")("problems of the database server", () => {
  test("include its version and settings that endanger data", async () => {
    const { world } = await aHealthyWorld();

    const found = said(await checkServer(world));

    expect(found[0]).toMatch(/^ok \| PostgreSQL \d+, UTF8\.$/);
    for (const setting of ["fsync", "full_page_writes"])
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`^warn \\| ${setting} is off: .*ALTER SYSTEM`)));
    expect(found.join()).not.toContain("autovacuum");
  });

  test.each([
    [0, "ok", "The database server has the same time."],
    [20 * SECOND, "note", "The clock of the database server, which qsolog uses, is 20 s behind."],
    [-9 * MINUTE, "warn", "The clock of the database server, which qsolog uses, is 9 min ahead."],
    [9 * HOUR, "fail", "The clock of the database server, which qsolog uses, is 9 h 0 min behind."],
  ])("include a clock that differs by %d ms", async (ms, severity, words) => {
    const { world } = await aHealthyWorld();
    const shifted = Object.assign(() => Date.now() + ms, { advance() {} });

    const findings = await examined({ ...world, clock: shifted });

    expect(findings).toContainEqual(
      expect.objectContaining({ check: "clock", severity, message: expect.stringContaining(words) }),
    );
  });

  test("include long waits, with who causes them", async () => {
    const { world } = await aHealthyWorld();
    const lazy = new SQL(world.config.databaseUrl, { max: 1 });
    afterTest(() => lazy.close({ timeout: 0 }));
    const waiting = new SQL(world.config.databaseUrl, { max: 1 });
    afterTest(() => waiting.close({ timeout: 0 }));
    const pidOf = async (sql: SQL) => (await sql.unsafe("SELECT pg_backend_pid() AS pid"))[0].pid;
    const [holder, waiter] = [await pidOf(lazy), await pidOf(waiting)];
    await lazy.unsafe("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE");
    void waiting.unsafe("SELECT count(*) FROM users").catch(() => {});

    await within(async () => (await checkLocks(world, 500)).length === 2);
    const found = said(await checkLocks(world, 500)).join("\n");

    expect(found).toContain(`Process ${holder} has kept an idle transaction open`);
    expect(found).toMatch(
      new RegExp(
        `Process ${waiter} has been waiting \\d+ s for ${holder}\\. \\| SELECT pg_terminate_backend\\(${holder}\\)`,
      ),
    );
    expect(said(await checkLocks(world))).toEqual(["ok | No process is waiting for a lock."]);
  });

  test("include tables with many dead rows", async () => {
    const { world } = await aHealthyWorld();
    await world.db.write(function* () {
      yield* run`ALTER TABLE attempts SET (autovacuum_enabled = off)`;
      yield* run`INSERT INTO attempts (name, at) SELECT 'x', n FROM generate_series(1, 25000) AS n`;
    });
    expect(said(await checkBloat(world))).toEqual(["ok | Tables contain little dead data."]);
    await world.db.write(() => run`DELETE FROM attempts WHERE at > 100`);

    await within(async () => (await checkBloat(world))[0]!.severity === "warn");
    expect(said(await checkBloat(world))[0]).toMatch(
      /^warn \| attempts contains 24,900 dead rows and \d+ live ones\. \| vacuumdb --table=attempts$/,
    );
  });
});

describe.skipIf(ENGINE !== "sqlite")("problems of the SQLite database", () => {
  test.each(OF_SQLITE)("%s is found", (_name, fallIll, expected) => holds(fallIll, expected));

  /** The index for statistics stays in the state before a change. */
  const withStaleIndex = async (change: (ill: Ill) => Promise<unknown>) => {
    const { world, ann } = await aHealthyWorld();
    const file = world.db.location;
    await world.db.close();
    const connection = new Connection(file);
    const root = connection.query("SELECT rootpage FROM sqlite_master WHERE name = 'qsos_rollup'").values()[0]![0];
    const page = connection.query("PRAGMA page_size").values()[0]![0] as number;
    connection.close(true);
    const [from, to] = [(Number(root) - 1) * page, Number(root) * page];
    const before = readFileSync(file).subarray(from, to);
    const db = await openDatabase(file, { time: SYSTEM_TIME });
    await change({ world: { ...world, db }, ann });
    await db.close();
    const now = readFileSync(file);
    writeFileSync(file, Buffer.concat([now.subarray(0, from), before, now.subarray(to)]));
    return troubles(await examined(world));
  };

  test("include an index that lacks a row", async () => {
    const [trouble] = await withStaleIndex(({ world, ann }) => typeContacts(world, ann.id, 1));

    expect(trouble).toMatchObject({ check: "integrity", severity: "fail", todo: expect.stringContaining("REINDEX") });
    expect(trouble!.message).toContain("wrong # of entries in index qsos_rollup");
  });

  test("include statistics that do not match the rows", async () => {
    const found = await withStaleIndex(({ world }) =>
      world.db.write(() => run`UPDATE qsos SET confirmed_by = ${ORIGIN_BITS.first} WHERE id = 2`),
    );

    expect(found).toEqual([
      {
        check: "statistics",
        severity: "fail",
        message: "The statistics of ann say 3 QSOs and 0 confirmations, but the log has 3 QSOs and 1 confirmation.",
        todo: expect.stringContaining("REINDEX"),
      },
    ]);
  });

  test("include a disk with little space", async () => {
    const mount = join(aDirectory(), "small");
    mkdirSync(mount);
    const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=2m,mode=0700", "tmpfs", mount]);
    if (mounted.exitCode !== 0) return console.log("skipped: a small file system cannot be mounted here");
    afterTest(() => Bun.spawnSync(["umount", mount]));
    const { world } = await aHealthyWorld();
    const config = { ...world.config, databaseUrl: join(mount, "qsolog.db") };
    writeFileSync(config.databaseUrl, readFileSync(world.db.location), { mode: 0o600 });

    const [trouble] = troubles(await runChecks({ ...world, config }));

    expect(trouble).toMatchObject({ check: "disk", severity: "fail", todo: "qsolog db prune --compact" });
  });
});

describe("the answers of the services", () => {
  const answering = (answer: Partial<Reply>) => async (): Promise<Reply> => ({
    status: 200,
    date: NOON,
    ms: 12,
    ...answer,
  });

  test("are listed and compared with the clock", async () => {
    const { world } = await aHealthyWorld();
    const found = async (knock: () => Promise<Reply>) => troubles(await examined(world, knock));

    expect(await found(answering({}))).toEqual([]);
    expect(await found(answering({ status: 404, date: null }))).toEqual([]);
    expect(await found(answering({ date: NOON + 10 * MINUTE }))).toMatchObject([{ check: "clock", severity: "warn" }]);
    expect(await found(answering({ date: NOON - DAY }))).toMatchObject([{ check: "clock", severity: "fail" }]);
    expect(await found(answering({ status: 503 }))).toMatchObject([
      { check: "first", severity: "warn", message: "LoTW is not working: it answers with status 503." },
      { check: "second", severity: "warn" },
    ]);
    const lost = async () => {
      throw new Error("ENOTFOUND");
    };
    expect(await found(lost)).toMatchObject([
      { check: "first", severity: "warn", todo: "curl -I https://lotw.arrl.org" },
      { check: "second", severity: "warn", message: "Could not reach QRZ at https://logbook.qrz.com: ENOTFOUND." },
    ]);
  });
});
