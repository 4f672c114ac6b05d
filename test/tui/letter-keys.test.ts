import { expect, setDefaultTimeout, test } from "bun:test";
import { aLogbook, aTui } from "./tui.ts";

setDefaultTimeout(120_000);

const ENTER = "\r";
const ESCAPE = "\x1b";
const CTRL_K = "\x0b";
const CTRL_T = "\x14";

test("with letter keys off, letters do nothing, and Ctrl-K has every command of the screen", async () => {
  const tui = aTui(await aLogbook(), {}, { cols: 80, rows: 24 }, ["--no-letter-keys"]);
  await tui.sees("4 QSOs");

  tui.type("2n?");
  await Bun.sleep(500);
  expect(tui.screen()).toContain("[1 Dashboard]");
  tui.type("\t");
  await tui.sees("1 of 4");
  expect(tui.screen()).toContain("Ctrl-K all commands   Ctrl-T letter keys on   Ctrl-C quit");
  expect(tui.screen()).not.toContain("f filter");
  expect(tui.screen()).toContain("\n band all  mode all  QSL all  anywhere  newest first");
  tui.type(`${CTRL_K}`);
  await tui.sees("Bulk edit");
  tui.type(`select${ENTER}`);
  await tui.sees("1 selected");
  tui.type(ESCAPE);
  expect(await tui.comesTo((screen) => !screen.includes("selected"))).toBe(true);

  // Text is typed as always.
  tui.type(`${CTRL_K}search${ENTER}`);
  await tui.sees("Tab complete");
  tui.type("k1");
  await tui.sees("/ k1");
  tui.type(ENTER);
  await tui.sees("1 of 2");
});

test("Ctrl-T turns letter keys off and on, and help and footer name only keys that work", async () => {
  const tui = aTui(await aLogbook());
  await tui.sees("4 QSOs");

  tui.type("?");
  await tui.sees("letter keys on or off");
  tui.type(ESCAPE);
  expect(await tui.comesTo((screen) => !screen.includes("Everywhere"))).toBe(true);
  tui.type(CTRL_T);
  await tui.sees("Letter keys are off. Ctrl-K has every command, Ctrl-T turns them on.");
  tui.type(`${CTRL_K}keys${ENTER}`);
  await tui.sees("Letter keys are off: Ctrl-K has every command.");
  expect(tui.screen()).not.toContain("new QSO");
  tui.type(ESCAPE);
  expect(await tui.comesTo((screen) => !screen.includes("Everywhere"))).toBe(true);
  tui.type(CTRL_T);
  await tui.sees("Letter keys are on.");
  tui.type("2");
  await tui.sees("1 of 4");
});
