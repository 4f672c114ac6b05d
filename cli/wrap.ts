import { escapeControlCharacters, stripControlCharacters, stripInPipe } from "../src/kernel/control-characters.ts";
import type { Terminal } from "./terminal.ts";

type Place = Pick<Terminal, "hasUtf8" | "width"> & { isTerminal: boolean };

/** The colours of our own tables and QR codes, which are harmless. Other text could at most colour a word with them. */
const OWN_COLOURS = /(\x1b\[(?:0|2|31|32|33|97;40)m)/;

/**
 * Fits text to its reader: breaks long lines between words, replaces our own symbols by ASCII if the locale is not
 * UTF-8, and on such a terminal all other characters too. Text in a pipe is not wrapped. Control sequences in
 * untrusted text are removed.
 */
export const fitText = (text: string, { hasUtf8, width, isTerminal }: Place): string => {
  if (!isTerminal) return stripInPipe(hasUtf8 ? text : replaceOwnSymbols(text));
  const shown = text
    .split(OWN_COLOURS)
    .map((part, index) => (index % 2 === 1 ? part : stripControlCharacters(part)))
    .join("");
  return wrapText(hasUtf8 ? shown : toAscii(replaceOwnSymbols(shown)), width);
};

/** Fits JSON to its reader: it stays valid JSON with the same content. */
export const fitJson = (json: string, { hasUtf8, isTerminal }: Omit<Place, "width">): string =>
  hasUtf8 || !isTerminal ? escapeControlCharacters(json) : toAsciiJson(json);

/** The same JSON in ASCII. */
export const toAsciiJson = (json: string): string =>
  json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Screen content in ASCII, cell by cell. */
export const toAsciiCells = (text: string): string => toAscii(replaceSymbols(text));

/** Replaced one for one, so that columns stay aligned. */
const SIGNS = "…·–—×→≥“”‹›█▒░─│┃┌┐└┘✓";
const PLAIN_SIGNS = `~.--x>>""<>#:.-||++++*`;
const SIGN = /[…·–—×→≥“”‹›█▒░─│┃┌┐└┘✓]/g;

const replaceSymbols = (text: string): string => text.replace(SIGN, (sign) => PLAIN_SIGNS[SIGNS.indexOf(sign)]!);

/** Before a space there is room for three dots. */
const replaceOwnSymbols = (text: string): string => replaceSymbols(text.replace(/…(?= \S)/g, "..."));

/** A letter without accents, or question marks of the same width. */
const toAscii = (text: string): string =>
  text.replace(/[^\x00-\x7f]/gu, (sign) => {
    const [plain = ""] = sign.normalize("NFD");
    return plain <= "\x7f" ? plain : "?".repeat(Bun.stringWidth(sign));
  });

const HANGING = "  ";
const NARROWEST = 20;

/** Breaks long lines between words. A word that is too long stays whole, so that it can be copied. */
export const wrapText = (text: string, width: number): string =>
  width < NARROWEST
    ? text
    : text
        .split("\n")
        .flatMap((line) => (Bun.stringWidth(line) <= width ? [line] : breakLine(line, width)))
        .join("\n");

const breakLine = (line: string, width: number): string[] => {
  const [indent = ""] = line.match(/^ */)!;
  const lines: string[] = [];
  let current = indent;
  let isEmpty = true;
  for (const word of line.slice(indent.length).split(" ")) {
    const longer = isEmpty ? current + word : `${current} ${word}`;
    if (!isEmpty && Bun.stringWidth(longer) > width) {
      lines.push(current.trimEnd());
      current = indent + HANGING + word;
    } else current = longer;
    isEmpty = false;
  }
  return [...lines, current];
};
