import type { Command } from "commander";
import { readTree } from "../command-tree.ts";
import { buildManualPage } from "../manual-page.ts";
import type { Shell } from "../shell.ts";

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "man", null, ["qsolog man | man -l -", "qsolog man > ~/.local/share/man/man1/qsolog.1"])
    .action(() => {
      const page = buildManualPage(readTree(program, shell));
      shell.answerAsIs({ page }, page);
      if (shell.terminal.outIsTerminal) shell.terminal.err("To read it: qsolog man | man -l -");
    });
};
