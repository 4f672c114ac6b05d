import type { Cancel, Clock } from "../kernel/clock.ts";
import { MINUTE, SECOND } from "../kernel/clock.ts";
import { type Patience, type ProviderDeps, SyncError, type SyncErrorCode } from "../domain/jobs/provider.ts";
import { isLoopback } from "../kernel/loopback.ts";
import { BLOCK } from "./spool.ts";

/** One request to a service. */
export interface Question {
  /** The service's name, for messages. */
  label: string;
  url: string;
  /** Sent as a POST; without one the question is a GET. */
  form?: Record<string, string>;
  agent: string;
  patience: Patience;
  /** How often it is asked again where that may help. */
  retries: number;
  /** What the service means by a status other than 200 and the page that comes with it. */
  refusal?: (status: number, page: string) => SyncError | null;
}

/** How far a request came before it failed. */
type Stage = "reaching" | "status" | "answer";

/** A failure on the way. Asking again may help, unless time ran out: the service may still be at it. */
export class TransferError extends SyncError {
  readonly stage: Stage;

  constructor(code: SyncErrorCode, stage: Stage, message: string, retryAfterSeconds?: number) {
    super(code, message, retryAfterSeconds);
    this.stage = stage;
  }
}

/** Somebody waits for it. */
export const PATIENCE_OF_A_TEST: Patience = { silence: 50 * SECOND, total: 50 * SECOND };

const RETRY_PAUSES = [5 * SECOND, 20 * SECOND];
/** Who is told to wait longer than this comes back another time. */
const MAX_RETRY_WAIT = 2 * MINUTE;
const MAX_RESPONSE_BYTES = 2 * 1024 ** 3;
const MAX_ERROR_PAGE_BYTES = 64 * 1024;

/** Asks, and asks again where that may help. `read` gets the bytes of an answer with status 200, from their beginning for each attempt. */
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
      if (retries >= question.retries || !mayPass(error)) throw error;
      const wait = Math.max(RETRY_PAUSES[retries] ?? 0, (error.retryAfterSeconds ?? 0) * SECOND);
      if (wait > MAX_RETRY_WAIT) throw error;
      deps.log?.("provider.retry", { service: question.label, reason: error.message });
      await rest(deps, wait * deps.pace, signal);
    }
  }
}

/** A pause out of politeness, which ends at once when the signal fires. */
export async function rest({ sleep }: ProviderDeps, ms: number, signal: AbortSignal): Promise<void> {
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

/** `App/version (CALL)`, as both services ask of programs. */
export function agentOf(version: string, callsign: string | null | undefined): string {
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
  const watch = new Watch(deps, question.patience, signal);
  try {
    const response = await reach(question, watch);
    if (response.status !== 200) throw await refusalOf(response, question, watch, deps.clock);
    return await read(inBlocks(bytesOf(response, question, watch, deps.onProgress)));
  } finally {
    watch.end();
  }
}

/** Breaks a request off when the caller stops it, when it stays silent, or when it takes too long. */
class Watch {
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

  /** Something has come. */
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

async function reach(question: Question, watch: Watch): Promise<Response> {
  const { url, form, agent } = question;
  const request: BunFetchRequestInit = {
    method: form === undefined ? "GET" : "POST",
    headers: { "user-agent": agent },
    // Where a redirect leads, the credentials would follow.
    redirect: "manual",
    signal: watch.signal,
    // A connection of its own: on one that has died meanwhile the request would be sent again behind our back.
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
    throw failure(error, "reaching", question, watch);
  }
}

/** The pieces of an answer, each good until the next is asked for. */
async function* bytesOf(
  { body }: Response,
  question: Question,
  watch: Watch,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const pieces = (body as unknown as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  for (let received = 0; ;) {
    const next = await pieces.next().catch((error: unknown) => {
      throw failure(error, "answer", question, watch);
    });
    if (next.done) return;
    watch.touch();
    received += next.value.length;
    if (received > MAX_RESPONSE_BYTES) throw new SyncError("invalid_answer", `${question.label} never stops sending.`);
    onProgress?.(received);
    yield next.value;
  }
}

/**
 * How a reader takes a damaged answer may depend on where its pieces end. In blocks it reads the spool as it read the
 * answer. Each is good until the next is asked for.
 */
async function* inBlocks(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const block = Buffer.allocUnsafeSlow(BLOCK);
  let filled = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + BLOCK - filled);
      block.set(part, filled);
      at += part.length;
      filled += part.length;
      if (filled < BLOCK) continue;
      yield block;
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/** The library's own error names the address, and that may hold a password: only its code is looked at. */
function failure(error: unknown, stage: Stage, { label, patience }: Question, { timedOut }: Watch): TransferError {
  if (timedOut) {
    const within = `${Math.round(patience.silence / SECOND)} seconds of silence, ${Math.round(patience.total / SECOND)} in all`;
    return new TransferError("timeout", stage, `${label} took too long to answer (allowed: ${within}).`);
  }
  const code = String((error as { code?: unknown }).code);
  if (/zlib|brotli|zstd|decompress|shortread/i.test(code)) {
    return new TransferError("truncated", "answer", `The packed answer of ${label} cannot be opened to its end.`);
  }
  const reason = /^[A-Z][A-Z0-9_]+$/.test(code) ? ` (${code})` : "";
  // Who breaks a connection has been reached, even before the first byte of an answer.
  if (stage === "answer" || code === "ECONNRESET") {
    return new TransferError("network", "answer", `The connection to ${label} broke before the end${reason}.`);
  }
  return new TransferError("network", stage, `${label} cannot be reached${reason}.`);
}

async function refusalOf(response: Response, question: Question, watch: Watch, clock: Clock): Promise<SyncError> {
  const { status } = response;
  const { label } = question;
  const own = question.refusal?.(status, await pageOf(bytesOf(response, question, watch)));
  if (own) return own;
  const retryAfter = secondsOf(response.headers.get("retry-after"), clock);
  if (status >= 300 && status < 400) {
    return new SyncError(
      "invalid_answer",
      `${label} tried to redirect to another address. Redirects are not followed.`,
    );
  }
  if (status === 401) return new SyncError("auth_failed", `${label} refuses the credentials (status 401).`);
  if (status === 429) return new TransferError("busy", "status", `${label} asks for fewer requests.`, retryAfter);
  if (status >= 500) {
    return new TransferError("network", "status", `${label} is out of order (status ${status}).`, retryAfter);
  }
  return new SyncError("invalid_answer", `${label} refuses to answer (status ${status}).`, retryAfter);
}

/** As much of a page for people as it takes to recognise it; one that breaks off is read as far as it goes. */
async function pageOf(bytes: AsyncGenerator<Uint8Array>): Promise<string> {
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

function secondsOf(retryAfter: string | null, clock: Clock): number | undefined {
  if (retryAfter === null) return undefined;
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - clock()) / SECOND));
}

function mayPass(error: unknown): error is TransferError {
  return error instanceof TransferError && (error.code === "network" || error.code === "busy");
}

function assertSafe({ url, label }: Question): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) return;
  throw new SyncError(
    "not_configured",
    `The address of ${label} must begin with https, because passwords are sent there.`,
  );
}
