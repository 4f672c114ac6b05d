import { joinWords } from "../src/kernel/text.ts";
import { AppError } from "../src/kernel/errors.ts";

/** Parses the value of an option that allows only these words. */
export const parseWord = <Word extends string>(option: string, text: string, words: readonly Word[]): Word => {
  const word = words.find((one) => one === text.trim().toLowerCase());
  if (word === undefined) throw new AppError("invalid", `Use ${option} with ${joinWords(words, "or")}.`);
  return word;
};

/** Parses the number of something, such as "a QSO number". */
export const parseNumber = (text: string, what: string): number => {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new AppError("invalid", `${JSON.stringify(text)} is not ${what}.`);
};
