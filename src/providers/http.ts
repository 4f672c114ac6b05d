import { type Cancel, type Clock, MINUTE, SECOND } from "../kernel/clock.ts";
import { type Patience, type ProviderDeps, SyncError, type SyncErrorCode } from "../domain/jobs/provider.ts";
import { isLoopback } from "../kernel/addresses.ts";

/** One request to a service. */
export interface Question {
  /** The service's name, for messages. */
  label: string;
  url: string;
  /** Sent as POST; without it the request is a GET. */
  form?: Record<string, string>;
  agent: string;
  patience: Patience;
  /** The number of retries for errors that a retry can fix. */
  retries: number;
  /** Interprets a status other than 200 and its page. */
  refusal?: (status: number, page: string) => SyncError | null;
}

/** How far a request came before it failed. */
type Stage = "reaching" | "status" | "answer";

/** A network failure. A retry can help, except after a timeout: the service may still be working on the request. */
export class TransferError extends SyncError {
  readonly stage: Stage;

  constructor(code: SyncErrorCode, stage: Stage, message: string, retryAfterSeconds?: number) {
    super(code, message, retryAfterSeconds);
    this.stage = stage;
  }
}

/** Shorter because the user waits for it. */
export const PATIENCE_OF_A_TEST: Patience = { silence: 50 * SECOND, total: 50 * SECOND };

const RETRY_PAUSES = [5 * SECOND, 20 * SECOND];
/** If the service asks for a longer wait, the sync fails and is scheduled later. */
const MAX_RETRY_WAIT = 2 * MINUTE;
const MAX_RESPONSE_BYTES = 2 * 1024 ** 3;
const MAX_ERROR_PAGE_BYTES = 64 * 1024;

/**
 * Sends a request with retries. `read` gets the body of a response with status 200, from its beginning for each
 * attempt.
 */
export async function ask<T>(
  deps: ProviderDeps,
  question: Question,
  signal: AbortSignal,
  read: (bytes: AsyncGenerator<Uint8Array>) => Promise<T>,
): Promise<T> {
  assertSafe(question);
  for (let retries = 0; ; retries++) {
    try {
      return await askOnce(deps, question, signal, read);
    } catch (error) {
      assertGoing(signal);
      if (retries >= question.retries || !canPass(error)) throw error;
      const wait = Math.max(RETRY_PAUSES[retries] ?? 0, (error.retryAfterSeconds ?? 0) * SECOND);
      if (wait > MAX_RETRY_WAIT) throw error;
      deps.log?.("provider.retry", { service: question.label, reason: error.message });
      await pause(deps, wait * deps.pace, signal);
    }
  }
}

/** A pause between requests. Ends immediately when the signal aborts. */
export async function pause({ sleep }: ProviderDeps, ms: number, signal: AbortSignal): Promise<void> {
  assertGoing(signal);
  try {
    if (ms > 0) await sleep(ms, signal);
  } finally {
    assertGoing(signal);
  }
}

export function assertGoing(signal: AbortSignal): void {
  if (signal.aborted) throw new SyncError("interrupted", "The download was stopped.");
}

/** `App/version (CALL)`, the form that both services ask for. */
export function buildAgent(version: string, callsign: string | null | undefined): string {
  const call = (callsign ?? "").toUpperCase().replaceAll(/[^A-Z0-9/]/g, "");
  return `qsolog/${version}${call === "" ? "" : ` (${call.slice(0, 32)})`}`;
}

async function askOnce<T>(
  deps: ProviderDeps,
  question: Question,
  signal: AbortSignal,
  read: (bytes: AsyncGenerator<Uint8Array>) => Promise<T>,
): Promise<T> {
  assertGoing(signal);
  const watch = new RequestTimer(deps, question.patience, signal);
  try {
    const response = await sendRequest(question, watch);
    if (response.status !== 200) throw await readRefusal(response, question, watch, deps.clock);
    return await read(readBytes(response, question, watch, deps.onProgress));
  } finally {
    watch.end();
  }
}

/** Aborts a request when the caller stops it, when it is silent for too long, or when it takes too long. */
class RequestTimer {
  readonly #control = new AbortController();
  readonly #stop = () => this.#control.abort();
  readonly #caller: AbortSignal;
  readonly #silence: number;
  readonly #after: ProviderDeps["after"];
  readonly #endWhole: Cancel;
  #endSilence: Cancel;
  timedOut = false;

  constructor({ after }: Pick<ProviderDeps, "after">, { silence, total }: Patience, caller: AbortSignal) {
    this.#after = after;
    this.#caller = caller;
    this.#silence = silence;
    this.#endWhole = after(total, this.#giveUp);
    this.#endSilence = after(silence, this.#giveUp);
    caller.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }

  /** Called for every chunk received. */
  touch(): void {
    this.#endSilence();
    this.#endSilence = this.#after(this.#silence, this.#giveUp);
  }

  end(): void {
    this.#endWhole();
    this.#endSilence();
    this.#caller.removeEventListener("abort", this.#stop);
    this.#control.abort();
  }

  readonly #giveUp = () => {
    this.timedOut = true;
    this.#control.abort();
  };
}

async function sendRequest(question: Question, watch: RequestTimer): Promise<Response> {
  const { url, form, agent } = question;
  const request: BunFetchRequestInit = {
    method: form === undefined ? "GET" : "POST",
    headers: { "user-agent": agent },
    // A redirect would take the credentials along.
    redirect: "manual",
    signal: watch.signal,
    // Without keep-alive: on a reused connection that has died, fetch would repeat the request without telling us.
    keepalive: false,
    timeout: false,
    ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    ...(isLoopback(new URL(url).hostname) ? { proxy: false } : {}),
  };
  try {
    const response = await fetch(url, request as RequestInit);
    watch.touch();
    return response;
  } catch (error) {
    throw toTransferError(error, "reaching", question, watch);
  }
}

/** The chunks of a response. Each is valid until the next one is requested. */
async function* readBytes(
  { body }: Response,
  question: Question,
  watch: RequestTimer,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const pieces = (body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  for (let received = 0; ;) {
    const next = await pieces.next().catch((error: unknown) => {
      throw toTransferError(error, "answer", question, watch);
    });
    if (next.done) return;
    watch.touch();
    received += next.value.length;
    if (received > MAX_RESPONSE_BYTES)
      throw new SyncError("invalid_answer", `${question.label} sent far too much data.`);
    onProgress?.(received);
    yield next.value;
  }
}

/** The library's error contains the URL, which can contain a password, so only its code is used. */
function toTransferError(
  error: unknown,
  stage: Stage,
  { label, patience }: Question,
  { timedOut }: RequestTimer,
): TransferError {
  if (timedOut) {
    const within = `${Math.round(patience.silence / SECOND)} seconds of silence, ${Math.round(patience.total / SECOND)} in all`;
    return new TransferError("timeout", stage, `${label} took too long to answer (limit: ${within}).`);
  }
  const code = String((error as { code?: unknown }).code);
  if (/zlib|brotli|zstd|decompress|shortread/i.test(code)) {
    return new TransferError("truncated", "answer", `The compressed answer from ${label} is damaged or incomplete.`);
  }
  const reason = /^[A-Z][A-Z0-9_]+$/.test(code) ? ` (${code})` : "";
  // A service that resets the connection was reached, even before the first byte.
  if (stage === "answer" || code === "ECONNRESET") {
    return new TransferError("network", "answer", `The connection to ${label} broke off${reason}.`);
  }
  return new TransferError("network", stage, `Could not reach ${label}${reason}.`);
}

async function readRefusal(
  response: Response,
  question: Question,
  watch: RequestTimer,
  clock: Clock,
): Promise<SyncError> {
  const { status } = response;
  const { label } = question;
  const own = question.refusal?.(status, await readPage(readBytes(response, question, watch)));
  if (own) return own;
  const retryAfter = parseRetryAfter(response.headers.get("retry-after"), clock);
  if (status >= 300 && status < 400) {
    return new SyncError(
      "invalid_answer",
      `${label} tried to redirect to another address. Redirects are not followed.`,
    );
  }
  if (status === 401) return new SyncError("auth_failed", `${label} rejected the account (status 401).`);
  if (status === 429) return new TransferError("busy", "status", `${label} received too many requests.`, retryAfter);
  if (status >= 500) {
    return new TransferError("network", "status", `${label} is not working (status ${status}).`, retryAfter);
  }
  return new SyncError("invalid_answer", `${label} refused the request (status ${status}).`, retryAfter);
}

/** Reads as much of an HTML page as needed to recognise it, even if it breaks off. */
async function readPage(bytes: AsyncGenerator<Uint8Array>): Promise<string> {
  let page = "";
  try {
    for await (const piece of bytes) {
      page += Buffer.from(piece).toString("latin1");
      if (page.length >= MAX_ERROR_PAGE_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
  }
  return page;
}

function parseRetryAfter(retryAfter: string | null, clock: Clock): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - clock()) / SECOND));
}

function canPass(error: unknown): error is TransferError {
  return error instanceof TransferError && (error.code === "network" || error.code === "busy");
}

function assertSafe({ url, label }: Question): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) return;
  throw new SyncError(
    "not_configured",
    `The address of ${label} must start with https, because passwords are sent there.`,
  );
}
