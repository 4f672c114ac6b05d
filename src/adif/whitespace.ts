/** How many bytes of whitespace and comments after a value are checked; longer ones are accepted. */
export const LOOKAHEAD = 1024;

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const HASH = 0x23;
export const SLASH = 0x2f;

export function isBlank(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}

export function pastBlanks(bytes: Uint8Array, at: number, limit: number): number {
  let i = at;
  while (i < limit && isBlank(bytes[i]!)) i++;
  return i;
}

/** The offset after the whitespace and comments that follow a value, or one beyond LOOKAHEAD. */
export function pastComments(bytes: Uint8Array, at: number, limit: number): number {
  let i = pastBlanks(bytes, at, limit);
  while (i > at && i < limit && i - at <= LOOKAHEAD && isComment(bytes, i, limit)) {
    while (i < limit && bytes[i] !== LF && bytes[i] !== CR) i++;
    i = pastBlanks(bytes, i, limit);
  }
  return i;
}

function isComment(bytes: Uint8Array, at: number, limit: number): boolean {
  if (bytes[at] !== SLASH) return bytes[at] === HASH;
  return at + 1 < limit && bytes[at + 1] === SLASH;
}
