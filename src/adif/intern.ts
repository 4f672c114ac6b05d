import { isAscii } from "node:buffer";

export const NAME_SLOTS = 4096;
const LONGEST_SPELLING = 64;
/** How many names in a row may be left out until one is looked up instead of foreseen. */
const MOST_LEFT_OUT = 4;
const VALUE_SLOTS = 4096;
const LONGEST_SHORT_VALUE = 4;
const LONGEST_VIEWED_VALUE = 512;
const VIEW_BYTES = 16 * 1024;
const WORD = 4;
const CR = 13;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const WINDOWS_1252 = new TextDecoder("windows-1252");

/**
 * What readers have met so far. Names and short values are much the same from one log to the next, and a service's
 * answers come by the hundred: tables for each of them would be most of what reading one costs.
 */
const MET = {
  names: Array<string>(NAME_SLOTS).fill(""),
  /** The names as logs write them, `<` and `:` with them: most come in the order of the record before and need only be compared. */
  spellings: new Uint8Array(NAME_SLOTS * LONGEST_SPELLING),
  spellingSizes: new Uint8Array(NAME_SLOTS),
  /** What followed each name the last time. */
  followers: new Int16Array(NAME_SLOTS),
  shortValues: Array<string>(VALUE_SLOTS).fill(""),
  /** The bytes of each short value; 0 for none, which no value is. */
  shortKeys: new Int32Array(VALUE_SLOTS),
};

/**
 * Turns bytes into strings. Names and short values come again and again (BAND, 20M, Y), so each is made once and kept
 * in a table of fixed size, where a newcomer takes the place of whatever had its slot. Other values are cut out of a
 * view, a stretch of bytes made a string at once: far cheaper, and whoever keeps such a value keeps 16 KiB at most.
 */
export class WordCache {
  private readonly names = MET.names;
  private readonly spellings = MET.spellings;
  private readonly spelled = new DataView(MET.spellings.buffer);
  private readonly spellingSizes = MET.spellingSizes;
  private readonly followers = MET.followers;
  private readonly shortValues = MET.shortValues;
  private readonly shortKeys = MET.shortKeys;
  /** The slot of the name before. */
  last = 0;

  private window: DataView = new DataView(new ArrayBuffer(0));
  private view = "";
  private viewFrom = 0;
  private viewTo = 0;
  /** The view has neither bytes beyond ASCII nor carriage returns. */
  private viewIsPlain = false;

  nameIn(slot: number): string {
    return this.names[slot]!;
  }

  /** The slot of a name. `fold` maps each of its bytes to upper case, `hash` is over the folded bytes. */
  slotOf(bytes: Uint8Array, start: number, end: number, hash: number, fold: Uint8Array): number {
    const usual = (hash ^ (hash >>> 15)) & (NAME_SLOTS - 1);
    const isAsBefore = this.spellingSizes[usual] === end - start + 2 && this.isSpelled(usual, start - 1, end + 1);
    const slot = isAsBefore ? usual : this.placeOf(bytes, start, end, usual, fold);
    if (!isAsBefore) this.spell(slot, bytes, start - 1, end + 1);
    this.followers[this.last] = slot;
    return slot;
  }

  private placeOf(bytes: Uint8Array, start: number, end: number, first: number, fold: Uint8Array): number {
    const second = first ^ 1;
    if (this.isName(first, bytes, start, end, fold)) return first;
    if (this.isName(second, bytes, start, end, fold)) return second;
    const slot = this.names[first] === "" || this.names[second] !== "" ? first : second;
    this.names[slot] = asKey(latin1(bytes, start, end).toUpperCase());
    return slot;
  }

  /** Keeps how a name was written, with the signs around it. */
  private spell(slot: number, bytes: Uint8Array, start: number, end: number): void {
    const size = end - start;
    const isKept = size >= WORD && size <= LONGEST_SPELLING;
    this.spellingSizes[slot] = isKept ? size : 0;
    if (!isKept) return;
    const shift = slot * LONGEST_SPELLING - start;
    for (let i = start; i < end; i++) this.spellings[shift + i] = bytes[i]!;
  }

  private isName(slot: number, bytes: Uint8Array, start: number, end: number, fold: Uint8Array): boolean {
    const name = this.names[slot]!;
    if (name.length !== end - start) return false;
    for (let i = start; i < end; i++) if (name.charCodeAt(i - start) !== fold[bytes[i]!]) return false;
    return true;
  }

  /** The slot of the name at `start`, when it is one of those that mostly follow the last; else -1. */
  foreseen(start: number, limit: number): number {
    let slot = this.followers[this.last]!;
    for (let guess = 0; guess <= MOST_LEFT_OUT; guess++) {
      if (this.isSpelled(slot, start - 1, limit)) return slot;
      slot = this.followers[slot]!;
    }
    return -1;
  }

  /** Compares four bytes at a time, the last four of them again where that does not come out even. */
  private isSpelled(slot: number, start: number, limit: number): boolean {
    const size = this.spellingSizes[slot]!;
    const last = start + size - WORD;
    if (size === 0 || last + WORD > limit) return false;
    const { window, spelled } = this;
    const shift = slot * LONGEST_SPELLING - start;
    for (let i = start; i < last; i += WORD) {
      if (window.getInt32(i, true) !== spelled.getInt32(shift + i, true)) return false;
    }
    return window.getInt32(last, true) === spelled.getInt32(shift + last, true);
  }

  /** What comes is read from these bytes, or from others than before among them. */
  turnTo(bytes: Uint8Array): void {
    this.window = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.viewTo = 0;
  }

  /** The value in bytes of which `limit` are there: UTF-8 where it is valid, Windows-1252 otherwise, line ends as LF. */
  value(bytes: Uint8Array, start: number, end: number, limit: number): string {
    const size = end - start;
    if (size <= LONGEST_SHORT_VALUE) return this.shortValue(bytes, start, end);
    if (size > LONGEST_VIEWED_VALUE) return text(bytes, start, end);
    if (start < this.viewFrom || end > this.viewTo) this.moveView(bytes, start, limit);
    return this.viewIsPlain || isPlain(bytes, start, end)
      ? this.view.substring(start - this.viewFrom, end - this.viewFrom)
      : text(bytes, start, end);
  }

  private shortValue(bytes: Uint8Array, start: number, end: number): string {
    let key = 0;
    for (let i = start; i < end; i++) key = (key << 8) | bytes[i]!;
    if (bytes[start] === 0) return text(bytes, start, end); // its key may be that of a shorter one
    const mixed = Math.imul(key, 0x9e3779b1);
    const slot = (mixed >>> 16) & (VALUE_SLOTS - 1);
    if (this.shortKeys[slot] === key) return this.shortValues[slot]!;
    this.shortKeys[slot] = key;
    return (this.shortValues[slot] = text(bytes, start, end));
  }

  private moveView(bytes: Uint8Array, from: number, limit: number): void {
    this.viewFrom = from;
    this.viewTo = Math.min(limit, from + VIEW_BYTES);
    this.view = latin1(bytes, this.viewFrom, this.viewTo);
    this.viewIsPlain = isAscii(bytes.subarray(this.viewFrom, this.viewTo)) && !this.view.includes("\r");
  }
}

/** Any stretch of bytes as a string of its own. */
export function text(bytes: Uint8Array, start: number, end: number): string {
  if (isPlain(bytes, start, end)) return latin1(bytes, start, end);
  return withPlainLineEnds(decoded(bytes.subarray(start, end)));
}

/** In a log a line ends with LF, however the file has it. */
export function withPlainLineEnds(value: string): string {
  return value.includes("\r") ? value.replaceAll(/(?<!\r)\r+\n/g, "\n") : value;
}

/** The same text, as the engine itself keeps property names: setting a property then takes a third of the time. */
function asKey(name: string): string {
  return Object.keys({ [name]: "" })[0]!;
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

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return (bytes as Latin1Bytes).latin1Slice(start, end);
}

/** Buffer's own way to a string, without looking up the name of the encoding. */
interface Latin1Bytes extends Uint8Array {
  latin1Slice(start: number, end: number): string;
}
