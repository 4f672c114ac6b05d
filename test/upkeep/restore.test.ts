import { describe, expect, test } from "bun:test";
import { Database as Connection } from "bun:sqlite";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { backUp } from "../../src/upkeep/backup.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import { whileRestoring } from "../../src/storage/engine/restore-mark.ts";
import { contentsOf, damageIn } from "../../src/storage/engine/sqlite-file.ts";
import { exists, run, script } from "../../src/storage/engine/unit.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { runChecks } from "../../src/upkeep/doctor.ts";
import { prepareRestore } from "../../src/upkeep/restore.ts";
import { getOwnTag } from "../../src/kernel/processes.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { CREDENTIALS } from "../support/app.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { ROOT } from "../support/qsolog.ts";
import { aUser, ENGINE, testWorld, type TestWorld } from "../support/world.ts";
import { typeContacts } from "./log.ts";

/** A stopped installation with a backup from when Ann's log had three contacts; now it has five. */
const aStoppedWorld = async () => {
  const world = await testWorld();
  const ann = await aUser(world, "ann", "admin");
  await setCredentials(world, ann.id, "second", CREDENTIALS.second);
  await typeContacts(world, ann.id, 3);
  const backup = join(aDirectory(), "backup.db");
  await backUp(world.db, backup);
  await typeContacts(world, ann.id, 2);
  await world.db.close();
  return { world, database: world.db.location, backup };
};

/** Without waiting for other processes to close the database. */
const atOnce = (world: TestWorld) => ({ ...world, sleep: async () => {} });

const besides = (database: string) =>
  readdirSync(join(database, "..")).filter((name) => name.startsWith(`${basename(database)}.`));

describe.skipIf(ENGINE !== "sqlite")("a restore", () => {
  test("replaces the database and keeps the old one", async () => {
    const { world, database, backup } = await aStoppedWorld();
    const before = readFileSync(backup);

    const ready = await prepareRestore(atOnce(world), backup);
    expect([ready.replaced, ready.incoming]).toMatchObject([{ qsos: 5 }, { users: 1, qsos: 3, jobs: 0 }]);
    expect(contentsOf(database)?.qsos).toBe(5);
    const { safetyCopy } = await ready.carryOut();
    ready.discard();

    expect(contentsOf(database)?.qsos).toBe(3);
    expect(damageIn(database)).toBeNull();
    expect(contentsOf(safetyCopy!)?.qsos).toBe(5);
    expect([database, safetyCopy!].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(readFileSync(backup).equals(before)).toBe(true);
    expect(besides(database)).toEqual([]);
    expect(existsSync(`${database}-wal`)).toBe(false);
  });

  // Defence: a restored database has only tables and indexes that qsolog created
  test.each([
    ["trigger evil", "CREATE TRIGGER evil AFTER INSERT ON sessions BEGIN UPDATE users SET role = 'admin'; END"],
    ["view everything", "CREATE VIEW everything AS SELECT * FROM users"],
    ["table notes", "CREATE TABLE notes (text TEXT)"],
    ["table vectors", "CREATE VIRTUAL TABLE vectors USING fts5(x)"],
    ["index one_callsign", "CREATE UNIQUE INDEX one_callsign ON users (callsign, id)"],
    ["table users", "ALTER TABLE users ADD COLUMN note TEXT"],
    ["trigger sqlite_stat1", "CREATE TRIGGER sqlitexstat1 AFTER INSERT ON sessions BEGIN DELETE FROM attempts; END"],
    ["table users", "PRAGMA user_version = 0"],
  ])("refuses a backup with the %s of somebody else, and the doctor names it", async (name, statement) => {
    const { world, database, backup } = await aStoppedWorld();
    for (const file of [backup, database]) {
      const connection = new Connection(file);
      connection.exec(statement);
      connection.close();
      // What SQLite itself does not let anybody change.
      const bytes = readFileSync(file).toString("latin1").replaceAll("sqlitexstat1", "sqlite_stat1");
      const patched = statement.startsWith("PRAGMA")
        ? bytes.replaceAll("DEFAULT 'user' CHECK (", "DEFAULT 'admin'CHECK (")
        : bytes;
      writeFileSync(file, patched, "latin1");
    }

    await expect(prepareRestore(atOnce(world), backup)).rejects.toMatchObject({
      rule: "foreign_schema",
      message: expect.stringContaining(name),
    });
    expect(contentsOf(database)?.qsos).toBe(5);
    expect(besides(database)).toEqual([]);
    const { config, clock, random, ticks, sleep, turn, every } = world;
    const findings = await runChecks({ config, clock, random, ticks, sleep, turn, every });
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "schema", severity: "fail", message: expect.stringContaining(name) }),
    );
  });

  test("that is cancelled changes nothing", async () => {
    const { world, database, backup } = await aStoppedWorld();

    (await prepareRestore(atOnce(world), backup)).discard();

    expect(contentsOf(database)?.qsos).toBe(5);
    expect(besides(database)).toEqual([]);
  });

  // Invariant: a restore happens completely or not at all
  test("is refused while another process has the database open, even for reading", async () => {
    const { world, database, backup } = await aStoppedWorld();
    const looking = `
      import { openDatabase } from "${ROOT}/src/storage/engine/connect.ts";
      import { SYSTEM_TIME } from "${ROOT}/src/kernel/time.ts";
      const db = await openDatabase("${database}", { time: SYSTEM_TIME });
      console.log("open");
      await Bun.stdin.text();
      await db.close();`;
    const other = Bun.spawn(["bun", "-e", looking], { stdin: "pipe", stdout: "pipe" });
    afterTest(() => other.kill());
    await other.stdout.getReader().read();

    const refused = await prepareRestore(atOnce(world), backup).catch((error) => error);

    expect(refused).toMatchObject({ code: "conflict", rule: "database_in_use" });
    if (existsSync("/proc/self/fd")) expect(refused.message).toContain(`process ${other.pid}`);
    expect(besides(database)).toEqual([]);
    other.stdin.end();
    await other.exited;
    (await prepareRestore(atOnce(world), backup)).discard();
  });

  test("is refused if a process opened the database during the question", async () => {
    const { world, database, backup } = await aStoppedWorld();
    const ready = await prepareRestore(atOnce(world), backup);
    const db = await openDatabase(database, { time: SYSTEM_TIME });
    await typeContacts({ ...world, db }, 1, 1);

    expect(ready.carryOut()).rejects.toMatchObject({ rule: "database_in_use" });
    await db.close();
    ready.discard();

    expect(contentsOf(database)?.qsos).toBe(6);
    expect(besides(database)).toEqual([]);
  });

  test("prevents opening the database while it is replaced", async () => {
    const { database } = await aStoppedWorld();

    await whileRestoring(database, async () => {
      expect(openDatabase(database, { time: SYSTEM_TIME })).rejects.toThrow("is being restored. Try again");
      expect(whileRestoring(database, async () => {})).rejects.toMatchObject({ rule: "database_in_use" });
    });

    await (await openDatabase(database, { time: SYSTEM_TIME })).close();
    expect(besides(database)).toEqual([]);
  });

  test("blocks nobody after it was killed", async () => {
    const { world, database, backup } = await aStoppedWorld();
    const restoring = `
      import { whileRestoring } from "${ROOT}/src/storage/engine/restore-mark.ts";
      await whileRestoring("${database}", async () => {
        console.log("marked");
        await Bun.stdin.text();
      });`;
    const other = Bun.spawn(["bun", "-e", restoring], { stdin: "pipe", stdout: "pipe" });
    await other.stdout.getReader().read();
    expect(openDatabase(database, { time: SYSTEM_TIME })).rejects.toThrow("is being restored. Try again");

    other.kill("SIGKILL");
    await other.exited;

    await (await openDatabase(database, { time: SYSTEM_TIME })).close();
    const ready = await prepareRestore(atOnce(world), backup);
    await ready.carryOut();
    expect(contentsOf(database)?.qsos).toBe(3);
    expect(besides(database)).toEqual([]);
  });

  // Invariant: a restore happens completely or not at all
  test.each([
    ["a letter", (file: string) => writeFileSync(file, "hello, I am a letter"), "is not a qsolog database"],
    [
      "another program's database",
      (file: string) => {
        writeFileSync(file, "");
        const other = new Connection(file);
        other.run("CREATE TABLE songs (name TEXT)");
        other.close();
      },
      "is not a qsolog database",
    ],
    [
      "a damaged backup",
      (file: string) => {
        const bytes = readFileSync(file);
        bytes.fill(0xff, 8192, 12_000);
        writeFileSync(file, bytes);
      },
      "is damaged",
    ],
    ["half a backup", (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 40_000)), "is damaged"],
    [
      "a backup of a newer program",
      (file: string) => {
        const newer = new Connection(file);
        newer.run("INSERT INTO migrations (name, hash, applied_at) VALUES ('9999_future', 'x', 1)");
        newer.close();
      },
      "created by a newer qsolog",
    ],
  ])("refuses %s and changes nothing", async (_name, spoil, words) => {
    const { world, database, backup } = await aStoppedWorld();
    spoil(backup);

    expect(prepareRestore(atOnce(world), backup)).rejects.toThrow(words);
    await prepareRestore(atOnce(world), backup).catch(() => {});

    expect(contentsOf(database)?.qsos).toBe(5);
    expect(besides(database)).toEqual([]);
  });

  test("refuses a missing file and the database itself", async () => {
    const { world, database } = await aStoppedWorld();

    expect(prepareRestore(atOnce(world), "/nowhere/backup.db")).rejects.toMatchObject({ code: "not_found" });
    expect(prepareRestore(atOnce(world), database)).rejects.toThrow("is the database itself");
  });

  test("migrates an older backup and leaves the backup unchanged", async () => {
    const { world, database, backup } = await aStoppedWorld();
    const older = await openDatabase(backup, { time: SYSTEM_TIME });
    await older.write(() => script("DROP TABLE auto_sync_settings"));
    await older.write(() => run`DELETE FROM migrations WHERE name = '0005_auto_sync'`);
    await older.close();
    const before = readFileSync(backup);

    const ready = await prepareRestore(atOnce(world), backup);
    await ready.carryOut();

    expect(ready.migrated).toEqual(["0005_auto_sync"]);
    expect(readFileSync(backup).equals(before)).toBe(true);
    const db = await openDatabase(database, { time: SYSTEM_TIME });
    expect(await db.read(() => exists`auto_sync_settings`)).toBe(false);
    await db.close();
  });

  test("uses the write-ahead log next to a copy made by hand", async () => {
    const { world, backup } = await aStoppedWorld();
    const copied = new Connection(backup);
    copied.run("PRAGMA journal_mode = WAL");
    copied.run("UPDATE users SET callsign = 'YU1LATE'");
    expect(existsSync(`${backup}-wal`)).toBe(true);

    const ready = await prepareRestore(atOnce(world), backup);
    await ready.carryOut();

    copied.close();
    const restored = new Connection(world.db.location);
    expect(restored.query("SELECT callsign FROM users").get()).toEqual({ callsign: "YU1LATE" });
    restored.close();
  });

  test.each([
    ["whose pages are damaged", (bytes: Buffer) => bytes.fill(0xff, 8192)],
    ["whose head is damaged", (bytes: Buffer) => bytes.fill(0xff, 0, 4096)],
    ["that is empty", (bytes: Buffer) => bytes.subarray(0, 0)],
  ])("replaces a database %s", async (_name, spoil) => {
    const { world, database, backup } = await aStoppedWorld();
    const damaged = spoil(readFileSync(database));
    writeFileSync(database, damaged);

    const ready = await prepareRestore(atOnce(world), backup);
    const { safetyCopy } = await ready.carryOut();

    expect(contentsOf(database)?.qsos).toBe(3);
    expect(readFileSync(safetyCopy!).length).toBe(damaged.length);
  });

  test("counts credentials that this machine's secret cannot decrypt", async () => {
    const { world, backup } = await aStoppedWorld();
    const stranger = await testWorld({ env: { QSOLOG_SECRET: "another secret of thirty-two bytes" } });
    await stranger.db.close();

    const here = await prepareRestore(atOnce(world), backup);
    const there = await prepareRestore(atOnce(stranger), backup);

    expect(here.credentials).toMatchObject({ stored: 1, unreadable: [] });
    expect(there.credentials).toMatchObject({ stored: 1, unreadable: [{ username: "ann", source: "second" }] });
    for (const ready of [here, there]) ready.discard();
  });

  test("removes what a killed restore left", async () => {
    const { world, database, backup } = await aStoppedWorld();
    const gone = Bun.spawn(["true"]);
    await gone.exited;
    writeFileSync(`${database}.${getOwnTag().replace(/\d+$/, String(gone.pid))}.incoming`, "half a file");

    (await prepareRestore(atOnce(world), backup)).discard();

    expect(besides(database)).toEqual([]);
  });
});
