import type { Key } from "ink";

/** A key somebody pressed: one with a name, or a letter. */
export type Press =
  | { name: "up" | "down" | "left" | "right" | "pageUp" | "pageDown" | "top" | "bottom" }
  | { name: "enter" | "escape" | "tab" | "backTab" | "backspace" | "interrupt" | "clearLine" | "palette" | "undo" }
  | { name: "letter"; letter: string }
  /** A press of the mouse; columns and rows count from nought. */
  | { name: "click"; column: number; row: number };

export type PressName = Press["name"];
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
};

/** What came from the keyboard, key by key: what is typed fast or pasted comes in one piece, as does Esc with the key after it. */
export const pressesOf = (input: string, key: Key): Press[] => {
  if (key.tab) return [{ name: key.shift ? "backTab" : "tab" }];
  const named = NAMED.find(([flag]) => key[flag]);
  if (named) return [{ name: named[1] }];
  if (key.ctrl) return WITH_CONTROL[input] ? [{ name: WITH_CONTROL[input] }] : [];
  const letters = [...input].flatMap(pressOfLetter);
  if (!key.meta) return letters;
  return letters.length === 1 ? [{ name: "escape" }, ...letters] : [];
};

/** Control takes so much from the code of a letter. */
const LETTERS_BEFORE_CONTROL = 96;

/** The keys that a person would press one after the other. */
export const pressesIn = (keys: string): Press[] => [...keys].flatMap(pressOfLetter);

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

/** Where a key moves to, where letters are not typed. */
export const moveOf = (press: Press): Move | null => {
  if (press.name === "letter") return LETTERS[press.letter] ?? null;
  if (press.name === "clearLine") return "pageUp";
  return MOVES.includes(press.name) ? (press.name as Move) : null;
};

export const letterOf = (press: Press): string | null => (press.name === "letter" ? press.letter : null);
