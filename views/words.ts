export { counted, grouped, percent, sizeInWords } from "../src/domain/figures.ts";
export { duration, fromNow, utc } from "../src/domain/moments.ts";
export { isoDate as day } from "../src/domain/instant.ts";
export { listed } from "../src/domain/gain-words.ts";

/** As a title or a sentence begins. */
export const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
