import { expect, test } from "bun:test";
import { AppError } from "../../src/domain/errors.ts";
import {
  attempt,
  inList,
  insertMany,
  join,
  many,
  maybe,
  one,
  raw,
  run,
  script,
  sql,
  where,
  type Unit,
} from "../../src/storage/unit.ts";
import { ENGINE, testWorld } from "../support/world.ts";

const aTable = async () => {
  const { db } = await testWorld();
  const types = ENGINE === "sqlite" ? ["INTEGER", "TEXT", "BLOB"] : ["BIGINT", "TEXT", "BYTEA"];
  await db.write(() => script(`CREATE TABLE things (id ${types[0]} PRIMARY KEY, name ${types[1]}, data ${types[2]})`));
  return db;
};

const total = function* (): Unit<number> {
  return (yield* one<{ n: number }>`SELECT CAST(count(*) AS BIGINT) AS n FROM things`).n;
};

test("a unit gives its value and its rows are there afterwards", async () => {
  const db = await aTable();

  const value = await db.write(function* () {
    yield* run`INSERT INTO things (id, name) VALUES (${1}, ${"one"})`;
    return "done";
  });

  expect(value).toBe("done");
  expect(await db.read(() => many`SELECT id, name FROM things`)).toEqual([{ id: 1, name: "one" }]);
});

// Invariant: a unit is whole or not there at all
test("a throw in a write unit leaves nothing of it behind", async () => {
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
test("units that read, think and write never interleave", async () => {
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

test("many rows are inserted in order and give what they return", async () => {
  const db = await aTable();
  const rows = Array.from({ length: 2_500 }, (_, index) => [index + 1, `name ${index}`, null] as const);

  const given = await db.write(() =>
    insertMany<{ id: number }>("things", ["id", "name", "data"], rows, "RETURNING id"),
  );

  expect(given.map(({ id }) => id)).toEqual(rows.map(([id]) => id));
  expect(await db.read(total)).toBe(2_500);
  expect(await db.write(() => insertMany("things", ["id"], []))).toEqual([]);
});

test("a list may be empty, short or longer than any number of parameters", async () => {
  const db = await aTable();
  const rows = Array.from({ length: 100 }, (_, index) => [index + 1, `n${index + 1}`] as const);
  await db.write(() => insertMany("things", ["id", "name"], rows));

  const found = (list: readonly number[]) =>
    db.read(() => many<{ id: number }>`SELECT id FROM things WHERE id ${inList(list)} ORDER BY id`);
  const huge = Array.from({ length: 70_000 }, (_, index) => index + 50);

  expect(await found([])).toEqual([]);
  expect(await found([7, 3])).toEqual([{ id: 3 }, { id: 7 }]);
  expect(await found(huge)).toHaveLength(51);
  const byName = await db.read(() => many`SELECT id FROM things WHERE name ${inList(["n5", "O'Neil", ""])}`);
  expect(byName).toEqual([{ id: 5 }]);
});

// Defence: values never become SQL
test("pieces of SQL compose, and the same template may carry another piece next time", async () => {
  const db = await aTable();
  await db.write(() =>
    insertMany(
      "things",
      ["id", "name"],
      [
        [1, "a"],
        [2, "b"],
        [3, null],
      ],
    ),
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

test("text, bytes, nothing and large numbers come back as they went in", async () => {
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

test("a refused part of a unit is taken back and the rest of the unit stays", async () => {
  const db = await aTable();

  await db.write(function* () {
    yield* run`INSERT INTO things (id) VALUES (${1})`;
    const done = yield* attempt(
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

// Invariant: a read unit sees one moment
test("a read unit sees one moment, whatever is committed meanwhile", async () => {
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

test("a unit that only reads cannot write on a server engine", async () => {
  const db = await aTable();
  const writing = db.read(() => run`INSERT INTO things (id) VALUES (${1})`);
  if (ENGINE === "postgres") expect(writing).rejects.toThrow("read-only");
  await writing.catch(() => {});
  expect(await db.sizeBytes()).toBeGreaterThan(0);
});
