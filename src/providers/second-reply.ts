import { AdifReader } from "../adif/reader.ts";
import type { AdifRecord } from "../domain/contact/adif-record.ts";
import { SyncError } from "../domain/jobs/provider.ts";
import { ReadProblems } from "./response.ts";
import type { Spool } from "./spool.ts";

/** A complete reply. */
export interface Reply {
  /** `NAME=value` pairs with raw values. */
  values: ReadonlyMap<string, string>;
  /** Where the records are in the spool; null for a reply without records. */
  records: RecordsPart | null;
  complaints: ReadProblems;
}

interface RecordsPart {
  from: number;
  to: number;
  /** The parsed records if there are few; null if they must be read again from the spool. */
  held: AdifRecord[] | null;
  count: number;
  /** How many were not on earlier pages. */
  fresh: number;
  highest: number | null;
}

/** The meaning of a reply: success, no records, or an error. */
export type Verdict = "ok" | "nothing" | { refused: SyncError };

/** Free text can contain `&` and `=`, so only QRZ's own names start a pair. */
const PAIR =
  /(?:^|&)(RESULT|STATUS|REASON|EXTENDED|COUNT|LOGID|LOGIDS|DATA|ACTION|CALLSIGN|OWNER|BOOKID|BOOK_NAME|CONFIRMED|DXCC_COUNT|START_DATE|END_DATE)=/g;
const FREE_TEXT = new Set(["REASON", "EXTENDED", "BOOK_NAME"]);
const RECORDS = /(?:^|&)ADIF=/;
const RESULTS = ["OK", "FAIL", "AUTH", "REPLACE", "PARTIAL"];
const MAX_HEAD_CHARACTERS = 1024 * 1024;
const MAX_HELD_RECORDS = 500;
const MAX_HELD_BYTES = 4 * 1024 * 1024;

/** The records are HTML-escaped, and text after the last one is not a record. */
export const ESCAPED = { html: true, keepUnfinished: false };

/** Reads a reply into the spool. Throws unless it is complete. Earlier pages have brought the logids below `after`. */
export async function readReply(bytes: AsyncIterable<Uint8Array>, spool: Spool, after: number): Promise<Reply> {
  const complaints = new ReadProblems();
  const part: RecordsPart = { from: -1, to: 0, held: [], count: 0, fresh: 0, highest: null };
  const reader = new AdifReader(
    {
      onRecord: (record, { offset, length }) => {
        const { fields } = record;
        part.to = part.from + offset + length;
        part.count++;
        part.held?.push(record);
        if (part.count > MAX_HELD_RECORDS || part.to - part.from > MAX_HELD_BYTES) part.held = null;
        const logid = readLogid(fields);
        if (logid === null || logid >= after) part.fresh++;
        if (logid !== null) part.highest = Math.max(part.highest ?? 0, logid);
      },
      onProblem: (problem) => complaints.add(problem),
    },
    ESCAPED,
  );

  let head = "";
  for await (const chunk of bytes) {
    spool.write(chunk);
    if (part.from !== -1) reader.write(chunk);
    else {
      const before = head.length;
      head += Buffer.from(chunk).toString("latin1");
      assertReply(head);
      const begin = RECORDS.exec(head);
      if (begin === null) continue;
      part.from = begin.index + begin[0].length;
      part.to = part.from;
      reader.write(chunk.subarray(part.from - before));
      head = head.slice(0, begin.index);
    }
  }
  reader.end();

  const values = new Map(parsePairs(decodeText(head).trimStart()));
  if (part.from === -1) return { values: whole(values), records: null, complaints };
  if (reader.seen.unfinished) throw cutOff();
  for (const [name, value] of parsePairs(readTail(spool, part))) values.set(name, value);
  return { values: whole(values), records: part, complaints };
}

export function readLogid(fields: Record<string, string>): number | null {
  const logid = fields["APP_QRZLOG_LOGID"] ?? "";
  return /^\d{1,15}$/.test(logid) ? Number(logid) : null;
}

/** The number of records according to the reply; null if it does not say. */
export function countOf({ values }: Reply): number | null {
  const count = values.get("COUNT") ?? "";
  return /^\d+$/.test(count) ? Number(count) : null;
}

/** QRZ reports an empty page as a failure without a reason. No other failure is accepted as empty. */
export function judgeReply(reply: Reply, key: string): Verdict {
  const { values, records } = reply;
  const reason = (values.get("REASON") ?? "").trim();
  switch (getResult(values)) {
    case "OK":
      return "ok";
    case "AUTH":
      return { refused: notAllowed(reason) };
    case "FAIL":
      if (records !== null && records.count > 0) break;
      if (/^no log entries found\.?$/i.test(reason)) return "nothing";
      if (reason === "" && countOf(reply) === 0) return "nothing";
      if (reason === "") throw cutOff();
      if (/too many|rate limit/i.test(reason))
        return { refused: new SyncError("busy", "QRZ received too many requests.") };
  }
  const words = reason === "" ? "without giving a reason" : `because: ${redactKey(reason, key)}`;
  return { refused: new SyncError("invalid_answer", `QRZ refused the request ${words}.`) };
}

export function cutOff(): SyncError {
  return new SyncError("truncated", "QRZ stopped sending: the end of its answer is missing.");
}

/** Old replies have STATUS instead of RESULT. */
function getResult(values: ReadonlyMap<string, string>): string {
  return (values.get("RESULT") ?? values.get("STATUS") ?? "").trim();
}

function whole(values: Map<string, string>): Map<string, string> {
  const result = getResult(values);
  if (RESULTS.includes(result)) return values;
  if (RESULTS.some((known) => known.startsWith(result))) throw cutOff();
  throw new SyncError("invalid_answer", "QRZ sent an answer that qsolog does not understand.");
}

/** Rejects an HTML page, or anything else that is not a reply, before it is stored completely. */
function assertReply(head: string): void {
  const start = head.trimStart();
  const isReply = /^[A-Z_]*$/.test(start.slice(0, 12)) || /^[A-Z_]{2,12}=/.test(start);
  if (isReply && head.length <= MAX_HEAD_CHARACTERS) return;
  throw new SyncError("invalid_answer", "QRZ sent a web page instead of an answer. It may be under maintenance.");
}

function parsePairs(text: string): [string, string][] {
  const begins = [...text.matchAll(PAIR)];
  return begins.flatMap((begin, index): [string, string][] => {
    const name = begin[1]!;
    const value = text.slice(begin.index + begin[0].length, begins[index + 1]?.index);
    // In the nested form of a status reply the first pair is inside DATA.
    if (name === "DATA") return parsePairs(value);
    return [[name, FREE_TEXT.has(name) ? value : value.split("&", 1)[0]!]];
  });
}

function readTail(spool: Spool, { to }: RecordsPart): string {
  let tail = "";
  for (const chunk of spool.read(to)) {
    tail += Buffer.from(chunk).toString("latin1");
    if (tail.length > MAX_HEAD_CHARACTERS)
      throw new SyncError("invalid_answer", "The end of QRZ's answer is malformed.");
  }
  return decodeText(tail).trimStart();
}

/** Decodes UTF-8 if valid, otherwise Windows-1252. */
function decodeText(latin1: string): string {
  const bytes = Buffer.from(latin1, "latin1");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function notAllowed(reason: string): SyncError {
  return /subscription/i.test(reason)
    ? new SyncError("subscription_required", "QRZ requires an XML subscription to download a logbook.")
    : new SyncError("auth_failed", "QRZ rejected the API key.");
}

/** QRZ repeats the key in messages, with or without its dashes. Remove it. */
function redactKey(reason: string, key: string): string {
  const forms = [key, key.replaceAll("-", "")].filter((form) => form !== "");
  const pattern = new RegExp(forms.map(RegExp.escape).join("|"), "gi");
  const shown = reason.replaceAll(pattern, "[key]").replaceAll(/[0-9A-F]{4}(-?[0-9A-F]{4}){2,}/gi, "[key]");
  return shown.replaceAll(/\s+/g, " ").slice(0, 200);
}
