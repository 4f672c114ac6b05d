import { SQL } from "bun";
import { migrate } from "../../src/storage/engine/migrate.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { afterAllTests, afterTest } from "./cleanup.ts";

const TEMPLATE = "migrated";
const TEMPLATE_LOCK = 1;
const PATIENCE_MS = 10_000;

const serverUrl = (): string => process.env.QSOLOG_TEST_POSTGRES!;

const urlOf = (name: string): string => Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).toString();

/** The server's connection that all tests of a file share. */
let server: SQL | null = null;

const onServer = (text: string): Promise<any[]> => {
  if (server === null) {
    const opened = new SQL(serverUrl(), { max: 1 });
    server = opened;
    afterAllTests(() => {
      server = null;
      return opened.close();
    });
  }
  return server.unsafe(text);
};

/** A PostgreSQL database that is dropped together with its server. */
export const createPostgresDatabase = async (from = "template1"): Promise<{ name: string; url: string }> => {
  const name = `t${process.pid}_${Bun.randomUUIDv7().replaceAll("-", "")}`;
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${from}`);
  return { name, url: urlOf(name) };
};

const nameIn = (url: string): string => new URL(url).pathname.slice(1);

/** Resolves when nobody is connected any more: a killed program can leave a running statement. */
export const untilLeft = async (url: string): Promise<void> => {
  const asked = `SELECT 1 FROM pg_stat_activity WHERE datname = '${nameIn(url)}'`;
  for (const giveUpAt = Date.now() + PATIENCE_MS; (await onServer(asked)).length > 0; await Bun.sleep(5)) {
    if (Date.now() > giveUpAt) throw new Error("somebody stays in the database");
  }
};

/** A copy of a database. Clients of the original are disconnected and can reconnect. */
export const copyOfPostgresDatabase = async (url: string): Promise<string> => {
  const name = nameIn(url);
  await onServer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  try {
    await onServer(`SELECT pg_terminate_backend(pid, ${PATIENCE_MS}) FROM pg_stat_activity WHERE datname = '${name}'`);
    return (await createPostgresDatabase(name)).url;
  } finally {
    await onServer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  }
};

let template: Promise<void> | null = null;

/** Created by the first process that needs it. */
const makeTemplate = async (migratedAt: number): Promise<void> => {
  const sql = new SQL(serverUrl(), { max: 1 });
  await sql.unsafe(`SELECT pg_advisory_lock(${TEMPLATE_LOCK})`);
  try {
    const [known] = await sql.unsafe(`SELECT 1 FROM pg_database WHERE datname = '${TEMPLATE}'`);
    if (known) return;
    const made = await createPostgresDatabase();
    const db = await openDatabase(made.url, { time: SYSTEM_TIME });
    await migrate(db, migratedAt);
    await db.close();
    await sql.unsafe(`ALTER DATABASE ${made.name} RENAME TO ${TEMPLATE}`);
  } finally {
    await sql.close();
  }
};

/** A database that tests use one after the other, and the connection that cleans it in between. */
interface Used {
  url: string;
  sql: SQL;
  shape: string;
}

const clean: Used[] = [];

/** The URL of a migrated database that is unused or was cleaned. */
export const aPostgresDatabase = async (migratedAt: number): Promise<string> => {
  const database = clean.pop() ?? (await aCopy(migratedAt));
  afterTest(async () => {
    if (await cleaned(database)) clean.push(database);
    else await database.sql.close();
  });
  return database.url;
};

const aCopy = async (migratedAt: number): Promise<Used> => {
  await (template ??= makeTemplate(migratedAt));
  const { url } = await createPostgresDatabase(TEMPLATE);
  // Foreign keys are not checked while everything is deleted.
  const sql = new SQL(url, { max: 1, connection: { session_replication_role: "replica" } });
  afterAllTests(() => {
    clean.length = 0;
    return sql.close();
  });
  return { url, sql, shape: await shapeOf(sql) };
};

/** Everything other than rows that a test can leave behind. */
const shapeOf = async (sql: SQL): Promise<string> => {
  const [{ shape }] = await sql.unsafe(`
    SELECT concat(
      (SELECT md5(string_agg(name || hash || applied_at, ',' ORDER BY name)) FROM migrations),
      (SELECT md5(string_agg(relname || coalesce(reloptions::text, ''), ',' ORDER BY oid))
       FROM pg_class WHERE relnamespace = 'public'::regnamespace),
      (SELECT count(*) FROM pg_extension), (SELECT count(*) FROM pg_trigger), (SELECT count(*) FROM pg_db_role_setting),
      (SELECT md5(string_agg(c.relname || a.attname || a.atttypid || a.attnotnull || a.attisdropped, ',' ORDER BY c.oid, a.attnum))
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relnamespace = 'public'::regnamespace)) AS shape`);
  return shape;
};

/** Disconnects clients and deletes every row. Returns false if a test has changed more than rows. */
const cleaned = async ({ sql, shape }: Used): Promise<boolean> => {
  try {
    await sql.unsafe(`
      SELECT pg_terminate_backend(pid, ${PATIENCE_MS}) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    if ((await shapeOf(sql)) !== shape) return false;
    for (const { name, pages } of await filledTables(sql)) {
      await sql.unsafe(pages > MAX_PAGES_TO_DELETE ? `TRUNCATE ${name} CASCADE` : `DELETE FROM ${name}`);
    }
    await sql.unsafe(`
      SELECT setval(format('%I', sequencename)::regclass, start_value, false)
      FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`);
    return true;
  } catch {
    return false;
  }
};

/** For few rows DELETE takes a tenth of the time of TRUNCATE, which recreates the table and its indexes. */
const MAX_PAGES_TO_DELETE = 16;

const filledTables = async (sql: SQL): Promise<{ name: string; pages: number }[]> => {
  const tables = await sql.unsafe(`
    SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'origins') ORDER BY 1`);
  const questions = tables.map(
    ({ name }: { name: string }) =>
      `SELECT '${name}' AS name, pg_relation_size('${name}') / 8192 AS pages WHERE EXISTS (SELECT 1 FROM ${name})`,
  );
  const filled = await sql.unsafe(questions.join(" UNION ALL "));
  return filled.map(({ name, pages }: { name: string; pages: string }) => ({ name, pages: Number(pages) }));
};
