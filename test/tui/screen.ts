const ESCAPE = /\x1b(?:\[([0-9;?<>=]*)([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|[=>78])/y;

/** What a terminal of this size shows after this output: letters only, every colour left out. */
export const screenOf = (output: string, { cols, rows } = { cols: 80, rows: 24 }): string => {
  let cells = blank(cols, rows);
  let x = 0;
  let y = 0;
  const lineFeed = () => {
    if (y < rows - 1) y += 1;
    else cells = [...cells.slice(1), ...blank(cols, 1)];
  };
  const erase = (from: number, to: number, row = y) => cells[row]!.fill(" ", from, to);
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
    h: (_, given) => void (given === "?1049" && (cells = blank(cols, rows)) && ([x, y] = [0, 0])),
    l: (_, given) => void (given === "?1049" && (cells = blank(cols, rows)) && ([x, y] = [0, 0])),
    m: () => {},
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
      cells[y]![x] = sign;
      x += 1;
    }
  }
  return cells.map((row) => row.join("").trimEnd()).join("\n");
};

const blank = (cols: number, rows: number): string[][] =>
  Array.from({ length: rows }, () => Array.from({ length: cols }, () => " "));
