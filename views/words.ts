export { counted, grouped, percent, sizeInWords } from "../src/kernel/number-text.ts";
export { duration, fromNow, utc } from "../src/kernel/time-text.ts";
export { isoDate as day } from "../src/kernel/instant.ts";
export { listed } from "../src/domain/jobs/gain-words.ts";

/** As a title or a sentence begins. */
export const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
