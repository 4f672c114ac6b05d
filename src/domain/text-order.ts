/** How texts come one after the other in every database and column: by their bytes. */

const BEYOND_PLAIN = /[\ud800-\uffff]/;

/** Behind a text it comes after whatever begins with that text. */
export const LAST_LETTER = "\u{10FFFF}";

const compareTexts = (a: string, b: string): number => {
  if (!BEYOND_PLAIN.test(a) && !BEYOND_PLAIN.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
};

/** Of one kind, texts or numbers. */
export const compareKeys = (a: string | number, b: string | number): number =>
  typeof a === "string" && typeof b === "string" ? compareTexts(a, b) : a < b ? -1 : a > b ? 1 : 0;
