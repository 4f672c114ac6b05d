import type { Command } from "commander";
import { findPlaceholder } from "./command-tree.ts";
import { AppError } from "../src/kernel/errors.ts";
import { suggest } from "../src/kernel/similar-words.ts";

/** Refuses an unknown word in place of a command, and names the full command or a similar one. */
export const assertKnownCommands = async (
  program: Command,
  words: readonly string[],
  findInGroups: (word: string) => Promise<readonly string[]>,
  isDefault: (command: Command) => boolean,
): Promise<void> => {
  let command = program;
  let hasOptions = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === "--") return;
    if (word.startsWith("-")) {
      if (HELP.includes(word)) return;
      hasOptions = true;
      if (takesValue(command, word)) at += 1;
      continue;
    }
    const found = command.commands.find((one) => one.name() === word);
    if (!found) {
      if (takesNothing(command)) refuse(word, command, command === program ? await findInGroups(word) : []);
      return;
    }
    command = found;
  }
  const isGroup = command !== program && command.commands.length > 0 && command.options.length === 0;
  if (hasOptions && isGroup && !command.commands.some(isDefault)) {
    const names = command.commands.map((one) => one.name()).join(", ");
    throw new AppError("invalid", `Choose a command of qsolog ${command.name()}: ${names}.`);
  }
};

const HELP: readonly string[] = ["-h", "--help"];

/** An option after the name of a group belongs to its standard command. */
const takesValue = (command: Command, word: string): boolean =>
  [command, ...(command.parent ? command.commands : [])]
    .flatMap(({ options }) => options)
    .some((option) => (option.long === word || option.short === word) && (option.required || option.optional));

/** The default command of a group may take arguments. The parser stores it under this name. */
const takesNothing = (command: Command): boolean =>
  command.commands.length > 0 && command.registeredArguments.length === 0;

const refuse = (word: string, command: Command, inGroups: readonly string[]): never => {
  const names = ["help", ...command.commands.map((one) => one.name())];
  const hint =
    inGroups.length > 0
      ? ` Use ${inGroups.length > 1 ? "one of " : ""}${inGroups.join(", ")}.`
      : suggest(word, names) || ` See qsolog ${command.parent ? `${command.name()} ` : ""}--help.`;
  throw new AppError("invalid", `unknown command '${word}'.${hint}`);
};

/** Refuses a value that is similar to a known one. */
export const assertKnownValues = async (command: Command): Promise<void> => {
  const places: (readonly [name: string, where: string, value: unknown])[] = [
    ...command.registeredArguments.map((place, index) => [place.name(), "", command.args[index]] as const),
    ...command.options.map(
      (option) => [findPlaceholder(option) ?? "", `${option.long}: `, command.opts()[option.attributeName()]] as const,
    ),
  ];
  const given = places.filter(([, , value]) => typeof value === "string") as [string, string, string][];
  if (given.length === 0) return;
  // Loaded only now, because it imports much of the program.
  const { getValues } = await import("./values.ts");
  for (const [name, where, value] of given) {
    const values = getValues(name);
    if (values?.kind !== "words" || !values.closed) continue;
    const known = values.words.map(toPlainWord);
    for (const part of values.many ? value.split(",") : [value]) {
      const hint = known.includes(toPlainWord(part)) ? "" : suggest(part.trim().toLowerCase(), values.words);
      if (hint) throw new AppError("invalid", `${where}unknown word ${JSON.stringify(part)}.${hint}`);
    }
  }
};

/** `ownCall`, the word of the contract, is the same as `own-call`. */
const toPlainWord = (text: string): string => text.trim().toLowerCase().replaceAll("-", "");
