import { stripToOneLine } from "../../src/kernel/control-characters.ts";
import { formatCell } from "../table.ts";

/** The meaning of a span. Letters express it too; colour is never the only sign. */
export type Tone = "confirmed" | "worked" | "quiet" | "title" | "chosen" | "failed" | "live" | "caret";

export type Span = string | readonly [text: string, tone: Tone];

/** One row of the screen. */
export type Line = readonly Span[];

export interface Size {
  width: number;
  height: number;
}

/** Where the next typed letter goes. */
export const CARET: Span = [" ", "caret"];

const getText = (span: Span): string => (typeof span === "string" ? span : span[0]);

export const toPlainText = (line: Line): string => line.map(getText).join("");

export const measureLine = (line: Line): number => Bun.stringWidth(toPlainText(line));

/** Where the user is: at the insertion point of a field, otherwise at the chosen row or cell. */
export const findPosition = (lines: readonly Line[]): { x: number; y: number } | null => {
  for (const tone of ["caret", "chosen"] as const) {
    for (const [y, line] of lines.entries()) {
      const at = line.findIndex((span) => typeof span !== "string" && span[1] === tone);
      if (at !== -1) return { x: measureLine(line.slice(0, at)), y };
    }
  }
  return null;
};

/** A bar for a share from 0 to 1. */
export const drawBar = (share: number, width: number): string => {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width);
  return "█".repeat(filled) + "░".repeat(width - filled);
};

/** The line in exactly this width. */
export const fitLine = (line: Line, width: number): Line => {
  const spans: Span[] = [];
  let left = width;
  for (const span of line) {
    if (left === 0) break;
    const text = stripToOneLine(getText(span));
    const isLonger = Bun.stringWidth(text) > left;
    const shown = isLonger ? formatCell(text, left) : text;
    left -= Bun.stringWidth(shown);
    spans.push(typeof span === "string" ? shown : [shown, span[1]]);
  }
  return left > 0 ? [...spans, " ".repeat(left)] : spans;
};

/** The line in inverse, except for its bars: a full one would look empty. */
export const invertLine = (line: Line, width: number): Line =>
  fitLine(line, width).reduce<Span[]>((spans, span) => {
    const before = spans.at(-1);
    if (/[█░▒]/.test(getText(span))) spans.push(span);
    else if (before && before[1] === "chosen") spans[spans.length - 1] = [getText(before) + getText(span), "chosen"];
    else spans.push([getText(span), "chosen"]);
    return spans;
  }, []);

/** A row of a list; the chosen one is marked. */
export const renderRow = (line: Line, isChosen: boolean, width: number): Line =>
  isChosen ? invertLine([">", ...line], width) : [" ", ...line];

/** Exactly this number of lines. */
export const fitHeight = (lines: readonly Line[], height: number): Line[] => [
  ...lines.slice(0, height),
  ...Array.from({ length: Math.max(0, height - lines.length) }, (): Line => []),
];

/** Two blocks of lines next to each other. */
export const joinColumns = (left: readonly Line[], right: readonly Line[], leftWidth: number): Line[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
    ...fitLine(left[index] ?? [], leftWidth),
    ...(right[index] ?? []),
  ]);

/** From this width on, a list has its detail at the right. */
const SPLIT_FROM = 140;
const MAX_PANE_WIDTH = 76;
export const SEPARATOR = " │ ";

/** The widths of a list and its detail; null if there is only room for the list. */
export const splitWidth = ({ width }: Pick<Size, "width">): { list: number; pane: number } | null => {
  if (width < SPLIT_FROM) return null;
  const pane = Math.min(MAX_PANE_WIDTH, Math.floor(width * 0.4));
  return { list: width - pane - SEPARATOR.length, pane };
};

/** A list and its detail, side by side. */
export const joinPane = (
  list: readonly Line[],
  detail: readonly Line[],
  { list: width, pane }: Record<"list" | "pane", number>,
): Line[] =>
  list.map((line, index) => [
    ...fitLine(line, width),
    [SEPARATOR, "quiet"] as const,
    ...fitLine(detail[index] ?? [], pane),
  ]);

/** A block with a frame, no larger than the screen. */
export const drawFrame = (title: string, inside: readonly Line[], { width, height }: Size): Line[] => {
  const inner = Math.min(width - 2, Math.max(Bun.stringWidth(title), ...inside.map(measureLine)) + 2);
  return [
    ["┌ ", [title, "title"], ` ${"─".repeat(Math.max(0, inner - Bun.stringWidth(title) - 2))}┐`],
    ...inside.slice(0, height - 2).map((row): Line => ["│ ", ...fitLine(row, inner - 2), " │"]),
    [`└${"─".repeat(inner)}┘`],
  ];
};

/** Wraps text at this width, without leaving a single word on the last line if possible. */
export const wrapText = (text: string, width: number): string[] => {
  const clean = stripToOneLine(text);
  const lines = Bun.wrapAnsi(clean, width).split("\n");
  if (lines.length < 2 || lines.at(-1)!.includes(" ")) return lines;
  for (let narrower = width - 1; narrower > width / 2; narrower--) {
    const others = Bun.wrapAnsi(clean, narrower).split("\n");
    if (others.length > lines.length) break;
    if (others.at(-1)!.includes(" ")) return others;
  }
  return lines;
};

/** Text wrapped within a width, with an indentation, and as much room at the right. */
export const wrapLines = (text: string, width: number, tone: Tone | null = null, indent = " "): Line[] =>
  wrapText(text, width - 2 * indent.length).map((row): Line => [tone === null ? indent + row : [indent + row, tone]]);
