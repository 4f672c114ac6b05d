import type { Press } from "./keymap.ts";

/** The text after a key; null if the key does not change it. */
export const typeInto = (text: string, press: Press): string | null => {
  if (press.name === "letter") return text + press.letter;
  if (press.name === "backspace") return [...text].slice(0, -1).join("");
  return press.name === "clearLine" ? "" : null;
};
