import type { AdifRecord, UserDef } from "../domain/contact/adif-record.ts";
import { typeLetter } from "../domain/contact/field-name.ts";
import { headerFacts, writableDefs, isWritable, type HeaderFacts } from "./writer.ts";

/** Characters that XML cannot contain. */
// eslint-disable-next-line no-control-regex
const UNWRITABLE = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** XML readers may change an unescaped tab or line end. */
const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNWRITABLE, "")
    .replace(/[&<>"\t\n\r]/g, (sign) => ESCAPES[sign]!);

export const writeAdxHeader = (facts: HeaderFacts): string => {
  const fields = headerFacts(facts).map(([name, value]) => `    <${name}>${escaped(value)}</${name}>`);
  const defined = writableDefs(facts.userDefs).map(userDefOf);
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

const typed = (type: string | undefined): string => {
  const letter = typeLetter(type);
  return letter === undefined ? "" : ` TYPE="${letter}"`;
};

const userDefOf = ({ name, type, values }: UserDef, index: number): string => {
  const kind = values?.includes(":") ? "RANGE" : "ENUM";
  const allowed = values === undefined ? "" : ` ${kind}="${escaped(values)}"`;
  return `    <USERDEF FIELDID="${index + 1}"${typed(type)}${allowed}>${escaped(name)}</USERDEF>`;
};

export const writeAdxRecord = ({ fields, types }: AdifRecord, userDefs: ReadonlySet<string>): string => {
  let lines = "";
  for (const [name, value] of Object.entries(fields)) {
    if (isWritable(name, value)) lines += `      ${elementOf(name, value, typed(types?.[name]), userDefs)}\n`;
  }
  return `    <RECORD>\n${lines}    </RECORD>\n`;
};

/** Names of elements that ADX itself uses. */
const TAKEN: ReadonlySet<string> = new Set(["ADX", "HEADER", "RECORDS", "RECORD", "USERDEF", "APP"]);

const elementOf = (name: string, value: string, type: string, userDefs: ReadonlySet<string>): string => {
  const [, program, field] = /^APP_([^_]+)_(.+)$/.exec(name) ?? [];
  if (program !== undefined) {
    return `<APP PROGRAMID="${program}" FIELDNAME="${field}"${type}>${escaped(value)}</APP>`;
  }
  if (userDefs.has(name) || TAKEN.has(name) || !/^[A-Z_][A-Z0-9_]*$/.test(name)) {
    return `<USERDEF FIELDNAME="${name}"${type}>${escaped(value)}</USERDEF>`;
  }
  return `<${name}${type}>${escaped(value)}</${name}>`;
};

export const ADX_END = "  </RECORDS>\n</ADX>\n";
