export { counted, grouped, percent, sizeInWords } from "../src/domain/figures.ts";
export { duration, fromNow, utc } from "../src/domain/moments.ts";
export { isoDate as day } from "../src/domain/instant.ts";

/** As people say it: one, two and three. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** As a title or a sentence begins. */
export const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
