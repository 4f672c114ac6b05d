import { Command, CommanderError } from "commander";
import { readConfig } from "../src/config.ts";
import { AppError, type ErrorCode } from "../src/kernel/errors.ts";
import { leavesOf, readTree } from "./command-tree.ts";
import { fitJson, fitText } from "./wrap.ts";
import { expandShortForm, GROUPS, MANUAL, type Group } from "./groups.ts";
import { buildHelp } from "./help.ts";
import { Shell } from "./shell.ts";
import { stripControlCharacters } from "../src/kernel/control-characters.ts";
import { redactText } from "../src/kernel/redact.ts";
import { INTERRUPTED, Interrupted, PipeClosed, type Terminal } from "./terminal.ts";
import { assertKnownCommands, assertKnownValues } from "./typos.ts";
import { getVersion, formatVersion } from "./version.ts";

/** Accepted anywhere in the command line. */
const JSON_FLAG = "--json";

const VERSION_WORDS: readonly string[] = ["-V", "--version", "version"];

/** Not for people: the completion scripts ask it. */
const COMPLETE = "__complete";

const USAGE = 2;

/** The exit codes of refused and failed commands. */
export const EXIT_CODE: Record<ErrorCode, number> = {
  invalid: 2,
  unauthenticated: 4,
  forbidden: 4,
  not_found: 5,
  conflict: 3,
  too_large: 2,
  rate_limited: 1,
  upstream: 1,
  unavailable: 1,
  internal: 1,
};

const EXAMPLES = ["qsolog demo", "qsolog sync all", "qsolog stats --user ann", "qsolog help qso list"];

/** Runs one command line and returns its exit code. */
export const run = async (
  given: readonly string[],
  raw: Terminal,
  env: Record<string, string | undefined>,
): Promise<number> => {
  const words = expandShortForm(replaceHelp(given.filter((word) => word !== JSON_FLAG)));
  const asJson = given.includes(JSON_FLAG);
  const terminal = asJson ? raw : fitTerminal(raw);
  const shell = new Shell(terminal, env, asJson);
  if (VERSION_WORDS.includes(words[0] ?? "")) {
    shell.answer(getVersion(), () => formatVersion(getVersion()));
    return 0;
  }
  if (given[0] === COMPLETE) return complete(given.slice(1), shell);
  let program: Command | null = null;
  try {
    program = await loadProgram(words, shell, asJson);
    if (words.length === 0 && !asJson) {
      terminal.err(program.helpInformation());
      return USAGE;
    }
    await assertKnownCommands(
      program,
      words,
      (word) => findInGroups(word, shell),
      (one) => shell.forms.get(one)?.isDefault === true,
    );
    await program.parseAsync([...words], { from: "user" }).finally(() => shell.progress.clear());
    return shell.exitCode;
  } catch (error) {
    return error instanceof PipeClosed
      ? shell.exitCode
      : report(error, { terminal, asJson, words, program, server: shell.server });
  }
};

/** Answers a completion script. The last word is the one at the cursor. */
const complete = async (given: readonly string[], shell: Shell): Promise<number> => {
  const words = expandShortForm(given.slice(0, -1));
  const { listOffers } = await import("./completion/offers.ts");
  const program = readTree(await loadProgram(words, shell, true), shell);
  const offers = await listOffers(program, words, given.at(-1) ?? "", readConfig({ env: shell.env }).config);
  shell.say([offers.kind, ...offers.words].join("\n"));
  return 0;
};

/** The full names of the commands with this name in any group. */
const findInGroups = async (word: string, shell: Shell): Promise<string[]> => {
  const all = readTree(await loadProgram([MANUAL], shell, true), shell);
  return leavesOf(all)
    .filter(({ words }) => words.length > 1 && words.at(-1) === word)
    .map(({ words }) => `qsolog ${words.join(" ")}`);
};

/** Turns `help qso list` into `qso list --help`. */
const replaceHelp = (words: readonly string[]): readonly string[] =>
  words[0] === "help" ? [...words.slice(1), "--help"] : words;

/** Wraps a terminal so that text is fitted to it. */
const fitTerminal = (terminal: Terminal): Terminal => {
  const { hasUtf8, width, errIsTerminal } = terminal;
  const fitted = (text: string) => fitText(text, { hasUtf8, width, isTerminal: errIsTerminal });
  return {
    ...terminal,
    err: (text) => terminal.err(fitted(text)),
    over: (line) => terminal.over(fitText(line, { hasUtf8, width: Infinity, isTerminal: errIsTerminal })),
    ask: (question) => terminal.ask(fitted(question)),
    askSecret: (question) => terminal.askSecret(fitted(question)),
  };
};

/** The program with only the requested group of commands. Without one, all groups are there as names for the help. */
const loadProgram = async (words: readonly string[], shell: Shell, asJson: boolean): Promise<Command> => {
  const program = new Command("qsolog")
    .description("A contact log service for radio amateurs.")
    .option("-V, --version", "show version, commit and Bun release")
    .option("--json", "print JSON; can be given anywhere")
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp(buildHelp(shell))
    .configureOutput({
      writeOut: (text) => shell.say(text),
      writeErr: (text) => (asJson ? undefined : shell.terminal.err(text)),
      outputError: () => {},
      // The help has no colours and a width of its own. The defaults would open a stream to find them.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => shell.terminal.width,
      getErrHelpWidth: () => shell.terminal.width,
    })
    .hook("preAction", (_, command) => assertKnownValues(command));
  shell.forms.set(program, { examples: EXAMPLES });
  const wanted = words.find((word) => !word.startsWith("-"));
  const isForAll = wanted === MANUAL;
  const asked = isForAll ? undefined : GROUPS.find(({ name }) => name === wanted);
  for (const group of asked ? [asked] : GROUPS) {
    program.commandsGroup(group.section);
    if (isForAll || group === asked) await addGroup(program, shell, group);
    else program.command(group.name, { hidden: false }).description(group.summary);
  }
  return program;
};

export const addGroup = async (program: Command, shell: Shell, { summary, isRemote, load }: Group): Promise<void> => {
  const others = program.commands.length;
  (await load()).register(program, shell);
  for (const command of program.commands.slice(others)) if (!command.description()) command.description(summary);
  if (isRemote) program.commands.slice(others).forEach(addLogOptions);
};

/** Whose log, and where it is. A command without options of its own only groups others. */
const addLogOptions = (command: Command): void => {
  command.commands.forEach(addLogOptions);
  if (command.options.length === 0) return;
  command
    .option("--user <username>", "use this user's log")
    .option("--server <url>", "use this server instead of the log on this machine; see qsolog login --help")
    .option("--insecure", "with --server: allow sending the token over plain http");
};

interface Asked {
  terminal: Terminal;
  asJson: boolean;
  words: readonly string[];
  program: Command | null;
  /** The server that answered, if any. */
  server: string | null;
}

const report = (thrown: unknown, asked: Asked): number => {
  const { terminal, asJson, server } = asked;
  // What a server answers is not checked against the schemas: they take longer to load than most commands take.
  const isMisunderstood = server !== null && (thrown instanceof TypeError || thrown instanceof RangeError);
  if (isMisunderstood && process.env.QSOLOG_LOG_LEVEL === "debug") terminal.err(redactText(thrown.stack ?? ""));
  const error = isMisunderstood ? notUnderstood(server, thrown) : thrown;
  if (error instanceof CommanderError) return reportUsage(error, asked);
  if (error instanceof Interrupted) return INTERRUPTED;
  if (error instanceof AppError) {
    terminal.err(asJson ? formatErrorDocument(error, terminal) : formatError(error));
    return EXIT_CODE[error.code];
  }
  const message = redactText((error as Error).message);
  const asRefusal = new AppError("internal", message);
  terminal.err(
    asJson ? formatErrorDocument(asRefusal, terminal) : `qsolog: unexpected error: ${stripControlCharacters(message)}`,
  );
  if (process.env.QSOLOG_LOG_LEVEL === "debug")
    terminal.err(stripControlCharacters(redactText((error as Error).stack ?? "")));
  return EXIT_CODE.internal;
};

const notUnderstood = (server: string, cause: unknown): AppError =>
  new AppError(
    "upstream",
    `${server} sent an answer that this qsolog (${getVersion().version}) does not understand. Check that it is a qsolog server of the same version.`,
    { cause },
  );

const reportUsage = (error: CommanderError, { terminal, asJson, words, program }: Asked): number => {
  if (error.exitCode === 0) return 0;
  const isHelp = error.message === "(outputHelp)";
  const seeHelp = MISSING.includes(error.code) ? `. See qsolog${findCommand(program, words)} --help.` : "";
  const message = isHelp ? "No command given. See --help." : redactText(joinLines(error.message)) + seeHelp;
  if (asJson) terminal.err(formatErrorDocument(new AppError("invalid", message), terminal));
  else if (!isHelp) terminal.err(stripControlCharacters(`qsolog: ${message}`));
  return USAGE;
};

/** Errors for which the help is shown, because the user does not know what is missing. */
const MISSING: readonly string[] = ["commander.missingArgument", "commander.missingMandatoryOptionValue"];

/** The full name of the command that was typed. */
const findCommand = (command: Command | null, [word, ...words]: readonly string[]): string => {
  const found = command?.commands.find((one) => one.name() === word);
  return found ? ` ${found.name()}${findCommand(found, words)}` : "";
};

/** The parser puts its suggestion on a separate line. */
const joinLines = (message: string): string => message.replace(/^error: /, "").replace(/\n\((.+)\)$/, ". $1");

const formatError = ({ message, fields = [], jobId }: AppError): string =>
  stripControlCharacters(
    fields.length > 1
      ? ["qsolog: there are several problems:", ...fields.map((field) => `  ${field.message}`)].join("\n")
      : `qsolog: ${message}${jobId === undefined ? "" : formatJobInTheWay(jobId)}`,
  );

const formatJobInTheWay = (jobId: number): string =>
  `\nTo see job ${jobId}: qsolog jobs show ${jobId}\nTo stop it: qsolog jobs stop ${jobId}`;

const formatErrorDocument = (
  { code, message, rule, fields, jobId }: AppError,
  { hasUtf8, errIsTerminal }: Terminal,
): string => {
  const json = JSON.stringify({ error: { code, message, rule, fields, jobId } });
  return fitJson(json, { hasUtf8, isTerminal: errIsTerminal });
};
