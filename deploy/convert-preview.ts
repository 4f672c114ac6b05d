// Copies the database of a preview, an SQLite file, into a new database of this program: bun deploy/convert-preview.ts OLD NEW
// The secret stays what it was. A server on PostgreSQL then gets the new database with `qsolog db move`.
import { Database as Connection, type SQLQueryBindings } from "bun:sqlite";
import { existsSync, renameSync, rmSync } from "node:fs";
import { WITNESSES } from "../src/domain/awards/award.ts";
import { AppError } from "../src/kernel/errors.ts";
import { ORIGIN_BITS, ORIGIN_IDS, WITNESS_BITS } from "../src/domain/origins/bits.ts";
import { SERVICES } from "../src/domain/jobs/source.ts";
import { migrate } from "../src/storage/engine/migrate.ts";
import { openDatabase } from "../src/storage/engine/connect.ts";
import { closeUp, damageIn, isSqlite } from "../src/storage/engine/sqlite-file.ts";
import { SYSTEM_TIME } from "../src/kernel/time.ts";
import { unpack } from "./preview/packed.ts";
import { convertRecords } from "./preview/records.ts";

const USAGE = 2;

const LAST_OF_PREVIEW = "0044_column_format";

/** How the old database was made, what is computed from the rest, and codes that end after five minutes. */
const CACHES = ["log_tallies", "log_years", "log_columns", "kept_answers"];
const LEFT_TABLES = ["migrations", ...CACHES, "factor_challenges", "terminal_sign_ins", "mishaps"];
const PLACE = ["entity", "state", "zone", "grids"];
const LEFT_COLUMNS = [
  "users.tallied_version",
  ...["first_qso", "last_qso", "is_whole", "qsos"].map((name) => `job_repeats.${name}`),
  ...WITNESSES.map((witness) => `qsos.${witness}_confirmed`),
  ...SERVICES.flatMap((service) => [
    `qsos.${service}_confirmed_at`,
    `qsos.${service}_id`,
    `qso_tombstones.${service}_id`,
  ]),
  ...PLACE.map((part) => `qsos.first_${part}`),
];

/** Columns that follow from others. What the owner said is packed: its part of `recorded_by` comes afterwards. */
const COMPUTED: Record<string, string> = {
  "qsos.confirmed_by": WITNESSES.map((witness) => `${witness}_confirmed * ${WITNESS_BITS[witness]}`).join(" + "),
  "qsos.confirmed_times": `nullif(json_patch('{}', json_object(${SERVICES.map(
    (service) => `'${ORIGIN_BITS[service]}', ${service}_confirmed_at`,
  ).join(", ")})), '{}')`,
  "qsos.confirmed_as": `CASE WHEN first_confirmed = 1
      AND (${PLACE.map((part) => `first_${part} IS NOT award_${part}`).join(" OR ")})
    THEN json_object('${ORIGIN_BITS.first}', json_remove(json_object(${PLACE.map(
      (part) => `'${part}', first_${part}`,
    ).join(", ")}), ${PLACE.map((part) => `iif(first_${part} IS award_${part}, '$.${part}', '$.none')`).join(", ")}))
    END`,
  "qsos.recorded_by": SERVICES.map(
    (service) => `(${service}_confirmed = 1 OR ${service}_id IS NOT NULL OR ${service} IS NOT NULL
      OR EXISTS (SELECT 1 FROM old.${service}_layers WHERE qso_id = qsos.id)) * ${ORIGIN_BITS[service]}`,
  ).join(" + "),
  "sync_jobs.upload_file": "NULL",
  // The records that were repeated are known afterwards.
  "job_repeats.from_id": "0",
  "job_repeats.to_id": "0",
  "job_repeats.records": "'[]'",
  "job_repeats.user_id": "(SELECT user_id FROM old.sync_jobs WHERE id = job_id)",
  "repair_targets.user_id": "(SELECT user_id FROM old.sync_jobs WHERE id = job_id)",
  "notices.user_id": "(SELECT user_id FROM old.notice_targets WHERE id = target_id)",
  // The first previews kept no number: none of a contact, so that what services called it can be kept.
  "qso_tombstones.qso_id": "coalesce(qso_id, -id)",
};

/** What origins said of contacts, and what changed: records and the changes that name them. */
const RECORDS = ["first_layers", "second_layers", "qso_changes", "qso_pasts"];
const IN_RECORDS = ["qsos.own", "qsos.first", "qsos.second", "qso_tombstones.row_before"];

/** Packed values that became JSON. */
const PACKED: Record<string, (bytes: Uint8Array) => unknown> = {
  "sync_leftovers.record": unpack,
};

/** Tables and columns that became a table of another form. */
const MOVED: Record<string, { into: string; as: string }> = {
  password_links: {
    into: "one_time_codes (hash, user_id, purpose, data, expires_at)",
    as: "SELECT token_hash, user_id, 'password_link', 'null', expires_at FROM old.password_links",
  },
};

/** Gives the number of rows of each table of the new database. */
const convert = async (from: string, to: string): Promise<Record<string, number>> => {
  assertConvertible(from, to);
  const draft = `${to}.incomplete`;
  removeFiles(draft);
  try {
    await createEmpty(draft);
    const counts = copy(from, draft);
    const damage = damageIn(draft);
    if (damage !== null) throw new AppError("invalid", `${from} is damaged: ${damage}.`);
    if (!closeUp(draft)) throw new AppError("conflict", `${draft} is in use by another program.`);
    renameSync(draft, to);
    return counts;
  } finally {
    removeFiles(draft);
  }
};

const assertConvertible = (from: string, to: string): void => {
  if (!existsSync(from)) throw new AppError("not_found", `There is no file ${from}.`);
  if (!isSqlite(from)) throw new AppError("invalid", `${from} is not a qsolog database.`);
  if (existsSync(to)) throw new AppError("conflict", `${to} already exists. Choose a new file.`);
  if (!closeUp(from)) throw new AppError("conflict", `${from} is in use. Stop every server and sync first.`);
};

const createEmpty = async (file: string): Promise<void> => {
  const db = await openDatabase(file, { time: SYSTEM_TIME });
  await migrate(db, Date.now());
  await db.close();
};

const removeFiles = (file: string): void => {
  for (const rest of ["", "-wal", "-shm", "-journal"]) rmSync(file + rest, { force: true });
};

const copy = (from: string, to: string): Record<string, number> => {
  const db = new Connection(to);
  try {
    // Rows name rows of tables that are copied later. The references are checked at the end.
    db.run("PRAGMA foreign_keys = OFF");
    db.run("ATTACH ? AS old", [from]);
    assertLastPreview(db, from);
    db.transaction(() => copyTables(db)).immediate();
    db.run("ANALYZE");
    return Object.fromEntries(tablesOf(db, "main").map((table) => [table, countOf(db, `main.${table}`)]));
  } finally {
    db.close();
  }
};

const assertLastPreview = (db: Connection, from: string): void => {
  if (!tablesOf(db, "old").includes("migrations")) throw new AppError("invalid", `${from} is not a qsolog database.`);
  const last = db.query<{ name: string }, []>("SELECT max(name) AS name FROM old.migrations").get()!.name;
  if (last === LAST_OF_PREVIEW) return;
  throw new AppError(
    "invalid",
    `${from} is not a database of the last preview: its last migration is ${last}, not ${LAST_OF_PREVIEW}.`,
  );
};

const copyTables = (db: Connection): void => {
  for (const table of tablesOf(db, "old")) {
    if (LEFT_TABLES.includes(table) || RECORDS.includes(table) || table in MOVED) continue;
    const columns = copiedColumns(db, table);
    const values = columns.map((name) => `${COMPUTED[`${table}.${name}`] ?? name} AS ${name}`);
    const old = `SELECT ${values.join(", ")} FROM old.${table}`;
    const packed = Object.keys(PACKED).find((name) => name.startsWith(`${table}.`));
    if (packed) copyPacked(db, packed, columns, old);
    else db.run(`INSERT INTO main.${table} (${columns.join(", ")}) ${old}`);
    assertAllCopied(table, countOf(db, `old.${table}`), countOf(db, `main.${table}`));
  }
  for (const [name, { into, as }] of Object.entries(MOVED)) {
    db.run(`INSERT INTO main.${into} ${as}`);
    assertAllCopied(name, countOf(db, `(${as})`), countOf(db, `main.${into.split(" ")[0]}`));
  }
  for (const service of SERVICES) {
    db.run(`INSERT OR IGNORE INTO main.qso_service_ids (user_id, origin, external_id, qso_id)
            SELECT user_id, ${ORIGIN_IDS[service]}, ${service}_id, id FROM old.qsos WHERE ${service}_id IS NOT NULL
            UNION ALL
            SELECT user_id, ${ORIGIN_IDS[service]}, ${service}_id, coalesce(qso_id, -id) FROM old.qso_tombstones
            WHERE ${service}_id IS NOT NULL`);
  }
  convertRecords(db);
  convertRepeats(db);
  addRecordsOfOwners(db);
  // Ids are never given twice, not even those of rows that are gone.
  db.run("DELETE FROM main.sqlite_sequence WHERE name NOT IN ('records', 'qso_changes')");
  db.run(`INSERT INTO main.sqlite_sequence (name, seq) SELECT name, seq FROM old.sqlite_sequence
          WHERE name <> 'qso_changes' AND name IN (SELECT name FROM main.sqlite_master)`);
};

interface OldRepeat {
  id: number;
  isWhole: number;
  qsos: Uint8Array;
}

/**
 * A preview noted the contacts that an import repeated. Where it repeated only a part of what files had said, that keeps
 * only the contact in the log, so the record counts that added it.
 */
const convertRepeats = (db: Connection): void => {
  const repeated = db.query<{ id: number }, [number, string, number]>(`
    SELECT r.id FROM main.records r JOIN main.job_repeats repeat ON repeat.id = ? JOIN main.sync_jobs j ON j.id = repeat.job_id
    WHERE r.qso_id IN (SELECT value FROM json_each(?)) AND r.origin = ${ORIGIN_IDS.file}
      AND r.received_at <= coalesce(j.finished_at, j.created_at)
      AND (? = 1 OR EXISTS (SELECT 1 FROM main.qso_changes c
                            WHERE c.qso_id = r.qso_id AND c.job_id = r.job_id AND c.change_type = 'added'))
    ORDER BY r.id`);
  const note = db.query("UPDATE main.job_repeats SET from_id = ?, to_id = ?, records = ? WHERE id = ?");
  for (const { id, isWhole, qsos } of db
    .query<OldRepeat, []>("SELECT id, is_whole AS isWhole, qsos FROM old.job_repeats")
    .all()) {
    const ids = repeated.all(id, JSON.stringify([...idsIn(qsos)]), isWhole).map((record) => record.id);
    note.run(ids[0] ?? 0, ids.at(-1) ?? 0, JSON.stringify(ids), id);
  }
};

/** Adds to `recorded_by` what the owner typed or imported. */
const addRecordsOfOwners = (db: Connection): void => {
  db.run(`
    UPDATE main.qsos SET recorded_by = recorded_by | coalesce((
      SELECT max(bit) | min(bit) FROM main.records r JOIN main.origins o ON o.id = r.origin
      WHERE r.qso_id = qsos.id AND r.outdated = 0 AND o.name IN ('own', 'file')), 0)`);
};

const copyPacked = (db: Connection, name: string, columns: readonly string[], old: string): void => {
  const [table, packed] = name.split(".") as [string, string];
  const rows = db.query<Record<string, SQLQueryBindings>, []>(old).all();
  const add = db.query(
    `INSERT INTO main.${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  for (const row of rows) {
    const text = JSON.stringify(PACKED[name]!(row[packed] as Uint8Array));
    add.run(...columns.map((column) => (column === packed ? text : row[column]!)));
  }
};

/** Ids in ascending order, each as its distance from the one before, of seven bits a byte. */
function* idsIn(packed: Uint8Array): Generator<number> {
  let [id, distance, scale] = [0, 0, 1];
  for (const byte of packed) {
    distance += (byte % 128) * scale;
    scale *= 128;
    if (byte >= 128) continue;
    id += distance;
    yield id;
    [distance, scale] = [0, 1];
  }
}

/** Refuses a column that only one of the databases has: nothing is left out by mistake. */
const copiedColumns = (db: Connection, table: string): string[] => {
  const [before, after] = [columnsOf(db, "old", table), columnsOf(db, "main", table)];
  const known = (name: string) => after.includes(name) || [...LEFT_COLUMNS, ...IN_RECORDS].includes(`${table}.${name}`);
  const unknown = [
    ...before.filter((name) => !known(name)),
    ...after.filter((name) => !before.includes(name) && !(`${table}.${name}` in COMPUTED)),
  ];
  if (unknown.length === 0) return after;
  throw new AppError("invalid", `The converter does not know ${unknown.map((name) => `${table}.${name}`).join(", ")}.`);
};

const assertAllCopied = (what: string, before: number, after: number): void => {
  if (before !== after) throw new Error(`${what}: ${before} rows became ${after}`);
};

const tablesOf = (db: Connection, schema: string): string[] =>
  db
    .query<{ name: string }, []>(
      `SELECT name FROM ${schema}.sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name`,
    )
    .all()
    .map(({ name }) => name);

const columnsOf = (db: Connection, schema: string, table: string): string[] =>
  db
    .query<{ name: string }, [string, string]>("SELECT name FROM pragma_table_info(?, ?)")
    .all(table, schema)
    .map(({ name }) => name);

const countOf = (db: Connection, source: string): number =>
  db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${source}`).get()!.rows;

const [from, to, ...more] = process.argv.slice(2);
if (from === undefined || to === undefined || more.length > 0) {
  console.error("Usage: bun deploy/convert-preview.ts OLD NEW");
  process.exit(USAGE);
}
try {
  const { users, qsos, sync_jobs: jobs } = await convert(from, to);
  console.log(`${to}: ${users} users, ${qsos} QSOs, ${jobs} jobs. It belongs to the same secret as ${from}.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
