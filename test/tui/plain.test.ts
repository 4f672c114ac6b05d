import { expect, setDefaultTimeout, test } from "bun:test";
import { cursorOf } from "./screen.ts";
import { aLogbook, aTui, type Tui } from "./tui.ts";

setDefaultTimeout(120_000);

const ENTER = "\r";
const ESCAPE = "\x1b";
const TAB = "\t";

/** The line at the terminal's cursor, from the cursor on. */
const lineAtCursor = (tui: Tui): string => {
  const { x, y, isVisible } = cursorOf(tui.raw());
  return isVisible ? (tui.screen().split("\n")[y] ?? "").slice(x) : "hidden";
};

const standsAt = async (tui: Tui, words: string): Promise<void> => {
  await tui.comesTo(() => lineAtCursor(tui).startsWith(words));
  expect(lineAtCursor(tui)).toStartWith(words);
};

test("the cursor stands at the current row, cell or field", async () => {
  const tui = aTui(await aLogbook());
  await tui.sees("4 QSOs");

  tui.type("2");
  await tui.sees("1 of 4");
  await standsAt(tui, ">2026-07-20 11:30 JA1XYZ");
  tui.type("j");
  await standsAt(tui, ">2026-07-19 10:00 DL1ABC");
  tui.type("/dl");
  await tui.comesTo(() => cursorOf(tui.raw()).x === 5);
  expect(cursorOf(tui.raw())).toEqual({ x: 5, y: 2, isVisible: true });
  tui.type(ENTER);
  await tui.sees("1 of 1");
  await standsAt(tui, ">2026-07-19 10:00 DL1ABC");
  tui.type(ENTER);
  await standsAt(tui, " DL1ABC");
  tui.type(`${ESCAPE}${ESCAPE}3`);
  await tui.sees("DXCC Challenge");
  tui.type(ENTER);
  await standsAt(tui, "[C]");
  tui.type(`${ESCAPE}a`);
  await tui.sees("New QSO");
  tui.type(`ja1abc${TAB}`);
  await standsAt(tui, " ________ ");
});

test("plain mode has words instead of signs, one column, no boxes and no charts", async () => {
  const tui = aTui(await aLogbook(), {}, { cols: 200, rows: 60 }, ["--plain"]);
  const screens: readonly (readonly [keys: string, words: string])[] = [
    ["1", "Confirmed 25 %"],
    ["2", ">2026-07-20 11:30 JA1XYZ       20m   CW      missing"],
    [`j${ENTER}`, "Confirmed by LoTW on 2026-08-01."],
    [`${ESCAPE}3`, "1/100"],
    [ENTER, "confirmed 230"],
    ["w", "Never worked: 337"],
    [`${ESCAPE}4`, "LoTW      completed"],
    [ENTER, "updated DL1ABC"],
    [`${ESCAPE}5`, "29: 4"],
    ["?", "Everywhere"],
    [`${ESCAPE}n`, "New QSO"],
  ];

  for (const [keys, words] of screens) {
    for (const key of keys) {
      tui.type(key);
      await Bun.sleep(60);
    }
    await tui.sees(words);
    expect([words, tui.screen().match(/[─-╿▀-▟]/g)]).toEqual([words, null]);
  }
});
