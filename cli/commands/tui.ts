import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import { SILENT_LOG } from "../../src/kernel/log.ts";
import type { Logbook } from "../client/logbook.ts";
import { LABELS } from "../../src/domain/origins/labels.ts";
import type { Theme } from "../tui/render.tsx";
import type { ServerAccess } from "../client/server-link.ts";
import { resolveUser, withServerLog } from "../open-log.ts";
import { createNoDatabaseError, randomBytes, type Flags, type Shell } from "../shell.ts";
import { chooseServer } from "../server-option.ts";

type TuiFlags = Flags & { user?: string; mouse?: boolean; theme?: string; plain?: boolean; letterKeys?: boolean };

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "tui", null, {
      examples: ["qsolog tui --user bob"],
    })
    .option("--user <username>", "use this user's log")
    .option("--theme <dark|light>", "background of the terminal, if it is not detected: dark or light")
    .option("--plain", "for screen readers: one column, words instead of signs, no boxes and charts")
    .option("--no-letter-keys", "no commands by single letters; Ctrl-K has them all")
    .option("--mouse", "use the mouse; hold Shift to select text")
    .addHelpText("after", "\nPress ? for the keys and q to quit.")
    .action((flags: TuiFlags) => show(shell, flags));
};

const show = async (shell: Shell, flags: TuiFlags): Promise<void> => {
  const { terminal } = shell;
  if (!terminal.isInteractive || !terminal.outIsTerminal) {
    throw new AppError("invalid", "qsolog tui needs a terminal. Without one, use qsolog stats, qso, awards and jobs.");
  }
  const look = lookOf(shell, flags);
  const access = await chooseServer(shell, flags);
  if (access)
    return withServerLog(shell, flags, access, { writes: false }, (log) => open(shell, log, look, getHost(access)));
  const { databaseExists, openWorld } = await import("../../src/world.ts");
  const { config } = shell.readConfig(flags);
  if (!databaseExists(config)) throw createNoDatabaseError(config);
  const { BACKGROUND_THREAD } = await import("../../src/worker/thread.ts");
  const outside = { clock: Date.now, random: randomBytes, log: SILENT_LOG, backgroundThread: BACKGROUND_THREAD };
  const world = await openWorld(config, outside);
  try {
    const user = await resolveUser(shell, flags, world);
    const { localClient } = await import("../client/local-client.ts");
    const log = localClient(world, user);
    try {
      await open(shell, log, look);
    } finally {
      await log.stop();
    }
  } finally {
    await world.db.close();
  }
};

interface Look {
  theme: Theme;
  hasMouse: boolean;
  isPlain: boolean;
  hasLetterKeys: boolean;
}

const lookOf = (
  { terminal, env }: Shell,
  { theme, mouse = false, plain = false, letterKeys = true }: TuiFlags,
): Look => {
  if (theme !== undefined && theme !== "dark" && theme !== "light")
    throw new AppError("invalid", "Use --theme with dark or light.");
  return {
    theme: theme ?? (terminal.isLight ? "light" : "dark"),
    hasMouse: mouse,
    isPlain: plain || env.INK_SCREEN_READER === "true",
    hasLetterKeys: letterKeys,
  };
};

const open = async (shell: Shell, log: Logbook, look: Look, at?: string): Promise<void> => {
  const [{ user }, { openScreens }] = await Promise.all([log.account(), import("../tui/open.tsx")]);
  const { username, callsign } = user;
  shell.exitCode = await openScreens({
    client: log,
    clock: Date.now,
    labels: LABELS,
    who: [username, callsign, at && `at ${at}`].filter(Boolean).join(" "),
    hasColour: shell.terminal.hasColour,
    ...look,
  });
};

const getHost = ({ server }: ServerAccess): string => new URL(server).host;
