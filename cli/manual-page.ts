import { version } from "../package.json";
import { environmentName, SETTINGS } from "../src/config.ts";
import { leavesOf, type CommandNode, type Flag, type Place } from "./command-tree.ts";
import { EXIT_CODES } from "./help.ts";

/** Options of every command, and of every command that can use a server. The manual lists them once. */
const COMMON: readonly string[] = ["--json", "--data-dir", "--database-url"];
const OF_A_SERVER: readonly string[] = ["--server", "--insecure"];

const FILES: readonly (readonly [name: string, meaning: string])[] = [
  ["qsolog.db", "the SQLite database"],
  ["qsolog.toml", "the configuration file (optional); flags and environment variables override it"],
  ["secret", "the key that encrypts stored credentials, created when first needed; keep a copy"],
  ["qsolog.log", "the log"],
  ["cty.csv", "a country file to use instead of the built-in one"],
  ["clublog.txt", "the exceptions of Club Log's cty.xml, if it was added"],
  ["backups/", "copies made before a migration"],
];

/** The manual page in roff, generated from the commands. */
export const buildManualPage = (program: CommandNode): string =>
  [
    `.TH QSOLOG 1 "" ${quote(`qsolog ${version}`)} "User Commands"`,
    ".nh",
    ".ad l",
    ".SH NAME",
    `qsolog \\- ${escapeRoff(lowered(program.summary))}`,
    ".SH SYNOPSIS",
    ".B qsolog",
    ".I command",
    "[options]",
    ".SH DESCRIPTION",
    formatText(
      "qsolog keeps the contact logs of radio amateurs. It downloads contacts and confirmations from two logbook " +
        "services, matches them with the log, records what each download changed, and can roll it back.",
    ),
    formatText(
      "The commands work on the same database while the server runs. Data goes to stdout, messages to stderr.",
    ),
    ".SH OPTIONS",
    "Every command has these.",
    ...findFlags(COMMON, program).flatMap(formatFlag),
    ...formatTerm("--help", "show the help of the command, with examples"),
    ...formatTerm("--version", "show version, commit and Bun release"),
    formatText("Commands about a log can use a server instead:"),
    ...findFlags(OF_A_SERVER, program).flatMap(formatFlag),
    ".SH COMMANDS",
    ...leavesOf(program).flatMap(formatCommand),
    ".SH EXIT STATUS",
    ...EXIT_CODES.flatMap(([code, meaning]) => formatTerm(String(code), meaning)),
    ".SH ENVIRONMENT",
    formatText("Flags override environment variables, which override the configuration file."),
    ...SETTINGS.flatMap((setting) => formatTerm(environmentName(setting), setting.meaning)),
    ...formatTerm("NO_COLOR", "turns off colours when set to any value; TERM=dumb does the same"),
    ...formatTerm("LC_ALL, LC_CTYPE, LANG", "messages are printed in ASCII unless one of them names UTF-8"),
    ".SH FILES",
    formatText("In the data directory, $XDG_DATA_HOME/qsolog or ~/.local/share/qsolog:"),
    ...FILES.flatMap(([name, meaning]) => formatTerm(name, meaning)),
    ".SH EXAMPLES",
    ...formatExamples(program.examples),
    "",
  ].join("\n");

const findFlags = (names: readonly string[], program: CommandNode): Flag[] => {
  const all = leavesOf(program).flatMap(({ flags }) => flags);
  return names.map((name) => all.find((flag) => flag.name === name)).filter((flag) => flag !== undefined);
};

const formatCommand = ({ words, places, summary, flags, examples }: CommandNode): string[] => [
  `.SS ${quote([`qsolog`, ...words, ...places.map(formatPlace)].join(" "))}`,
  formatText(formatSentence(summary)),
  ...flags.filter(({ name }) => ![...COMMON, ...OF_A_SERVER].includes(name)).flatMap(formatFlag),
  ...formatExamples(examples),
];

const formatPlace = ({ name, isOptional }: Place): string => (isOptional ? `[${name}]` : `<${name}>`);

const formatFlag = ({ name, short, value, meaning, standard }: Flag): string[] => {
  const names = short === null ? name : `${short}, ${name}`;
  const usual = standard === null ? "" : ` (otherwise ${standard})`;
  return formatTerm(value === null ? names : `${names} <${value}>`, meaning + usual);
};

const formatTerm = (term: string, meaning: string): string[] => [
  ".TP",
  `.B ${allowBreaks(escapeRoff(term))}`,
  escapeRoff(meaning),
];

/** Allows a line break within a long list of values. */
const allowBreaks = (term: string): string => term.replaceAll("|", "|\\:");

const formatExamples = (examples: readonly string[]): string[] =>
  examples.length === 0
    ? []
    : [".PP", ".nf", ".RS", ...examples.map((line) => `\\&$ ${escapeRoff(line)}`), ".RE", ".fi"];

const formatText = (words: string): string => `.PP\n${escapeRoff(words)}`;

const formatSentence = (words: string): string => `${words[0]!.toUpperCase()}${words.slice(1)}.`;

const lowered = (words: string): string => `${words[0]!.toLowerCase()}${words.slice(1).replace(/\.$/, "")}`;

const quote = (words: string): string => `"${escapeRoff(words).replaceAll('"', "\\(dq")}"`;

/** Escapes roff control characters and non-ASCII. */
const escapeRoff = (words: string): string =>
  words
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("~", "\\(ti")
    .replaceAll("^", "\\(ha")
    .replace(/^\./gm, "\\&.")
    .replace(/[^\x00-\x7f]/gu, (sign) => `\\[u${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`);
