/** Control characters of both kinds but the line end, the ends of lines and paragraphs, and what turns a line around. */
const STEERING = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Words from outside cannot move the cursor, change colours, turn the line around or type for the reader. */
export const stripControlCharacters = (text: string): string => text.replace(STEERING, " ");

/** The same for one line. */
export const stripToOneLine = (text: string): string => stripControlCharacters(text).replaceAll("\n", " ");

const ESCAPED = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** JSON that says the same, and that a terminal shows as it is: what JSON leaves as it stands is spelt out. */
export const escapeControlCharacters = (json: string): string =>
  json.replace(ESCAPED, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
