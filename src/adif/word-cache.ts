const SLOTS = 4096;
const LONGEST_CACHED_VALUE = 12;
const CR = 13;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const WINDOWS_1252 = new TextDecoder("windows-1252");

/**
 * Turns bytes into strings. Names and short values come again and again (BAND, 20M, Y), so each is made once and kept
 * in a table of fixed size, where a newcomer takes the place of whatever had the same slot.
 */
export class WordCache {
  readonly #names = Array.from({ length: SLOTS }, () => "");
  readonly #values = Array.from({ length: SLOTS }, () => "");

  /** The name in upper case. `fold` maps each of its bytes to upper case, `hash` is over the folded bytes. */
  name(bytes: Uint8Array, start: number, end: number, hash: number, fold: Uint8Array): string {
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const cached = this.#names[slot]!;
    if (cached.length === end - start) {
      let i = start;
      while (i < end && cached.charCodeAt(i - start) === fold[bytes[i]!]) i++;
      if (i === end) return cached;
    }
    return (this.#names[slot] = latin1(bytes, start, end).toUpperCase());
  }

  /** The value: UTF-8 where it is valid, Windows-1252 otherwise, line ends as LF. */
  value(bytes: Uint8Array, start: number, end: number): string {
    let hash = 0;
    let all = 0;
    let hasCr = false;
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!;
      all |= byte;
      if (byte === CR) hasCr = true;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    if (all >= 0x80) return lineEndsAsLf(decoded(bytes.subarray(start, end)));
    if (hasCr) return lineEndsAsLf(latin1(bytes, start, end));
    if (end - start > LONGEST_CACHED_VALUE) return latin1(bytes, start, end);

    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const cached = this.#values[slot]!;
    if (cached.length === end - start) {
      let i = start;
      while (i < end && cached.charCodeAt(i - start) === bytes[i]) i++;
      if (i === end) return cached;
    }
    return (this.#values[slot] = latin1(bytes, start, end));
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return WINDOWS_1252.decode(bytes);
  }
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return (bytes as Buffer).toString("latin1", start, end);
}

function lineEndsAsLf(text: string): string {
  return text.replaceAll(/\r+\n/g, "\n");
}
