import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { Command } from "commander";
import { getLogFile } from "../../src/config.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { describeFileError } from "../../src/kernel/files.ts";
import { escapeControlCharacters, stripToOneLine } from "../../src/kernel/control-characters.ts";
import { LOG_LEVELS, type LogLevel } from "../../src/kernel/log.ts";
import { runInterruptible } from "../interruptible.ts";
import { parseWord } from "../parse.ts";
import type { Flags, Shell } from "../shell.ts";
import { Interrupted } from "../terminal.ts";

interface Options extends Flags {
  follow?: boolean;
  level: string;
  lines: string;
}

const LOOK_EVERY_MS = 300;
const MAX_LINES = 100_000;
const CHUNK_BYTES = 65_536;

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "logs", null, ["qsolog logs --follow", "qsolog logs --level warn --lines 200 --json"])
    .option("-f, --follow", "wait for new entries")
    .option(`--level <${LOG_LEVELS.join("|")}>`, "the least severe entries to show", "debug")
    .option("--lines <n>", "how many of the newest entries to show", "50")
    .action((flags: Options) => showLog(shell, flags));
};

const showLog = async (shell: Shell, flags: Options): Promise<void> => {
  const file = getLogFile(shell.readConfig(flags).config);
  const least = LOG_LEVELS.indexOf(parseWord("--level", flags.level, LOG_LEVELS));
  const count = parseLines(flags.lines);
  const isShown = (line: string) => LOG_LEVELS.indexOf(parse(line)?.level as LogLevel) >= least;
  const print = (lines: readonly string[]) => {
    for (const line of lines) shell.terminal.out(shell.isJson ? escapeControlCharacters(line) : format(parse(line)!));
  };
  const reader = new LogReader(file);
  try {
    const found = reader.readNew().filter(isShown);
    print(count === 0 ? [] : found.slice(-count));
    if (!flags.follow) return;
    await runInterruptible(async (signal) => {
      while (!signal.aborted) {
        await Bun.sleep(LOOK_EVERY_MS);
        print(reader.readNew().filter(isShown));
      }
    });
    throw new Interrupted();
  } finally {
    reader.close();
  }
};

const parseLines = (text: string): number => {
  if (/^\d+$/.test(text) && Number(text) <= MAX_LINES) return Number(text);
  throw new AppError("invalid", `--lines must be a whole number from 0 to ${MAX_LINES}, not ${JSON.stringify(text)}.`);
};

/** Reads complete lines, and goes on in the new file after a rotation. */
class LogReader {
  readonly #file: string;
  #handle: number;
  #rest = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
    this.#handle = this.#open();
  }

  readNew(): string[] {
    const lines = this.#readToEnd();
    const current = statSync(this.#file, { throwIfNoEntry: false });
    if (!current || current.ino === fstatSync(this.#handle).ino) return lines;
    lines.push(...this.#readToEnd());
    this.close();
    this.#handle = this.#open();
    return [...lines, ...this.#readToEnd()];
  }

  close(): void {
    closeSync(this.#handle);
  }

  #open(): number {
    try {
      return openSync(this.#file, "r");
    } catch (error) {
      const message = `Could not read the log ${this.#file}: ${describeFileError(error)}. The server and commands that change something write it.`;
      throw new AppError("not_found", message, { cause: error });
    }
  }

  #readToEnd(): string[] {
    const pieces = [this.#rest];
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let read = 0; (read = readSync(this.#handle, chunk)) > 0;) pieces.push(Buffer.from(chunk.subarray(0, read)));
    const bytes = Buffer.concat(pieces);
    const end = bytes.lastIndexOf(10) + 1;
    this.#rest = bytes.subarray(end);
    return bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
  }
}

type Entry = { at: string; level: string; event: string } & Record<string, unknown>;

const parse = (line: string): Entry | null => {
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return null;
  }
};

const format = ({ at, level, event, ...fields }: Entry): string => {
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === "string" && !/[\s"]/.test(value) ? value : JSON.stringify(value)}`,
  );
  return stripToOneLine([at, level.padEnd(5), event, ...shown].join(" "));
};
