import type { CommandNode } from "../command-tree.ts";
import { getValues, type Values } from "../values.ts";

/** A position in the command line and what can follow. */
export interface Position {
  /** The commands so far, separated by spaces. */
  path: string;
  commands: readonly { name: string; meaning: string }[];
  flags: readonly { name: string; meaning: string; values: Values | null }[];
  /** What each argument can be, in order. */
  places: readonly Values[];
}

const HELP = { name: "--help", meaning: "show the help", values: null };

export const listPositions = (program: CommandNode): Position[] => {
  const [root, ...stops] = walk(program) as [Position, ...Position[]];
  const names = root.commands.map(({ name }) => name);
  return [
    { ...root, commands: [...root.commands, { name: "help", meaning: "show the help of a command" }] },
    { path: "help", commands: [], flags: [], places: [{ kind: "words", words: names }] },
    ...stops,
  ];
};

const walk = (node: CommandNode): Position[] => {
  const { flags, places } = node.standard ?? node;
  const own: Position = {
    path: node.words.join(" "),
    commands: node.commands.map((one) => ({ name: one.words.at(-1)!, meaning: one.summary })),
    flags: [
      ...flags.map(({ name, meaning, value }) => ({ name, meaning, values: value === null ? null : getValues(value) })),
      HELP,
    ],
    places: places.map(({ name }) => getValues(name)),
  };
  return [own, ...node.commands.flatMap(walk)];
};

/** Every flag with a value, as `path flag`. */
export const listValueFlags = (stops: readonly Position[]): string[] =>
  stops.flatMap(({ path, flags }) => flags.filter(({ values }) => values).map(({ name }) => `${path} ${name}`));

/** Every command, as `path command`. */
export const listCommandPaths = (stops: readonly Position[]): string[] =>
  stops.flatMap(({ path, commands }) => commands.map(({ name }) => `${path} ${name}`));

/** Quotes a text for the shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
