import type { KeyHint, Screen } from "./context.ts";

/** The single-character keys of a hint with the meaning of each. Keys for moving, which share one, have others too. */
export const splitHint = ([keys, meaning]: KeyHint): KeyHint[] => {
  const [all, meanings] = [keys.split(" "), meaning.split(", ")];
  if (!isLetters([keys, meaning]) || all.length !== meanings.length) return [];
  return all.map((key, index) => [key, meanings[index]!]);
};

export const isLetters = ([key]: KeyHint): boolean => key.split(" ").every((one) => one.length === 1);

export const GO_TO: KeyHint = ["Ctrl-K", "go to"];
export const HELP: KeyHint = ["?", "help"];
const QUIT: KeyHint = ["q", "quit"];
const isOut = ([key]: KeyHint): boolean => key === "q";

interface WorkingKeys {
  /** The keys of the screen itself. */
  here: readonly KeyHint[];
  /** Always shown, at the end. */
  last: readonly KeyHint[];
}

/** The keys that work now. Without single-letter keys the palette offers what they do. */
export const listWorkingKeys = ({ hints, isTyping = false }: Screen, hasLetterKeys: boolean): WorkingKeys => {
  if (isTyping) return { here: hints, last: [] };
  const out = hints.find(isOut);
  const here = hints.filter((hint) => !isOut(hint));
  if (hasLetterKeys) return { here: [...here, GO_TO], last: [HELP, out ?? QUIT] };
  return {
    here: [...here.filter((hint) => !isLetters(hint)), ["Tab", "next tab"]],
    last: [["Ctrl-K", "all commands"], ["Ctrl-T", "letter keys on"], out ? ["Esc", out[1]] : ["Ctrl-C", "quit"]],
  };
};
