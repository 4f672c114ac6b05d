export { counted, grouped, percent, sizeInWords } from "../src/kernel/number-text.ts";
export { duration, fromNow, utc } from "../src/kernel/time-text.ts";
export { isoDate as day } from "../src/kernel/instant.ts";
export { listed } from "../src/domain/jobs/gain-words.ts";

/** The text with an initial capital. */
export const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
