import { stripToOneLine } from "../src/kernel/control-characters.ts";

export interface Column {
  title: string;
  align?: "left" | "right";
  /** The column that shrinks on a narrow terminal. */
  shrinks?: boolean;
}

/** A column of numbers. */
export const right = (title: string): Column => ({ title, align: "right" });
export const shrinking = (title: string): Column => ({ title, shrinks: true });

type Cell = string | number | null;

const GAP = 2;
/** The minimum width of the column before a row is split over two lines, and after that. */
const NARROWEST = 6;
const COMFORTABLE = 16;
const INDENT = 2;

/** Aligned rows with titles. A row that is too wide continues on a second line. */
export const formatTable = (
  columns: readonly (string | Column)[],
  rows: readonly (readonly Cell[])[],
  width: number,
): string => formatTableRows(columns, rows, width).join("\n");

/** The titles, followed by each row. */
export const formatTableRows = (
  given: readonly (string | Column)[],
  rows: readonly (readonly Cell[])[],
  width: number,
): [titles: string, ...rows: string[]] => {
  const columns = given.map((column): Column => (typeof column === "string" ? { title: column } : column));
  const clean = rows.map((row) => row.map((cell) => stripToOneLine(String(cell ?? ""))));
  const placed = columns.map(({ title, ...column }, index): Placed => {
    const widest = clean.reduce((most, row) => Math.max(most, Bun.stringWidth(row[index] ?? "")), 0);
    return { ...column, index, width: Math.max(Bun.stringWidth(title), widest) };
  });
  const lines = arrangeColumns(placed, Math.max(width, 1));
  const titles = columns.map(({ title }) => title);
  return [lines.map((line) => shown(line, titles)).join("\n"), ...clean.map((row) => formatRow(lines, row))];
};

interface Placed extends Omit<Column, "title"> {
  index: number;
  width: number;
}

interface Line {
  indent: number;
  columns: Placed[];
}

/** All columns on one line, or as many per line as fit. */
const arrangeColumns = (columns: readonly Placed[], width: number): Line[] => {
  const one = shrinkColumns(columns, width, NARROWEST);
  if (sumWidths(one) <= width) return [{ indent: 0, columns: one }];
  const lines: Line[] = [{ indent: 0, columns: [] }];
  for (const column of columns) {
    const line = lines.at(-1)!;
    const room = width - line.indent;
    const joined = shrinkColumns([...line.columns, column], room, COMFORTABLE);
    if (sumWidths(joined) <= room) line.columns = joined;
    else if (line.columns.length === 0) line.columns = [{ ...column, width: room }];
    else {
      const indent = Math.min(INDENT, width - 1);
      lines.push({ indent, columns: [{ ...column, width: Math.min(column.width, width - indent) }] });
    }
  }
  return lines;
};

const sumWidths = (columns: readonly Placed[]): number => columns.reduce((sum, one) => sum + one.width + GAP, -GAP);

const shrinkColumns = (columns: readonly Placed[], width: number, narrowest: number): Placed[] => {
  let excess = sumWidths(columns) - width;
  return columns.map((column) => {
    if (!column.shrinks || excess <= 0) return column;
    const kept = Math.min(column.width, Math.max(narrowest, column.width - excess));
    excess -= column.width - kept;
    return { ...column, width: kept };
  });
};

/** Leaves out empty lines of a row. */
const formatRow = (lines: readonly Line[], row: readonly string[]): string =>
  lines
    .map((line) => shown(line, row))
    .filter((text, index) => index === 0 || text.trim() !== "")
    .join("\n");

const shown = ({ indent, columns }: Line, cells: readonly string[]): string => {
  const parts = columns.map(({ index, width, align }) => formatCell(cells[index] ?? "", width, align));
  return (" ".repeat(indent) + parts.join(" ".repeat(GAP))).trimEnd();
};

/** The text in exactly this width: padded, or cut with an ellipsis. */
export const formatCell = (text: Cell, width: number, align: Column["align"] = "left"): string => {
  const clean = stripToOneLine(String(text ?? ""));
  const shown = Bun.stringWidth(clean) > width ? `${cut(clean, width - 1).trimEnd()}…` : clean;
  const padding = " ".repeat(Math.max(0, width - Bun.stringWidth(shown)));
  return align === "right" ? padding + shown : shown + padding;
};

/** Never cuts within a grapheme. */
const cut = (cell: string, width: number): string => {
  let kept = "";
  let room = width;
  for (const { segment } of new Intl.Segmenter().segment(cell)) {
    room -= Bun.stringWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return kept;
};
