import { expect } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../../cli/cli.ts";
import { hasUtf8Locale, type Terminal } from "../../cli/terminal.ts";
import { inTerminal } from "../support/pseudo-terminal.ts";
import { cleanEnvironment, QSOLOG } from "../support/qsolog.ts";
import { STANDING } from "./golden-world.ts";
import type { CommandLine } from "./services.ts";

const FOLDER = join(import.meta.dir, "golden");

/** How the output of a command is captured. */
export interface Stage {
  title: string;
  env: Record<string, string>;
  /** Without columns it is a pipe. */
  cols?: number;
}

export const PIPE: Stage = { title: "in a pipe", env: {} };
export const TERMINAL: Stage = { title: "on a terminal", env: {}, cols: 80 };
export const NARROW: Stage = {
  title: "on a narrow, dumb terminal without a locale",
  env: { LC_ALL: "C", TERM: "dumb" },
  cols: 40,
};

export interface Order {
  words: readonly string[];
  stdin?: string;
  /** What is typed, each after this output has appeared. */
  typed?: readonly (readonly [after: string, keys: string])[];
}

/** Runs the real program and returns its output and how it ended. */
export const performed = async (
  line: CommandLine,
  { words, stdin, typed = [] }: Order,
  stage: Stage,
): Promise<string> => {
  const env = environmentOf(line, stage);
  const said =
    stage.cols === undefined
      ? await piped(env, line.world.dataDir, words, stdin)
      : await shown(env, stage.cols, words, typed);
  return asTranscript(line, words, said);
};

/** The same without a process, for commands without prompts. */
export const performedHere = async (line: CommandLine, words: readonly string[], stage: Stage): Promise<string> => {
  const env = environmentOf(line, stage);
  const isTerminal = stage.cols !== undefined;
  const said = { out: "", err: "" };
  const add = (to: "out" | "err", text: string) => void (said[to] += text.endsWith("\n") ? text : `${text}\n`);
  const terminal: Terminal = {
    out: (text) => add("out", text),
    pour: async (text) => void (said.out += text),
    err: (text) => add(isTerminal ? "out" : "err", text),
    over: () => {},
    isInteractive: isTerminal,
    outIsTerminal: isTerminal,
    errIsTerminal: isTerminal,
    width: stage.cols ?? Infinity,
    hasColour: false,
    isLight: false,
    hasUtf8: hasUtf8Locale(env),
    readAll: async () => "",
    ask: unasked,
    askSecret: unasked,
  };
  const code = await run(words, terminal, env);
  return asTranscript(line, words, said.out + marked(said.err) + ending(code));
};

const unasked = (question: string) => Promise.reject(new Error(`nobody answers: ${question}`));

const environmentOf = ({ world, bob }: CommandLine, stage: Stage): Record<string, string> =>
  cleanEnvironment({
    QSOLOG_DATA_DIR: world.dataDir,
    XDG_CONFIG_HOME: join(world.dataDir, "config"),
    QSOLOG_FIRST_URL: world.config.firstUrl,
    QSOLOG_SECOND_URL: world.config.secondUrl,
    QSOLOG_USER: bob.username,
    QSOLOG_PACE: "0",
    ...stage.env,
  });

const asTranscript = (line: CommandLine, words: readonly string[], said: string): string =>
  steady(`$ qsolog ${words.map(asTyped).join(" ")}\n${said}`, line);

const marked = (err: string): string => (err === "" ? "" : err.replace(/^/gm, "2> ").replace(/2> $/, ""));

const ending = (code: number): string => (code === 0 ? "" : `exit ${code}\n`);

const piped = async (env: Record<string, string>, cwd: string, words: readonly string[], stdin?: string) => {
  const child = Bun.spawn([...QSOLOG, ...words], {
    env,
    cwd,
    stdin: stdin === undefined ? "ignore" : new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return out + marked(err) + ending(code);
};

const shown = async (
  env: Record<string, string>,
  cols: number,
  words: readonly string[],
  typed: readonly (readonly [string, string])[],
) => {
  const terminal = inTerminal([...QSOLOG, ...words], env, { cols, rows: 200 });
  let seen = "";
  for (const [after, keys] of typed) {
    seen += (await terminal.shows(after)) + after;
    terminal.type(keys);
  }
  const code = await terminal.exited;
  const text = (seen + terminal.text()).replaceAll("\r\n", "\n").replaceAll("\x1b", "␛");
  return text + ending(code);
};

const asTyped = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`);

/** Replaces what differs between runs: paths, durations, and today's date. */
const steady = (text: string, { world }: CommandLine): string =>
  text
    .replaceAll(world.dataDir, "<data>")
    .replace(/\/127\.0\.0\.1:\d{5}/g, "/127.0.0.1:<port>")
    .replace(/qsl_[\w-]{43}/g, "qsl_<token>")
    .replace(/whsec_[\w-]{43}/g, "whsec_<key>")
    .replace(/(\/password\?token=)[\w-]{32}/g, "$1<token>")
    .replace(/took (?:< )?\d+\.\d\s+s/g, "took N s")
    .replace(/(CREATED_TIMESTAMP:15>)\d{8} \d{6}/g, "$1<now>")
    .replace(/(PROGRAMVERSION:)\d+>.*/g, "$1<version>")
    .replace(/size: [\d,.]+ [kMG]B/g, "size: N kB")
    .replace(/: \d+ bytes, /g, ": N bytes, ")
    .replace(/[\w./-]+ \(process \d+\)/g, "<program> (process N)")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, (time) => (STANDING.includes(time) ? time : "YYYY-MM-DD HH:MM"));

/** Compares with the golden file. QSOLOG_UPDATE_GOLDEN=1 writes it again. */
export const expectTranscript = (name: string, text: string): void => {
  const file = join(FOLDER, `${name}.txt`);
  if (process.env.QSOLOG_UPDATE_GOLDEN) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(existsSync(file)).toBe(true);
  expect(text).toBe(readFileSync(file, "utf8"));
};
