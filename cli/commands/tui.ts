import type { Command } from "commander";
import { AppError } from "../../src/domain/errors.ts";
import { SILENT_LOG } from "../../src/log.ts";
import { randomBytes, type Flags, type Shell } from "../shell.ts";
import { whose } from "../whose.ts";

type TuiFlags = Flags & { user?: string };

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "tui", "look at the log on the whole screen, and sync", { examples: ["qsolog tui --user bob"] })
    .option("--user <username>", "whose log")
    .addHelpText("after", "\nPress ? there for the keys, q to leave.")
    .action((flags: TuiFlags) => show(shell, flags));
};

const show = async (shell: Shell, flags: TuiFlags): Promise<void> => {
  const { terminal } = shell;
  if (!terminal.isInteractive || !terminal.outIsTerminal) {
    throw new AppError("invalid", "qsolog tui needs a terminal. Without one, see qsolog stats, qso, awards and jobs.");
  }
  const { databaseExists, openWorld } = await import("../../src/world.ts");
  const { config } = shell.readConfig(flags);
  if (!databaseExists(config)) {
    throw new AppError("not_found", `There is no database at ${config.databaseUrl}. Is the data directory right?`);
  }
  const { ASIDE_THREAD } = await import("../../src/aside/thread.ts");
  const outside = { clock: Date.now, random: randomBytes, log: SILENT_LOG, asideThread: ASIDE_THREAD };
  const world = await openWorld(config, outside);
  try {
    const user = await whose(shell, flags, world);
    const { localClient } = await import("../client/local-client.ts");
    const { openScreens } = await import("../tui/open.tsx");
    const { first, second } = world.providers;
    const client = localClient(world, user);
    try {
      shell.exitCode = await openScreens({
        client,
        clock: world.clock,
        labels: { first: first.label, second: second.label },
        who: [user.username, user.callsign].filter(Boolean).join(" "),
        hasColour: terminal.hasColour,
      });
    } finally {
      await client.stop();
    }
  } finally {
    await world.db.close();
  }
};
