import { Database as Connection } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackPreview } from "../fixtures/preview/accounts.ts";
import { afterAllTests } from "../support/cleanup.ts";
import { convertPreview } from "../support/preview.ts";

let db: Connection;

/** A database in which everything has happened: 26 jobs including failures, rollbacks, repairs, merges and edits. */
beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-readable-"));
  unpackPreview(directory);
  await convertPreview(join(directory, "preview.db"), join(directory, "qsolog.db"));
  db = new Connection(join(directory, "qsolog.db"), { readonly: true });
  afterAllTests(() => {
    db.close();
    rmSync(directory, { recursive: true });
  });
}, 60_000);

const rowsOf = <Row>(sql: string): Row[] => db.query<Row, []>(sql).all();

const tables = () =>
  rowsOf<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'").map(
    ({ name }) => name,
  );

/** Encrypted with the secret. */
const SECRET = [
  "notice_targets.sealed",
  "passkeys.sealed",
  "service_credentials.sealed",
  "totp_secrets.pending",
  "totp_secrets.sealed",
];

/** JSON. */
const IS_JSON = /^[[{]/;

// Invariant: the database is readable with sqlite3
test("only secrets are stored as bytes, and every list and object is stored as JSON", () => {
  const bytes = new Set<string>();
  const broken: string[] = [];
  for (const table of tables()) {
    for (const row of rowsOf<Record<string, unknown>>(`SELECT * FROM ${table}`)) {
      for (const [name, value] of Object.entries(row)) {
        if (value instanceof Uint8Array) bytes.add(`${table}.${name}`);
        if (typeof value === "string" && IS_JSON.test(value) && name !== "allowed")
          if (!isJson(value)) broken.push(`${table}.${name}: ${value}`);
      }
    }
  }

  expect([...bytes].filter((name) => !SECRET.includes(name))).toEqual([]);
  expect(broken).toEqual([]);
  expect(rowsOf("SELECT id FROM records WHERE NOT json_valid(record)")).toEqual([]);
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const QUERIES = [
  ...readFileSync(join(import.meta.dir, "../../docs/queries.md"), "utf8").matchAll(/```sql\n(.*?)```/gs),
].map(([, sql]) => sql!);

test("docs/queries.md has ten queries", () => expect(QUERIES).toHaveLength(10));

test.each(QUERIES)("a query of docs/queries.md returns rows: %#", (sql) => {
  expect(rowsOf(sql.replace("FROM dbstat", "FROM (SELECT 'qsos' AS name, 4096 AS pgsize)")).length).toBeGreaterThan(0);
});
