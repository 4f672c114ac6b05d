import { AppError } from "../src/domain/errors.ts";

/** Where a command's words come from and go to. */
export interface Terminal {
  /** Data, for the next program in a pipe. */
  out(text: string): void;
  /** Much data, as it stands: resolves when the next piece may come. */
  pour(text: string): Promise<void>;
  /** Words, for a person. */
  err(text: string): void;
  readonly isInteractive: boolean;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Writes over the last line on the terminal; nothing clears it. */
  over(line: string): void;
  readonly width: number;
  readonly hasColour: boolean;
  readAll(): Promise<string>;
  ask(question: string): Promise<string>;
  askSecret(question: string): Promise<string>;
}

const DEFAULT_WIDTH = 80;

export const processTerminal = (): Terminal => {
  const { stdin, stdout, stderr, env } = process;
  stdout.on("error", (error) => endWithoutOutput(error, (words) => stderr.write(words)));
  stderr.on("error", (error) => endWithoutOutput(error, () => {}));
  return {
    out: (text) => void stdout.write(text.endsWith("\n") ? text : `${text}\n`),
    pour: (text) => new Promise((resolve) => void stdout.write(text, () => resolve())),
    err: (text) => void stderr.write(text.endsWith("\n") ? text : `${text}\n`),
    isInteractive: Boolean(stdin.isTTY && stderr.isTTY),
    outIsTerminal: Boolean(stdout.isTTY),
    errIsTerminal: Boolean(stderr.isTTY),
    over: (line) => void stderr.write(`\r\x1b[K${line.slice(0, (stderr.columns ?? DEFAULT_WIDTH) - 1)}`),
    width: stdout.isTTY ? (stdout.columns ?? DEFAULT_WIDTH) : DEFAULT_WIDTH,
    hasColour: Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== "dumb",
    readAll: () => Bun.stdin.text(),
    ask: (question) => readLine(question, true),
    askSecret: (question) => readLine(question, false),
  };
};

/** A reader that has enough is no failure; a disk that is full is one. */
const endWithoutOutput = (error: NodeJS.ErrnoException, say: (words: string) => void): void => {
  if (error.code === "EPIPE") process.exit(0);
  say(`qsolog: the output cannot be written: ${error.code === "ENOSPC" ? "the disk is full" : error.message}.\n`);
  process.exit(1);
};

/** Words from outside cannot move the cursor, change colours or type for the reader. */
export const harmless = (text: string): string => text.replace(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, " ");

const ENTER = /[\r\n]/;
const CTRL_C = "\x03";
const CTRL_D = "\x04";
const BACKSPACE = /[\b\x7f]/;

/** Reads a line in raw mode, so that a secret is never echoed; the terminal is put back whatever happens. */
const readLine = async (question: string, echo: boolean): Promise<string> => {
  const { stdin, stderr } = process;
  // Whoever reads the question may press Ctrl-C at once.
  stdin.setRawMode(true);
  stderr.write(question);
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
          if (key === CTRL_D && line === "") return done(() => reject(new AppError("invalid", "Nothing was typed.")));
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
