import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { keepInSight, moveCursor, scrollTop } from "../../cli/tui/cursor.ts";
import { formatCell } from "../../cli/table.ts";
import { fitLine, drawFrame, toPlainText, measureLine, wrapText } from "../../cli/tui/line.ts";
import { parsePresses } from "../../cli/tui/keymap.ts";
import { getSlotFilter } from "../../cli/tui/awards/lines.ts";
import { formatUntil } from "../../src/kernel/time-text.ts";

const MOVES = ["up", "down", "left", "right", "pageUp", "pageDown", "top", "bottom"] as const;
const NO_KEY = {} as Parameters<typeof parsePresses>[1];

test("after any key the selected row is in the list and on the screen", () => {
  const size = fc.integer({ min: 1, max: 30 });
  fc.assert(
    fc.property(fc.nat(200), size, fc.array(fc.constantFrom(...MOVES)), (count, height, moves) => {
      let cursor = { at: 0, top: 0 };
      for (const move of moves) cursor = moveCursor(cursor, move, count, height);
      expect(cursor.at).toBeGreaterThanOrEqual(0);
      expect(cursor.at).toBeLessThanOrEqual(Math.max(0, count - 1));
      expect(cursor.at - cursor.top).toBeGreaterThanOrEqual(0);
      expect(cursor.at - cursor.top).toBeLessThan(height);
    }),
  );
});

test("a list that became shorter keeps its last row visible", () => {
  expect(keepInSight({ at: 90, top: 80 }, 12, 5)).toEqual({ at: 11, top: 7 });
  expect(keepInSight({ at: 3, top: 2 }, 0, 5)).toEqual({ at: 0, top: 0 });
  expect(scrollTop(90, "down", 12, 5)).toBe(7);
});

// Defence: text from services, servers and files cannot control a terminal
test("a cell has exactly its width, even with wide characters and control codes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 20 }), (text, width) => {
      expect(Bun.stringWidth(formatCell(text, width))).toBe(width);
      expect(measureLine(fitLine([text, [text, "live"]], width))).toBe(width);
    }),
  );
  expect(formatCell("\x1b[31mred\n", 12)).toBe(" [31mred    ");
});

test("long lines break between words, and a panel is no wider than the screen", () => {
  expect(wrapText("one two three", 7)).toEqual(["one two", "three"]);
  const lines = drawFrame("T", [["x".repeat(100)]], { width: 40, height: 10 });
  expect(lines.map(measureLine)).toEqual([40, 40, 40]);
  expect(toPlainText(lines[1]!)).toEndWith("… │");
});

test("Esc and the following key may arrive together; reports of the terminal are no keys", () => {
  const meta = { meta: true } as typeof NO_KEY;

  expect(parsePresses("3", meta)).toEqual([{ name: "escape" }, { name: "letter", letter: "3" }]);
  expect(parsePresses("[?1;2c", meta)).toEqual([]);
});

test("keys that arrive together are handled one by one", () => {
  expect(parsePresses("2/k\r", NO_KEY)).toEqual([
    { name: "letter", letter: "2" },
    { name: "letter", letter: "/" },
    { name: "letter", letter: "k" },
    { name: "enter" },
  ]);
  expect(parsePresses("c", { ...NO_KEY, ctrl: true })).toEqual([{ name: "interrupt" }]);
  expect(parsePresses("", { ...NO_KEY, tab: true, shift: true })).toEqual([{ name: "backTab" }]);
});

test("a slot of an award gives the filter for its contacts, if there is one", () => {
  const place = { label: "", band: null, group: null };
  expect(getSlotFilter("dxcc-5band", { ...place, key: 230, band: "20m" })).toEqual({ dxcc: "230", band: "20m" });
  expect(getSlotFilter("dxcc", { ...place, key: 230, band: "sat" })).toEqual({ dxcc: "230" });
  expect(getSlotFilter("was-triple", { ...place, key: "OH", group: "phone" })).toEqual({
    state: "OH",
    dxcc: "291,6,110",
    group: "phone",
  });
  expect(getSlotFilter("wpx", { ...place, key: "K1" })).toBeNull();
});

test("the time until something is shown in minutes, hours or days", () => {
  const minutes = (count: number) => formatUntil(count * 60_000, 0);
  expect([0, 0.2, 59, 61, 47 * 60, 72 * 60].map(minutes)).toEqual([
    "due now",
    "in a moment",
    "in 59 minutes",
    "in 61 minutes",
    "in 47 hours",
    "in 3 days",
  ]);
});
