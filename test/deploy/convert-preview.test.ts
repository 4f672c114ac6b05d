import { Database as Connection } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Witness } from "../../src/domain/awards/award.ts";
import { encodeConfirmedAs, encodeConfirmedTimes } from "../../src/domain/contact/confirmed.ts";
import { computeRecordedBy } from "../../src/domain/origins/bits.ts";
import { openDatabase } from "../../src/storage/engine/connect.ts";
import * as qsos from "../../src/storage/log/qsos.ts";
import * as tombstones from "../../src/storage/log/tombstones.ts";
import { many, snakeCase } from "../../src/storage/engine/unit.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { unpackPreview } from "../fixtures/preview/accounts.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { aConvertedPreview, convertPreview } from "../support/preview.ts";
import { aShell } from "../support/qsolog.ts";
import { readAll } from "../support/sync.ts";

setDefaultTimeout(60_000);

const open = (file: string) => {
  const db = new Connection(file, { readwrite: true });
  afterTest(() => db.close());
  return db;
};

type Masks = Record<"id" | "recorded" | "confirmed", number>;

const rowsOf = <Row>(db: Connection, sql: string): Row[] => db.query(sql).all() as Row[];

const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'";

/** A database of the preview, and where the new one goes. */
const aPreview = () => {
  const directory = aDirectory();
  unpackPreview(directory);
  return { directory, from: join(directory, "preview.db"), to: join(directory, "qsolog.db") };
};

test("every row of a preview is in the new database with its id", async () => {
  const { from, to, said } = await aConvertedPreview();

  expect(said).toContain("5 users, 3173 QSOs, 26 jobs");

  const [old, now] = [open(from), open(to)];
  const caches = ["migrations", "log_tallies", "log_years", "log_columns", "kept_answers", "mishaps"];
  const codes = ["password_links", "factor_challenges", "terminal_sign_ins"];
  const tables = rowsOf<{ name: string }>(old, TABLES).map(({ name }) => name);
  const columnsOf = (db: Connection, table: string) =>
    rowsOf<{ name: string }>(db, `SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name);
  const inRecords = ["first_layers", "second_layers", "qso_changes", "qso_pasts"];
  for (const table of tables.filter((name) => ![...caches, ...codes, ...inRecords].includes(name))) {
    const packed = ["record", "qsos"];
    const shared = columnsOf(old, table).filter(
      (name) => columnsOf(now, table).includes(name) && !packed.includes(name),
    );
    const everything = `SELECT ${shared.join(", ")} FROM ${table} ORDER BY ${shared.join(", ")}`;
    expect({ table, rows: rowsOf(now, everything) }).toEqual({ table, rows: rowsOf(old, everything) });
  }
  const [jobs, others] = [
    "job_id, count(*) AS n FROM qso_changes WHERE job_id IS NOT NULL",
    "count(*) AS n FROM qso_pasts",
  ];
  expect(rowsOf(now, `SELECT ${jobs} GROUP BY job_id`)).toEqual(rowsOf(old, `SELECT ${jobs} GROUP BY job_id`));
  expect(rowsOf(now, "SELECT count(*) AS n FROM qso_changes WHERE job_id IS NULL")).toEqual(
    rowsOf(old, `SELECT ${others}`),
  );
  expect(rowsOf(now, "SELECT hash, user_id, purpose, expires_at FROM one_time_codes")).toEqual(
    rowsOf(old, "SELECT token_hash AS hash, user_id, 'password_link' AS purpose, expires_at FROM password_links"),
  );
  const highest = `SELECT name, seq FROM sqlite_sequence WHERE name NOT IN ('records', 'qso_changes', 'qso_pasts')
                   ORDER BY name`;
  expect(rowsOf(now, highest)).toEqual(rowsOf(old, highest));
});

test("the bit masks of a converted contact agree with its records", async () => {
  const { from, to } = await aConvertedPreview();

  const db = await openDatabase(to, { time: SYSTEM_TIME });
  afterTest(() => db.close());
  const masks = await db.read(
    () => many<Masks>`SELECT id, recorded_by AS recorded, confirmed_by AS confirmed FROM qsos ORDER BY id`,
  );
  const contacts = await readAll(db, (afterId) => qsos.listOfAll(afterId, 10_000));

  const flags = "id, first_confirmed AS first, second_confirmed AS second, card_confirmed AS card";
  const said = rowsOf<Record<"id" | Witness, number>>(open(from), `SELECT ${flags} FROM qsos ORDER BY id`);
  expect(masks).toEqual(
    contacts.map((qso, at) => ({
      id: said[at]!.id,
      recorded: computeRecordedBy(qso),
      confirmed: said[at]!.first * 8 + said[at]!.second * 16 + said[at]!.card,
    })),
  );
  expect(new Set(masks.map(({ recorded }) => recorded)).size).toBeGreaterThan(5);
});

test("ids, times and places of confirmations are those of the preview", async () => {
  const { from, to } = await aConvertedPreview();

  const db = await openDatabase(to, { time: SYSTEM_TIME });
  afterTest(() => db.close());
  const contacts = await readAll(db, (afterId) => qsos.listOfAll(afterId, 10_000));
  const columns = await db.read(
    () => many<{ times: string | null; place: string | null }>`
      SELECT confirmed_times AS times, confirmed_as AS place FROM qsos ORDER BY id`,
  );

  const names = "firstId secondId firstConfirmedAt secondConfirmedAt firstEntity firstState firstZone firstGrids".split(
    " ",
  ) as "firstState"[];
  const known = rowsOf(
    open(from),
    `SELECT ${names.map((name) => `${snakeCase(name)} AS ${name}`).join(", ")} FROM qsos ORDER BY id`,
  );
  expect(contacts.map((qso) => Object.fromEntries(names.map((name) => [name, qso[name]])))).toEqual(known as []);
  expect(columns).toEqual(contacts.map((qso) => ({ times: encodeConfirmedTimes(qso), place: encodeConfirmedAs(qso) })));
  expect(columns.filter(({ place }) => place !== null).length).toBeGreaterThan(5);
  const deleted = rowsOf<Pick<tombstones.Tombstone, "id" | "firstId"> & { userId: number }>(
    open(from),
    `SELECT id, user_id AS userId, first_id AS firstId, second_id AS secondId FROM qso_tombstones
     WHERE merged_into IS NULL AND coalesce(first_id, second_id) IS NOT NULL ORDER BY id`,
  );
  for (const { userId, ...grave } of deleted) {
    expect((await db.read(() => tombstones.listThere(userId, grave.id - 1, 1)))[0]).toMatchObject(grave);
  }
  expect(deleted.length).toBeGreaterThan(0);
});

test("a command on a preview's database is refused with the name of the converter", async () => {
  const qsolog = aShell();
  unpackPreview(qsolog.dataDir, "qsolog.db");

  const { code, err } = await qsolog(["stats", "--user", "bob"]);

  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("bun deploy/convert-preview.ts OLD NEW") });
});

test.each<[string, RegExp, (db: Connection) => void]>([
  [
    "a preview with an unknown table",
    /does not know weather.rain/,
    (db) => db.run("CREATE TABLE weather (rain INTEGER)"),
  ],
  [
    "a preview with an unknown column",
    /does not know qsos.weather/,
    (db) => db.run("ALTER TABLE qsos ADD weather TEXT"),
  ],
  ["a preview that lacks a column", /does not know radios.state/, (db) => db.run("ALTER TABLE radios DROP state")],
  [
    "an older preview",
    /not a database of the last preview: its last migration is 0043/,
    (db) => db.run("DELETE FROM migrations WHERE name > '0044'"),
  ],
  [
    "a preview with a row of a user who is gone",
    /a row of radios refers to a missing row of users/,
    (db) => db.run("INSERT INTO radios (user_id, name, state, updated_at) VALUES (99, 'x', '{}', 1)"),
  ],
])("%s is refused, and no file is left", async (_, reason, change) => {
  const { directory, from, to } = aPreview();
  const db = new Connection(from, { readwrite: true });
  db.run("PRAGMA foreign_keys = OFF");
  change(db);
  db.close(true);
  const before = readdirSync(directory);

  const { code, said } = await convertPreview(from, to);

  expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(reason) });
  expect(readdirSync(directory)).toEqual(before);
});

test("a preview that is in use is refused", async () => {
  const { from, to } = aPreview();
  const db = open(from);
  db.run("PRAGMA journal_mode = WAL");
  rowsOf(db, "SELECT id FROM users");

  expect(await convertPreview(from, to)).toEqual({ code: 1, said: expect.stringContaining("is in use") });
  expect(existsSync(to)).toBe(false);
});

test("an existing target, a missing file and a foreign file are refused", async () => {
  const { directory, from, to } = aPreview();
  const letter = join(directory, "letter.txt");
  for (const file of [to, letter]) writeFileSync(file, "x");

  expect((await convertPreview(from, to)).said).toContain("qsolog.db already exists");
  expect((await convertPreview(join(directory, "no.db"), `${to}.2`)).said).toContain("There is no file");
  expect((await convertPreview(letter, `${to}.2`)).said).toContain("letter.txt is not a qsolog database");
});
