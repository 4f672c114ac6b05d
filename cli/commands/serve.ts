import type { Command } from "commander";
import { isLogPrinted, type Config } from "../../src/config.ts";
import { onSignals } from "../interruptible.ts";
import { randomBytes, type Flags, type Shell } from "../shell.ts";

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(
      program,
      "serve",
      null,
      ["qsolog serve", "qsolog serve --host 0.0.0.0 --base-url https://log.example.org"],
      { settings: "all" },
    )
    .option("--no-migrate", "do not apply migrations")
    .action((flags: Flags & { migrate: boolean }) => runServer(shell, flags));
};

const runServer = async (shell: Shell, flags: Flags & { migrate: boolean }): Promise<void> => {
  const { config } = shell.readConfig(flags);
  const { serve } = await import("../../src/main.ts");
  const starting = serve(config, {
    clock: Date.now,
    random: randomBytes,
    say: (words) => shell.terminal.err(words),
    echoLogTo: isLogPrinted(config) ? "stdout" : shell.terminal.errIsTerminal ? "stderr" : null,
    migrate: flags.migrate,
    makeBackup: (file, signal) => backUpInProcess(shell, config, file, signal),
  });
  // Registered before "is listening" is printed, because a script may react to that line with a signal.
  process.on(
    "SIGHUP",
    () =>
      void starting.then(
        ({ reopenLog }) => reopenLog(),
        () => {},
      ),
  );
  const stopped = untilSignalled(shell.clock, async () => (await starting).stop());
  await starting;
  shell.exitCode = await stopped;
};

const OWN_PROGRAM = Bun.main.includes("$bunfs") ? [process.execPath] : [process.execPath, Bun.main];

/** In a process of its own, so that checking the copy holds nobody up and its memory is returned. */
const backUpInProcess = async (
  { env }: Shell,
  { dataDir, databaseUrl }: Config,
  file: string,
  signal: AbortSignal,
): Promise<void> => {
  const child = Bun.spawn([...OWN_PROGRAM, "db", "backup", file, "--data-dir", dataDir], {
    env: { ...env, QSOLOG_DATABASE_URL: databaseUrl, QSOLOG_DATABASE_URL_FILE: "" },
    stdio: ["ignore", "ignore", "pipe"],
    signal,
    killSignal: "SIGTERM",
  });
  const [said, code] = await Promise.all([child.stderr.text(), child.exited]);
  if (code !== 0)
    throw new Error(
      said
        .trim()
        .split("\n")
        .at(-1)
        ?.replace(/^qsolog: /, "") ?? `exit code ${code}`,
    );
};

/** The first signal stops the server in order; a second one ends it immediately. */
const untilSignalled = (clock: () => number, stop: () => Promise<void>): Promise<number> =>
  new Promise((resolve) => {
    onSignals(clock, {
      first: () =>
        void stop().then(
          () => resolve(0),
          () => resolve(1),
        ),
      again: () => process.exit(1),
    });
  });
