import { Database as Connection } from "bun:sqlite";
import type { Database } from "./database.ts";
import { listStatements } from "./migrate.ts";
import { many, raw, type Unit } from "./unit.ts";

const MAX_NAME_SHOWN = 60;

interface SchemaObject {
  type: string;
  name: string;
  /** The statement that created it; null if the engine did. */
  sql: string | null;
}

/**
 * The triggers, views, tables and indexes that the migrations did not create, or created differently. A trigger in a
 * restored database would run with every write.
 */
export const findUnexpectedObjects = async (db: Database): Promise<string[]> => {
  const expected = listExpectedObjects();
  const found = await db.read(() => (db.engine === "sqlite" ? listSqliteObjects() : listPostgresObjects()));
  const isExpected = ({ type, name, sql }: SchemaObject): boolean => {
    const known = expected.find((one) => one.type === type && one.name === name);
    if (known === undefined || sql === null) return known !== undefined || (type === "index" && sql === null);
    return normalise(known.sql) === normalise(sql);
  };
  return found
    .filter((object) => !isExpected(object))
    .map(({ type, name }) => `${type} ${name.slice(0, MAX_NAME_SHOWN)}`);
};

const listExpectedObjects = (): SchemaObject[] => {
  const empty = new Connection(":memory:");
  try {
    for (const statement of listStatements("sqlite")) empty.run(statement);
    return empty.query<SchemaObject, []>(LIST_OBJECTS).all();
  } finally {
    empty.close();
  }
};

/** Without SQLite's own tables for sequences and statistics, which cannot have triggers. */
const LIST_OBJECTS = `
  SELECT type, name, sql FROM sqlite_master
  WHERE NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')) ORDER BY type, name`;

const listSqliteObjects = (): Unit<SchemaObject[]> => many`${raw(LIST_OBJECTS)}`;

/** PostgreSQL does not keep statements, so tables are compared by name. */
const listPostgresObjects = (): Unit<SchemaObject[]> =>
  many`
    SELECT 'table' AS type, tablename AS name, NULL AS sql FROM pg_tables WHERE schemaname = current_schema()
    UNION ALL SELECT 'view', viewname, NULL FROM pg_views WHERE schemaname = current_schema()
    UNION ALL SELECT 'view', matviewname, NULL FROM pg_matviews WHERE schemaname = current_schema()
    UNION ALL SELECT 'rule', rulename, NULL FROM pg_rules WHERE schemaname = current_schema()
    UNION ALL SELECT 'trigger', t.tgname, NULL FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE NOT t.tgisinternal AND n.nspname = current_schema()
    ORDER BY 1, 2`;

/** Spaces, quotes and comments do not change what a statement creates. */
const normalise = (sql: string | null): string =>
  (sql ?? "")
    .replaceAll(/--[^\n]*/g, "")
    .replaceAll(/[\s"]/g, "")
    .toLowerCase();
