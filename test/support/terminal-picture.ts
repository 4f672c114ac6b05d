import { cellsOf, type Cell } from "../tui/screen.ts";

const FOREGROUND = "#d8dee9";
const BACKGROUND = "#1c2128";
const COLOURS: Record<number, string> = { 31: "#ff7b72", 32: "#56d364", 33: "#e3b341", 36: "#76e3ea" };
const BOLD = 1;
const DIM = 2;
const INVERSE = 7;

/** A page that looks like the terminal after this output, to be photographed. */
export const terminalPage = (output: string, size: { cols: number; rows: number }): string => {
  const rows = cellsOf(output, size).map((row) => runsOf(row).map(spanOf).join(""));
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; padding: 12px 16px; background: ${BACKGROUND}; width: max-content }
    pre { margin: 0; font: 14px/18px "DejaVu Sans Mono", monospace; color: ${FOREGROUND} }
  </style><pre>${rows.join("\n")}</pre>`;
};

interface Run {
  text: string;
  style: readonly number[];
}

/** Neighbours that look the same, as one. */
const runsOf = (row: readonly Cell[]): Run[] =>
  row.reduce<Run[]>((runs, { sign, style }) => {
    const last = runs.at(-1);
    if (last && last.style.join() === style.join()) last.text += sign;
    else runs.push({ text: sign, style });
    return runs;
  }, []);

const spanOf = ({ text, style }: Run): string => {
  const colour = style.map((code) => COLOURS[code]).findLast((found) => found !== undefined) ?? FOREGROUND;
  const looks = [
    style.includes(INVERSE) ? `color: ${BACKGROUND}; background: ${colour}` : `color: ${colour}`,
    style.includes(BOLD) ? "font-weight: bold" : "",
    style.includes(DIM) ? "opacity: 0.6" : "",
  ].filter((look) => look !== "");
  return `<span style="${looks.join("; ")}">${Bun.escapeHTML(text)}</span>`;
};
