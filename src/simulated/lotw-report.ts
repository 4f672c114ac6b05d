import { type LotwQuery, select } from "./lotw-query.ts";
import { REPORT_FIELDS, createField, type ReportField } from "./lotw-fields.ts";
import { formatStamp } from "./timestamps.ts";
import type { LotwQso } from "./store.ts";

/** Deviations from a correct report. */
export interface ReportFlaws {
  encoding?: "utf-8" | "latin1";
  lineEnd?: "\n" | "\r\n";
  withoutEof?: boolean;
  numrecOff?: number;
  /** The value for the newest record; null omits the field. */
  lastQsl?: string | null;
}

interface Report {
  query: LotwQuery;
  login: string;
  generatedAt: number;
  qsos: readonly LotwQso[];
  flaws?: ReportFlaws;
}

const CHUNK = 64 * 1024;
const KNOWN = new Set(REPORT_FIELDS.map(({ key }) => key));

/** A complete report in chunks, generated on demand, so that memory does not grow with the log. */
export function* createReport({ query, login, generatedAt, qsos, flaws = {} }: Report): Generator<Uint8Array> {
  const { encoding = "utf-8", lineEnd = "\n" } = flaws;
  const encode = (text: string) => Buffer.from(lineEnd === "\n" ? text : text.replaceAll("\n", lineEnd), encoding);
  const shown = REPORT_FIELDS.filter(({ detail }) => isShown(detail, query));
  const selected = select(query, qsos);

  let text = formatHeader(query, login, generatedAt, selected, flaws);
  for (const qso of selected) {
    text += record(qso, shown, query, encoding);
    if (text.length >= CHUNK) {
      yield encode(text);
      text = "";
    }
  }
  yield encode(flaws.withoutEof ? text : `${text}<APP_LoTW_EOF>\n\n`);
}

function formatHeader(
  query: LotwQuery,
  login: string,
  generatedAt: number,
  selected: LotwQso[],
  flaws: ReportFlaws,
): string {
  const { onlyConfirmed, since, sinceIsTheirs } = query;
  const [title, cursor] = onlyConfirmed ? ["QSL RX SINCE", "LASTQSL"] : ["QSO RX SINCE", "LASTQSORX"];
  const newest = selected.length === 0 ? null : onlyConfirmed ? selected[0].rxqsl : selected[0].rxqso;
  const last = newest === null ? null : flaws.lastQsl === undefined ? formatStamp(newest) : flaws.lastQsl;
  return [
    "ARRL Logbook of the World Status Report",
    `Generated at ${formatStamp(generatedAt)}`,
    `for ${login}`,
    "Query:",
    `    QSL ONLY: ${onlyConfirmed ? "YES" : "NO"}`,
    `${title}: ${formatStamp(since)} (${sinceIsTheirs ? "user" : "system"} ${sinceIsTheirs ? "supplied value" : "supplied default"})`,
    "",
    "<PROGRAMID:4>LoTW",
    ...(last === null ? [] : [tag(`APP_LoTW_${cursor}`, last), ""]),
    tag("APP_LoTW_NUMREC", String(selected.length + (flaws.numrecOff ?? 0))),
    "",
    "<eoh>",
    "\n",
  ].join("\n");
}

function record(qso: LotwQso, shown: ReportField[], query: LotwQuery, encoding: "utf-8" | "latin1"): string {
  let text = "";
  for (const field of shown) {
    const value = qso.fields[field.key];
    if (value !== undefined) text += formatLine(field, value, qso, encoding);
  }
  for (const key in qso.fields) {
    if (KNOWN.has(key)) continue;
    const field = createField(key);
    if (isShown(field.detail, query)) text += formatLine(field, qso.fields[key], qso, encoding);
  }
  return `${text}<eor>\n\n`;
}

function formatLine(field: ReportField, value: string, qso: LotwQso, encoding: "utf-8" | "latin1"): string {
  const comment = qso.comments === undefined ? field.comment?.(value, qso.fields) : qso.comments[field.key];
  return `${tag(field.name, value, encoding)}${comment === undefined ? "" : ` // ${comment}`}\n`;
}

function tag(name: string, value: string, encoding: "utf-8" | "latin1" = "utf-8"): string {
  return `<${name}:${Buffer.byteLength(value, encoding)}>${value}`;
}

function isShown(detail: ReportField["detail"], { details }: LotwQuery): boolean {
  return detail === "always" || details[detail];
}
