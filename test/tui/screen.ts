const ESCAPE = /\x1b(?:\[([0-9;?<>=]*)([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>78])/y;

export interface Cell {
  sign: string;
  /** The active SGR codes, such as 1 for bold and 32 for green. */
  style: readonly number[];
}

interface Size {
  cols: number;
  rows: number;
}

/** What a terminal of this size shows after this output, without colours. */
export const screenOf = (output: string, size: Size = { cols: 80, rows: 24 }): string =>
  cellsOf(output, size)
    .map((row) =>
      row
        .map(({ sign }) => sign)
        .join("")
        .trimEnd(),
    )
    .join("\n");

/** The same with colours, cell by cell. */
export const cellsOf = (output: string, size: Size): Cell[][] => replay(output, size).cells;

/** Where the terminal's cursor is, which is what a Braille line shows. */
export const cursorOf = (output: string, size: Size = { cols: 80, rows: 24 }): Cursor => replay(output, size).cursor;

interface Cursor {
  x: number;
  y: number;
  isVisible: boolean;
}

const replay = (output: string, { cols, rows }: Size): { cells: Cell[][]; cursor: Cursor } => {
  let cells = blank(cols, rows);
  let style: readonly number[] = [];
  let x = 0;
  let y = 0;
  let isVisible = true;
  const lineFeed = () => {
    if (y < rows - 1) y += 1;
    else cells = [...cells.slice(1), ...blank(cols, 1)];
  };
  const erase = (from: number, to: number, row = y) => cells[row]!.fill(BLANK, from, to);
  const setMode = (given: string, isOn: boolean) => {
    if (given === "?25") isVisible = isOn;
    if (given === "?1049") [cells, x, y] = [blank(cols, rows), 0, 0];
  };
  const control: Record<string, (n: number, given: string) => void> = {
    A: (n) => void (y = Math.max(0, y - Math.max(1, n))),
    B: (n) => void (y = Math.min(rows - 1, y + Math.max(1, n))),
    C: (n) => void (x = Math.min(cols - 1, x + Math.max(1, n))),
    D: (n) => void (x = Math.max(0, x - Math.max(1, n))),
    E: (n) => void ((x = 0), (y = Math.min(rows - 1, y + Math.max(1, n)))),
    F: (n) => void ((x = 0), (y = Math.max(0, y - Math.max(1, n)))),
    G: (n) => void (x = Math.max(1, n) - 1),
    H: (_, given) => {
      const [row = 1, column = 1] = given.split(";").map((part) => Number(part) || 1);
      [y, x] = [Math.min(rows, row) - 1, Math.min(cols, column) - 1];
    },
    J: (n) => {
      if (n >= 2) return void (cells = blank(cols, rows));
      erase(x, cols);
      for (let row = y + 1; row < rows; row++) erase(0, cols, row);
    },
    K: (n) => void (n === 0 ? erase(x, cols) : n === 1 ? erase(0, x + 1) : erase(0, cols)),
    h: (_, given) => setMode(given, true),
    l: (_, given) => setMode(given, false),
    m: (_, given) => void (style = given.split(";").reduce((now, part) => styled(now, Number(part) || 0), style)),
    u: () => {},
  };
  for (let at = 0; at < output.length;) {
    ESCAPE.lastIndex = at;
    const found = ESCAPE.exec(output);
    if (found) {
      const [whole, given = "", letter] = found;
      at += whole.length;
      if (letter === undefined) continue;
      const act = control[letter];
      if (!act) throw new Error(`The screen does not know ${JSON.stringify(whole)}.`);
      act(Number(given.split(";")[0]) || 0, given);
      continue;
    }
    const sign = String.fromCodePoint(output.codePointAt(at)!);
    at += sign.length;
    if (sign === "\n") lineFeed();
    else if (sign === "\r") x = 0;
    else if (sign >= " ") {
      if (x >= cols) {
        x = 0;
        lineFeed();
      }
      cells[y]![x] = { sign, style };
      x += 1;
    }
  }
  return { cells, cursor: { x, y, isVisible } };
};

const BLANK: Cell = { sign: " ", style: [] };

const blank = (cols: number, rows: number): Cell[][] =>
  Array.from({ length: rows }, () => Array.from({ length: cols }, () => BLANK));

/** The codes that each code resets. */
const ENDS: Record<number, (code: number) => boolean> = {
  0: () => true,
  22: (code) => code === 1 || code === 2,
  27: (code) => code === 7,
  39: (code) => code >= 30 && code <= 37,
};

const styled = (style: readonly number[], code: number): readonly number[] => {
  const ended = ENDS[code];
  return ended ? style.filter((one) => !ended(one)) : [...style, code];
};
