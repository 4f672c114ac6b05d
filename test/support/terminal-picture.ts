import { cellsOf, type Cell } from "../tui/screen.ts";

interface Ground {
  foreground: string;
  background: string;
  /** By terminal colour code. */
  colours: Record<number, string>;
}

const GROUNDS: Record<"dark" | "light", Ground> = {
  dark: {
    foreground: "#d8dee9",
    background: "#1c2128",
    colours: { 31: "#ff7b72", 32: "#56d364", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff", 36: "#76e3ea" },
  },
  light: {
    foreground: "#24292f",
    background: "#ffffff",
    colours: { 31: "#cf222e", 32: "#116329", 33: "#c7a500", 34: "#0550ae", 35: "#8250df", 36: "#3aa0a8" },
  },
};
const BOLD = 1;
const DIM = 2;
const INVERSE = 7;

/** A page that looks like the terminal after this output, for a screenshot. */
export const terminalPage = (
  output: string,
  size: { cols: number; rows: number },
  theme: "dark" | "light" = "dark",
): string => {
  const ground = GROUNDS[theme];
  const rows = cellsOf(output, size).map((row) =>
    runsOf(row)
      .map((run) => spanOf(run, ground))
      .join(""),
  );
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; padding: 12px 16px; background: ${ground.background}; width: max-content }
    pre { margin: 0; font: 14px/18px "DejaVu Sans Mono", monospace; color: ${ground.foreground} }
  </style><pre>${rows.join("\n")}</pre>`;
};

interface Run {
  text: string;
  style: readonly number[];
}

/** Joins neighbouring cells with the same style. */
const runsOf = (row: readonly Cell[]): Run[] =>
  row.reduce<Run[]>((runs, { sign, style }) => {
    const last = runs.at(-1);
    if (last && last.style.join() === style.join()) last.text += sign;
    else runs.push({ text: sign, style });
    return runs;
  }, []);

const spanOf = ({ text, style }: Run, { foreground, background, colours }: Ground): string => {
  const colour = style.map((code) => colours[code]).findLast((found) => found !== undefined) ?? foreground;
  const looks = [
    style.includes(INVERSE) ? `color: ${background}; background: ${colour}` : `color: ${colour}`,
    style.includes(BOLD) ? "font-weight: bold" : "",
    style.includes(DIM) ? "opacity: 0.6" : "",
  ].filter((look) => look !== "");
  return `<span style="${looks.join("; ")}">${Bun.escapeHTML(text)}</span>`;
};
