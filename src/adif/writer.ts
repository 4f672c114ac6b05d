import type { AdifRecord, UserDef } from "../domain/contact/adif-record.ts";
import { isFieldName, typeLetter } from "../domain/contact/field-name.ts";
import { formatAdifDate, formatAdifTime } from "../kernel/instant.ts";

const ADIF_VERSION = "3.1.6";
const PROGRAM_ID = "qsolog";

export interface HeaderFacts {
  programVersion: string;
  /** Epoch milliseconds. */
  createdAt: number;
  comment?: string;
  userDefs?: UserDef[];
}

/** The fields of a header, by name. */
export const headerFacts = ({ programVersion, createdAt }: HeaderFacts): [name: string, value: string][] => [
  ["ADIF_VER", ADIF_VERSION],
  ["PROGRAMID", PROGRAM_ID],
  ["PROGRAMVERSION", programVersion],
  ["CREATED_TIMESTAMP", `${formatAdifDate(createdAt)} ${formatAdifTime(createdAt, true)}`],
];

/** Without definitions that could not be read again. */
export const writableDefs = (userDefs: readonly UserDef[] = []): readonly UserDef[] =>
  userDefs.filter(({ name }) => isFieldName(name));

/** Whether the field can be read again: an invalid name would be read as something else. */
export const isWritable = (name: string, value: string): boolean => value !== "" && isFieldName(name);

/** The header of a log. It begins with text, because a file that begins with `<` has no header. */
export function writeHeader(facts: HeaderFacts): string {
  const { comment, userDefs } = facts;
  const title = comment === undefined ? PROGRAM_ID : comment.replaceAll(/[<\r\n]+/g, " ").trim() || PROGRAM_ID;
  const lines = [
    title,
    ...headerFacts(facts).map(([name, value]) => field(name, value)),
    ...writableDefs(userDefs).map(({ name, type, values }, index) =>
      field(`USERDEF${index + 1}`, values === undefined ? name : `${name},${values}`, typeLetter(type)),
    ),
  ];
  return `${lines.join("\n")}\n<EOH>\n`;
}

/** One record on one line, except line ends within values. Lengths are bytes of UTF-8. */
export function writeRecord({ fields, types }: AdifRecord): string {
  let line = "";
  for (const name in fields) {
    const value = fields[name]!;
    if (isWritable(name, value)) line += `${field(name, value, types && typeLetter(types[name]))} `;
  }
  return `${line}<EOR>\n`;
}

function field(name: string, value: string, type?: string): string {
  const text = value.includes("\n") ? value.replaceAll(/(?<!\r)\r*\n/g, "\r\n") : value;
  const marker = `${name}:${Buffer.byteLength(text)}`;
  return type === undefined ? `<${marker}>${text}` : `<${marker}:${type}>${text}`;
}
