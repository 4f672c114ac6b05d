const CR = 13;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const WINDOWS_1252 = new TextDecoder("windows-1252");

/** The text in a range of bytes: UTF-8 if valid, otherwise Windows-1252, with LF as line end. */
export function text(bytes: Buffer, start: number, end: number): string {
  if (isPlain(bytes, start, end)) return bytes.toString("latin1", start, end);
  return withPlainLineEnds(decoded(bytes.subarray(start, end)));
}

/** The log uses LF as line end, whatever the file uses. */
export function withPlainLineEnds(value: string): string {
  return value.includes("\r") ? value.replaceAll(/(?<!\r)\r+\n/g, "\n") : value;
}

function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i]! >= 0x80 || bytes[i] === CR) return false;
  return true;
}

function decoded(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return WINDOWS_1252.decode(bytes);
  }
}
