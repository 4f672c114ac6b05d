import type { Context } from "../context.ts";
import type { Press } from "../keymap.ts";
import { CARET, wrapLines } from "../line.ts";

/** The text after a key; null if the key does not change it. */
export const typeInto = (text: string, press: Press): string | null => {
  if (press.name === "letter") return text + press.letter;
  if (press.name === "backspace") return [...text].slice(0, -1).join("");
  return press.name === "clearLine" ? "" : null;
};

interface Prompt {
  title: string;
  help: readonly string[];
  /** What can be accepted or changed. */
  typed?: string;
  /** If it throws, the text stays for correction. */
  onEnter(text: string): void;
}

/** The frame of a question. */
const AROUND = 4;

/** Asks for one line of text. */
export const askForText = (context: Context, { title, help, typed = "", onEnter }: Prompt): void => {
  const width = context.size.width - AROUND;
  const type = (text: string, problem: string | null) =>
    context.ask({
      title,
      lines: [
        [`> ${text}`, CARET],
        [],
        ...(problem === null
          ? help.flatMap((words) => wrapLines(words, width, "quiet", ""))
          : wrapLines(problem, width, "failed", "")),
      ],
      press(press) {
        const next = typeInto(text, press);
        if (next !== null) return type(next, null);
        if (press.name !== "enter") return context.ask(null);
        try {
          onEnter(text);
        } catch (error) {
          type(text, (error as Error).message);
        }
      },
    });
  type(typed, null);
};
