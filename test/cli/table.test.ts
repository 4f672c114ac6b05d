import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { fitText } from "../../cli/wrap.ts";
import { inTerminal } from "../support/pseudo-terminal.ts";
import { aShellWithUsers, cleanEnvironment, QSOLOG } from "../support/qsolog.ts";
import { formatCell, formatTable, formatTableRows, type Column } from "../../cli/table.ts";
import { fitLine, toPlainText, wrapText } from "../../cli/tui/line.ts";
import { escapeControlCharacters } from "../../src/kernel/control-characters.ts";

const COLUMNS: Column[] = [
  { title: "ID", align: "right" },
  { title: "TIME (UTC)" },
  { title: "CALL" },
  { title: "NAME", shrinks: true },
  { title: "ENTITY", shrinks: true },
];
const ROWS = [
  ["7", "2026-08-01 12:00", "JA1XYZ", "山田太郎", "Japan"],
  ["1234", "2026-08-01 12:05", "DL1ABC/P", "Jürgen von und zu Guttenberg", "Fed. Rep. of Germany"],
];

const widest = (text: string) => Math.max(...text.split("\n").map((line) => Bun.stringWidth(line)));

test("columns are aligned by the width of characters on the screen", () => {
  expect(formatTable(COLUMNS, ROWS, Infinity).split("\n")).toEqual([
    "  ID  TIME (UTC)        CALL      NAME                          ENTITY",
    "   7  2026-08-01 12:00  JA1XYZ    山田太郎                      Japan",
    "1234  2026-08-01 12:05  DL1ABC/P  Jürgen von und zu Guttenberg  Fed. Rep. of Germany",
  ]);
});

test("columns that can shrink do so first, and wide characters are never cut in half", () => {
  expect(formatTable(COLUMNS, [...ROWS, ["8", "never", "JA2", "山田太郎次郎三郎", "Japan"]], 60).split("\n")).toEqual([
    "  ID  TIME (UTC)        CALL      NAME    ENTITY",
    "   7  2026-08-01 12:00  JA1XYZ    山田…   Japan",
    "1234  2026-08-01 12:05  DL1ABC/P  Jürge…  Fed. Rep. of Germ…",
    "   8  never             JA2       山田…   Japan",
  ]);
});

test("on a narrow terminal each row has two lines, and none is empty", () => {
  expect(formatTable(COLUMNS, [...ROWS, ["8", "never", "JA2", "", ""]], 40).split("\n")).toEqual([
    "  ID  TIME (UTC)        CALL",
    "  NAME              ENTITY",
    "   7  2026-08-01 12:00  JA1XYZ",
    "  山田太郎          Japan",
    "1234  2026-08-01 12:05  DL1ABC/P",
    "  Jürgen von und…   Fed. Rep. of Germany",
    "   8  never             JA2",
  ]);
});

test("a character of several code points counts as one", () => {
  const family = "👨‍👩‍👧‍👦";
  const [, row] = formatTableRows([{ title: "X", shrinks: true }], [[`${family}${family}${family}${family}`]], 6);

  expect(row).toBe(`${family}${family}…`);
});

test("text from services cannot control the terminal or reverse the line", () => {
  const [, row] = formatTableRows([{ title: "NAME" }], [["a\x1b[31mb\nc\u202Ed\u2028e"]], 80);

  expect(row).toBe("a [31mb c d e");
});

/** Both kinds of escape sequences, the clipboard, and all bidirectional controls. */
const HOSTILE = [
  "\x1b]52;c;eA==\x07",
  "\x9b31m",
  "\u061c",
  "\u200e",
  "\u200f",
  "\u202e",
  "\u2066",
  "\u2069",
  "\x7f",
  "\r",
];
const STEERS = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

// Defence: text from services, servers and files cannot control a terminal
test.each(HOSTILE)("%j never reaches a terminal, in tables, screens, messages or JSON", (hostile) => {
  const text = `a${hostile}b`;
  const onTerminal = { hasUtf8: true, width: 80, isTerminal: true };
  const shown = [
    formatTable([{ title: "NAME" }], [[text]], 80),
    formatCell(text, 20),
    wrapText(text, 20).join(""),
    toPlainText(fitLine([text, [text, "title"]], 60)),
    escapeControlCharacters(JSON.stringify({ name: text })),
    fitText(text, onTerminal),
    fitText(text, { ...onTerminal, hasUtf8: false }),
  ];

  for (const one of shown) expect(one).not.toMatch(STEERS);
  expect(JSON.parse(escapeControlCharacters(JSON.stringify({ name: text })))).toEqual({ name: text });
});

// Defence: text from services, servers and files cannot control a terminal
test("control codes in exports and documents are shown on a terminal, not executed", async () => {
  const qsolog = await aShellWithUsers({ username: "bob" });
  const comment = "a\u009b31m\x1b]52;c;eA==\x07\u202eb";
  const adif = `<CALL:5>K1ABC<QSO_DATE:8>20260801<TIME_ON:4>1234<BAND:3>20m<MODE:2>CW<COMMENT:${Buffer.byteLength(comment)}>${comment}<EOR>`;
  await Bun.write(join(qsolog.dataDir, "a.adi"), adif);
  await qsolog(["qso", "import", join(qsolog.dataDir, "a.adi")]);
  const env = cleanEnvironment({ QSOLOG_DATA_DIR: qsolog.dataDir });
  for (const words of [
    ["qso", "export"],
    ["qso", "list", "--json"],
    ["qso", "show", "1"],
  ]) {
    const terminal = inTerminal([...QSOLOG, ...words], env);

    expect(await terminal.exited).toBe(0);
    await terminal.shows("K1ABC").catch(() => {});
    expect(terminal.text().replaceAll("\r\n", "\n")).not.toMatch(STEERS);
  }
  expect((await qsolog(["qso", "export"])).out).toContain("\u009b31m");
});

describe("with any content", () => {
  const letters = fc.constantFrom("a", "Ж", "山", "ü", "é", "한", "😀", "👩‍🚀", " ", "…", "\t", "0");
  const cell = fc.array(letters, { maxLength: 30 }).map((parts) => parts.join(""));
  const column = fc.record({
    title: fc.constantFrom("ID", "TIME (UTC)", "呼出符号", ""),
    align: fc.constantFrom("left" as const, "right" as const),
    shrinks: fc.boolean(),
  });
  const tables = fc
    .array(column, { minLength: 1, maxLength: 8 })
    .chain((columns) =>
      fc.tuple(
        fc.constant(columns),
        fc.array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), { maxLength: 4 }),
      ),
    );

  test("no line is wider than the terminal", () => {
    fc.assert(
      fc.property(tables, fc.integer({ min: 1, max: 120 }), ([columns, rows], width) => {
        expect(widest(formatTable(columns, rows, width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  test("without a terminal each row is one line and nothing is cut", () => {
    fc.assert(
      fc.property(tables, ([columns, rows]) => {
        const [, ...lines] = formatTable(columns, rows, Infinity).split("\n");

        expect(lines.length).toBe(rows.length);
        for (const [index, row] of rows.entries()) {
          for (const text of row) expect(lines[index]).toContain(text.replaceAll("\t", " ").trimEnd());
        }
      }),
    );
  });
});
