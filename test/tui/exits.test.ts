import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { inTerminal } from "../support/pseudo-terminal.ts";
import { aShell, cleanEnvironment, ROOT, QSOLOG } from "../support/qsolog.ts";
import { aLogbook, aTui, readable } from "./tui.ts";

setDefaultTimeout(120_000);

const CTRL_C = "\x03";
const LEFT = "\x1b[?1049l";
const CURSOR = "\x1b[?25h";

/** A shell that reports the exit code and the state of the terminal. */
const inShell = (command: readonly string[], dataDir: string) => {
  const script = `"$@"; echo "code $?"; stty -a | tr ';' '\\n' | grep -ow -e '-\\?icanon' -e '-\\?echo' | tr '\\n' ' '; echo; echo back in the shell`;
  const environment = cleanEnvironment({ QSOLOG_DATA_DIR: dataDir });
  return readable(inTerminal(["sh", "-c", script, "sh", ...command], environment));
};

const TUI = [...QSOLOG, "tui"];

const expectSane = (raw: string, code: number): void => {
  expect(raw).toContain(`code ${code}`);
  expect(raw.lastIndexOf(LEFT)).toBeGreaterThan(raw.lastIndexOf("\x1b[?1049h"));
  expect(raw.lastIndexOf(CURSOR)).toBeGreaterThan(raw.lastIndexOf("\x1b[?25l"));
  expect(raw.slice(raw.lastIndexOf("code "))).toMatch(/(?<!-)icanon (?<!-)echo/);
};

test("q exits with 0 and restores the terminal", async () => {
  const { world } = await aLogbook();
  const tui = inShell(TUI, world.dataDir);

  await tui.sees("4 QSOs");
  tui.type("q");
  await tui.sees("back in the shell");

  expectSane(tui.raw(), 0);
});

test("Ctrl-C exits with 130, also during input or a question", async () => {
  const { world } = await aLogbook();
  for (const keys of ["", "2/k1", "?"]) {
    const tui = inShell(TUI, world.dataDir);
    await tui.sees("4 QSOs");
    tui.type(keys + CTRL_C);
    await tui.sees("back in the shell");

    expectSane(tui.raw(), 130);
  }
});

test("SIGTERM and a closed terminal end it and restore the terminal", async () => {
  const line = await aLogbook();
  const asked = aTui(line);
  await asked.sees("4 QSOs");
  asked.child.kill("SIGTERM");
  expect(await asked.exited).toBe(130);
  expect(asked.raw()).toContain(LEFT);

  const alone = aTui(line);
  await alone.sees("4 QSOs");
  alone.child.terminal!.close();
  expect(await alone.exited).not.toBeNull();
});

test("a crash restores the terminal and reports what happened", async () => {
  const { world } = await aLogbook();
  for (const kind of ["drawing", "timer", "promise"]) {
    const tui = inShell(["bun", join(ROOT, "test/tui/crash.ts"), kind], world.dataDir);
    await tui.sees("back in the shell");

    expectSane(tui.raw(), 1);
    expect(tui.screen()).toContain(`the ${kind} broke`);
  }
});

test("without a terminal there is one clear line and nothing is opened", async () => {
  const qsolog = aShell();

  const { code, out, err } = await qsolog(["tui"]);

  expect([code, out]).toEqual([2, ""]);
  expect(err).toBe("qsolog: qsolog tui needs a terminal. Without one, use qsolog stats, qso, awards and jobs.\n");
});

test("in a pipe it draws nothing and says so", async () => {
  const { world } = await aLogbook();
  const tui = inShell(["sh", "-c", '"$@" | cat', "sh", ...TUI], world.dataDir);

  await tui.sees("back in the shell");

  expect(tui.screen()).toContain("needs a terminal");
  expect(tui.raw()).not.toContain("\x1b[?1049h");
});

test("without UTF-8 everything is drawn in ASCII in the same place", async () => {
  const line = await aLogbook();
  const plain = aTui(line);
  const ascii = aTui(line, { LC_ALL: "C" });
  await plain.sees("4 QSOs");
  await ascii.sees("4 QSOs");
  for (const tui of [plain, ascii]) {
    tui.type("2");
    await tui.sees("1 of 4");
  }
  await plain.sees("Jürgen");
  await ascii.sees("Jurgen");

  expect(ascii.raw()).toMatch(/^[\x00-\x7f]*$/);
  expect(ascii.screen().replace(/[^\w ]/g, ".")).toBe(
    plain
      .screen()
      .replaceAll("ü", "u")
      .replace(/[^\w ]/g, "."),
  );
});

test("a missing database or user is reported before anything is drawn", async () => {
  const { world } = await aLogbook();

  const nowhere = inShell(TUI, `${world.dataDir}/nowhere`);
  const nobody = inShell([...TUI, "--user", "nobody"], world.dataDir);
  await nowhere.sees("back in the shell");
  await nobody.sees("back in the shell");

  expect(nowhere.screen()).toContain("code 5");
  expect(nobody.screen()).toContain("code 5");
  expect(nowhere.raw() + nobody.raw()).not.toContain("\x1b[?1049h");
});
