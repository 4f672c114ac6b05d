import type { CommandNode } from "../command-tree.ts";
import { valuesFor, type Values } from "../values.ts";

/** A place in the line that the words before have led to, and what can come next. */
export interface Stop {
  /** The commands so far, with blanks between. */
  path: string;
  commands: readonly { name: string; meaning: string }[];
  flags: readonly { name: string; meaning: string; values: Values | null }[];
  /** What each argument can be, first to last. */
  places: readonly Values[];
}

const HELP = { name: "--help", meaning: "show the help", values: null };

export const stopsOf = (program: CommandNode): Stop[] => {
  const [root, ...stops] = walk(program) as [Stop, ...Stop[]];
  const names = root.commands.map(({ name }) => name);
  return [
    { ...root, commands: [...root.commands, { name: "help", meaning: "show the help of a command" }] },
    { path: "help", commands: [], flags: [], places: [{ kind: "words", words: names }] },
    ...stops,
  ];
};

const walk = (node: CommandNode): Stop[] => {
  const { flags, places } = node.standard ?? node;
  const own: Stop = {
    path: node.words.join(" "),
    commands: node.commands.map((one) => ({ name: one.words.at(-1)!, meaning: one.summary })),
    flags: [
      ...flags.map(({ name, meaning, value }) => ({ name, meaning, values: value === null ? null : valuesFor(value) })),
      HELP,
    ],
    places: places.map(({ name }) => valuesFor(name)),
  };
  return [own, ...node.commands.flatMap(walk)];
};

/** Each flag that takes a value, as `path flag`. */
export const takers = (stops: readonly Stop[]): string[] =>
  stops.flatMap(({ path, flags }) => flags.filter(({ values }) => values).map(({ name }) => `${path} ${name}`));

/** Each command with its way there, as `path command`. */
export const ways = (stops: readonly Stop[]): string[] =>
  stops.flatMap(({ path, commands }) => commands.map(({ name }) => `${path} ${name}`));

/** A text that the shell takes word for word. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
