import type { AdifRecord } from "../domain/contact/adif-record.ts";
import { DAY, MINUTE, SECOND } from "../kernel/clock.ts";
import { formatIsoDate } from "../kernel/instant.ts";
import { secondOrigin } from "../domain/origins/second.ts";
import {
  type Body,
  type Credentials,
  type DownloadRequest,
  type Patience,
  type ProviderDeps,
  SyncError,
} from "../domain/jobs/provider.ts";
import { readRecords } from "./response.ts";
import { cleanCallsign } from "./credentials.ts";
import { assertGoing, PATIENCE_OF_A_TEST } from "./http.ts";
import { countOf, cutOff, ESCAPED, readLogid, readReply, type Reply, judgeReply } from "./second-reply.ts";
import { readCursor, type Cursor } from "./second-cursor.ts";
import { fetchInto, openSession, type Circumstances, type Fetched, type Session } from "./session.ts";

const PATH = "/api";
const PAGE_SIZE = 250;
const MAX_PAGES = 10_000;
/** QRZ dates changes by day, possibly not by UTC day. */
const OVERLAP = 2 * DAY;
/** QRZ does not promise that a confirmation counts as a change, so from time to time everything is downloaded. */
const SWEEP_EVERY = 7 * DAY;
const RETRIES = 2;
/** QRZ has told users of a limit of 60 requests a minute. This program stays below it for all its users together. */
const BETWEEN_REQUESTS = 1050;
const PACE = "second";
const PATIENCE: Patience = { silence: 60 * SECOND, total: 5 * MINUTE };

export async function test(
  deps: ProviderDeps,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<{ callsign: string | null }> {
  const session = openSession(deps, PACE, credentials, credentials["callsign"], signal);
  const { callsign } = await fetchBook(session, { retries: 0, patience: PATIENCE_OF_A_TEST });
  return { callsign };
}

export async function* download(
  deps: ProviderDeps,
  request: DownloadRequest,
  signal: AbortSignal,
): AsyncGenerator<Body, Cursor | null> {
  const { credentials } = request;
  const session = openSession(deps, PACE, credentials, request.callsign ?? credentials["callsign"], signal);
  const startedAt = deps.clock();
  const before = readCursor(request.cursor, startedAt);
  const changedSince = request.since ?? getSince(before, request, startedAt);
  const book = await fetchBook(session, { retries: RETRIES });
  await request.onBook?.(book.callsign);
  const isSweep = changedSince === null;
  const brought = yield* fetchPages(session, changedSince, isSweep ? book.count : null);
  if (isSweep) await assertAll(session, brought, book.count);

  const today = formatIsoDate(startedAt);
  if (changedSince === null) return { since: today, sweptAt: startedAt };
  const leavesGap = before === null || (request.since !== null && request.since > subtractOverlap(before.since));
  return leavesGap ? before : { since: today, sweptAt: before.sweptAt };
}

/** Yields the logbook page by page in logid order and returns the number of records. */
async function* fetchPages(
  session: Session,
  changedSince: string | null,
  total: number | null,
): AsyncGenerator<Body, number> {
  // After the first page, progress is counted in records instead of bytes.
  const quiet = { ...session, deps: { ...session.deps, onProgress: undefined } };
  let after = 0;
  let brought = 0;
  for (let number = 1; number <= MAX_PAGES; number++) {
    const option = `MAX:${PAGE_SIZE},AFTERLOGID:${after}${changedSince === null ? "" : `,MODSINCE:${changedSince}`}`;
    const asking = number === 1 ? session : quiet;
    const page = await fetchReply(asking, { ACTION: "FETCH", OPTION: option }, after, { retries: RETRIES });
    try {
      const { hasNews, isShort, next } = computeOutlook(page.filled, after);
      if (hasNews) {
        brought += page.filled.records!.fresh + page.filled.complaints.rejected.length;
        yield toBody(page, session, after, total);
      }
      assertGoing(session.signal);
      if (next === null || (isShort && total !== null && brought >= total)) return brought;
      if (next instanceof SyncError) throw next;
      after = next;
    } finally {
      page.spool.remove();
    }
  }
  throw createEndlessError();
}

interface Outlook {
  hasNews: boolean;
  /** Fewer records than requested, and as many as COUNT says. */
  isShort: boolean;
  next: number | null | SyncError;
}

/**
 * What is left to request after a page. The next logid is taken from its records. A short page can be the last one, or
 * the most that QRZ sends at a time.
 */
function computeOutlook(page: Reply, after: number): Outlook {
  const { records, complaints } = page;
  if (records === null) return { hasNews: false, isShort: true, next: null };
  const { count, highest } = records;
  if (highest !== null && highest < after) {
    const isLastOnceMore = count === 1 && highest === after - 1;
    return { hasNews: false, isShort: false, next: isLastOnceMore ? null : createEndlessError() };
  }
  const announced = countOf(page) ?? Number.POSITIVE_INFINITY;
  const isShort = count < PAGE_SIZE && count <= announced && announced <= count + complaints.rejected.length;
  if (highest !== null) return { hasNews: true, isShort, next: highest + 1 };
  const lost = new SyncError("invalid_answer", "QRZ sent records without IDs, so the download cannot continue.");
  return { hasNews: true, isShort, next: isShort ? null : lost };
}

/** Records that were deleted at QRZ during the download are not missing. */
async function assertAll(session: Session, brought: number, said: number | null): Promise<void> {
  if (said === null || brought >= said) return;
  const { count } = await fetchBook(session, { retries: RETRIES });
  if (count === null || brought >= count) return;
  throw new SyncError("invalid_answer", `QRZ announced ${count} records but sent only ${brought}.`);
}

function toBody(
  { spool, filled }: Fetched<Reply>,
  { deps, signal }: Session,
  after: number,
  total: number | null,
): Body {
  const { from, to, held, fresh } = filled.records!;
  filled.complaints.log(deps.log, secondOrigin.label);
  // QRZ sends records from a logid on, including that one; earlier ones were on a previous page.
  const accepts = ({ fields }: AdifRecord) => (readLogid(fields) ?? after) >= after;
  return {
    phase: "contacts",
    part: "record",
    count: fresh,
    total,
    rejected: filled.complaints.rejected,
    async *records() {
      if (held === null) return yield* readRecords(deps, spool, { from, to, options: ESCAPED, accepts }, signal);
      assertGoing(signal);
      yield held.filter(accepts);
    },
  };
}

/** Checks the logbook that the key opens. Throws if it does not belong to the given callsign. */
async function fetchBook(
  session: Session,
  circumstances: Circumstances,
): Promise<{ callsign: string; count: number | null }> {
  const { spool, filled } = await fetchReply(session, { ACTION: "STATUS" }, 0, circumstances);
  spool.remove();
  const callsign = (filled.values.get("CALLSIGN") ?? "").trim().toUpperCase().replaceAll("_", "/");
  if (callsign === "") throw new SyncError("invalid_answer", "QRZ did not say which callsign the API key belongs to.");
  const wanted = session.credentials["callsign"];
  if (wanted !== undefined && cleanCallsign(wanted) !== callsign) {
    throw new SyncError("wrong_callsign", `This API key belongs to the logbook of ${callsign}, not of ${wanted}.`);
  }
  return { callsign, count: countOf(filled) };
}

/** A positive reply, or a reply without records if QRZ says there are none. */
async function fetchReply(
  session: Session,
  form: Record<string, string>,
  after: number,
  { retries, patience = PATIENCE }: Circumstances,
): Promise<Fetched<Reply>> {
  const { base, credentials, pace } = session;
  const { apiKey = "" } = credentials;
  const url = `${base}${PATH}`;
  const question = { label: secondOrigin.label, url, form: { KEY: apiKey, ...form }, patience, retries };
  await pace.take(BETWEEN_REQUESTS);
  return fetchInto(session, question, async (bytes, spool) => {
    const reply = await readReply(bytes, spool, after);
    const verdict = judgeReply(reply, apiKey);
    if (typeof verdict === "object") throw verdict.refused;
    if (verdict === "nothing") return { ...reply, records: null };
    if (form["ACTION"] === "FETCH") assertRecords(reply);
    return reply;
  });
}

/** An empty page must say explicitly that it is empty. */
function assertRecords(reply: Reply): void {
  const isEmpty = (reply.records?.count ?? 0) + reply.complaints.rejected.length === 0;
  if (isEmpty && countOf(reply) === 0) reply.records = null;
  else if (isEmpty) throw cutOff();
}

function createEndlessError(): SyncError {
  return new SyncError("invalid_answer", "QRZ sent the same records again instead of the next ones.");
}

/** Null to download the whole logbook. */
function getSince(before: Cursor | null, { full }: DownloadRequest, now: number): string | null {
  const isDue = before === null || now - before.sweptAt >= SWEEP_EVERY;
  return full || isDue ? null : subtractOverlap(before.since);
}

function subtractOverlap(since: string): string {
  return formatIsoDate(Date.parse(`${since}T00:00:00Z`) - OVERLAP);
}
