import { invalidField } from "../kernel/errors.ts";
import { defineWork } from "../storage/engine/database.ts";
import type { World } from "../world.ts";

/** Up to this many extra characters do not make a common word safe. */
const MAX_EXTRA_CHARACTERS = 6;
const MAX_REPEATED_LENGTH = 4;
const MIN_DISTINCT_CHARACTERS = 2;

const load = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"] as readonly string[]);
};

let loaded: Promise<ReadonlySet<string>> | null = null;

/** Loaded when the first password is chosen, in a worker thread, because the list is large. */
const commonPasswords = {
  versionOf: () => Promise.resolve("the only one"),
  make: () => (loaded ??= load()),
};

interface Chosen {
  password: string;
  /** Names of the user that others know. */
  names: readonly string[];
}

/** Whether it is easy to guess: a common password, a name, a repetition, or a row of keys or digits. */
const isCommon = ({ password, names }: Chosen, common: ReadonlySet<string>): boolean => {
  const text = password.toLowerCase();
  if (new Set(text).size <= MIN_DISTINCT_CHARACTERS || isRow(text)) return true;
  const unit = findRepeatedUnit(text);
  if (unit.length <= MAX_REPEATED_LENGTH) return true;
  const own = names.map((name) => name.toLowerCase());
  if (own.some((name) => text.includes(name) && text.replaceAll(name, "").length <= MAX_EXTRA_CHARACTERS)) return true;
  return [text, unit].some((part) => isWord(part, common));
};

const isWord = (text: string, common: ReadonlySet<string>): boolean => {
  if (common.has(text)) return true;
  const word = trimToLetters(text);
  return word.length >= 3 && text.length - word.length <= MAX_EXTRA_CHARACTERS && common.has(word);
};

/** From the first letter to the last. */
const trimToLetters = (text: string): string => {
  const isLetter = (at: number) => text[at]!.toUpperCase() !== text[at];
  let [begin, end] = [0, text.length];
  while (begin < end && !isLetter(begin)) begin += 1;
  while (end > begin && !isLetter(end - 1)) end -= 1;
  return text.slice(begin, end);
};

/** The unit that the text repeats, the last time perhaps cut off; the text itself if it repeats nothing. */
const findRepeatedUnit = (text: string): string => {
  for (let length = 1; length < text.length; length++) {
    if (text.startsWith(text.slice(length))) return text.slice(0, length);
  }
  return text;
};

/** Each character follows or precedes the one before: `1234567890`, `abcdefghij`. */
const isRow = (text: string): boolean =>
  [1, -1].some((step) =>
    Array.from(text.slice(1)).every((letter, at) => {
      const difference = letter.charCodeAt(0) - text.charCodeAt(at);
      return difference === step || difference === -9 * step;
    }),
  );

export const commonPasswordWork = defineWork(
  "passwords.isCommon",
  "read",
  function* (chosen: Chosen, common: ReadonlySet<string>) {
    return isCommon(chosen, common);
  },
  commonPasswords,
);

interface Owner {
  username: string;
  callsign?: string | null | undefined;
}

/** Throws for a password that is easy to guess. */
export const assertUncommon = async (
  { db }: Pick<World, "db">,
  password: string,
  { username, callsign }: Owner,
): Promise<void> => {
  const names = [username.trim(), callsign?.trim() ?? "", "qsolog"].filter((name) => name.length >= 3);
  if (!(await db.inWorker(commonPasswordWork, { password, names }, { userId: null }))) return;
  throw invalidField("password", "This password is too common. Try a few random words.");
};
