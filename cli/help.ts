import { Help, type Command, type HelpConfiguration } from "commander";
import { wrapText } from "./wrap.ts";
import { readTree } from "./command-tree.ts";
import type { Shell } from "./shell.ts";

export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done"],
  [1, "failed"],
  [2, "wrong usage or invalid input"],
  [3, "refused by a rule"],
  [4, "not signed in or not allowed"],
  [5, "not found"],
  [130, "interrupted"],
];

const SHORT_FORMS = "import, export, add and edit also work without qso: qsolog import old-log.adi.";

const WIDEST = 100;
const WITHOUT_A_TERMINAL = 80;
/** A narrower description moves to the next line. */
const NARROWEST = 26;
const INDENT = 2;
const BELOW = 6;

/** The layout of the help: fitted to the terminal, with examples at the end. */
export const buildHelp = (shell: Shell): HelpConfiguration => {
  const { width: columns } = shell.terminal;
  const width = columns === Infinity ? WITHOUT_A_TERMINAL : Math.min(columns, WIDEST);
  return {
    helpWidth: width,
    minWidthToWrap: 10,
    displayWidth: (text) => Bun.stringWidth(text),
    commandUsage: (command) => wrapText(Help.prototype.commandUsage.call(new Help(), command), width - BELOW - 1),
    formatItem: (term, termWidth, description, helper) => {
      if (width - termWidth - 2 * INDENT >= NARROWEST) {
        return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
      }
      return [
        wrapText(" ".repeat(INDENT) + term, width),
        ...(description ? [wrapText(" ".repeat(BELOW) + description, width)] : []),
      ].join("\n");
    },
    formatHelp: (command, helper) => {
      const help = Help.prototype.formatHelp.call(helper, command, helper).trimEnd();
      return `${[help, ...buildEnding(command, shell, width)].join("\n\n")}\n`;
    },
  };
};

const buildEnding = (command: Command, shell: Shell, width: number): string[] => {
  const { examples } = readTree(command, shell);
  const codes = `Exit codes: ${EXIT_CODES.map(([code, meaning]) => `${code} ${meaning}`).join(", ")}.`;
  return [
    ...(examples.length > 0
      ? [["Examples:", ...examples.map((line) => wrapText(`  $ ${line}`, width))].join("\n")]
      : []),
    ...(command.parent ? [] : [wrapText(SHORT_FORMS, width), wrapText(codes, width)]),
  ];
};
