import type { Key } from "ink";

/** A pressed key: a named one, or a character. */
export type Press =
  | { name: "up" | "down" | "left" | "right" | "pageUp" | "pageDown" | "top" | "bottom" }
  | { name: "enter" | "escape" | "tab" | "backTab" | "backspace" | "interrupt" | "clearLine" | "palette" | "undo" }
  | { name: "letterKeys" }
  /** A command's letter works even while single-letter keys are off. */
  | { name: "letter"; letter: string; isCommand?: true }
  /** A mouse click; columns and rows count from 0. */
  | { name: "click"; column: number; row: number };

type PressName = Press["name"];
export type Move = "up" | "down" | "left" | "right" | "pageUp" | "pageDown" | "top" | "bottom";

const NAMED: [flag: keyof Key, name: Exclude<PressName, "letter" | "click">][] = [
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["pageUp", "pageUp"],
  ["pageDown", "pageDown"],
  ["home", "top"],
  ["end", "bottom"],
  ["return", "enter"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  ["delete", "backspace"],
];

const WITH_CONTROL: Record<string, Exclude<PressName, "letter" | "click">> = {
  c: "interrupt",
  f: "pageDown",
  d: "pageDown",
  b: "pageUp",
  u: "clearLine",
  n: "down",
  p: "up",
  k: "palette",
  z: "undo",
  t: "letterKeys",
};

/** Splits input into single keys: fast typing, pasted text, and Esc with the following key arrive in one piece. */
export const parsePresses = (input: string, key: Key): Press[] => {
  if (key.tab) return [{ name: key.shift ? "backTab" : "tab" }];
  const named = NAMED.find(([flag]) => key[flag]);
  if (named) return [{ name: named[1] }];
  if (key.ctrl) return WITH_CONTROL[input] ? [{ name: WITH_CONTROL[input] }] : [];
  const letters = [...input].flatMap(pressOfLetter);
  if (!key.meta) return letters;
  return letters.length === 1 ? [{ name: "escape" }, ...letters] : [];
};

/** A control character is the code of its letter minus this. */
const LETTERS_BEFORE_CONTROL = 96;

/** The keys of a command. */
export const toPresses = (keys: string): Press[] =>
  [...keys].flatMap(pressOfLetter).map((press) => (press.name === "letter" ? { ...press, isCommand: true } : press));

const pressOfLetter = (letter: string): Press[] => {
  if (letter === "\r" || letter === "\n") return [{ name: "enter" }];
  if (letter === "\t") return [{ name: "tab" }];
  const control = WITH_CONTROL[String.fromCharCode(letter.charCodeAt(0) + LETTERS_BEFORE_CONTROL)];
  if (letter < " " && control) return [{ name: control }];
  if (letter === "\x7f" || letter === "\b") return [{ name: "backspace" }];
  return letter < " " ? [] : [{ name: "letter", letter }];
};

const LETTERS: Record<string, Move> = {
  k: "up",
  j: "down",
  h: "left",
  l: "right",
  g: "top",
  G: "bottom",
  " ": "pageDown",
};

const MOVES: readonly PressName[] = ["up", "down", "left", "right", "pageUp", "pageDown", "top", "bottom"];

/** The movement of a key, where letters are commands. */
export const moveOf = (press: Press): Move | null => {
  if (press.name === "letter") return LETTERS[press.letter] ?? null;
  if (press.name === "clearLine") return "pageUp";
  return MOVES.includes(press.name) ? (press.name as Move) : null;
};

export const getLetter = (press: Press): string | null => (press.name === "letter" ? press.letter : null);
