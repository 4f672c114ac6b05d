import { expect, test } from "bun:test";
import fc from "fast-check";
import { formatCsvCell } from "../src/kernel/csv.ts";

const INVISIBLE = [
  " ",
  "\u00a0",
  "\u200b",
  "\u200f",
  "\u2060",
  "\ufeff",
  "\u3000",
  "\u00ad",
  "\u2800",
  "\0",
  "\x1b",
  '"',
];
const SIGNS = [..."=+-@＝＋－＠"];
const SEPARATORS = [";", ",", "\t", "\n", "\r", "\r\n", "\u2028"];

/** Reads a line as a spreadsheet does that separates cells by this character. */
const readCells = (line: string, separator: string): string[] => {
  const cells: string[] = [];
  for (let at = 0; at <= line.length; at++) {
    let cell = "";
    if (line[at] === '"') {
      for (at++; at < line.length && !(line[at] === '"' && line[at + 1] !== '"'); at++) {
        cell += line[at];
        if (line[at] === '"') at++;
      }
      at++;
    }
    while (at < line.length && line[at] !== separator && !/[\r\n]/.test(line[at]!)) cell += line[at++];
    cells.push(cell);
  }
  return cells;
};

/** Told without the code under test. A number stays one in a line that is not separated at commas. */
const isFormula = (cell: string): boolean => {
  let rest = cell;
  while (rest !== "" && (INVISIBLE.includes(rest[0]!) || /\s/.test(rest[0]!))) rest = rest.slice(1);
  return SIGNS.includes(rest[0] ?? "") && !/^[+-]\d+(\.\d+)?([,;\s]|$)/.test(rest.replaceAll('"', ""));
};

const piece = fc.oneof(
  fc.constantFrom(...INVISIBLE),
  fc.constantFrom(...SIGNS),
  fc.constantFrom(...SEPARATORS),
  fc.constantFrom("HYPERLINK(1)", "59", "-05", "a", "'", "é"),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

// Defence: a text in a CSV export cannot become a formula
test("no text becomes a formula in a spreadsheet, whichever character separates its cells", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
      const line = texts.map(formatCsvCell).join(",");
      for (const separator of [",", ";", "\t"]) expect(readCells(line, separator).filter(isFormula)).toEqual([]);
    }),
    { numRuns: 20_000 },
  );
});

test("a text that is no formula, and a number, stay as they are", () => {
  for (const plain of [
    "",
    "DL1ABC",
    "-12",
    "+3.5",
    "-05",
    "a=b",
    "73 - good",
    "me@example.org",
    "it's",
    "YU1/DL1ABC-P",
  ])
    expect(formatCsvCell(plain)).toBe(plain);
  expect(readCells(formatCsvCell('a "b", c'), ",")).toEqual(['a "b", c']);
  expect(readCells(formatCsvCell("59;-05"), ",")).toEqual(["59;-05"]);
});

test.each([
  ["=1+1", "'=1+1"],
  ["＝1+1", "'＝1+1"],
  ["\u200b=1+1", "'\u200b=1+1"],
  ['x;=HYPERLINK("http://evil")', '"x;\'=HYPERLINK(""http://evil"")"'],
  ["x\n@SUM(1)", '"x\n\'@SUM(1)"'],
  ["-12 dB", "'-12 dB"],
  ["+1-2", "'+1-2"],
])("%p is written as %p", (given, written) => {
  expect(formatCsvCell(given)).toBe(written);
});
