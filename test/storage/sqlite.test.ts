import { Database as Connection } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BACKGROUND_THREAD } from "../../src/worker/thread.ts";
import { removeSlice } from "../../src/people/users.ts";
import { SqliteDatabase } from "../../src/storage/engine/sqlite.ts";
import * as deletedUsers from "../../src/storage/people/deleted-users.ts";
import * as users from "../../src/storage/people/users.ts";
import { one, run, script } from "../../src/storage/engine/unit.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { afterTest } from "../support/cleanup.ts";
import { storeLog } from "../support/log-generator.ts";
import { aDirectory } from "../support/directory.ts";
import { aUser, ENGINE, testTime, testWorld } from "../support/world.ts";

describe.skipIf(ENGINE !== "sqlite")("the embedded engine", () => {
  // Invariant: a locked database does not block the process
  test("a database that stays locked gives unavailable, and the process keeps responding", async () => {
    const world = await testWorld({ giveUpAfterMs: 600 });
    const ann = await aUser(world, "ann");
    const other = new Connection(world.db.location);
    other.run("BEGIN IMMEDIATE");
    let beats = 0;
    const heart = setInterval(() => (beats += 1), 5);

    const writing = [1, 2, 3].map(() => world.db.write(() => users.setRole(ann.id, "admin")));
    const reading = await world.db.read(() => users.get(ann.id));
    const outcomes = await Promise.allSettled(writing);

    clearInterval(heart);
    other.run("ROLLBACK");
    other.close();
    expect(reading.role).toBe("user");
    expect(outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code)).toEqual(
      Array(3).fill("unavailable"),
    );
    expect(beats).toBeGreaterThan(3);
  });

  test("a locked database is retried every 20 ms for five seconds", async () => {
    const time = testTime();
    const world = await testWorld({ time });
    const ann = await aUser(world, "ann");
    const other = new Connection(world.db.location);
    other.run("BEGIN IMMEDIATE");
    const pauses: number[] = [];
    time.sleep = async (ms) => {
      pauses.push(ms);
      time.pass(1_000);
    };

    const outcome = await world.db.write(() => users.setRole(ann.id, "admin")).catch(({ code }) => code);

    other.run("ROLLBACK");
    other.close();
    expect(outcome).toBe("unavailable");
    expect(pauses).toEqual(Array(6).fill(20));
  });

  test("the write-ahead log does not grow during continuous writing", async () => {
    const { db } = await testWorld({ thread: true });
    await db.write(() => script("CREATE TABLE heap (bytes BLOB)"));
    const bytes = new Uint8Array(4_000_000);
    let longest = 0;

    for (let written = 0; written < 60; written++) {
      await db.write(() => run`INSERT INTO heap VALUES (${bytes})`);
      longest = Math.max(longest, statSync(`${db.location}-wal`).size);
      // Earlier tasks of the thread are done by now.
      await db.inWorker(removeSlice, { userId: 1, rows: 1 }, { userId: 1 });
    }

    expect(longest).toBeLessThan(100_000_000);
  });

  test("it is truncated when writing stops", async () => {
    const file = join(aDirectory(), "qsolog.db");
    let look = () => {};
    const time = { ...SYSTEM_TIME, every: (_: number, task: () => void) => ((look = task), () => {}) };
    const db = new SqliteDatabase(file, { time, backgroundThread: BACKGROUND_THREAD });
    afterTest(() => db.close());
    const size = () => statSync(`${file}-wal`).size;
    const rest = async () => {
      look();
      await db.copyTo(join(aDirectory(), "copy.db"));
    };
    await db.write(() => script("CREATE TABLE heap (bytes BLOB)"));
    for (let written = 0; written < 40; written++) {
      await db.write(() => run`INSERT INTO heap VALUES (${new Uint8Array(200_000)})`);
    }

    await rest();
    expect(size()).toBeGreaterThan(5_000_000);
    await rest();
    expect(size()).toBe(0);
    expect(await db.read(() => one`SELECT count(*) AS n FROM heap`)).toEqual({ n: 40 });
  });

  test("a writer that finds the database locked continues as soon as it is free", async () => {
    const world = await testWorld();
    const ann = await aUser(world, "ann");
    const other = new Connection(world.db.location);
    other.run("BEGIN IMMEDIATE");

    const writing = world.db.write(() => users.setRole(ann.id, "admin"));
    other.run("COMMIT");
    other.close();

    expect((await writing).isAdmin).toBe(true);
  });

  // Invariant: every process keeps its lock on the database
  test.skipIf(!existsSync("/proc/locks"))("the second thread keeps the process's lock on the database", async () => {
    const { db } = await testWorld({ thread: true });
    await db.write(users.touch);
    const file = `:${statSync(db.location).ino} `;
    const locks = () =>
      readFileSync("/proc/locks", "utf8")
        .split("\n")
        .filter((line) => line.includes(file)).length;
    expect(locks()).toBe(1);

    await db.analyze();

    expect(locks()).toBe(1);
  });

  test("an incremental analysis knows as much as a full one, and others write in between", async () => {
    const world = await testWorld();
    const { db } = world;
    const bob = await aUser(world, "bob");
    await storeLog(db, bob.id, { contacts: 200 });
    const other = new Connection(db.location);
    afterTest(() => other.close());
    let isDone = false;

    const analysis = db.analyze().then(() => (isDone = true));
    await SYSTEM_TIME.turn();
    other.run("BEGIN IMMEDIATE");
    expect(isDone).toBeFalse();
    other.run("ROLLBACK");
    await analysis;

    const known = () => other.query("SELECT idx, stat FROM sqlite_stat1 WHERE idx IS NOT NULL ORDER BY idx").values();
    const inParts = known();
    expect(inParts.length).toBeGreaterThan(5);
    other.run("ANALYZE");
    expect(inParts).toEqual(known());
  });

  test("an open connection uses the plan of a new analysis", async () => {
    const { db } = await testWorld({ thread: true });
    await db.write(() => script("CREATE TABLE t (a, b); CREATE INDEX t_a ON t (a); CREATE INDEX t_b ON t (b)"));
    const other = new Connection(db.location, { readonly: true });
    afterTest(() => other.close());
    const usedIndex = () => {
      // EXPLAIN runs no statement, and only running one makes a connection notice a schema change.
      other.query("SELECT a FROM t").all();
      const statement = other.prepare("EXPLAIN QUERY PLAN SELECT a FROM t WHERE a = 1 AND b = 1");
      const [{ detail }] = statement.all() as [{ detail: string }];
      statement.finalize();
      return /t_[ab]/.exec(detail)![0];
    };
    const before = usedIndex();
    // The column of the chosen index has a single value.
    const values = before === "t_a" ? "1, i" : "i, 1";
    await db.write(() =>
      script(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
              INSERT INTO t SELECT ${values} FROM n`),
    );

    await db.analyze();

    expect(usedIndex()).not.toBe(before);
  });

  // Invariant: a file that is not a database is left unchanged
  test("a file that is not a database is refused and left unchanged", () => {
    const file = join(aDirectory(), "notes.txt");
    writeFileSync(file, "my notes");

    expect(() => new SqliteDatabase(file, { time: SYSTEM_TIME })).toThrow("is not a qsolog database");
    expect(readFileSync(file, "utf8")).toBe("my notes");
  });

  test("a directory in place of the database is refused with a message", () => {
    expect(() => new SqliteDatabase(aDirectory(), { time: SYSTEM_TIME })).toThrow("is not a file");
    expect(() => new SqliteDatabase("/nowhere/at/all.db", { time: SYSTEM_TIME })).toThrow("Could not open");
  });

  test("work in the second thread sees the same data and returns its result", async () => {
    const world = await testWorld({ thread: true });
    const ann = await aUser(world, "ann");
    await world.db.write(() => deletedUsers.markDeleted(ann.id, world.clock()));

    const isDone = await world.db.inWorker(removeSlice, { userId: ann.id, rows: 10 }, { userId: ann.id });

    expect(isDone).toBe(true);
    expect(await world.db.read(deletedUsers.listDeleted)).toEqual([]);
  });

  test("an error in the second thread arrives unchanged", async () => {
    const world = await testWorld({ thread: true });

    const [unknown, copied] = await Promise.allSettled([
      world.db.inWorker({ ...removeSlice, name: "users.nothing" }, { userId: 1, rows: 1 }, { userId: 1 }),
      world.db.copyTo("/nowhere/copy.db"),
    ]);

    expect(unknown).toMatchObject({
      status: "rejected",
      reason: { message: expect.stringContaining("there is no work named") },
    });
    expect(copied).toMatchObject({ status: "rejected", reason: { code: "unavailable" } });
  });

  test("closing waits for running work in the second thread", async () => {
    const world = await testWorld({ thread: true });
    const copy = join(world.dataDir, "copy.db");

    const copying = world.db.copyTo(copy);
    await world.db.close();
    await copying;

    const opened = new SqliteDatabase(copy, { time: SYSTEM_TIME });
    expect(await opened.read(() => one`SELECT CAST(count(*) AS BIGINT) AS n FROM users`)).toEqual({ n: 0 });
    await opened.close();
  });
});
