import type { Command } from "commander";
import type { Shell } from "./shell.ts";

/** A command as the completions and the manual tell of it, read from the program itself. */
export interface CommandNode {
  /** As they are typed, without the name of the program. */
  words: readonly string[];
  summary: string;
  places: readonly Place[];
  flags: readonly Flag[];
  examples: readonly string[];
  commands: readonly CommandNode[];
  /** The command that is meant where a group is named alone. */
  standard: CommandNode | null;
}

export interface Place {
  name: string;
  isOptional: boolean;
}

export interface Flag {
  /** Such as `--limit`. */
  name: string;
  short: string | null;
  /** The name of its value; null for a flag that stands alone. */
  value: string | null;
  meaning: string;
  standard: string | null;
}

/** The most examples that a group shows of its commands. */
const OF_A_GROUP = 5;

export const readTree = (command: Command, shell: Pick<Shell, "forms">, above: readonly string[] = []): CommandNode => {
  const words = command.parent ? [...above, command.name()] : above;
  const commands = command.commands.map((one) => readTree(one, shell, words));
  const own = shell.forms.get(command)?.examples ?? [];
  return {
    words,
    summary: command.description(),
    places: command.registeredArguments.map((place) => ({ name: place.name(), isOptional: !place.required })),
    flags: command.options.map((option) => ({
      name: option.long ?? option.flags,
      short: option.short ?? null,
      value: option.flags.match(/[<[]([^<[>\]]+)[>\]]/)?.[1] ?? null,
      meaning: option.description,
      standard: typeof option.defaultValue === "string" ? option.defaultValue : null,
    })),
    examples: own.length > 0 ? own : commands.flatMap(({ examples }) => examples.slice(0, 1)).slice(0, OF_A_GROUP),
    commands,
    standard: commands.find((_, index) => shell.forms.get(command.commands[index]!)?.isDefault) ?? null,
  };
};

/** Each command that can be given, groups left out unless they do something by themselves. */
export const leavesOf = (node: CommandNode): CommandNode[] => [
  ...(node.words.length > 0 && (node.commands.length === 0 || node.flags.length > 0) ? [node] : []),
  ...node.commands.flatMap(leavesOf),
];
