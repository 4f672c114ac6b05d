import type { AdifRecord, UserDef } from "../domain/contact/adif-record.ts";
import { isFieldName, typeLetter } from "../domain/contact/field-name.ts";
import { formatAdifDate, formatAdifTime } from "../kernel/instant.ts";

const ADIF_VERSION = "3.1.6";
const PROGRAM_ID = "qsolog";

const ZERO = 0x30;
const GT = 0x3e;
const SPACE = 0x20;
const TILDE = 0x7e;
/** A length of three digits. */
const LONGEST_PLAIN = 999;
/** The length, a bracket, and the space behind the value. */
const LONGEST_MARKER_END = 5;

export interface HeaderFacts {
  programVersion: string;
  /** Epoch milliseconds. */
  createdAt: number;
  comment?: string;
  userDefs?: UserDef[];
}

/** What a header says of its log, by name. */
export const headerFacts = ({ programVersion, createdAt }: HeaderFacts): [name: string, value: string][] => [
  ["ADIF_VER", ADIF_VERSION],
  ["PROGRAMID", PROGRAM_ID],
  ["PROGRAMVERSION", programVersion],
  ["CREATED_TIMESTAMP", `${formatAdifDate(createdAt)} ${formatAdifTime(createdAt, true)}`],
];

/** The definitions that can be read again. */
export const writableDefs = (userDefs: readonly UserDef[] = []): readonly UserDef[] =>
  userDefs.filter(({ name }) => isFieldName(name));

/** Whether it can be read again. What is no name of a field would be read as others. */
export const isWritable = (name: string, value: string): boolean => value !== "" && isFieldName(name);

/** The header of a log. A text comes first, since a file that begins with `<` has no header. */
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

/** One record on one line, save for the line ends inside its values. Lengths count bytes of UTF-8. */
export function writeRecord({ fields, types }: AdifRecord): string {
  let line = "";
  let end = 0;
  for (const name in fields) {
    const value = fields[name]!;
    const head = headOf(name);
    if (value === "" || head === null) continue;
    const put = types === undefined ? putPlain(head, value, end) : end;
    if (put === end) {
      line += `${taken(end)}${field(name, value, types && typeLetter(types[name]))} `;
      end = 0;
    } else end = put;
  }
  return `${line}${taken(end)}<EOR>\n`;
}

/** Most of a record is put together here and becomes text at once, in a third of the time that its fields would take. */
const room = Buffer.allocUnsafeSlow(16 * 1024);

const taken = (end: number): string => room.toString("latin1", 0, end);

const MOST_HEADS = 4_096;
/** `<NAME:` of the names that were written; null for those that must not be. */
const heads = new Map<string, Uint8Array | null>();

function headOf(name: string): Uint8Array | null {
  const known = heads.get(name);
  if (known !== undefined) return known;
  const head = isFieldName(name) ? Buffer.from(`<${name}:`) : null;
  if (heads.size < MOST_HEADS) heads.set(name, head);
  return head;
}

/** Puts a field at `start`, and gives the place behind it; `start` where it does not fit or is not plain ASCII. */
function putPlain(head: Uint8Array, value: string, start: number): number {
  const size = value.length;
  if (size > LONGEST_PLAIN || start + head.length + size + LONGEST_MARKER_END > room.length) return start;
  let at = start;
  for (let i = 0; i < head.length; i++) room[at++] = head[i]!;
  if (size >= 100) room[at++] = ZERO + Math.floor(size / 100);
  if (size >= 10) room[at++] = ZERO + (Math.floor(size / 10) % 10);
  room[at++] = ZERO + (size % 10);
  room[at++] = GT;
  for (let i = 0; i < size; i++) {
    const char = value.charCodeAt(i);
    if (char < SPACE || char > TILDE) return start;
    room[at++] = char;
  }
  room[at++] = SPACE;
  return at;
}

function field(name: string, value: string, type?: string): string {
  const text = value.includes("\n") ? value.replaceAll(/(?<!\r)\r*\n/g, "\r\n") : value;
  const marker = `${name}:${Buffer.byteLength(text)}`;
  return type === undefined ? `<${marker}>${text}` : `<${marker}:${type}>${text}`;
}
