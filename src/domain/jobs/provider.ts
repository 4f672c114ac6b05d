import type { AdifRecord } from "../contact/adif-record.ts";
import type { Clock, Time } from "../../kernel/clock.ts";
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

/** Why a download came to nothing. The message is for a person and never holds a secret or an address with a query. */
export class SyncError extends Error {
  readonly code: SyncErrorCode;
  /** When the service asks to be left alone for a while. */
  readonly retryAfterSeconds?: number;

  constructor(code: SyncErrorCode, message: string, retryAfterSeconds?: number) {
    super(message);
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

/** An answer about the credentials; everything else is about the service's day. */
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
  /** What an earlier download returned, or null. */
  cursor: unknown;
  full: boolean;
  /** `YYYY-MM-DD`: received or changed at the service since. */
  since: string | null;
  /** Who asks, for the User-Agent. */
  callsign: string | null;
  /** Told whose logbook it is, where the service says so, before a record is asked for. Ends the download by throwing. */
  onBook?: (callsign: string) => Promise<void>;
}

/** A record that could not be read. */
export interface Rejection {
  reason: string;
  excerpt: string;
}

/** A whole, validated answer in the spool, ready to be applied. It goes when the download goes on or is given back. */
export interface Body {
  /** In words, for progress: "contacts", "confirmations", "contacts 2021". */
  phase: string;
  /** Which of the service's questions it answers: "qso" and "qsl" of the first, "record" of the second. */
  part: string;
  count: number;
  /** How many records all bodies of this part will have, where the service says so. */
  total: number | null;
  rejected: readonly Rejection[];
  /** In batches of up to 500, read from the spool as they are taken. */
  records(): AsyncGenerator<AdifRecord[]>;
}

/** In milliseconds. */
export interface Patience {
  /** Without any byte, the first included. */
  silence: number;
  /** For one answer. */
  total: number;
}

/** When each account or service was last asked, so that all downloads keep apart. */
export interface LastAsked {
  mark(name: string): Promise<void>;
  /** So many milliseconds until so long after the last time. */
  waitFor(name: string, ms: number): Promise<number>;
  /** The same, and the next who asks waits for this one. */
  take(name: string, ms: number): Promise<number>;
}

export interface ProviderDeps extends Pick<Time, "ticks" | "sleep" | "turn" | "after"> {
  baseUrl: string;
  spoolDir: string;
  version: string;
  lastAsked: LastAsked;
  /** Factor on every polite pause. */
  pace: number;
  clock: Clock;
  random: (bytes: number) => Uint8Array;
  log?: (event: string, fields: Record<string, unknown>) => void;
  /** Told the bytes of the answer that is coming in. */
  onProgress?: (bytes: number) => void;
  /** In place of what the provider finds bearable. */
  patience?: Partial<Patience>;
}

export interface Provider {
  source: Service;
  label: string;
  fields: readonly CredentialField[];
  help: string;
  /** Throws `invalid`, with the fields that are wrong. */
  normaliseCredentials(given: Record<string, unknown>): Credentials;
  /** What identifies the external account: nobody may ask for one account twice at a time. */
  login(credentials: Credentials): string;
  /** Asks the service whether it accepts the credentials; resolves to the callsign it knows them by, where it says so. */
  test(deps: ProviderDeps, credentials: Credentials, signal: AbortSignal): Promise<{ callsign: string | null }>;
  /**
   * Yields whole bodies; returns the cursor for the next download. Who stops before the end calls `return()`, so that
   * the spool goes. Every failure is a SyncError; `interrupted` when the signal fired.
   */
  download(deps: ProviderDeps, request: DownloadRequest, signal: AbortSignal): AsyncGenerator<Body, unknown, undefined>;
  /**
   * The cursor from which a later download is sure to bring back whatever a job that began at `before` brought, given
   * how it ran.
   */
  rewind(before: unknown, job: { full: boolean; since: string | null }): unknown;
}
