import { expect, setDefaultTimeout, test } from "bun:test";
import { storeLog } from "../support/log-generator.ts";
import { aLogbook, aTui, type Tui } from "./tui.ts";

setDefaultTimeout(120_000);

const ENTER = "\r";
const ESCAPE = "\x1b";

/** Every screen: the keys that lead there, and words that appear only there. */
const SCREENS: readonly (readonly [name: string, keys: string, words: string])[] = [
  ["dashboard", "1", "NEXT SYNCS"],
  ["log", "2", ">2026-07-20"],
  ["QSO", ENTER, "Zones  "],
  ["why", "w", "job 1, "],
  ["awards", `${ESCAPE}${ESCAPE}3`, ">DXCC"],
  ["award", ENTER, "row 1 of"],
  ["statistics", `${ESCAPE}5`, "1 of 8"],
  ["a figure in numbers", "lllll", "6 of 8"],
  ["jobs", `${ESCAPE}4`, ">    2 LoTW"],
  ["job", ENTER, "Confirmed 1"],
  ["unresolved records", "l", "unmatched: "],
  ["help", `${ESCAPE}?`, "Everywhere"],
  ["new QSO", `${ESCAPE}${ESCAPE}2n`, "Call"],
];

const rowsOf = (tui: Tui): string[] =>
  tui
    .screen()
    .split("\n")
    .map((row) => row.trimEnd());

/** A single word on a line that would have fitted on the line before. */
const orphansIn = (rows: readonly string[], cols: number): string[] =>
  rows.filter((row, at) => {
    const before = rows[at - 1] ?? "";
    return at > 0 && before.length > cols - 12 && /^ *[\p{L}\d.]+$/u.test(row) && !before.startsWith("─");
  });

for (const size of [
  { cols: 80, rows: 24 },
  { cols: 200, rows: 60 },
]) {
  test(`every screen fits ${size.cols}×${size.rows}, without orphaned words or unnecessary cuts`, async () => {
    const line = await aLogbook();
    await storeLog(line.world.db, line.bob.id, { contacts: 500 });
    const tui = aTui(line, {}, size);
    await tui.sees("QSOs");
    const faults: string[] = [];

    for (const [name, keys, words] of SCREENS) {
      for (const key of keys.match(/\x1b|[^\x1b]+/g)!) {
        tui.type(key);
        await Bun.sleep(60);
      }
      await tui.sees(words);
      const rows = rowsOf(tui);
      for (const row of orphansIn(rows, size.cols)) faults.push(`${name}: a word alone: ${row.trim()}`);
      if (/undefined|NaN|\[object/.test(tui.screen())) faults.push(`${name}: what is no word`);
      const hasDialog = rows.some((row) => row.includes("┌"));
      if (rows.at(-1) === "" && !hasDialog) faults.push(`${name}: no keys at the bottom`);
      if (size.cols === 200 && rows.some((row) => /\S…/.test(row) && row.length < 150)) {
        faults.push(`${name}: cut in a wide screen`);
      }
    }

    expect(faults).toEqual([]);
  });
}

test("a large screen is used: more rows of the log, more columns, more of a matrix", async () => {
  const line = await aLogbook();
  await storeLog(line.world.db, line.bob.id, { contacts: 500 });
  const tui = aTui(line, {}, { cols: 200, rows: 60 });

  const isFull = (screen: string) => screen.split("\n").filter((row) => row.trim() !== "").length > 50;
  expect(await tui.comesTo((screen) => screen.includes("LAST QSOs") && isFull(screen))).toBe(true);
  tui.type("3");
  await tui.sees("OF GOAL");
  tui.type(ENTER);
  expect(await tui.comesTo((screen) => screen.includes("SAT") && isFull(screen))).toBe(true);
});
