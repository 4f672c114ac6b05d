import { fstatSync, statSync, writeSync } from "node:fs";
import { AppError } from "../src/kernel/errors.ts";
import { lazy } from "../src/kernel/lazy.ts";

/** White and light grey among the sixteen colours; bright black is dark. */
const LIGHT_GROUND = /;(7|1[0-5])$/;

/** Where a command reads and writes. */
export interface Terminal {
  /** Data, for the next program in a pipe. */
  out(text: string): void;
  /** Large data. Resolves when more can be written, rejects when the reader has closed the pipe. */
  pour(text: string): Promise<void>;
  /** Messages for people. */
  err(text: string): void;
  readonly isInteractive: boolean;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Overwrites the last line on the terminal without clearing it. */
  over(line: string): void;
  /** In columns; infinite if there is no terminal. */
  readonly width: number;
  readonly hasColour: boolean;
  /** Whether the terminal reports a light background. Most report nothing. */
  readonly isLight: boolean;
  /** Whether the locale supports characters beyond ASCII. */
  readonly hasUtf8: boolean;
  readAll(): Promise<string>;
  ask(question: string): Promise<string>;
  askSecret(question: string): Promise<string>;
}

const DEFAULT_WIDTH = 80;

export const createTerminal = (): Terminal => {
  const { env } = process;
  const isDumb = env.TERM === "dumb";
  const [inIsTerminal, outIsTerminal, errIsTerminal] = [isTerminal(0), isTerminal(1), isTerminal(2)];
  // Streams are opened on first use, because loading them takes as long as a short command.
  const stdout = lazy(() => handleErrors(process.stdout, (words) => stderr().write(words)));
  const stderr = lazy(() => handleErrors(process.stderr, () => {}));
  const getColumns = (stream: () => NodeJS.WriteStream) => stream().columns || DEFAULT_WIDTH;
  return {
    out: (text) => write(1, text.endsWith("\n") ? text : `${text}\n`, stdout),
    pour: (text) =>
      new Promise((resolve, reject) => {
        stdout().write(text, (error) => (error && isClosed(error) ? reject(new PipeClosed()) : resolve()));
      }),
    err: (text) => write(2, text.endsWith("\n") ? text : `${text}\n`, stderr),
    isInteractive: inIsTerminal && errIsTerminal,
    outIsTerminal,
    errIsTerminal,
    over: (line) => void (isDumb || stderr().write(`\r\x1b[K${line.slice(0, getColumns(stderr) - 1)}`)),
    width: outIsTerminal ? getColumns(stdout) : Infinity,
    hasColour: outIsTerminal && !env.NO_COLOR && !isDumb,
    isLight: LIGHT_GROUND.test(env.COLORFGBG ?? ""),
    hasUtf8: hasUtf8Locale(env),
    readAll: () => Bun.stdin.text(),
    ask: (question) => readLine(question, true),
    askSecret: (question) => readLine(question, false),
  };
};

/** Loads the module for terminals, and with it all streams, only for a device that can be one. */
const isTerminal = (descriptor: number): boolean => {
  const file = fstatSync(descriptor);
  const canBe = file.isCharacterDevice() && file.rdev !== statSync("/dev/null").rdev;
  return canBe && process.getBuiltinModule("node:tty").isatty(descriptor);
};

/** Writes directly while the stream is not open. */
const write = (descriptor: number, text: string, stream: LazyStream): void => {
  if (stream.isMade()) return void stream().write(text);
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch {
    // Such as a full pipe that does not block. The stream waits, or reports the error.
    stream().write(rest);
  }
};

type LazyStream = (() => NodeJS.WriteStream) & { isMade(): boolean };

const handleErrors = (stream: NodeJS.WriteStream, say: (words: string) => void): NodeJS.WriteStream =>
  stream.on("error", (error) => endWithoutOutput(error, say));

/** Like the C library: the first non-empty variable decides, and without any it is ASCII. */
export const hasUtf8Locale = ({ LC_ALL, LC_CTYPE, LANG }: Record<string, string | undefined>): boolean =>
  /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "");

const isClosed = (error: Error): boolean => (error as NodeJS.ErrnoException).code === "EPIPE";

/** A closed pipe is not an error and the command continues; a full disk is one. */
const endWithoutOutput = (error: Error, say: (words: string) => void): void => {
  if (isClosed(error)) return;
  const isFull = (error as NodeJS.ErrnoException).code === "ENOSPC";
  say(`qsolog: cannot write the output: ${isFull ? "the disk is full" : error.message}.\n`);
  process.exit(1);
};

/** Thrown when the reader has closed the pipe, so that output can stop. */
export class PipeClosed extends Error {}

const ENTER = /[\r\n]/;
const CTRL_C = "\x03";
const CTRL_D = "\x04";
const BACKSPACE = /[\b\x7f]/;

/**
 * Reads a line in raw mode. Raw mode starts before the question, so that a secret is never echoed and Ctrl-C works
 * immediately. The terminal is always restored.
 */
const readLine = async (question: string, echo: boolean): Promise<string> => {
  const { stdin, stderr } = process;
  stdin.setRawMode(true);
  stdin.resume();
  stderr.write(question);
  stdin.setEncoding("utf8");
  try {
    return await new Promise<string>((resolve, reject) => {
      let line = "";
      const listen = (chunk: string) => {
        for (const key of chunk) {
          if (ENTER.test(key)) return done(() => resolve(line));
          if (key === CTRL_C) return done(() => reject(new Interrupted()));
          if (key === CTRL_D && line === "") return done(() => reject(new AppError("invalid", "No input.")));
          if (BACKSPACE.test(key)) {
            if (line !== "" && echo) stderr.write("\b \b");
            line = line.slice(0, -1);
          } else if (key >= " ") {
            line += key;
            if (echo) stderr.write(key);
          }
        }
      };
      const done = (settle: () => void) => {
        stdin.off("data", listen);
        settle();
      };
      stdin.on("data", listen);
    });
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
};

/** Ctrl-C at a prompt. */
export class Interrupted extends Error {}

/** The exit code of an interrupted command. */
export const INTERRUPTED = 130;
