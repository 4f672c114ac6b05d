import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import { parseWord } from "../parse.ts";
import { withLog } from "../open-log.ts";
import type { Flags, Shell } from "../shell.ts";

type TuiFlags = Flags & { mouse?: boolean; theme?: string; plain?: boolean; letterKeys?: boolean };

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "tui", null, ["qsolog tui --user bob"])
    .option("--theme <dark|light>", "background of the terminal, if it is not detected: dark or light")
    .option("--plain", "for screen readers: one column, words instead of signs, no boxes and charts")
    .option("--no-letter-keys", "no commands by single letters; Ctrl-K has them all")
    .option("--mouse", "use the mouse; hold Shift to select text")
    .addHelpText("after", "\nPress ? for the keys and q to quit.")
    .action((flags: TuiFlags) => show(shell, flags));
};

const show = async (shell: Shell, flags: TuiFlags): Promise<void> => {
  const { terminal, env } = shell;
  const { plain, mouse: hasMouse = false, letterKeys: hasLetterKeys = true } = flags;
  const theme = flags.theme && parseWord("--theme", flags.theme, ["dark", "light"]);
  if (!terminal.isInteractive || !terminal.outIsTerminal) {
    throw new AppError("invalid", "qsolog tui needs a terminal. Without one, use qsolog stats, qso, awards and jobs.");
  }
  await withLog(shell, flags, { writes: false, isScreen: true }, async (log) => {
    const [{ user }, { openScreens }] = await Promise.all([log.account(), import("../tui/open.tsx")]);
    const where = shell.server && `at ${new URL(shell.server).host}`;
    shell.exitCode = await openScreens({
      client: log,
      clock: Date.now,
      who: [user.username, user.callsign, where].filter(Boolean).join(" "),
      theme: terminal.hasColour ? theme || (terminal.isLight ? "light" : "dark") : "colourless",
      isPlain: plain || env.INK_SCREEN_READER === "true",
      hasLetterKeys,
      hasMouse,
    });
  });
};
