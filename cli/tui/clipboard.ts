/** Copies text to the clipboard (OSC 52). Most terminals support it, some only if enabled. */
export const toClipboard = (text: string): string => `\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`;
