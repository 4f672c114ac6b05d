import { isatty } from "node:tty";
import { AppError } from "../src/kernel/errors.ts";
import { lazy } from "../src/kernel/lazy.ts";

/** Of the sixteen colours, white and light grey; bright black is dark. */
const LIGHT_GROUND = /;(7|1[0-5])$/;

/** Where a command's words come from and go to. */
export interface Terminal {
  /** Data, for the next program in a pipe. */
  out(text: string): void;
  /** Much data, as it stands: resolves when the next piece may come, and rejects when nobody reads any more. */
  pour(text: string): Promise<void>;
  /** Words, for a person. */
  err(text: string): void;
  readonly isInteractive: boolean;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Writes over the last line on the terminal; nothing clears it. */
  over(line: string): void;
  /** Columns; endless where no terminal ends a line. */
  readonly width: number;
  readonly hasColour: boolean;
  /** It says that its ground is light; most say nothing. */
  readonly isLight: boolean;
  /** Whether letters beyond ASCII are understood by whoever reads. */
  readonly hasUtf8: boolean;
  readAll(): Promise<string>;
  ask(question: string): Promise<string>;
  askSecret(question: string): Promise<string>;
}

const DEFAULT_WIDTH = 80;

export const processTerminal = (): Terminal => {
  const { env } = process;
  const isDumb = env.TERM === "dumb";
  const [inIsTerminal, outIsTerminal, errIsTerminal] = [isatty(0), isatty(1), isatty(2)];
  // To open one of them is a part of what a short command costs: each is opened when something is written to it.
  const stdout = lazy(() => heedErrors(process.stdout, (words) => stderr().write(words)));
  const stderr = lazy(() => heedErrors(process.stderr, () => {}));
  const columnsOf = (stream: () => NodeJS.WriteStream) => stream().columns || DEFAULT_WIDTH;
  return {
    out: (text) => void stdout().write(text.endsWith("\n") ? text : `${text}\n`),
    pour: (text) =>
      new Promise((resolve, reject) => {
        stdout().write(text, (error) => (error && isClosed(error) ? reject(new NobodyReads()) : resolve()));
      }),
    err: (text) => void stderr().write(text.endsWith("\n") ? text : `${text}\n`),
    isInteractive: inIsTerminal && errIsTerminal,
    outIsTerminal,
    errIsTerminal,
    over: (line) => void (isDumb || stderr().write(`\r\x1b[K${line.slice(0, columnsOf(stderr) - 1)}`)),
    width: outIsTerminal ? columnsOf(stdout) : Infinity,
    hasColour: outIsTerminal && !env.NO_COLOR && !isDumb,
    isLight: LIGHT_GROUND.test(env.COLORFGBG ?? ""),
    hasUtf8: speaksUtf8(env),
    readAll: () => Bun.stdin.text(),
    ask: (question) => readLine(question, true),
    askSecret: (question) => readLine(question, false),
  };
};

const heedErrors = (stream: NodeJS.WriteStream, say: (words: string) => void): NodeJS.WriteStream =>
  stream.on("error", (error) => endWithoutOutput(error, say));

/** As the C library finds it: the first of the three that says something decides, and none of them means ASCII. */
export const speaksUtf8 = ({ LC_ALL, LC_CTYPE, LANG }: Record<string, string | undefined>): boolean =>
  /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "");

const isClosed = (error: Error): boolean => (error as NodeJS.ErrnoException).code === "EPIPE";

/** A reader that has enough is no failure, and what is under way goes on; a disk that is full is one. */
const endWithoutOutput = (error: Error, say: (words: string) => void): void => {
  if (isClosed(error)) return;
  const isFull = (error as NodeJS.ErrnoException).code === "ENOSPC";
  say(`qsolog: cannot write the output: ${isFull ? "the disk is full" : error.message}.\n`);
  process.exit(1);
};

/** The other end of the pipe is closed: what only pours may stop. */
export class NobodyReads extends Error {}

const ENTER = /[\r\n]/;
const CTRL_C = "\x03";
const CTRL_D = "\x04";
const BACKSPACE = /[\b\x7f]/;

/**
 * Reads a line in raw mode from before the question on, so that a secret is never echoed and Ctrl-C is heard at once;
 * the terminal is put back whatever happens.
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

/** What a command that was interrupted ends with. */
export const INTERRUPTED = 130;
