import { AppError } from "../../kernel/errors.ts";
import type { Engine } from "./dialect.ts";
import * as installation from "./installation.ts";
import {
  countRows,
  exists,
  inList,
  insertMany,
  join,
  many,
  manyValues,
  maybeValue,
  one,
  raw,
  run,
  script,
  sql,
  standalone,
  where,
  type Unit,
  type Value,
} from "./unit.ts";

export interface MovedTable {
  name: string;
  columns: readonly string[];
  /** The columns of the primary key. */
  key: readonly string[];
  /** A column that refers to the same table. Rows without a reference are copied first. */
  own: string | null;
}

/** How much of a database has been copied. */
export interface Mark {
  from: string;
  table: string | null;
  /** The place of the last copied row. */
  after: Place | null;
}

export type Row = Record<string, Value>;

/** Where a row stands in its table: whether it refers to the table itself, then its primary key. */
export type Place = readonly Value[];

/** For PostgreSQL. */
export const tableNames = (): Unit<string[]> =>
  manyValues`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`;

/** Every migrated database has these rows already. */
const NOT_MOVED = ["migrations", "origins"];

/**
 * The tables to copy, referenced tables first, in the order of SQLite's schema. What only one engine has, such as tables that serve as an index, is built again.
 */
export function* movedTables(alsoThere: readonly string[]): Unit<MovedTable[]> {
  const known = yield* many<{ name: string }>`
    SELECT name FROM sqlite_schema WHERE type = 'table' AND NOT (name ${inList(NOT_MOVED)}) ORDER BY name`;
  const names = known.filter(({ name }) => alsoThere.includes(name));
  const tables: (MovedTable & { parents: string[] })[] = [];
  for (const { name } of names) {
    const columns = yield* many<{ name: string; pk: number }>`
      SELECT name, pk FROM pragma_table_info(${name}) ORDER BY cid`;
    const named = yield* many<{ parent: string; column: string }>`
      SELECT "table" AS parent, "from" AS "column" FROM pragma_foreign_key_list(${name})`;
    tables.push({
      name,
      columns: columns.map((column) => column.name),
      key: columns
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      own: named.find(({ parent }) => parent === name)?.column ?? null,
      parents: named.map(({ parent }) => parent).filter((parent) => parent !== name),
    });
  }
  return inOrder(tables);
}

const inOrder = (tables: readonly (MovedTable & { parents: string[] })[]): MovedTable[] => {
  const placed = new Map<string, MovedTable>();
  while (placed.size < tables.length) {
    const next = tables.find(({ name, parents }) => !placed.has(name) && parents.every((parent) => placed.has(parent)));
    if (!next) throw new Error("the tables name each other in a circle");
    const { parents: _, ...table } = next;
    placed.set(table.name, table);
  }
  return [...placed.values()];
};

export const countRowsOf = (table: string): Unit<number> => countRows`${raw(table)}`;

export const placeOf = ({ key, own }: MovedTable, row: Row): Place => [
  ...(own === null ? [] : [row[own] === null ? 0 : 1]),
  ...key.map((name) => row[name]!),
];

/** The next rows after a place. */
export function* sliceOf(table: MovedTable, after: Place | null, rows: number): Unit<Row[]> {
  const { name, columns, key, own } = table;
  const order = raw([...(own === null ? [] : [`CASE WHEN ${own} IS NULL THEN 0 ELSE 1 END`]), ...key].join(", "));
  const places = after?.map((value) => sql`${value}`);
  return yield* many<Row>`
    SELECT ${raw(columns.join(", "))} FROM ${raw(name)}
    ${where([places && sql`(${order}) > (${join(places, ", ")})`])} ORDER BY ${order} LIMIT ${rows}`;
}

/** Inserts rows and stores the progress in the same transaction. */
export function* insertSlice({ name }: MovedTable, rows: readonly Row[], mark: Mark): Unit<void> {
  yield* standalone(
    (function* () {
      yield* insertMany(name, rows);
      yield* setMark(mark);
    })(),
  );
}

const NAME = "moving";

export function* findMark(): Unit<Mark | null> {
  const kept = (yield* installation.isThere()) ? yield* installation.find(NAME) : null;
  return kept === null ? null : (JSON.parse(kept) as Mark);
}

export const setMark = (mark: Mark): Unit<void> => installation.replace(NAME, JSON.stringify(mark));

export const removeMark = (): Unit<void> => run`DELETE FROM installation WHERE name = ${NAME}`;

/** Whether it is the row that stores the progress of the move. */
export const isMark = (table: string, row: Row): boolean => table === "installation" && row.name === NAME;

/** Refuses a database that is only partly copied. */
export function* assertWhole(): Unit<void> {
  if ((yield* findMark()) === null) return;
  throw new AppError("conflict", "qsolog db move has not finished filling this database. Run it again.", {
    rule: "move_unfinished",
  });
}

/** The first table that is not empty. */
export function* firstFilled(tables: readonly MovedTable[]): Unit<string | null> {
  for (const { name } of tables) if (yield* exists`${raw(name)}`) return name;
  return null;
}

export function* empty(engine: Engine, tables: readonly MovedTable[]): Unit<void> {
  if (engine === "postgres") yield* script(`TRUNCATE ${tables.map(({ name }) => name).join(", ")} CASCADE`);
  else for (const { name } of [...tables].reverse()) yield* run`DELETE FROM ${raw(name)}`;
}

/** The highest id that each table ever assigned, because ids are never used twice. */
export function* highestIds(engine: Engine, tables: readonly MovedTable[]): Unit<Map<string, number>> {
  const highest = new Map<string, number>();
  for (const { name } of tables.filter(({ columns }) => columns.includes("id"))) {
    const last = engine === "sqlite" ? yield* lastOfSqlite(name) : yield* lastOfPostgres(name);
    if (last !== null) highest.set(name, last);
  }
  return highest;
}

const lastOfSqlite = (table: string): Unit<number | null> =>
  maybeValue`SELECT seq FROM sqlite_sequence WHERE name = ${table}`;

const sequenceOf = (table: string): Unit<string | null> => maybeValue`SELECT pg_get_serial_sequence(${table}, 'id')`;

function* lastOfPostgres(table: string): Unit<number | null> {
  const sequence = yield* sequenceOf(table);
  if (sequence === null) return null;
  const { last, used } = yield* one<{ last: number; used: number }>`
    SELECT last_value AS last, CASE WHEN is_called THEN 1 ELSE 0 END AS used FROM ${raw(sequence)}`;
  return used ? last : null;
}

export function* setHighestIds(engine: Engine, highest: ReadonlyMap<string, number>): Unit<void> {
  for (const [table, last] of highest) {
    if (engine === "postgres") {
      const sequence = yield* sequenceOf(table);
      if (sequence !== null) yield* many`SELECT setval(CAST(${sequence} AS regclass), CAST(${last} AS BIGINT))`;
    } else {
      yield* run`DELETE FROM sqlite_sequence WHERE name = ${table}`;
      yield* run`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${last})`;
    }
  }
}
