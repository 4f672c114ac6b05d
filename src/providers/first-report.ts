import { parseTimestamp } from "../kernel/instant.ts";
import { formatCount } from "../kernel/number-text.ts";
import { type AdifHeader, AdifReader, type AdifSeen } from "../adif/reader.ts";
import { SyncError } from "../domain/jobs/provider.ts";
import { ReadProblems } from "./response.ts";
import type { Spool } from "./spool.ts";

export interface Report {
  count: number;
  /** When the newest record of this report reached LoTW, as LoTW wrote it; null if it does not say. */
  newest: string | null;
  complaints: ReadProblems;
}

/** What the report must answer. */
export interface Expected {
  since: string;
  /** The header field that says how far the report reaches. */
  newestField: "APP_LOTW_LASTQSORX" | "APP_LOTW_LASTQSL";
  askedAt: number;
}

type Likeness = "report" | "cut" | "page";

const TITLE = "ARRL Logbook of the World Status Report";
const MAX_PAGE_CHARACTERS = 64 * 1024;
const STAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Reads a report into the spool. Throws unless it is complete and answers the query. */
export async function readReport(
  bytes: AsyncIterable<Uint8Array>,
  spool: Spool,
  { since, newestField, askedAt }: Expected,
): Promise<Report> {
  const complaints = new ReadProblems();
  const found: { header?: AdifHeader } = {};
  const reader = new AdifReader(
    { onHeader: (header) => (found.header = header), onProblem: (problem) => complaints.add(problem) },
    { keepUnfinished: false },
  );

  let beginning = "";
  let like: Likeness = "cut";
  for await (const chunk of bytes) {
    if (like !== "report") beginning += Buffer.from(chunk).toString("latin1");
    if (like === "cut") like = classifyText(beginning);
    // An HTML page is read only as far as needed to recognise it.
    if (like === "page" && beginning.length >= MAX_PAGE_CHARACTERS) break;
    if (like === "page") continue;
    spool.write(chunk);
    reader.write(chunk);
  }
  reader.end();

  if (like === "page") throw pageProblem(beginning);
  const { header } = found;
  if (header === undefined) throw cutOff("the report ended before the first record");
  assertAnswers(header, since);
  assertComplete(header, reader.seen, complaints.rejected.length);
  return { count: reader.seen.records, newest: readNewest(header, newestField, askedAt), complaints };
}

/** Interprets an HTML page that LoTW sends with status 200 or 503; null if it means nothing in particular. */
export function interpretPage(page: string): SyncError | null {
  if (/Page Request Limit/i.test(page)) {
    return new SyncError("busy", "LoTW is still answering another request for this account.");
  }
  if (/Username\/password incorrect/i.test(page)) {
    return new SyncError("auth_failed", "LoTW rejected the username or password.");
  }
  return null;
}

/** Whether the text begins like a report, could still become one, or is something else. */
function classifyText(text: string): Likeness {
  const start = text.replace(/^(ï»¿)?\s*/, "").slice(0, TITLE.length);
  if (start === TITLE) return "report";
  return TITLE.startsWith(start) ? "cut" : "page";
}

function pageProblem(page: string): SyncError {
  const unknown = new SyncError(
    "invalid_answer",
    "LoTW sent a web page instead of a report. It may be under maintenance.",
  );
  return interpretPage(page) ?? unknown;
}

/**
 * Only the free text of the header says which date was used. An earlier date than requested brings more records, not
 * fewer.
 */
function assertAnswers({ comment }: AdifHeader, since: string): void {
  const used = [...comment.matchAll(/\bSINCE:\s*(\d{4}-\d\d-\d\d)[^(\n]{0,200}\((user|system) supplied/gi)];
  if (used.some(([, date, supplier]) => date! <= since && supplier!.toLowerCase() === "user")) return;
  const found = used.map(([, date, supplier]) => `used ${date} (${supplier} supplied)`).join(" and ");
  const said = found === "" ? "did not say which date it used" : found;
  throw new SyncError("invalid_answer", `qsolog asked LoTW for everything since ${since}, but LoTW ${said}.`);
}

/** A record that is too large may have been received without its large value, or not at all. */
function assertComplete({ fields }: AdifHeader, seen: AdifSeen, tooLarge: number): void {
  const announced = Number(/^\d+$/.exec(fields["APP_LOTW_NUMREC"] ?? "")?.[0] ?? Number.NaN);
  if (Number.isNaN(announced)) throw new SyncError("invalid_answer", "LoTW did not say how many records it sends.");
  if (seen.records + tooLarge < announced)
    throw cutOff(`the last part (${formatCount(announced - seen.records - tooLarge, "record")}) is missing`);
  if (!seen.eofMarker || seen.unfinished) throw cutOff("the end of the report is missing");
  if (seen.records > announced) {
    throw new SyncError("invalid_answer", `LoTW announced ${announced} records but sent ${seen.records}.`);
  }
}

/** Nothing can have reached LoTW after the request was sent, whatever the report says. */
function readNewest({ fields }: AdifHeader, name: string, askedAt: number): string | null {
  const newest = fields[name] ?? "";
  if (!STAMP.test(newest) || parseTimestamp(newest) === null) return null;
  const asked = new Date(askedAt).toISOString().slice(0, 19).replace("T", " ");
  return newest < asked ? newest : asked;
}

function cutOff(how: string): SyncError {
  return new SyncError("truncated", `LoTW stopped sending: ${how}.`);
}
