import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FIELDS_OF_CONFIRMATIONS } from "../../src/domain/contact/confirmed.ts";
import { FIELD_NAMES, getField } from "../../src/domain/contact/fields.ts";
import { ID_COLUMN } from "../../src/domain/contact/qso.ts";
import { camelCase, many, type Unit } from "../../src/storage/engine/unit.ts";
import { ENGINE, testWorld } from "../support/world.ts";

type Kind = "number" | "text" | "bytes";

const KINDS: Record<string, Kind> = {
  INTEGER: "number",
  INT: "number",
  REAL: "number",
  TEXT: "text",
  BLOB: "bytes",
  bigint: "number",
  "double precision": "number",
  text: "text",
  bytea: "bytes",
};

interface Column {
  table: string;
  name: string;
  type: string;
  isNullable: number;
}

const columnsOfDatabase = (): Unit<Column[]> =>
  ENGINE === "sqlite"
    ? many<Column>`
        SELECT t.name AS "table", c.name, c.type, c."notnull" = 0 AND c.pk = 0 AS "isNullable"
        FROM sqlite_master t JOIN pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'`
    : many<Column>`
        SELECT table_name AS "table", column_name AS name, data_type AS type,
               CASE is_nullable WHEN 'YES' THEN 1 ELSE 0 END AS "isNullable"
        FROM information_schema.columns WHERE table_schema = current_schema()`;

const lineOf = (table: string, column: string, kind: Kind | undefined, isNullable: boolean): string =>
  `${table}.${column}: ${kind}${isNullable ? " or null" : ""}`;

/** The columns that follow from the fields of a contact. */
const columnsOfFields = (): string[] =>
  FIELD_NAMES.filter((name) => !FIELDS_OF_CONFIRMATIONS.has(name) && !IDS.includes(name)).map((name) => {
    const { kind, isNullable } = getField(name).holds;
    return lineOf("qsos", name, kind === "text" ? "text" : "number", isNullable);
  });

const IDS: readonly string[] = Object.values(ID_COLUMN);

/** The format of `rows.ts`: a table is indented by two spaces, a column by four. */
const columnsOfTypes = (): string[] => {
  const text = readFileSync(join(import.meta.dir, "../../src/storage/engine/rows.ts"), "utf8");
  const lines = columnsOfFields();
  let table = "";
  for (const [, indent, name, type] of text.matchAll(/^( {2,4})(\w+): (.+?);?$/gm)) {
    if (indent === "  ") table = name!;
    else {
      const kind = type!.includes("Uint8Array") ? "bytes" : type!.includes("number") ? "number" : "text";
      lines.push(lineOf(table, name!, kind, type!.endsWith("| null")));
    }
  }
  return lines.sort();
};

// Invariant: row types match the columns of their tables
test("the type of each row has the columns of its table, on both engines", async () => {
  const { db } = await testWorld();

  const columns = await db.read(columnsOfDatabase);

  expect(columnsOfTypes()).toEqual(
    columns
      .map(({ table, name, type, isNullable }) => lineOf(table, camelCase(name), KINDS[type], isNullable === 1))
      .sort(),
  );
});
