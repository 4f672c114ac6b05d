/** C0 and C1 control characters except line feed, line and paragraph separators, and bidirectional controls. */
const STEERING = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Makes untrusted text safe for a terminal: it cannot move the cursor, change colours, reverse the line or type input.
 */
export const stripControlCharacters = (text: string): string => text.replace(STEERING, " ");

/** The same for a pipe, where tabs separate columns. What reads a pipe is often a terminal in the end. */
export const stripInPipe = (text: string): string => text.split("\t").map(stripControlCharacters).join("\t");

/** For text on one line. */
export const stripToOneLine = (text: string): string => stripControlCharacters(text).replaceAll("\n", " ");

const ESCAPED = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes control characters that JSON leaves unescaped. The JSON means the same and is safe to print. */
export const escapeControlCharacters = (json: string): string =>
  json.replace(ESCAPED, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
