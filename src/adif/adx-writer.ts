import type { AdifRecord, UserDef } from "../domain/adif-record.ts";
import { headerFacts, type HeaderFacts } from "./writer.ts";

/** What XML has no place for. */
// eslint-disable-next-line no-control-regex
const UNWRITABLE =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replace(UNWRITABLE, "").replace(/[&<>"]/g, (sign) => ESCAPES[sign]!);

/** The beginning of a log in XML, up to its records. */
export const writeAdxHeader = (facts: HeaderFacts): string => {
  const fields = headerFacts(facts).map(([name, value]) => `    <${name}>${escaped(value)}</${name}>`);
  const defined = (facts.userDefs ?? []).map(userDefOf);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<ADX>",
    "  <HEADER>",
    ...fields,
    ...defined,
    "  </HEADER>",
    "  <RECORDS>",
    "",
  ].join("\n");
};

const userDefOf = ({ name, type, values }: UserDef, index: number): string => {
  const typed = type === undefined ? "" : ` TYPE="${escaped(type)}"`;
  const kind = values?.includes(":") ? "RANGE" : "ENUM";
  const allowed = values === undefined ? "" : ` ${kind}="${escaped(values)}"`;
  return `    <USERDEF FIELDID="${index + 1}"${typed}${allowed}>${escaped(name)}</USERDEF>`;
};

export const writeAdxRecord = ({ fields, types }: AdifRecord, userDefs: ReadonlySet<string>): string => {
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === "" ? [] : [`      ${elementOf(name, value, types?.[name], userDefs)}\n`],
  );
  return `    <RECORD>\n${lines.join("")}    </RECORD>\n`;
};

const elementOf = (name: string, value: string, type: string | undefined, userDefs: ReadonlySet<string>): string => {
  const typed = type === undefined ? "" : ` TYPE="${escaped(type)}"`;
  const [, program, field] = /^APP_([^_]+)_(.+)$/.exec(name) ?? [];
  if (program !== undefined) {
    return `<APP PROGRAMID="${escaped(program)}" FIELDNAME="${escaped(field!)}"${typed}>${escaped(value)}</APP>`;
  }
  if (userDefs.has(name) || !/^[A-Z_][A-Z0-9_]*$/.test(name)) {
    return `<USERDEF FIELDNAME="${escaped(name)}"${typed}>${escaped(value)}</USERDEF>`;
  }
  return `<${name}>${escaped(value)}</${name}>`;
};

export const ADX_END = "  </RECORDS>\n</ADX>\n";
