/** What is said to a terminal beside what is drawn. */

/** Gives it text for the clipboard; most terminals take it, some only when they are told to. */
export const toClipboard = (text: string): string => `\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`;
