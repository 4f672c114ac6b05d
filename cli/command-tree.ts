import type { Command, Option } from "commander";
import type { Shell } from "./shell.ts";

/** A command as completion and manual need it, read from the program itself. */
export interface CommandNode {
  /** The words of the command, without the name of the program. */
  words: readonly string[];
  summary: string;
  places: readonly Place[];
  flags: readonly Flag[];
  examples: readonly string[];
  commands: readonly CommandNode[];
  /** The subcommand that runs if the group is named alone. */
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
  /** The placeholder of its value; null if it takes none. */
  value: string | null;
  meaning: string;
  standard: string | null;
}

/** The maximum number of examples that a group shows. */
const OF_A_GROUP = 5;

/** `level` of `--level <level>`. */
export const findPlaceholder = ({ flags }: Pick<Option, "flags">): string | null =>
  flags.match(/[<[]([^<[>\]]+)[>\]]/)?.[1] ?? null;

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
      value: findPlaceholder(option),
      meaning: option.description,
      standard: ["string", "number"].includes(typeof option.defaultValue) ? String(option.defaultValue) : null,
    })),
    examples: own.length > 0 ? own : commands.flatMap(({ examples }) => examples.slice(0, 1)).slice(0, OF_A_GROUP),
    commands,
    standard: commands.find((_, index) => shell.forms.get(command.commands[index]!)?.isDefault) ?? null,
  };
};

/** Every command that can run, without groups that only have subcommands. */
export const leavesOf = (node: CommandNode): CommandNode[] => [
  ...(node.words.length > 0 && (node.commands.length === 0 || node.flags.length > 0) ? [node] : []),
  ...node.commands.flatMap(leavesOf),
];
