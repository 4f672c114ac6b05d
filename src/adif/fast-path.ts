import { LOOKAHEAD, pastBlanks, pastComments } from "./whitespace.ts";
import { closingTo, COLON, isDigit, openingTo, readName } from "./tag-syntax.ts";
import type { WordCache } from "./intern.ts";

const MOST_TOKENS = 512;
const MOST_DIGITS = 9;
const LF = 10;
const NONE_YET = -1;

/**
 * Fields as nearly all are written, found many at a time: a length in bytes, and behind the value nothing but blanks,
 * comments and the next marker. Whatever is less plain is left to be looked at by itself.
 */
export class PlainRun {
  /** How many fields and ends of records were found. */
  count = 0;
  readonly names: string[] = Array<string>(MOST_TOKENS).fill("");
  readonly slots = new Int32Array(MOST_TOKENS);
  /** The letter of the data type; 0 for none. */
  readonly types = new Uint8Array(MOST_TOKENS);
  /** Where the marker begins. */
  readonly ats = new Int32Array(MOST_TOKENS);
  /** Where the value begins; -1 for the end of a record. */
  readonly froms = new Int32Array(MOST_TOKENS);
  /** Where the value ends, or the marker at the end of a record. */
  readonly tos = new Int32Array(MOST_TOKENS);

  /**
   * Finds up to `most` in the bytes from `start` to `limit`, and returns where the first begins that it left. With
   * `html`, brackets may be escaped.
   */
  read(
    bytes: Uint8Array,
    start: number,
    limit: number,
    most: number,
    { html, longestValue, words }: { html: boolean; longestValue: number; words: WordCache },
  ): number {
    const { names, slots, types, ats, froms, tos } = this;
    let count = 0;
    let settled = start;
    let lastSettled = words.last;
    /** The end of a value that is taken as soon as a marker is found behind it. */
    let valueEnd = NONE_YET;
    let i = start;
    while (i + 1 < limit) {
      let at = bytes[i] === LF ? i + 1 : i;
      let nameAt = openingTo(bytes, at, limit, html);
      if (nameAt < 0) {
        at = valueEnd === NONE_YET ? pastBlanks(bytes, i, limit) : pastComments(bytes, i, limit);
        nameAt = openingTo(bytes, at, limit, html);
        if (nameAt < 0 || (valueEnd !== NONE_YET && at - valueEnd > LOOKAHEAD)) break;
      }
      const slot = readName(bytes, nameAt, limit, html, words);
      if (slot < 0) break;
      const name = words.nameIn(slot);
      i = nameAt + name.length;

      let length = -1;
      let type = 0;
      if (bytes[i] === COLON) {
        const digitsStart = ++i;
        length = 0;
        while (i < limit && isDigit(bytes[i]!)) length = length * 10 + (bytes[i++]! - 0x30);
        if (i === digitsStart || i - digitsStart > MOST_DIGITS || length > longestValue) break;
        if (i + 2 < limit && bytes[i] === COLON) {
          type = bytes[i + 1]! & 0xdf;
          if (type < 0x41 || type > 0x5a) break;
          i += 2;
        }
        if (name === "EOR" || name === "EOH") break;
      } else if (name !== "EOR") break;
      i = closingTo(bytes, i, limit, html);
      if (i < 0) break;

      if (valueEnd !== NONE_YET) count++;
      settled = at;
      lastSettled = words.last;
      if (count === most) break;
      words.last = slot;
      names[count] = name;
      slots[count] = slot;
      types[count] = type;
      ats[count] = at;
      if (length < 0) {
        froms[count] = -1;
        tos[count] = i;
        valueEnd = NONE_YET;
        settled = i;
        lastSettled = slot;
        if (++count === most) break;
      } else {
        froms[count] = i;
        i += length;
        tos[count] = i;
        valueEnd = i;
      }
    }
    words.last = lastSettled;
    this.count = count;
    return settled;
  }
}
