/** A status or code as records compare it. */
export const upperCased = (text: string | undefined): string => (text === undefined ? "" : text.trim().toUpperCase());

/** A text that says something, or null. Without NUL, which PostgreSQL keeps in no text, and half letters, which none keeps. */
export const textOrNull = (text: string | undefined): string | null => {
  if (text === undefined) return null;
  const plain = (text.includes("\0") ? text.replaceAll("\0", "") : text).toWellFormed().trim();
  return plain === "" ? null : plain;
};

/** Far more than any call, mode or state has, far less than an index refuses. */
export const MAX_CODE_LENGTH = 64;

/** A code such as a call, a mode or a state, in capitals; null for what is too long to be one. */
export const code = (text: string | undefined): string | null => {
  const said = textOrNull(text)?.toUpperCase();
  return said === undefined || said.length > MAX_CODE_LENGTH ? null : said;
};

/** A number of up to three digits, or null outside the limits. */
export const numberWithin = (text: string | undefined, lowest: number, highest: number): number | null => {
  if (text === undefined || !/^\s*\d{1,3}\s*$/.test(text)) return null;
  const number = Number(text);
  return number >= lowest && number <= highest ? number : null;
};
