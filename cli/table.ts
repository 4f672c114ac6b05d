export interface Column {
  title: string;
  align?: "left" | "right";
  /** The column that gives way when the terminal is narrow. */
  shrinks?: boolean;
}

const GAP = 2;
const NARROWEST = 6;

/** Rows aligned under their titles, cut to the width of the terminal. */
export const table = (columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string => {
  const clean = rows.map((row) => row.map(printable));
  const widths = columns.map(({ title }, index) =>
    Math.max(Bun.stringWidth(title), ...clean.map((row) => Bun.stringWidth(row[index] ?? ""))),
  );
  narrow(columns, widths, width);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => fit(cell, widths[index]!, columns[index]!.align))
      .join(" ".repeat(GAP))
      .trimEnd();
  return [line(columns.map(({ title }) => title)), ...clean.map(line)].join("\n");
};

const narrow = (columns: readonly Column[], widths: number[], width: number): void => {
  const total = () => widths.reduce((sum, one) => sum + one + GAP, -GAP);
  const order = columns.map((column, index) => ({ column, index })).filter(({ column }) => column.shrinks);
  for (const { index } of order) {
    const excess = total() - width;
    if (excess > 0) widths[index] = Math.max(NARROWEST, widths[index]! - excess);
  }
};

const fit = (cell: string, width: number, align: Column["align"] = "left"): string => {
  const shown = Bun.stringWidth(cell) > width ? `${cut(cell, width - 1)}…` : cell;
  const padding = " ".repeat(Math.max(0, width - Bun.stringWidth(shown)));
  return align === "right" ? padding + shown : shown + padding;
};

const cut = (cell: string, width: number): string => {
  let kept = "";
  for (const letter of cell) {
    if (Bun.stringWidth(kept + letter) > width) break;
    kept += letter;
  }
  return kept;
};

/** Text from outside cannot move the cursor or change colours. */
const printable = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f]/g, " ");

/** A time as people read it; the column's title says UTC. */
export const utc = (at: number | null): string =>
  at === null ? "never" : new Date(at).toISOString().slice(0, 16).replace("T", " ");
