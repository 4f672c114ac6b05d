import { Command } from "commander";
import { addGroup, run } from "../../cli/cli.ts";
import { readTree, type CommandNode } from "../../cli/command-tree.ts";
import { GROUPS } from "../../cli/groups.ts";
import { Shell } from "../../cli/shell.ts";
import { createTerminal, type Terminal } from "../../cli/terminal.ts";

/** Runs the command line in this process, on a terminal of this width. */
export const saying = async (words: readonly string[], changes: Partial<Terminal> = {}) => {
  const said = { out: "", err: "" };
  const terminal: Terminal = {
    out: (text) => void (said.out += text.endsWith("\n") ? text : `${text}\n`),
    err: (text) => void (said.err += text.endsWith("\n") ? text : `${text}\n`),
    pour: async (text) => void (said.out += text),
    over: () => {},
    isInteractive: false,
    outIsTerminal: false,
    errIsTerminal: false,
    width: Infinity,
    hasColour: false,
    isLight: false,
    hasUtf8: true,
    readAll: async () => "",
    ask: async () => "",
    askSecret: async () => "",
    ...changes,
  };
  const code = await run(words, terminal, { QSOLOG_DATA_DIR: "/nonexistent/qsolog" });
  return { code, ...said };
};

export const commandTree = async (): Promise<CommandNode> => {
  const shell = new Shell(createTerminal(), {}, false);
  const program = new Command("qsolog");
  for (const group of GROUPS) await addGroup(program, shell, group);
  return readTree(program, shell);
};
