import { escapeControlCharacters } from "./control-characters.ts";
import { closeSync, openSync, writeSync } from "node:fs";
import type { LogEvent, LogFields } from "./log-events.ts";
import { redact } from "./redact.ts";

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
    // Terminals show the log too: docker logs, journalctl, tail.
    const line = escapeControlCharacters(JSON.stringify(entry));
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
