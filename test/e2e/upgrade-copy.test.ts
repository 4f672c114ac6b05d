import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIGRATIONS } from "../../src/storage/engine/migrations.ts";
import { migrate } from "../../src/storage/engine/migrate.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { migrateSafely } from "../../src/world.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { serving } from "../support/serving.ts";
import { isFull } from "../support/full.ts";
import { cleanEnvironment, QSOLOG } from "../support/qsolog.ts";
import { ENGINE, NOON, testClock } from "../support/world.ts";

setDefaultTimeout(300_000);

const OLD = MIGRATIONS.slice(0, 5);
const FIRST_NEW = MIGRATIONS[5]!.name;
const FILLING_BYTES = 24 * 1024 * 1024;
const KILLS = isFull(import.meta) ? 40 : 8;

/** The data directory of an older version, large enough that copying takes a moment. */
const anOldInstallation = async (dataDir = aDirectory(), bytes = FILLING_BYTES): Promise<string> => {
  const file = join(dataDir, "qsolog.db");
  const db = await openDatabase(file, { time: SYSTEM_TIME });
  await migrate(db, NOON, { migrations: OLD });
  await db.close();
  const connection = new Database(file);
  connection.run("INSERT INTO users (username, password_hash, created_at) VALUES ('ann', 'x', 1)");
  connection.run("CREATE TABLE filling (text)");
  connection.query("INSERT INTO filling VALUES (randomblob(?))").run(bytes);
  connection.close();
  return dataDir;
};

const start = (dataDir: string) =>
  Bun.spawn([...QSOLOG, "db", "migrate"], {
    cwd: "/",
    env: cleanEnvironment({ QSOLOG_DATA_DIR: dataDir }),
    stdio: ["ignore", "ignore", "pipe"],
  });

const copiesIn = (dataDir: string): string[] =>
  existsSync(join(dataDir, "backups")) ? readdirSync(join(dataDir, "backups")).sort() : [];

const migrationsIn = (file: string): string[] => {
  const connection = new Database(file, { readonly: true });
  try {
    expect(connection.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    return (connection.query("SELECT name FROM migrations ORDER BY name").all() as { name: string }[]).map(
      ({ name }) => name,
    );
  } finally {
    connection.close();
  }
};

const OLD_NAMES = OLD.map(({ name }) => name);

/** Waits until the start has reached a point or has ended. */
const until = async (child: Bun.Subprocess, isThere: () => boolean): Promise<void> => {
  while (child.exitCode === null && !isThere()) await Bun.sleep(1);
};

describe.skipIf(ENGINE !== "sqlite")("the copy before an upgrade", () => {
  // Invariant: an SQLite database with users is copied before a migration
  test("is complete or absent, and has the old data, however often the start is killed", async () => {
    const dataDir = await anOldInstallation();
    const backups = join(dataDir, "backups");
    const seen = new Set<string>();

    for (let kill = 0; kill < KILLS; kill++) {
      const child = start(dataDir);
      const before = copiesIn(dataDir).length;
      await until(child, () => copiesIn(dataDir).length > before || kill >= KILLS / 2);
      await Bun.sleep((kill * 37) % 300);
      child.kill("SIGKILL");
      await child.exited;

      const complete = copiesIn(dataDir).filter((name) => name.endsWith(".db"));
      for (const name of complete) {
        expect(migrationsIn(join(backups, name))).toEqual(OLD_NAMES);
        seen.add(name);
      }
      const isUpgrading = migrationsIn(join(dataDir, "qsolog.db")).length > OLD.length;
      if (isUpgrading) expect(complete).toHaveLength(1);
    }
    expect(await start(dataDir).exited).toBe(0);

    const [copy, ...others] = copiesIn(dataDir);
    expect([copy, others]).toEqual([expect.stringMatching(new RegExp(`-before-${FIRST_NEW}\\.db$`)), []]);
    expect(migrationsIn(join(backups, copy!))).toEqual(OLD_NAMES);
    expect(migrationsIn(join(dataDir, "qsolog.db"))).toHaveLength(MIGRATIONS.length);
  });

  test("is made only once if an interrupted upgrade continues", async () => {
    const dataDir = await anOldInstallation(aDirectory(), 1000);
    const db = await openDatabase(join(dataDir, "qsolog.db"), { time: SYSTEM_TIME });
    afterTest(() => db.close());
    const clock = testClock();
    const log = { info() {} } as never;
    const brokenOffAt = async (count: number) => {
      clock.advance(60_000);
      const migrations = [...MIGRATIONS.slice(0, count), { ...MIGRATIONS[count]!, up: "no SQL at all" }];
      await expect(migrateSafely(db, { dataDir } as never, clock, log, migrations)).rejects.toThrow();
      return copiesIn(dataDir);
    };

    const first = await brokenOffAt(5);
    const second = await brokenOffAt(8);
    const third = await brokenOffAt(12);
    clock.advance(60_000);
    await migrateSafely(db, { dataDir } as never, clock, log);

    expect(first).toEqual([expect.stringMatching(new RegExp(`-before-${FIRST_NEW}-upgrading\\.db$`))]);
    // Both copies were made before anything changed, so the newer one replaces the older.
    expect(second).toEqual([expect.stringMatching(new RegExp(`-before-${FIRST_NEW}-upgrading\\.db$`))]);
    expect(third).toEqual(second);
    expect(copiesIn(dataDir)).toEqual([second[0]!.replace("-upgrading", "")]);
    expect(migrationsIn(join(dataDir, "backups", copiesIn(dataDir)[0]!))).toEqual(OLD_NAMES);
  });

  test("is named when the server starts, and again when an older program meets the new database", async () => {
    const dataDir = await anOldInstallation();

    const { said, child } = await serving({ QSOLOG_DATA_DIR: dataDir });
    child.kill("SIGKILL");
    await child.exited;
    const copy = join(dataDir, "backups", copiesIn(dataDir)[0]!);
    const newer = new Database(join(dataDir, "qsolog.db"));
    newer.run("INSERT INTO migrations VALUES ('9999_later', 'x', 1)");
    newer.close();

    expect(said).toContain(`The database was upgraded. A copy from before is in ${copy}\n`);
    await expect(serving({ QSOLOG_DATA_DIR: dataDir })).rejects.toThrow(
      `(it has 9999_later). Update qsolog. Or go back to the copy made before the upgrade: qsolog db restore ${copy}`,
    );
  });

  test("is not started without enough disk space, and the message says how much it needs", async () => {
    const disk = aSmallDisk("64m");
    if (disk === null) return console.log("skipped: a small file system cannot be mounted here");
    await anOldInstallation(disk);
    writeFileSync(join(disk, "other"), Buffer.alloc(FILLING_BYTES));

    const child = start(disk);
    const said = await child.stderr.text();

    expect(await child.exited).not.toBe(0);
    expect(said).toMatch(/The copy needs \d+(\.\d+)? MB in \S+backups, but only \d+(\.\d+)? MB are free/);
    expect(copiesIn(disk)).toEqual([]);
    expect(migrationsIn(join(disk, "qsolog.db"))).toEqual(OLD_NAMES);
  });

  test("of a killed start is removed at the next start, and nothing else is", async () => {
    const dataDir = await anOldInstallation(aDirectory(), 1000);
    const backups = join(dataDir, "backups");
    mkdirSync(backups);
    const dead = Bun.spawnSync(["true"]).pid;
    const { getOwnTag } = await import("../../src/kernel/processes.ts");
    const place = getOwnTag().split("-")[0];
    const left = [`a.db.${place}-${dead}.partial`, `a.db.${place}-${dead}.partial-journal`];
    const kept = [`b.db.${getOwnTag()}.partial`, "film.123.partial", `c.db.00000000-${dead}.partial`, "notes.txt"];
    for (const name of [...left, ...kept]) writeFileSync(join(backups, name), "x");

    expect(await start(dataDir).exited).toBe(0);

    const [copies, others] = [/^qsolog-/, /^(?!qsolog-)/].map((which) =>
      copiesIn(dataDir).filter((name) => which.test(name)),
    );
    expect(others).toEqual(kept.sort());
    expect(copies).toHaveLength(1);
  });
});

/** A small file system, if this user can create one. */
const aSmallDisk = (size: string): string | null => {
  const path = aDirectory();
  if (Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path]).exitCode !== 0) return null;
  afterTest(() => {
    rmSync(join(path, "backups"), { recursive: true, force: true });
    Bun.spawnSync(["umount", path]);
  });
  return path;
};
