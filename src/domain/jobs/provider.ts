import { redactText } from "../../kernel/redact.ts";
import type { AdifRecord } from "../contact/adif-record.ts";
import type { Clock, Time } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import type { Service } from "./source.ts";

export type SyncErrorCode =
  | "auth_failed"
  | "subscription_required"
  | "busy"
  | "network"
  | "timeout"
  | "truncated"
  | "invalid_answer"
  | "not_configured"
  | "wrong_callsign"
  | "sealed_elsewhere"
  | "other_callsign"
  | "interrupted"
  | "internal";

/** Why a download failed. The message is shown to people and never contains a secret or a URL with a query. */
export class SyncError extends Error {
  readonly code: SyncErrorCode;
  /** The service asked to be left alone for this time. */
  readonly retryAfterSeconds?: number;

  constructor(code: SyncErrorCode, message: string, retryAfterSeconds?: number) {
    super(redactText(message));
    this.name = "SyncError";
    this.code = code;
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}

const REFUSALS: ReadonlySet<SyncErrorCode> = new Set([
  "auth_failed",
  "subscription_required",
  "wrong_callsign",
  "other_callsign",
]);

/** Whether the service rejected the credentials. All other errors are temporary. */
export const isRefusal = (code: SyncErrorCode): boolean => REFUSALS.has(code);

export interface CredentialField {
  name: string;
  label: string;
  secret: boolean;
  required: boolean;
  help?: string;
}

export type Credentials = Record<string, string>;

export interface DownloadRequest {
  credentials: Credentials;
  /** The cursor that the previous download returned, or null. */
  cursor: unknown;
  full: boolean;
  /** `YYYY-MM-DD`: records received or changed at the service since this day. */
  since: string | null;
  /** For the User-Agent header. */
  callsign: string | null;
  /**
   * Called with the owner of the logbook, if the service says it, before records are requested. Throwing ends the
   * download.
   */
  onBook?: (callsign: string) => Promise<void>;
}

/** A record that could not be read. */
export interface Rejection {
  reason: string;
  excerpt: string;
}

/**
 * A complete, validated response in the spool, ready to be applied. It is deleted when the download continues or
 * returns.
 */
export interface Body {
  /** Shown as progress: "contacts", "confirmations", "contacts 2021". */
  phase: string;
  /** The question it answers: "qso" and "qsl" for the first service, "record" for the second. */
  part: string;
  count: number;
  /** The number of records in all bodies of this part, if the service says so. */
  total: number | null;
  rejected: readonly Rejection[];
  /** Yields batches of up to 500 records, read from the spool on demand. */
  records(): AsyncGenerator<AdifRecord[]>;
}

/** Timeouts in milliseconds. */
export interface Patience {
  /** Without any byte, including the first one. */
  silence: number;
  /** For a complete response. */
  total: number;
}

/** When each account or service was last asked. It spaces the requests of all downloads. */
export interface LastAsked {
  mark(name: string): Promise<void>;
  /** The milliseconds that are left until `ms` have passed since the last request. */
  waitFor(name: string, ms: number): Promise<number>;
  /** Like `waitFor`, and reserves the time, so that the next caller waits after this one. */
  take(name: string, ms: number): Promise<number>;
}

export interface ProviderDeps extends Pick<Time, "ticks" | "sleep" | "turn" | "after"> {
  baseUrl: string;
  spoolDir: string;
  version: string;
  lastAsked: LastAsked;
  /** A factor for the pauses between requests. */
  pace: number;
  clock: Clock;
  random: (bytes: number) => Uint8Array;
  log?: Log["debug"];
  /** Called with the number of bytes received so far. */
  onProgress?: (bytes: number) => void;
  /** Replaces the provider's own timeouts. */
  patience?: Partial<Patience>;
}

export interface Provider {
  source: Service;
  label: string;
  fields: readonly CredentialField[];
  help: string;
  /** Throws `invalid` with the wrong fields. */
  normaliseCredentials(given: Record<string, unknown>): Credentials;
  /** Identifies the external account. Only one download may use an account at a time. */
  login(credentials: Credentials): string;
  /**
   * Asks the service whether it accepts the credentials. Resolves to the callsign of the account, if the service says
   * so.
   */
  test(deps: ProviderDeps, credentials: Credentials, signal: AbortSignal): Promise<{ callsign: string | null }>;
  /**
   * Yields complete bodies and returns the cursor for the next download. A caller that stops early must call
   * `return()`, so that the spool is deleted. Every failure is a SyncError; `interrupted` if the signal aborted.
   */
  download(deps: ProviderDeps, request: DownloadRequest, signal: AbortSignal): AsyncGenerator<Body, unknown, undefined>;
  /** A cursor with which a later download brings back everything that a job starting at `before` brought. */
  rewind(before: unknown, job: { full: boolean; since: string | null }): unknown;
}
