import { MINUTE, SECOND } from "../kernel/clock.ts";
import { formatIsoDate } from "../kernel/instant.ts";
import { firstOrigin } from "../domain/origins/first.ts";
import {
  type Body,
  type Credentials,
  type DownloadRequest,
  type Patience,
  type ProviderDeps,
  SyncError,
} from "../domain/jobs/provider.ts";
import { readRecords } from "./response.ts";
import { getLogin, OVERLAP, readCursor, type Cursor } from "./first-cursor.ts";
import { interpretPage, readReport, type Report } from "./first-report.ts";
import {
  countDays,
  splitWindow,
  type Window,
  formatWindow,
  buildWindowParams,
  createWindows,
} from "./first-windows.ts";
import { assertGoing, PATIENCE_OF_A_TEST, TransferError } from "./http.ts";
import { fetchInto, openSession, type Circumstances, type Fetched, type Session } from "./session.ts";

/** LoTW's two queries. A new confirmation of an old contact is only in the answer to the second. */
interface Query {
  part: keyof Cursor;
  phase: string;
  params: Record<string, string>;
  sinceName: string;
  newestField: "APP_LOTW_LASTQSORX" | "APP_LOTW_LASTQSL";
}

const CONTACTS: Query = {
  part: "qso",
  phase: "contacts",
  // The own callsign is needed with every record. Further details only make a long report slower.
  params: { qso_query: "1", qso_qsl: "no", qso_withown: "yes" },
  sinceName: "qso_qsorxsince",
  newestField: "APP_LOTW_LASTQSORX",
};
const CONFIRMATIONS: Query = {
  part: "qsl",
  phase: "confirmations",
  params: { qso_query: "1", qso_qsl: "yes", qso_withown: "yes", qso_mydetail: "yes", qso_qsldetail: "yes" },
  sinceName: "qso_qslsince",
  newestField: "APP_LOTW_LASTQSL",
};

const PATH = "/lotwuser/lotwreport.adi";
/** Without a date LoTW uses a default of its own. This one is before any contact that counts. */
const BEGINNING = "1945-11-15";
const RETRIES = 2;
/** After that, shorter reports are requested. */
const RETRIES_OF_THE_WHOLE = 1;
const BETWEEN_QUERIES = 5 * SECOND;
const BETWEEN_WINDOWS = 15 * SECOND;
/** LoTW continues to generate an abandoned report and keeps the account busy meanwhile. */
const AFTER_ABANDONING = 90 * SECOND;
/** A long report takes minutes before its first byte. */
const PATIENCE: Patience = { silence: 5 * MINUTE, total: 20 * MINUTE };

/** LoTW never says which callsigns an account has. */
export async function test(
  deps: ProviderDeps,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<{ callsign: null }> {
  const since = formatIsoDate(deps.clock());
  const session = openSession(deps, getPaceName(credentials), credentials, credentials["callsign"], signal);
  const { spool } = await fetchReport(session, CONFIRMATIONS, since, { retries: 0, patience: PATIENCE_OF_A_TEST });
  spool.remove();
  return { callsign: null };
}

export async function* download(
  deps: ProviderDeps,
  request: DownloadRequest,
  signal: AbortSignal,
): AsyncGenerator<Body, Cursor> {
  const { credentials } = request;
  const session = openSession(
    deps,
    getPaceName(credentials),
    credentials,
    request.callsign ?? credentials["callsign"],
    signal,
  );
  const before = readCursor(request.cursor, deps.clock());
  const next = { ...before };
  for (const query of [CONTACTS, CONFIRMATIONS]) {
    const newest = yield* fetchAnswers(session, query, getSince(query, before, request));
    if (canMove(before[query.part], request) && newest !== null) next[query.part] = newest;
  }
  return next;
}

/** LoTW handles one request per account at a time. */
const getPaceName = (credentials: Credentials): string => `first ${getLogin(credentials)}`;

/** Yields the answer to a query, in one report or in windows. Returns how far it reaches. */
async function* fetchAnswers(session: Session, query: Query, since: string): AsyncGenerator<Body, string | null> {
  await session.pace.keep(BETWEEN_QUERIES);
  if (since !== BEGINNING) {
    const report = await fetchReport(session, query, since, { retries: RETRIES });
    return yield* yieldReport(report, session, query, query.phase, report.filled.count);
  }
  const whole = await catchTooMuch(fetchReport(session, query, since, { retries: RETRIES_OF_THE_WHOLE }));
  if (whole instanceof SyncError) {
    await session.pace.keep(pauseAfter(whole));
    return yield* fetchWindows(session, query, since, whole);
  }
  return yield* yieldReport(whole, session, query, query.phase, whole.filled.count);
}

/**
 * Requests one date window after the other, and splits windows that LoTW cannot handle. If the first, empty window
 * fails in the same way, size was not the reason.
 */
async function* fetchWindows(
  session: Session,
  query: Query,
  since: string,
  failed: SyncError,
): AsyncGenerator<Body, string | null> {
  const ahead = createWindows(session.deps.clock());
  let newest: string | null = null;
  let longest = Number.POSITIVE_INFINITY;
  let inARow = 0;
  for (let window = ahead.shift(); window !== undefined; window = ahead.shift()) {
    const parts = splitWindow(window);
    if (parts !== null && countDays(window) > longest) {
      ahead.unshift(...parts);
      continue;
    }
    await session.pace.keep(BETWEEN_WINDOWS);
    const asked = fetchReport(session, query, since, { window, retries: parts === null ? RETRIES : 0 });
    const report = parts === null ? await asked : await catchTooMuch(asked);
    if (report instanceof SyncError) {
      if (window.isEmpty && report.code === failed.code) throw report;
      longest = countDays(parts![0]);
      inARow = 0;
      ahead.unshift(...parts!);
      await session.pace.keep(pauseAfter(report));
      continue;
    }
    const last: string | null = yield* yieldReport(
      report,
      session,
      query,
      `${query.phase} ${formatWindow(window)}`,
      null,
    );
    if (last !== null && (newest === null || last > newest)) newest = last;
    if (++inARow % 2 === 0) longest *= 2;
  }
  return newest;
}

/** Yields a report and deletes it when the download continues. */
async function* yieldReport(
  { spool, filled }: Fetched<Report>,
  { deps, signal }: Session,
  { part }: Query,
  phase: string,
  total: number | null,
): AsyncGenerator<Body, string | null> {
  const { count, newest, complaints } = filled;
  complaints.log(deps.log, firstOrigin.label);
  try {
    yield {
      phase,
      part,
      count,
      total,
      rejected: complaints.rejected,
      records: () => readRecords(deps, spool, { options: { keepUnfinished: false } }, signal),
    };
    assertGoing(signal);
  } finally {
    spool.remove();
  }
  return newest;
}

async function fetchReport(
  session: Session,
  query: Query,
  since: string,
  { window, retries, patience = PATIENCE }: Circumstances & { window?: Window },
): Promise<Fetched<Report>> {
  const { deps, base, credentials, pace } = session;
  const askedAt = deps.clock();
  const params = {
    ...query.params,
    [query.sinceName]: since,
    ...(window === undefined ? {} : buildWindowParams(window)),
  };
  const question = {
    label: firstOrigin.label,
    url: `${base}${PATH}?${encodeParams({ ...getAccountParams(credentials), ...params })}`,
    patience,
    retries,
    refusal: (_status: number, page: string) => interpretPage(page),
  };
  try {
    const { newestField } = query;
    return await fetchInto(session, question, (bytes, spool) =>
      readReport(bytes, spool, { since, newestField, askedAt }),
    );
  } finally {
    await pace.mark();
  }
}

function getAccountParams({ username = "", password = "" }: Credentials): Record<string, string> {
  return { login: username, password };
}

/** Percent-encodes everything, because every character of a password matters. */
function encodeParams(params: Record<string, string>): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return Object.entries(params)
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join("&");
}

/** A report, or the error if shorter reports might avoid it. */
async function catchTooMuch(asked: Promise<Fetched<Report>>): Promise<Fetched<Report> | SyncError> {
  return asked.catch((error: unknown) => {
    const wasReached = error instanceof TransferError && error.stage !== "reaching" && error.code === "network";
    const isTooMuch = error instanceof SyncError && (error.code === "timeout" || error.code === "truncated");
    if (wasReached || isTooMuch) return error as SyncError;
    throw error;
  });
}

function pauseAfter({ code }: SyncError): number {
  return code === "timeout" ? AFTER_ABANDONING : BETWEEN_WINDOWS;
}

function getSince({ part }: Query, before: Cursor, { full, since }: DownloadRequest): string {
  if (since !== null) return since;
  const last = full ? null : before[part];
  return last === null ? BEGINNING : formatIsoDate(Date.parse(`${last.slice(0, 10)}T00:00:00Z`) - OVERLAP);
}

/** A download since a later date leaves a gap behind the cursor, which the next one must not skip. */
function canMove(before: string | null, { since }: DownloadRequest): boolean {
  return since === null || (before !== null && since <= before);
}
