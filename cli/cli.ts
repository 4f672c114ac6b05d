import { Command, CommanderError } from "commander";
import { version } from "../package.json";
import { AppError, EXIT_CODE } from "../src/domain/errors.ts";
import { GROUPS } from "./groups.ts";
import { Shell } from "./shell.ts";
import { harmless, Interrupted, type Terminal } from "./terminal.ts";

/** Understood wherever it stands in the line. */
const JSON_FLAG = "--json";

const USAGE = 2;
const INTERRUPTED = 130;

/** Runs one command line and gives its exit code. */
export const run = async (
  given: readonly string[],
  terminal: Terminal,
  env: Record<string, string | undefined>,
): Promise<number> => {
  const words = given.filter((word) => word !== JSON_FLAG);
  const asJson = words.length < given.length;
  const shell = new Shell(terminal, env, asJson);
  try {
    const program = await programFor(words, shell);
    if (words.length === 0) {
      terminal.err(program.helpInformation());
      return USAGE;
    }
    await program.parseAsync([...words], { from: "user" });
    return shell.exitCode;
  } catch (error) {
    return report(error, terminal, asJson);
  }
};

/** The program with the one group of commands that is asked for; the others are names in the help. */
const programFor = async (words: readonly string[], shell: Shell): Promise<Command> => {
  const program = new Command("qsolog")
    .description("A contact log service for radio amateurs.")
    .version(version, "-V, --version")
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ helpWidth: shell.terminal.width })
    .configureOutput({
      writeOut: (text) => shell.terminal.out(text),
      writeErr: () => {},
    });
  const [first, second] = words.filter((word) => !word.startsWith("-"));
  const wanted = first === "help" ? second : first;
  for (const { name, summary, isRemote, load } of GROUPS) {
    if (name === wanted) {
      const others = program.commands.length;
      (await load()).register(program, shell);
      if (isRemote) program.commands.slice(others).forEach(addServerOptions);
    } else program.command(name, { hidden: false }).description(summary);
  }
  program.addHelpText(
    "after",
    "\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by a rule, 4 not allowed, 5 not found, 130 interrupted.",
  );
  return program;
};

/** For a command and those below it; what has no option of its own is only their name. */
const addServerOptions = (command: Command): void => {
  command.commands.forEach(addServerOptions);
  if (command.options.length === 0) return;
  command
    .option("--server <url>", "ask this server instead of the log on this machine; see qsolog login --help")
    .option("--insecure", "with --server: send the token to an http address too");
};

const report = (error: unknown, terminal: Terminal, asJson: boolean): number => {
  if (error instanceof CommanderError) return reportUsage(error, terminal, asJson);
  if (error instanceof Interrupted) return INTERRUPTED;
  if (error instanceof AppError) {
    terminal.err(asJson ? errorDocument(error) : errorWords(error));
    return EXIT_CODE[error.code];
  }
  const { message } = error as Error;
  terminal.err(asJson ? errorDocument(new AppError("internal", message)) : `qsolog: unexpected error: ${message}`);
  if (process.env.QSOLOG_LOG_LEVEL === "debug") terminal.err((error as Error).stack ?? "");
  return EXIT_CODE.internal;
};

const reportUsage = (error: CommanderError, terminal: Terminal, asJson: boolean): number => {
  if (error.exitCode === 0) return 0;
  const message = error.message.replace(/^error: /, "");
  if (asJson) terminal.err(errorDocument(new AppError("invalid", message)));
  else terminal.err(message === "(outputHelp)" ? "Say which command. See --help." : `qsolog: ${message}`);
  return USAGE;
};

const errorWords = ({ message, fields = [] }: AppError): string =>
  harmless(
    fields.length > 1
      ? ["qsolog: there are several problems:", ...fields.map((field) => `  ${field.path}: ${field.message}`)].join(
          "\n",
        )
      : `qsolog: ${message}`,
  );

const errorDocument = ({ code, message, rule, fields }: AppError): string =>
  JSON.stringify({ error: { code, message, rule, fields } });
