import { SETTINGS_TEXTS } from "./texts/settings.ts";

const WORDS = SETTINGS_TEXTS.done;

/** The message of a section after an action in it. */
export const getMessage = (done: string | undefined, word: string, of = ""): string | undefined =>
  done === word + of ? WORDS[word] : undefined;
