import { afterTest } from "../support/cleanup.ts";
import { inTerminal } from "../support/pseudo-terminal.ts";
import { cleanEnvironment, placeOf, QSOLOG } from "../support/qsolog.ts";
import { lotw, said, sync } from "../support/sync.ts";
import { aCommandLine, type CommandLine } from "../cli/services.ts";
import { screenOf } from "./screen.ts";

const SIZE = { cols: 80, rows: 24 };
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 100;

/** Bob's log with jobs of every kind: an import, a sync that left a record unmatched, and one that failed. */
export const aLogbook = async (): Promise<CommandLine> => {
  const line = await aCommandLine();
  const { world, bob } = line;
  const imported = [
    said("K1AAA", "2026-07-18 01:43"),
    said("K1AAA", "2026-07-18 01:53"),
    said("DL1ABC", "2026-07-19 10:00", { DXCC: "230", BAND: "40M", NAME: "Jürgen" }),
    said("JA1XYZ", "2026-07-20 11:30", { DXCC: "339", MODE: "CW" }),
  ];
  await sync(world, bob.id, "file", imported);
  await sync(world, bob.id, "first", [
    lotw("K1AAA", "2026-07-18 01:48"),
    lotw("DL1ABC", "2026-07-19 10:00", { DXCC: "230", BAND: "40M" }),
  ]);
  return line;
};

/** The screens in a real pseudo-terminal. */
export const aTui = (
  { world }: Pick<CommandLine, "world">,
  env: Record<string, string> = {},
  size = SIZE,
  options: readonly string[] = [],
) => {
  const environment = cleanEnvironment({
    ...placeOf(world.config),
    QSOLOG_FIRST_URL: world.config.firstUrl,
    QSOLOG_SECOND_URL: world.config.secondUrl,
    QSOLOG_PACE: "0",
    ...env,
  });
  return readable(inTerminal([...QSOLOG, "tui", ...options], environment, size), size);
};

export type Tui = ReturnType<typeof readable>;

export const readable = (terminal: ReturnType<typeof inTerminal>, size = SIZE) => {
  const { child, exited, type, text, more } = terminal;
  afterTest(() => void child.kill("SIGKILL"));
  let last = { output: "", screen: screenOf("", size) };
  const screen = () => {
    const output = text();
    if (output !== last.output) last = { output, screen: screenOf(output, size) };
    return last.screen;
  };
  /** Resolves to true when the screen matches, to false after a timeout. */
  const comesTo = async (isLikeThis: (screen: string) => boolean): Promise<boolean> => {
    const giveUpAt = performance.now() + PATIENCE_MS;
    while (!isLikeThis(screen())) {
      if (performance.now() > giveUpAt || child.exitCode !== null) return false;
      await more(LOOK_EVERY_MS);
    }
    return true;
  };
  return {
    child,
    exited,
    type,
    screen,
    raw: text,
    comesTo,
    /** Resolves when the text is on the screen. */
    async sees(words: string): Promise<void> {
      if (await comesTo((shown) => shown.includes(words))) return;
      throw new Error(`never seen: ${words}\n--- the screen:\n${screen()}`);
    },
  };
};
