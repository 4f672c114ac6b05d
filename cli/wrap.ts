import { stripControlCharacters } from "../src/kernel/control-characters.ts";
import type { Terminal } from "./terminal.ts";

type Place = Pick<Terminal, "hasUtf8" | "width"> & { isTerminal: boolean };

/** The colours of a matrix, which hide nothing: whoever else writes them paints a word at most. */
const OWN_COLOURS = /(\x1b\[(?:0|2|32|33)m)/;

/**
 * Words as their reader can see them. A line too long for the terminal is broken between words. Where the locale is
 * not UTF-8 our own signs are ASCII, and on a terminal everything is; into a pipe people's names go as they are kept.
 * Whoever wrote them, words do not steer a terminal.
 */
export const fit = (text: string, { hasUtf8, width, isTerminal }: Place): string => {
  if (!isTerminal) return hasUtf8 ? text : ownSigns(text);
  const shown = text
    .split(OWN_COLOURS)
    .map((part, index) => (index % 2 === 1 ? part : stripControlCharacters(part)))
    .join("");
  return wrapped(hasUtf8 ? shown : asciiOf(ownSigns(shown)), width);
};

/** JSON that says the same in ASCII. */
export const asciiJson = (json: string): string =>
  json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** What is on a screen, in ASCII and cell by cell. */
export const asciiCells = (text: string): string => asciiOf(signsOf(text));

/** One for one, so that columns stay where they are. */
const SIGNS = "…·–—×→≥“”‹›█▒░─│┌┐└┘";
const PLAIN_SIGNS = `~.--x>>""<>#:.-|++++`;
const SIGN = /[…·–—×→≥“”‹›█▒░─│┌┐└┘]/g;

const signsOf = (text: string): string => text.replace(SIGN, (sign) => PLAIN_SIGNS[SIGNS.indexOf(sign)]!);

/** Before a word there is room for all three dots. */
const ownSigns = (text: string): string => signsOf(text.replace(/…(?= \S)/g, "..."));

/** A letter without its accents, or a question mark as wide as what it stands for. */
const asciiOf = (text: string): string =>
  text.replace(/[^\x00-\x7f]/gu, (sign) => {
    const [plain = ""] = sign.normalize("NFD");
    return plain <= "\x7f" ? plain : "?".repeat(Bun.stringWidth(sign));
  });

const HANGING = "  ";
const NARROWEST = 20;

/** Breaks long lines between words; a word that is too long by itself stays whole, to be copied. */
export const wrapped = (text: string, width: number): string =>
  width < NARROWEST
    ? text
    : text
        .split("\n")
        .flatMap((line) => (Bun.stringWidth(line) <= width ? [line] : brokenUp(line, width)))
        .join("\n");

const brokenUp = (line: string, width: number): string[] => {
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
