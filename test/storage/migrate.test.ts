import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "../../src/storage/engine/database.ts";
import { migrate, migrationStates, rollbackMigration } from "../../src/storage/engine/migrate.ts";
import { MIGRATIONS } from "../../src/storage/engine/migrations.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import { many, maybe, raw, run, script } from "../../src/storage/engine/unit.ts";
import { migrateSafely } from "../../src/world.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { createPostgresDatabase } from "../support/databases.ts";
import { aUser, ENGINE, NOON, testClock, testWorld } from "../support/world.ts";

const aBareDatabase = async (): Promise<Database> => {
  const url = ENGINE === "postgres" ? (await createPostgresDatabase()).url : join(aDirectory(), "qsolog.db");
  const db = await openDatabase(url, { time: SYSTEM_TIME });
  afterTest(() => db.close());
  return db;
};

const NAMES = MIGRATIONS.map(({ name }) => name);

// Invariant: every migration in the folder is applied
test("every file of the folder is a migration, in order of names", () => {
  const folder = join(import.meta.dir, "../../migrations");
  const files = MIGRATIONS.flatMap(({ name, up, down }) => [
    ...(down === undefined ? [] : [[`${name}.down.sql`, down]]),
    [`${name}.sql`, up],
  ]);

  expect(files).toEqual(
    readdirSync(folder)
      .sort()
      .map((file) => [file, readFileSync(join(folder, file), "utf8")]),
  );
});

test("an empty database gets every migration once", async () => {
  const db = await aBareDatabase();

  expect(await migrate(db, NOON)).toEqual(NAMES);
  expect(await migrate(db, NOON + 1)).toEqual([]);
  expect((await migrationStates(db)).map(({ appliedAt }) => appliedAt)).toEqual(NAMES.map(() => NOON));
});

// Invariant: a migration keeps existing data
describe.each(NAMES)("a database that already has what %s adds", (name) => {
  test("keeps it, with its data", async () => {
    const world = await testWorld();
    const ann = await aUser(world, "ann", "admin");
    await world.db.write(() => run`INSERT INTO auto_sync_settings (user_id) VALUES (${ann.id})`);
    await world.db.write(() => run`DELETE FROM migrations WHERE name = ${name}`);

    expect(await migrate(world.db, NOON)).toEqual([name]);

    const row = await world.db.read(
      () => maybe`SELECT role, first_interval_hours AS hours FROM users
                                               JOIN auto_sync_settings ON user_id = id`,
    );
    expect(row).toEqual({ role: "admin", hours: 24 });
  });
});

describe.each(NAMES.slice(1, 5))("a database with users that lacks what %s adds", (name) => {
  test("gets it, and keeps its users", async () => {
    const db = await aBareDatabase();
    await migrate(db, NOON, { migrations: MIGRATIONS.slice(0, NAMES.indexOf(name)) });
    await db.write(() => run`INSERT INTO users (username, password_hash) VALUES ('ann', '')`);

    expect(await migrate(db, NOON)).toEqual(NAMES.slice(NAMES.indexOf(name)));

    const user = await db.read(() => maybe`SELECT username, role, last_seen AS seen FROM users`);
    expect(user).toEqual({ username: "ann", role: "user", seen: null });
    for (const table of ["qso_changes", "admin_actions", "auto_sync_settings"]) {
      expect(await db.read(() => many`SELECT * FROM ${raw(table)}`)).toEqual([]);
    }
  });
});

// Invariant: a newer or altered database is not touched
test("a database of a newer version is refused", async () => {
  const { db } = await testWorld();
  await db.write(() => run`INSERT INTO migrations (name, hash, applied_at) VALUES ('9999_future', 'x', 1)`);

  expect(migrate(db, NOON)).rejects.toThrow("newer qsolog (it has 9999_future)");
});

test("a database with a different migration of the same name is refused", async () => {
  const { db } = await testWorld();
  await db.write(() => run`UPDATE migrations SET hash = 'x' WHERE name = '0002_changes'`);

  expect(migrate(db, NOON)).rejects.toThrow("modified qsolog: its migration 0002_changes");
});

// Invariant: a failed migration leaves no trace
test("a failing migration leaves nothing, and earlier ones stay", async () => {
  const db = await aBareDatabase();
  const good = { name: "0001_good", up: "CREATE TABLE good (id {{bigint}});" };
  const bad = { name: "0002_bad", up: "CREATE TABLE bad (id {{bigint}});\nINSERT INTO nowhere VALUES (1);" };

  expect(migrate(db, NOON, { migrations: [good, bad] })).rejects.toThrow("nowhere");
  await migrate(db, NOON, { migrations: [good, bad] }).catch(() => {});

  expect(await db.read(() => many`SELECT name FROM migrations`)).toEqual([{ name: "0001_good" }]);
  expect(await db.write(() => script("CREATE TABLE bad (id BIGINT)"))).toBeUndefined();
});

test("the auto-sync migration can be reverted and applied again; the others cannot", async () => {
  const { db } = await testWorld();

  await rollbackMigration(db, "0005_auto_sync");
  expect((await migrationStates(db)).find(({ name }) => name === "0005_auto_sync")!.appliedAt).toBeNull();
  expect(rollbackMigration(db, "0005_auto_sync")).rejects.toMatchObject({ code: "conflict" });
  await rollbackMigration(db, "0005_auto_sync").catch(() => {});
  expect(await migrate(db, NOON)).toEqual(["0005_auto_sync"]);

  expect(rollbackMigration(db, "0001_base")).rejects.toThrow("cannot be reverted");
  expect(rollbackMigration(db, "0042_no")).rejects.toMatchObject({ code: "not_found" });
});

// Invariant: two processes can start at the same time
test("two processes that start on an empty database at the same time both succeed", async () => {
  const dataDir = aDirectory();
  const databaseUrl = ENGINE === "postgres" ? (await createPostgresDatabase()).url : join(dataDir, "qsolog.db");
  const start = () =>
    Bun.spawn(["bun", "cli/main.ts", "db", "migrate", "--json"], {
      env: { ...process.env, QSOLOG_DATA_DIR: dataDir, QSOLOG_DATABASE_URL: databaseUrl },
      stdio: ["ignore", "pipe", "pipe"],
    });

  const processes = [start(), start(), start()];
  const answers = await Promise.all(processes.map(async (one) => [await one.exited, await one.stderr.text()]));

  expect(answers.map(([code]) => code)).toEqual([0, 0, 0]);
  const applied = await Promise.all(processes.map((one) => one.stdout.json()));
  expect(applied.flatMap((answer) => answer.applied).sort()).toEqual(NAMES);
});

// Invariant: sync intervals are 1 to 720 hours, default 24
test("the database enforces the seed's defaults and ranges", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "ann");
  await world.db.write(() => run`INSERT INTO auto_sync_settings (user_id) VALUES (${id})`);

  const row = await world.db.read(() => maybe<Record<string, number>>`SELECT * FROM auto_sync_settings`);
  expect(row).toMatchObject({
    first_enabled: 0,
    first_interval_hours: 24,
    first_last_sync_at: null,
    first_next_sync_at: null,
    second_enabled: 0,
    second_interval_hours: 24,
    second_last_sync_at: null,
    second_next_sync_at: null,
  });
  expect(row!.created_at).toBeGreaterThan(Date.UTC(2026, 0));
  expect(row!.updated_at).toBeGreaterThan(Date.UTC(2026, 0));
  for (const hours of [0, 721]) {
    const setting = world.db.write(() => run`UPDATE auto_sync_settings SET first_interval_hours = ${hours}`);
    expect(setting).rejects.toThrow();
    await setting.catch(() => {});
  }
  const enabling = world.db.write(() => run`UPDATE auto_sync_settings SET second_enabled = 2`);
  expect(enabling).rejects.toThrow();
  await enabling.catch(() => {});
});

test("deleting a user deletes the auto-sync settings", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "ann");
  await world.db.write(() => run`INSERT INTO auto_sync_settings (user_id) VALUES (${id})`);

  await world.db.write(() => run`DELETE FROM users WHERE id = ${id}`);

  expect(await world.db.read(() => many`SELECT user_id FROM auto_sync_settings`)).toEqual([]);
});

// Invariant: each user has one active job per source
test("at most one job of a user and source is active", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "ann");
  const add = (source: string, status: string) =>
    world.db.write(
      () => run`INSERT INTO sync_jobs (user_id, source, trigger_kind, status, created_at)
                VALUES (${id}, ${source}, 'manual', ${status}, 1)`,
    );

  await add("first", "running");
  await add("second", "pending");
  await add("first", "failed");

  const again = add("first", "pending");
  expect(again).rejects.toThrow();
  await again.catch(() => {});
});

describe.skipIf(ENGINE !== "sqlite")("the embedded database", () => {
  // Invariant: every foreign key has an index
  test("every referencing column has an index that starts with it", async () => {
    const { db } = await testWorld();

    const missing = await db.read(
      () => many<{ place: string }>`
        SELECT t.name || '.' || f."from" AS place
        FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) f
        WHERE t.type = 'table' AND NOT EXISTS (
          SELECT 1 FROM pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c
          WHERE c.seqno = 0 AND c.name = f."from" AND i.partial = 0
        ) AND NOT EXISTS (SELECT 1 FROM pragma_table_info(t.name) p WHERE p.pk = 1 AND p.name = f."from")
        ORDER BY place`,
    );

    expect(missing).toEqual([]);
  });

  // Invariant: an SQLite database with users is copied before a migration
  test("a filled database is copied before it is changed, and three copies are kept", async () => {
    const world = await testWorld();
    const clock = testClock();
    await aUser(world, "ann");
    const directory = join(world.dataDir, "backups");

    for (let round = 0; round < 5; round++) {
      clock.advance(60_000);
      await rollbackMigration(world.db, "0005_auto_sync");
      await migrateSafely(world.db, world.config, clock, world.log);
    }

    const copies = readdirSync(directory).sort();
    expect(copies).toHaveLength(3);
    expect(copies[2]).toContain("before-0005_auto_sync.db");
    const copy = await openDatabase(join(directory, copies[2]!), { time: SYSTEM_TIME });
    afterTest(() => copy.close());
    expect(await copy.read(() => many`SELECT username FROM users`)).toEqual([{ username: "ann" }]);
    expect((await migrationStates(copy)).find(({ name }) => name === "0005_auto_sync")!.appliedAt).toBeNull();
  });

  test("an empty database is migrated without a copy", async () => {
    const db = await aBareDatabase();
    const dataDir = aDirectory();

    await migrateSafely(db, { dataDir } as never, testClock(), { info() {} } as never);

    expect(readdirSync(dataDir)).toEqual([]);
  });
});
