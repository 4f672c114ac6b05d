import type { Command } from "commander";
import { existsSync } from "node:fs";
import {
  getLogFile,
  readConfig,
  SETTINGS,
  flagName,
  type Config,
  type ConfigReading,
  type SettingName,
} from "../src/config.ts";
import { AppError } from "../src/kernel/errors.ts";
import { LOG_LEVELS, openLog, SILENT_LOG, type Log } from "../src/kernel/log.ts";
import { giveToOwnerOf } from "../src/kernel/files.ts";
import type { World } from "../src/world.ts";
import { fitJson, fitText } from "./wrap.ts";
import { ProgressBar } from "./progress.ts";
import { stripControlCharacters } from "../src/kernel/control-characters.ts";
import { READING } from "../src/kernel/progress.ts";
import type { Terminal } from "./terminal.ts";

/** The options that were given. Those named here mean the same for every command. */
export interface Flags {
  user?: string;
  dryRun?: boolean;
  yes?: boolean;
  insecure?: boolean;
  [name: string]: unknown;
}

export interface Opening {
  /** Prints the database to stderr, once it is known that the command does something. */
  writes: boolean;
  /** Creates the database if there is none. Only commands that need no user do. */
  creates?: boolean;
  /** A full screen: long work is done in another thread, and progress is not printed. */
  isScreen?: boolean;
}

interface CommandForm {
  /** Which settings are options too; otherwise only the location of the data. */
  settings?: "all" | "none";
  /** It runs if its group is named alone. */
  isDefault?: boolean;
}

const WHERE_THE_DATA_IS: readonly SettingName[] = ["dataDir", "databaseUrl"];

/** Placeholders for the values of settings. `values.ts` knows the possible values of some. */
const PLACEHOLDERS: Partial<Record<SettingName, string>> = {
  dataDir: "directory",
  logFile: "file",
  logLevel: LOG_LEVELS.join("|"),
  registration: "closed|open",
  adminFactor: "optional|required",
  oidcRegistration: "closed|open",
  proxyRegistration: "closed|open",
};

/** What all commands share: configuration, world, and output. */
export class Shell {
  readonly terminal: Terminal;
  readonly env: Record<string, string | undefined>;
  readonly clock: () => number = Date.now;
  /** Set by a command whose result is neither success nor an error. */
  exitCode = 0;
  /** What the parser does not store about each command. */
  readonly forms = new Map<Command, { examples: readonly string[]; isDefault?: boolean }>();

  /** The progress line. It is cleared before other output. */
  readonly progress: ProgressBar;

  readonly isJson: boolean;
  #hasWarned = false;

  constructor(terminal: Terminal, env: Record<string, string | undefined>, isJson: boolean) {
    this.terminal = terminal;
    this.env = env;
    this.progress = new ProgressBar(terminal);
    this.isJson = isJson;
  }

  /**
   * Adds a command with the options that every command has, and with examples for the help and the manual. Without a
   * description it has its group's summary.
   */
  command(
    parent: Command,
    usage: string,
    description: string | null,
    examples: readonly string[],
    { settings, isDefault = false }: CommandForm = {},
  ): Command {
    const command = parent
      .command(usage, { isDefault })
      .description(description ?? "")
      .option("--json", "print JSON");
    this.forms.set(command, { examples, isDefault });
    for (const setting of settings === "none" ? [] : SETTINGS) {
      if (setting.secret || (setting.notInFile && setting.name !== "dataDir")) continue;
      if (settings !== "all" && !WHERE_THE_DATA_IS.includes(setting.name)) continue;
      command.option(`${flagName(setting)} <${PLACEHOLDERS[setting.name] ?? "value"}>`, setting.meaning);
    }
    return command;
  }

  /** Prints once what was ignored. */
  readConfig(flags: Flags): ConfigReading {
    const reading = readConfig({ env: this.env, flags });
    if (!this.#hasWarned) for (const warning of reading.warnings) this.terminal.err(warning);
    this.#hasWarned = true;
    return reading;
  }

  /** Opens the world for one command and always closes it. */
  async withWorld<T>(flags: Flags, opening: Opening, work: (world: World) => Promise<T>): Promise<T> {
    const { config } = this.readConfig(flags);
    const world = await openCommandWorld(config, opening);
    try {
      if (opening.writes && !flags.dryRun) this.place = `database: ${world.db.location}`;
      const done = await work(world);
      this.showPlace();
      return done;
    } finally {
      this.place = null;
      await world.db.close();
      world.log.close();
    }
  }

  /** Where the command writes; null if that was printed, or it only reads. */
  place: string | null = null;

  /** Printed before a question or an answer, not when a command refuses. */
  showPlace(): void {
    if (this.place === null) return;
    this.progress.clear();
    this.terminal.err(this.place);
    this.place = null;
  }

  /** Prints text to stdout, even with --json. */
  say(words: string): void {
    this.terminal.out(this.#fitted(words));
  }

  /** Shows the progress of reading a large log. */
  showReading = (share: number): void => {
    if (!this.isJson) this.progress.show(READING, share);
  };

  /** Prints the document as JSON, or text for people. */
  answer(document: unknown, words: () => string): void {
    this.showPlace();
    this.progress.clear();
    this.terminal.out(this.isJson ? this.formatLine(document) : this.#fitted(words()));
  }

  /** The same for a page of a list; the command for the next page comes last. */
  answerPage(page: { nextCursor: string | null }, words: () => string, shown: string): void {
    const { nextCursor } = page;
    this.answer(page, words);
    if (nextCursor !== null && !this.isJson) this.terminal.err(`${shown} Next page: --cursor ${nextCursor}`);
  }

  /** The same for text that programs read, which is not wrapped. */
  answerAsIs(document: unknown, text: string): void {
    if (this.isJson || text !== "") this.terminal.out(this.isJson ? this.formatLine(document) : text);
  }

  /** The same for an answer that is too long for memory, or that contains untrusted text. */
  async answerInPieces(document: () => AsyncIterable<string>, words: () => AsyncIterable<string>): Promise<void> {
    if (this.isJson) for await (const piece of document()) await this.terminal.pour(this.#spelt(piece));
    else for await (const piece of words()) await this.terminal.pour(this.#fitted(stripControlCharacters(piece)));
  }

  /** A document on a line of its own, for output with several. */
  formatLine(document: unknown): string {
    return this.#spelt(JSON.stringify(document));
  }

  #spelt(json: string): string {
    const { hasUtf8, outIsTerminal } = this.terminal;
    return fitJson(json, { hasUtf8, isTerminal: outIsTerminal });
  }

  #fitted(words: string): string {
    const { hasUtf8, width, outIsTerminal } = this.terminal;
    return fitText(words, { hasUtf8, width, isTerminal: outIsTerminal });
  }

  /** The server that answered this command's questions, if any. */
  server: string | null = null;

  /** Reads a secret from standard input, the environment or a prompt; never from the command line. */
  async readSecret(question: string, isOnStdin: boolean | undefined, missing: string): Promise<string> {
    if (isOnStdin) return (await this.terminal.readAll()).replace(/\r?\n$/, "");
    if (this.env.QSOLOG_PASSWORD) return this.env.QSOLOG_PASSWORD;
    if (!this.terminal.isInteractive) throw new AppError("invalid", `${missing}, or run this in a terminal.`);
    return this.terminal.askSecret(`${question}: `);
  }

  /** The same for a new password, which is typed twice. */
  async readNewPassword(
    { passwordStdin }: { passwordStdin?: boolean },
    question: string,
    assertValid: (secret: string) => void,
  ): Promise<string> {
    const missing = "No password given. Use --password-stdin or QSOLOG_PASSWORD";
    const first = await this.readSecret(question, passwordStdin, missing);
    if (passwordStdin || this.env.QSOLOG_PASSWORD) return first;
    assertValid(first);
    const second = await this.terminal.askSecret("Repeat it: ");
    if (first !== second) throw new AppError("invalid", "The passwords do not match.");
    return first;
  }

  /** Asks the user to type a word; programs use --yes. */
  async confirm(flags: Flags, question: string, expected: string): Promise<void> {
    if (flags.yes) return;
    if (!this.terminal.isInteractive) throw new AppError("invalid", "Use --yes to confirm without a terminal.");
    this.showPlace();
    const typed = await this.terminal.ask(question);
    if (typed.trim().toLowerCase() !== expected.toLowerCase())
      throw new AppError("invalid", "Cancelled. Nothing was changed.");
  }
}

/** A command asks a database server one thing at a time, except while a job reports its progress. */
const MAX_CONNECTIONS = 3;

const openCommandWorld = async (config: Config, { writes, creates, isScreen }: Opening): Promise<World> => {
  const { databaseExists, openWorld, prepareDataDir } = await import("../src/world.ts");
  if (creates) prepareDataDir(config);
  else if (!databaseExists(config)) throw createNoDatabaseError(config);
  const log = writes ? openCommandLog(config) : SILENT_LOG;
  const how = isScreen
    ? { backgroundThread: (await import("../src/worker/thread.ts")).BACKGROUND_THREAD }
    : { maxConnections: MAX_CONNECTIONS };
  return openWorld(config, { clock: Date.now, random: randomBytes, log, ...how });
};

/** The server's log also has what commands change. A command works even if it cannot write there. */
const openCommandLog = (config: Config): Log => {
  const file = getLogFile(config);
  try {
    const isNew = !existsSync(file);
    const log = openLog({ file, level: config.logLevel, clock: Date.now });
    if (isNew) giveToOwnerOf(config.dataDir, file);
    return log;
  } catch {
    return SILENT_LOG;
  }
};

/** Helps both new users and users who look in the wrong place. */
export const createNoDatabaseError = ({ databaseUrl }: Pick<Config, "databaseUrl">): AppError =>
  new AppError(
    "not_found",
    `There is no database at ${databaseUrl}. Create one with qsolog serve or qsolog admin create NAME, or point --data-dir at an existing one.`,
  );

export const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));
