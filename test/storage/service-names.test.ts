import { expect, test } from "bun:test";
import { LABELS } from "../../src/domain/origins/labels.ts";
import { SERVICES } from "../../src/domain/jobs/source.ts";
import { many, type Unit } from "../../src/storage/engine/unit.ts";
import { ENGINE, testWorld } from "../support/world.ts";

/** Its columns are given by the specification. */
const SPECIFIED = "auto_sync_settings";

const NAMES = [...SERVICES, ...SERVICES.map((service) => LABELS[service].toLowerCase())];
const namesService = (text: string): boolean =>
  text
    .toLowerCase()
    .split(/[^a-z]+/)
    .some((word) => NAMES.includes(word));

interface Check {
  table: string;
  text: string;
}

function* checksOfDatabase(): Unit<Check[]> {
  if (ENGINE === "postgres") {
    return yield* many<Check>`
      SELECT CAST(CAST(conrelid AS regclass) AS TEXT) AS "table", pg_get_constraintdef(oid) AS text FROM pg_constraint
      WHERE contype = 'c' AND connamespace = CAST(current_schema() AS regnamespace)`;
  }
  const tables = yield* many<Check>`SELECT name AS "table", sql AS text FROM sqlite_master WHERE type = 'table'`;
  return tables.flatMap(({ table, text }) =>
    [...text.matchAll(/CHECK \((?:[^()]|\([^()]*\))*\)/g)].map(([check]) => ({ table, text: check })),
  );
}

const columnsOfDatabase = (): Unit<{ place: string }[]> =>
  ENGINE === "sqlite"
    ? many`SELECT t.name || '.' || c.name AS place FROM sqlite_master t JOIN pragma_table_info(t.name) c
           WHERE t.type = 'table'`
    : many`SELECT table_name || '.' || column_name AS place FROM information_schema.columns
           WHERE table_schema = current_schema()`;

test("no condition of a table names a service", async () => {
  const { db } = await testWorld();

  const checks = await db.read(checksOfDatabase);

  const naming = checks.filter(({ text }) => namesService(text)).map(({ table }) => table);
  expect(new Set(naming)).toEqual(new Set([SPECIFIED]));
  expect(checks.filter(({ table }) => table === "sync_jobs")).not.toEqual([]);
});

test("no index names a service", async () => {
  const { db } = await testWorld();

  const indexes = await db.read(() =>
    ENGINE === "sqlite"
      ? many<{ name: string; text: string }>`
          SELECT name, coalesce(sql, '') AS text FROM sqlite_master WHERE type = 'index' AND tbl_name <> ${SPECIFIED}`
      : many<{ name: string; text: string }>`
          SELECT indexname AS name, indexdef AS text FROM pg_indexes
          WHERE schemaname = current_schema() AND tablename <> ${SPECIFIED}`,
  );

  expect(indexes.filter(({ name, text }) => namesService(`${name} ${text}`))).toEqual([]);
  expect(indexes.length).toBeGreaterThan(20);
});

test("no column names a service", async () => {
  const { db } = await testWorld();

  const columns = (await db.read(columnsOfDatabase)).map(({ place }) => place).sort();

  const naming = columns.filter((place) => {
    const [table, column] = place.split(".");
    return table !== SPECIFIED && namesService(column!);
  });
  expect(naming).toEqual([]);
});
