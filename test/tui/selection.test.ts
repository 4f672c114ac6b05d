import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { selectRange, toggleSelected } from "../../cli/tui/log/selection.ts";
import { logOf } from "../support/sync.ts";
import { expectScreen } from "./golden.ts";
import { aLogbook, aTui } from "./tui.ts";

setDefaultTimeout(120_000);

const ENTER = "\r";
const ESCAPE = "\x1b";

test("selected contacts are deleted after a preview, and the others stay", async () => {
  const line = await aLogbook();
  const tui = aTui(line);
  tui.type("2");
  await tui.sees("1 of 4");

  tui.type("xjjx");
  await expectScreen(tui, "log-selected", "2 selected   3 of 4");
  tui.type("D");
  await tui.sees("2 contacts will be deleted.");
  await tui.sees("y delete");
  tui.type("n");
  expect(await tui.comesTo((screen) => !screen.includes("Delete these QSOs?"))).toBe(true);
  expect(tui.screen()).toContain("2 selected");
  expect(await logOf(line.world, line.bob.id)).toHaveLength(4);

  tui.type("D");
  await tui.sees("Delete these QSOs?");
  tui.type("y");
  await tui.sees("2 of 2");
  expect(tui.screen()).not.toContain("selected");
  const left = await logOf(line.world, line.bob.id);
  expect(left.map(({ call }) => call).sort()).toEqual(["DL1ABC", "K1AAA"]);
});

test("a bulk edit changes only the selected contacts", async () => {
  const line = await aLogbook();
  const tui = aTui(line);
  tui.type("2");
  await tui.sees("1 of 4");

  tui.type("jxjX");
  await tui.sees("2 selected   3 of 4");
  tui.type("e");
  await tui.sees("Bulk edit 2 selected QSOs");
  tui.type(`qth=Nis${ENTER}`);
  await tui.sees("2 contacts will change.");
  tui.type("y");
  await tui.sees("completed");
  const log = await logOf(line.world, line.bob.id);
  expect(
    log
      .filter(({ qth }) => qth === "Nis")
      .map(({ call }) => call)
      .sort(),
  ).toEqual(["DL1ABC", "K1AAA"]);
});

test("selected contacts are exported to a new file, in the format of its name", async () => {
  const line = await aLogbook();
  const tui = aTui(line);
  const file = join(line.world.config.dataDir, "some.csv");
  tui.type("2");
  await tui.sees("1 of 4");

  tui.type("xE");
  await tui.sees("Export 1 selected QSO to which file?");
  tui.type(`\x15${file}${ENTER}`);
  await tui.sees("Exported 1 selected QSO");
  const rows = readFileSync(file, "utf8").trim().split("\n");
  expect(rows).toHaveLength(2);
  expect(rows[1]).toContain("JA1XYZ");

  tui.type("E");
  await tui.sees("to which file?");
  tui.type(`\x15${file}${ENTER}`);
  await tui.sees("already exists.");
  tui.type(ESCAPE);
  expect(await tui.comesTo((screen) => !screen.includes("which file?"))).toBe(true);
  tui.type(ESCAPE);
  expect(await tui.comesTo((screen) => !screen.includes("selected"))).toBe(true);
  expect(existsSync(`${file}.part`)).toBe(false);
});

test("a range is selected only where all its rows are loaded", () => {
  const ids = [10, 11, null, 13];
  const window = { getRow: (at: number) => (ids[at] == null ? null : ({ id: ids[at] } as never)) };

  expect(selectRange(new Set([10]), window, [1, 0])).toEqual(new Set([10, 11]));
  expect(selectRange(new Set(), window, [0, 3])).toBeNull();
  expect(toggleSelected(new Set([10, 11]), 10)).toEqual(new Set([11]));
});
