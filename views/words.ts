export {
  formatCount as counted,
  formatNumber as grouped,
  formatShare as percent,
  formatSize as sizeInWords,
} from "../src/kernel/number-text.ts";
export { formatDuration as duration, formatFromNow as fromNow, formatUtc as utc } from "../src/kernel/time-text.ts";
export { formatIsoDate as day } from "../src/kernel/instant.ts";
export { joinWords as listed } from "../src/kernel/text.ts";

/** The text with an initial capital. */
export const capitalise = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
