import { closeSync, openSync, writeSync } from "node:fs";
import type { LogEvent, LogFields } from "./log-events.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogEcho = "stdout" | "stderr";

type Fields = Record<string, unknown>;
type WriteEvent = <Event extends LogEvent>(event: Event, fields?: LogFields<Event>) => void;

export interface Log extends Record<LogLevel, WriteEvent> {
  /** Whether lines of this level are written. */
  tells(level: LogLevel): boolean;
  /** Where lines are also printed. */
  readonly echoedTo?: LogEcho | null;
  /** Opens the file again after a log rotation renamed it. */
  reopen(): void;
  close(): void;
}

interface Options {
  file: string;
  level: LogLevel;
  clock: () => number;
  echoTo?: LogEcho | null;
  /** Prints a line. */
  echo?: (line: string) => void;
}

/** Appends one JSON object per line. A log that cannot be written never stops the program. */
export const openLog = ({ file, level, clock, echoTo = null, echo = printTo(echoTo) }: Options): Log => {
  let handle = openSync(file, "a", 0o600);
  const least = LOG_LEVELS.indexOf(level);
  const tells = (at: LogLevel) => LOG_LEVELS.indexOf(at) >= least;
  const write = (at: LogLevel, event: string, fields: Fields = {}) => {
    if (!tells(at)) return;
    const entry = { at: new Date(clock()).toISOString(), level: at, event, ...(redact(fields) as Fields) };
    const line = JSON.stringify(entry);
    try {
      writeSync(handle, `${line}\n`);
    } catch (error) {
      echo?.(`Could not write the log file: ${(error as Error).message}`);
    }
    echo?.(line);
  };
  return {
    debug: (event, fields) => write("debug", event, fields),
    info: (event, fields) => write("info", event, fields),
    warn: (event, fields) => write("warn", event, fields),
    error: (event, fields) => write("error", event, fields),
    tells,
    echoedTo: echoTo,
    reopen() {
      const old = handle;
      handle = openSync(file, "a", 0o600);
      closeSync(old);
    },
    close: () => closeSync(handle),
  };
};

const printTo = (echoTo: LogEcho | null) => {
  if (echoTo === null) return undefined;
  return (line: string) => {
    try {
      writeSync(echoTo === "stdout" ? 1 : 2, `${line}\n`);
    } catch {
      // Nobody reads it any more. The file has the line.
    }
  };
};

export const SILENT_LOG: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  tells: () => false,
  reopen() {},
  close() {},
};

const SECRET_NAME = /pass|secret|token|api_?key|auth|cookie|session|credential|^key$|^login$|^sealed$/i;
/** `name=value`, even if letters of the name are percent-encoded. */
const ASSIGNMENT = /(?<![\w%-])([\w%-]{1,64})=([^&\s"']+)/g;
const JSON_MEMBER = /"([\w-]{1,64})"\s*:\s*"[^"]*"/g;
const BEARER_IN_TEXT = /\b(Bearer\s+)[\w.~+/=-]+/gi;
const URL_PASSWORD = /(:\/\/[^\s/:@]*):[^\s/@]+@/g;

/** A possible secret: no spaces, slashes or quotes. Characters can be percent-encoded, even repeatedly. */
const WORD = /(?:[\w~+=.-]|%(?:25)*[0-9a-f]{2})+/gi;
const JWT = /(?<![\w-])eyj[\w-]{8,}(?:\.[\w-]*)*/gi;
const LONG_RUN = /[\w-]{24,}/g;
/** The tokens and keys that qsolog creates. */
const TOKEN = /qf[0-9a-z]{22}|wl2_[0-9a-z]{20}|qsl_[\w-]{20}|whsec_[\w-]{18}/i;
/** Tokens in links have no prefix, so a long run of lower-case letters, several capitals and digits counts as one. */
const CAPITALS_OF_LINK_TOKEN = 4;

/** A copy of a value with everything that looks like a secret removed. */
const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value === "string") return redactText(value);
  if (value === null || typeof value !== "object") return value;
  if (depth > 6) return "…";
  if (value instanceof Error) return { message: redactText(value.message), stack: redactText(value.stack ?? "") };
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      SECRET_NAME.test(name) && item != null ? "[redacted]" : redact(item, depth + 1),
    ]),
  );
};

/** Removes secrets from a text: by the name before them, and by their shape anywhere. */
export const redactText = (text: string): string =>
  text
    .replace(ASSIGNMENT, (all: string, name: string) => (isSecretName(name) ? `${name}=[redacted]` : all))
    .replace(JSON_MEMBER, (all: string, name: string) => (isSecretName(name) ? `"${name}":"[redacted]"` : all))
    .replace(BEARER_IN_TEXT, "$1[redacted]")
    .replace(URL_PASSWORD, "$1:[redacted]@")
    .replace(WORD, removeSecrets);

const isSecretName = (name: string): boolean =>
  /key$/i.test(decodePercent(name)) || SECRET_NAME.test(decodePercent(name));

const removeSecrets = (word: string): string => {
  const plain = decodePercent(word);
  const rest = plain
    .replace(JWT, "[redacted]")
    .replace(LONG_RUN, (run) => (TOKEN.test(run) || isLikeLinkToken(run) ? "[redacted]" : run));
  return rest === plain ? word : rest;
};

const isLikeLinkToken = (run: string): boolean =>
  /[a-z]/.test(run) && /\d/.test(run) && run.replace(/[^A-Z]/g, "").length >= CAPITALS_OF_LINK_TOKEN;

const decodePercent = (text: string): string => {
  const next = text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  return next === text ? text : decodePercent(next);
};
