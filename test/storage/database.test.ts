import { expect, test } from "bun:test";
import { SQL } from "bun";
import { AppError } from "../../src/kernel/errors.ts";
import {
  withSavepoint,
  lockUser,
  inList,
  insertForIds,
  insertMany,
  join,
  many,
  maybe,
  one,
  raw,
  run,
  script,
  sql,
  tableOf,
  updateMany,
  where,
  type Unit,
} from "../../src/storage/engine/unit.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import type { Database } from "../../src/storage/engine/database.ts";
import { lotw, sync } from "../support/sync.ts";
import { aUser, ENGINE, testWorld } from "../support/world.ts";

const aTable = async (given?: Database) => {
  const db = given ?? (await testWorld()).db;
  const types = ENGINE === "sqlite" ? ["INTEGER", "TEXT", "BLOB"] : ["BIGINT", "TEXT", "BYTEA"];
  await db.write(() => script(`CREATE TABLE things (id ${types[0]} PRIMARY KEY, name ${types[1]}, data ${types[2]})`));
  return db;
};

const total = function* (): Unit<number> {
  return (yield* one<{ n: number }>`SELECT CAST(count(*) AS BIGINT) AS n FROM things`).n;
};

test("a unit returns its value and its rows are stored", async () => {
  const db = await aTable();

  const value = await db.write(function* () {
    yield* run`INSERT INTO things (id, name) VALUES (${1}, ${"one"})`;
    return "done";
  });

  expect(value).toBe("done");
  expect(await db.read(() => many`SELECT id, name FROM things`)).toEqual([{ id: 1, name: "one" }]);
});

// Invariant: a unit commits completely or not at all
test("an exception in a write unit leaves nothing behind", async () => {
  const db = await aTable();

  const writing = db.write(function* () {
    yield* run`INSERT INTO things (id) VALUES (${1})`;
    throw new AppError("conflict", "no");
  });

  expect(writing).rejects.toThrow("no");
  await writing.catch(() => {});
  expect(await db.read(total)).toBe(0);
});

// Invariant: write units never interleave
test("units that read, compute and write never interleave", async () => {
  const db = await aTable();
  await db.write(() => run`INSERT INTO things (id, name) VALUES (${1}, ${"0"})`);

  await Promise.all(
    Array.from({ length: 12 }, () =>
      db.write(function* () {
        const { name } = yield* one<{ name: string }>`SELECT name FROM things WHERE id = ${1}`;
        yield* run`UPDATE things SET name = ${String(Number(name) + 1)} WHERE id = ${1}`;
      }),
    ).map(async (writing) => writing.catch((error) => expect(error.code).toBe("unavailable"))),
  );

  const { name } = await db.read(() => one<{ name: string }>`SELECT name FROM things WHERE id = ${1}`);
  if (ENGINE === "sqlite") expect(name).toBe("12");
  else expect(Number(name)).toBeGreaterThan(0);
});

test("many rows are inserted in order and return their ids", async () => {
  const db = await aTable();
  const rows = Array.from({ length: 2_500 }, (_, index) => ({ id: index + 1, name: `name ${index}`, data: null }));

  const ids = await db.write(() => insertForIds("things", rows));

  expect(ids).toEqual(rows.map(({ id }) => id));
  expect(await db.read(total)).toBe(2_500);
  expect(await db.write(() => insertForIds("things", []))).toEqual([]);
});

test("a list can be empty, short or longer than the parameter limit", async () => {
  const db = await aTable();
  const rows = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, name: `n${index + 1}` }));
  await db.write(() => insertMany("things", rows));

  const found = (list: readonly number[]) =>
    db.read(() => many<{ id: number }>`SELECT id FROM things WHERE id ${inList(list)} ORDER BY id`);
  const huge = Array.from({ length: 70_000 }, (_, index) => index + 50);

  expect(await found([])).toEqual([]);
  expect(await found([7, 3])).toEqual([{ id: 3 }, { id: 7 }]);
  expect(await found(huge)).toHaveLength(51);
  const byName = await db.read(() => many`SELECT id FROM things WHERE name ${inList(["n5", "O'Neil", ""])}`);
  expect(byName).toEqual([{ id: 5 }]);
});

// Defence: values are never part of SQL text
test("SQL fragments compose, and the same template accepts other fragments", async () => {
  const db = await aTable();
  await db.write(() =>
    insertMany("things", [
      { id: 1, name: "a" },
      { id: 2, name: "b" },
      { id: 3, name: null },
    ]),
  );
  const ids = (name: string | null, least: number) =>
    db.read(
      () =>
        many<{ id: number }>`SELECT id FROM things ${where([
          name === null ? null : sql`name = ${name}`,
          sql`id >= ${least}`,
        ])} ORDER BY ${raw("id")}`,
    );

  expect(await ids(null, 1)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(await ids("b", 1)).toEqual([{ id: 2 }]);
  expect(await ids("b", 3)).toEqual([]);

  const one = (value: number | null) =>
    db.read(() => many`SELECT id FROM things WHERE id = ${value === null ? sql`(SELECT 3)` : value}`);
  expect(await one(1)).toEqual([{ id: 1 }]);
  expect(await one(null)).toEqual([{ id: 3 }]);
  expect(await one(2)).toEqual([{ id: 2 }]);
  const either = join([sql`id = ${1}`, sql`id = ${2}`], " OR ");
  expect(await db.read(() => many`SELECT id FROM things WHERE ${either} ORDER BY id`)).toHaveLength(2);
});

test("text, bytes, null and large numbers are returned unchanged", async () => {
  const db = await aTable();
  const bytes = new Uint8Array([0, 1, 254, 255]);
  const text = "Zürich ☃ 'quoted' \\ %_";

  await db.write(() => run`INSERT INTO things (id, name, data) VALUES (${Date.UTC(2100, 0)}, ${text}, ${bytes})`);

  const row = await db.read(() => maybe<{ id: number; name: string; data: Uint8Array }>`SELECT * FROM things`);
  expect(row!.id).toBe(Date.UTC(2100, 0));
  expect(row!.name).toBe(text);
  expect([...row!.data]).toEqual([...bytes]);
  expect(await db.read(() => maybe`SELECT id FROM things WHERE name IS NULL`)).toBeNull();
});

test("a refused part of a unit is rolled back and the rest stays", async () => {
  const db = await aTable();

  await db.write(function* () {
    yield* run`INSERT INTO things (id) VALUES (${1})`;
    const done = yield* withSavepoint(
      function* () {
        yield* run`INSERT INTO things (id) VALUES (${2})`;
        throw new AppError("conflict", "refused", { rule: "x" });
      },
      (error) => error instanceof AppError,
    );
    expect(done).toHaveProperty("refused");
    yield* run`INSERT INTO things (id) VALUES (${3})`;
  });

  expect(await db.read(() => many`SELECT id FROM things ORDER BY id`)).toEqual([{ id: 1 }, { id: 3 }]);
});

// Invariant: a read unit sees one snapshot
test("a read unit sees one snapshot, whatever is committed meanwhile", async () => {
  const db = await aTable();
  const pause = ENGINE === "postgres" ? () => script("SELECT pg_sleep(0.3)") : function* () {};
  let writing: Promise<unknown> = Promise.resolve();

  const [before, after] = await db.read(function* () {
    const first = yield* total();
    writing = db.write(() => run`INSERT INTO things (id) VALUES (${1})`).catch((error) => error);
    yield* pause();
    return [first, yield* total()];
  });

  await writing;
  expect([before, after]).toEqual([0, 0]);
});

test("a read unit cannot write on a server engine", async () => {
  const db = await aTable();
  const writing = db.read(() => run`INSERT INTO things (id) VALUES (${1})`);
  if (ENGINE === "postgres") expect(writing).rejects.toThrow("read-only");
  await writing.catch(() => {});
  expect(await db.sizeBytes()).toBeGreaterThan(0);
});

test("only the named columns of rows are updated", async () => {
  const db = await aTable();
  const bytes = new Uint8Array([0, 34, 92, 255]);
  await db.write(() =>
    insertMany(
      "things",
      [1, 2, 3].map((id) => ({ id, name: `n${id}`, data: null })),
    ),
  );

  await db.write(() =>
    updateMany("things", [
      { id: 1, values: { name: '"{a,\\b}', data: null }, changed: ["name"] },
      { id: 3, values: { name: "n3", data: bytes }, changed: ["data"] },
      { id: 2, values: { name: "never", data: null }, changed: [] },
    ]),
  );

  const rows = await db.read(() => many<Record<string, unknown>>`SELECT id, name, data FROM things ORDER BY id`);
  expect(rows.map(({ id, name }) => [id, name])).toEqual([
    [1, '"{a,\\b}'],
    [2, "n2"],
    [3, "n3"],
  ]);
  expect(rows.map(({ data }) => data && [...(data as Uint8Array)])).toEqual([null, null, [...bytes]]);
});

test("a table of values finds rows with any values", async () => {
  const db = await aTable();
  const names = ["NULL", "a,b", '"', "\\", "", "é中😀", "{}"];
  await db.write(() =>
    insertMany(
      "things",
      names.map((name, id) => ({ id, name })),
    ),
  );

  const table = tableOf({ wanted: names, place: names.map((_, place) => place) });
  const found = await db.read(
    () => many`SELECT id FROM ${table} AS asked CROSS JOIN things WHERE name = wanted AND id = place ORDER BY id`,
  );

  expect(found).toEqual(names.map((_, id) => ({ id })));
});

/** How many of two concurrent writers were allowed to write; each checks that there is no row yet. */
const writersWhoMay = async (db: Database, writes: (may: () => Unit<boolean>) => Unit<boolean>): Promise<number> => {
  const may = function* (): Unit<boolean> {
    const isFirst = (yield* total()) === 0;
    if (isFirst) yield* run`INSERT INTO things (id) VALUES (${Math.floor(Math.random() * 1e9)})`;
    return isFirst;
  };
  const told = await Promise.all(Array.from({ length: 8 }, () => db.write(() => writes(may))));
  return told.filter(Boolean).length;
};

test("constraints across users hold, and those within one user", async () => {
  const world = await testWorld();
  const user = await aUser(world, "bob");
  const across = await aTable(world.db);
  expect(await writersWhoMay(across, (may) => may())).toBe(1);
  await across.write(() => run`DELETE FROM things`);

  expect(
    await writersWhoMay(across, function* (may) {
      yield* lockUser(user.id);
      return yield* may();
    }),
  ).toBe(1);
});

test.skipIf(ENGINE !== "postgres").each([
  [10, {}],
  [3, { maxConnections: 3 }],
])(
  "a process opens %d connections at most, and runs more queries than that at the same time",
  async (most, options) => {
    const { config } = await testWorld();
    const db = await openDatabase(config.databaseUrl, { time: SYSTEM_TIME, ...options });
    const outside = new SQL(config.databaseUrl, { max: 1 });
    const made = async () => {
      const [{ n }] = await outside.unsafe(
        "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'qsolog'",
      );
      return Number(n);
    };
    const read = () => db.read(() => one<{ n: number }>`SELECT 1 AS n FROM pg_sleep(0.05)`);

    expect(await Promise.all(Array.from({ length: 40 }, read))).toHaveLength(40);
    expect(await made()).toBe(most);
    await db.close();
    expect(await db.read(() => one`SELECT 1`).catch((error: unknown) => error)).toMatchObject({
      code: "unavailable",
    });
    await outside.close();
  },
);

test.skipIf(ENGINE !== "postgres")("NUL, which PostgreSQL cannot store, is never sent to it", async () => {
  const db = await aTable();

  await db.write(() => run`INSERT INTO things (id, name) VALUES (${1}, ${"a\0b"})`);
  await db.write(() => insertMany("things", [{ id: 2, name: "c\0d" }]));

  const found = await db.read(() => many`SELECT name FROM things WHERE name ${inList(["a\0b", "cd"])} ORDER BY id`);
  expect(found).toEqual([{ name: "ab" }, { name: "cd" }]);
});

test.skipIf(ENGINE !== "postgres")("a vacuum blocked by another user's transaction is repeated later", async () => {
  const world = await testWorld();
  const db = await aTable(world.db);
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `contact ${id} `.repeat(8) }));
  const pages = async (until: (found: { all: number; hidden: number }) => boolean) => {
    for (;;) {
      await db.analyze();
      const found = await db.read(
        () => one<{ all: number; hidden: number }>`
            SELECT relpages AS all, relpages - relallvisible AS hidden FROM pg_class WHERE relname = 'things'`,
      );
      if (until(found)) return found;
      await Bun.sleep(100);
    }
  };
  const older = await new SQL(world.config.databaseUrl, { max: 1 }).reserve();
  await older.unsafe("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await older.unsafe("SELECT 1 FROM users");
  await db.write(() => insertMany("things", rows));

  const before = await pages(({ all }) => all > 0);
  await older.unsafe("COMMIT");
  const after = await pages(({ hidden }) => hidden === 0);

  expect([before.hidden, after.all]).toEqual([before.all, before.all]);
  older.release();
});

test("the longest possible contact fits into the indexes", async () => {
  const world = await testWorld();
  const user = await aUser(world, "bob");
  let seed = 1;
  const letter = () => String.fromCharCode(65 + ((seed = (seed * 48_271) % 2_147_483_647) % 26));
  const word = (length: number) => Array.from({ length }, letter).join("");
  const credits = Array.from({ length: 1_500 }, () => `DXCC${word(12)}`).join(",");
  const record = lotw("K1ABC", "2026-07-18 01:43", {
    CREDIT_GRANTED: credits,
    APP_LOTW_CREDIT_GRANTED: credits,
    STATE: word(60),
    PFX: word(60),
    IOTA: "EU-001",
    PROP_MODE: "SAT",
    SAT_NAME: word(60),
    VUCC_GRIDS: Array.from({ length: 300 }, (_, n) => `JN${String(n % 100).padStart(2, "0")}`).join(","),
    NAME: word(2_000),
    COMMENT: "中".repeat(2_000),
  });

  expect(await sync(world, user.id, "first", [record])).toMatchObject({ status: "completed", stats: { added: 1 } });
});
