/** A status or code in the form used for comparisons. */
export const toUpperCased = (text: string | undefined): string => (text === undefined ? "" : text.trim().toUpperCase());

/**
 * Trims the text and returns null if nothing is left. Removes NUL and unpaired surrogates, which databases cannot
 * store.
 */
export const textOrNull = (text: string | undefined): string | null => {
  if (text === undefined) return null;
  const plain = (text.includes("\0") ? text.replaceAll("\0", "") : text).toWellFormed().trim();
  return plain === "" ? null : plain;
};

/** Longer than any call, mode or state, shorter than the limit of an index. */
export const MAX_CODE_LENGTH = 64;

/** A code such as a call, a mode or a state, in upper case; null if it is too long. */
export const code = (text: string | undefined): string | null => {
  const said = textOrNull(text)?.toUpperCase();
  return said === undefined || said.length > MAX_CODE_LENGTH ? null : said;
};

/** A number of up to three digits, or null outside the limits. */
export const parseNumberWithin = (text: string | undefined, lowest: number, highest: number): number | null => {
  if (text === undefined || !/^\s*\d{1,3}\s*$/.test(text)) return null;
  const number = Number(text);
  return number >= lowest && number <= highest ? number : null;
};

/** Joins words to a list: one, two and three. */
export const joinWords = (words: readonly string[], last: "and" | "or" = "and"): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;

/** The first words of a list, and how many more there are. */
export const joinSome = (words: readonly string[], most: number): string =>
  joinWords(words.length > most ? [...words.slice(0, most), `${words.length - most} more`] : words);

const MAX_SHOWN_LENGTH = 1_000;

/** A copy of a document for people, with long texts cut. */
export const cutLongTexts = <T extends object>(document: T): T =>
  JSON.parse(JSON.stringify(document), (_, value: unknown) =>
    typeof value === "string" && value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}…` : value,
  ) as T;
