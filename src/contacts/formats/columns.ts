import { formatCsvCell } from "../../kernel/csv.ts";
import { invalidField } from "../../kernel/errors.ts";
import { isFieldName } from "../../domain/contact/field-name.ts";
import { isField, PLAIN_NAMES } from "../../domain/contact/fields.ts";
import { formatIsoDate } from "../../kernel/instant.ts";
import { megahertz } from "../../domain/radio/band.ts";
import { toQsoView, type QsoView } from "../../domain/contact/qso-view.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import { exportRecord } from "../../domain/contact/export-record.ts";
import type { ExportContext, Format } from "./format.ts";

/** Columns that are not fields of a contact. */
const OTHERS = ["id", "entity", "confirmation", "createdAt", "updatedAt"] as const;

const USUAL = (
  "id startedAt call band freqHz mode submode stationCallsign rstSent rstRcvd " +
  "dxcc entity state gridsquare name qth comment confirmation"
).split(" ");

const MAX_COLUMNS = 200;

/** Parses comma-separated columns, by our names or ADIF names. */
export const parseColumns = (text: string | undefined): string[] | null => {
  if (text === undefined) return null;
  const names = text.split(",").map((name) => name.trim());
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated !== undefined) throw invalidField("columns", `The column ${JSON.stringify(repeated)} is named twice.`);
  if (names.length > MAX_COLUMNS) throw invalidField("columns", `An export can have at most ${MAX_COLUMNS} columns.`);
  const isKnown = (name: string) =>
    (OTHERS as readonly string[]).includes(name) || (PLAIN_NAMES as string[]).includes(name) || isFieldName(name);
  const strange = names.find((name) => !isKnown(name));
  if (strange !== undefined) throw invalidField("columns", `There is no column ${JSON.stringify(strange)}.`);
  return names;
};

const getValue = (name: string, view: QsoView, fields: () => Record<string, string>): unknown =>
  isField(name) || (OTHERS as readonly string[]).includes(name)
    ? (view[name as keyof QsoView] ?? null)
    : (fields()[name] ?? null);

/** The values of the columns. A name that only ADIF has is read from the exported record. */
const getValues = (qso: Qso, columns: readonly string[]): unknown[] => {
  const view = toQsoView(qso);
  let fields: Record<string, string> | null = null;
  return columns.map((name) => getValue(name, view, () => (fields ??= exportRecord(qso).fields)));
};

const getColumns = ({ columns }: ExportContext): readonly string[] => columns ?? USUAL;

/** Comma-separated values for spreadsheets. Times are UTC, frequencies in megahertz. */
export const csv: Format = {
  type: "text/csv; charset=utf-8",
  extension: "csv",
  head: (context) => `${getColumns(context).join(",")}\r\n`,
  row(qso, context) {
    const columns = getColumns(context);
    return `${getValues(qso, columns)
      .map((value, at) => formatCell(columns[at]!, value))
      .join(",")}\r\n`;
  },
  tail: () => "",
};

const formatCell = (name: string, value: unknown): string => formatCsvCell(formatValue(name, value));

const formatValue = (name: string, value: unknown): string => {
  if (value === null || value === undefined) return "";
  if (name.endsWith("At"))
    return `${formatIsoDate(Number(value))} ${new Date(Number(value)).toISOString().slice(11, 19)}`;
  return name === "freqHz" ? megahertz(Number(value)) : String(value);
};

/** One JSON document per line: the whole contact, or the chosen columns. */
export const jsonl: Format = {
  type: "application/jsonl; charset=utf-8",
  extension: "jsonl",
  head: () => "",
  row(qso, { columns }) {
    if (columns === null) return `${JSON.stringify(toQsoView(qso))}\n`;
    const values = getValues(qso, columns);
    return `${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, values[at]])))}\n`;
  },
  tail: () => "",
};
