import {
  AMP,
  FieldNames,
  FOUND,
  isBlank,
  LOOKAHEAD,
  LT,
  type Marker,
  newMarker,
  NONE,
  PARTIAL,
  pastComments,
  readMarker,
  SLASH,
} from "./tag-syntax.ts";
import { HTML_UNITS, measure, type Unit, UNITS, withoutEntities } from "./value-length.ts";
import { text } from "./text.ts";

/** What the scanner found: a field, an end marker, or the end of the bytes received so far. */
export type Token = "field" | "EOR" | "EOH" | "none";

/** What the scanner reports besides fields. Positions are byte offsets in the input. */
interface ScannerListener {
  /** A wrong length, text outside fields, or a value without end. */
  onMisfit: (rule: "length" | "text" | "endless", message: string, offset: number) => void;
  /** Text between fields that begins like a marker but is not one. */
  onStray: (offset: number) => void;
  /** The bytes before a marker that does not follow a value. */
  onText: (offset: number, end: number) => void;
}

export const SLICE = 64 * 1024;
/** How many steps can be spent on trying other length units, per byte and at the start. Keeps hostile input linear. */
const EFFORT_PER_BYTE = 8;
const FIRST_EFFORT = 1 << 20;

type Verdict = typeof OK | typeof BAD | typeof MORE;
const OK = 1;
const BAD = 0;
const MORE = -1;

const EQUALS = 0x3d;

/**
 * Finds fields in a stream of bytes. A value ends where its declared length says, in the first unit after which a
 * field, a comment or the end follows. If none fits, scanning continues at the next field.
 */
export class FieldScanner {
  /** Name of the field just found. */
  name = "";
  type = "";
  /** Offset of the marker just found. */
  offset = 0;
  /** Whether the input ended inside a marker or value. */
  wasCut = false;
  /** Bytes read more than once so far. */
  effort = 0;

  private readonly listener: ScannerListener;
  private readonly html: boolean;
  private readonly units: readonly Unit[];
  private readonly maxValueBytes: (name: string) => number;
  private readonly names = new FieldNames();

  private bytes = Buffer.alloc(0);
  /** Bytes before `start` are consumed; bytes from `filled` on are not received yet. */
  private start = 0;
  private filled = 0;
  /** Offset in the input of bytes[0]. */
  private base = 0;
  private ended = false;
  /** Scanning again makes sense only with this many bytes. */
  private need = 0;
  /** Bytes up to this offset are known to be ASCII. */
  private asciiTo = 0;

  private marker = newMarker();
  /** The marker that follows the value just read, when followingAt is not -1. */
  private following = newMarker();
  private followingAt = -1;
  private valueFrom = 0;
  private valueTo = 0;
  private valueHasEntities = false;

  constructor(
    listener: ScannerListener,
    { html, maxValueBytes }: { html: boolean; maxValueBytes: (name: string) => number },
  ) {
    this.listener = listener;
    this.html = html;
    this.units = html ? HTML_UNITS : UNITS;
    this.maxValueBytes = maxValueBytes;
  }

  /** Offset in the input of the next byte. */
  get position(): number {
    return this.base + this.start;
  }

  get valueSize(): number {
    return this.valueTo - this.valueFrom;
  }

  value(): string {
    const value = text(this.bytes, this.valueFrom, this.valueTo);
    return this.valueHasEntities ? withoutEntities(value) : value;
  }

  /** The text between two offsets, as far as it is still in memory. */
  text(offset: number, end: number): string {
    const from = Math.max(0, offset - this.base);
    return text(this.bytes, from, Math.max(from, Math.min(end - this.base, this.filled)));
  }

  /** Appends up to SLICE bytes. */
  append(slice: Uint8Array): void {
    const held = this.filled - this.start;
    if (this.filled + slice.length > this.bytes.length) {
      const crowded = held + slice.length > this.bytes.length / 2;
      const room = crowded ? Buffer.allocUnsafeSlow((held + slice.length) * 4) : this.bytes;
      this.bytes.copy(room, 0, this.start, this.filled);
      this.bytes = room;
      this.base += this.start;
      this.start = 0;
      this.filled = held;
    }
    this.bytes.set(slice, this.filled);
    this.filled += slice.length;
  }

  end(): void {
    this.ended = true;
    this.need = 0;
  }

  next(): Token {
    if (this.filled - this.start < this.need) return "none";
    this.need = 0;
    while (this.toMarker()) {
      this.offset = this.position;
      const { name, type, body } = this.marker;
      if (name === "EOR" || name === "EOH") {
        this.start = body;
        return name;
      }
      this.name = name;
      this.type = type;
      const outcome = this.readValue();
      if (outcome === OK) return "field";
      if (outcome === MORE) return "none";
    }
    return "none";
  }

  /** Moves to the next marker. Returns false if the received bytes contain none. */
  private toMarker(): boolean {
    if (this.followingAt !== -1) {
      const done = this.marker;
      this.marker = this.following;
      this.following = done;
      this.start = this.followingAt;
      this.followingAt = -1;
      return true;
    }
    const { at, sight } = this.search(this.start, this.filled, this.marker, true);
    if (at > this.start) this.listener.onText(this.position, this.base + at);
    this.start = at;
    if (sight === PARTIAL) this.need = this.filled - at + 1;
    return sight === FOUND;
  }

  /** Looks for a marker that begins between `from` and `to`. */
  private search(from: number, to: number, into: Marker, tellStrays: boolean): { at: number; sight: number } {
    const bytes = this.bytes;
    const end = this.filled;
    for (let i = from; i < to; i++) {
      const byte = bytes[i]!;
      if (byte !== LT && !(byte === AMP && this.html)) continue;
      const sight = readMarker(bytes, i, end, this.html, this.names, into);
      if (sight === FOUND || (sight === PARTIAL && !this.ended)) return { at: i, sight };
      if (sight === PARTIAL) this.wasCut = true;
      if (byte === LT && tellStrays) this.listener.onStray(this.base + i);
    }
    return { at: to, sight: NONE };
  }

  /** Finds the end of the value. BAD means that there is no value. */
  private readValue(): Verdict {
    const { length, body } = this.marker;
    if (length < 0) return this.take(body, body, false);
    if (length > this.maxValueBytes(this.name)) return this.resume(false);

    const end = body + length;
    if (end > this.filled && !this.ended) return this.wait(end - this.filled + 1);
    const verdict = end > this.filled ? BAD : this.follows(end);
    if (verdict === OK) return this.take(body, end, false);
    return verdict === MORE ? this.wait(1) : this.tryOtherUnits();
  }

  private take(from: number, to: number, hasEntities: boolean): Verdict {
    this.valueFrom = from;
    this.valueTo = to;
    this.valueHasEntities = hasEntities;
    this.start = to;
    return OK;
  }

  private wait(missing: number): Verdict {
    this.need = this.filled - this.start + missing;
    return MORE;
  }

  /**
   * Whether a value can end at `at`: a field, a comment or the end of the input must follow. Also finds the next
   * marker.
   */
  private follows(at: number): Verdict {
    const bytes = this.bytes;
    const end = this.filled;
    this.followingAt = -1;
    const i = pastComments(bytes, at, end);
    if (i - at > LOOKAHEAD) return OK;
    if (i >= end) return this.ended ? OK : MORE;

    const byte = bytes[i]!;
    if (byte === LT || (byte === AMP && this.html)) {
      const sight = readMarker(bytes, i, end, this.html, this.names, this.following);
      if (sight === PARTIAL && !this.ended) return MORE;
      if (sight === FOUND) this.followingAt = i;
      else if (byte === AMP) return this.replyGoesOn(i);
      return sight === FOUND ? OK : BAD;
    }
    const mayBeComment = i > at && byte === SLASH && i + 1 >= end;
    return mayBeComment && !this.ended ? MORE : BAD;
  }

  /** Whether `&RESULT=` or another key of the second service's answer begins at `at`. */
  private replyGoesOn(at: number): Verdict {
    let i = at + 1;
    while (i < this.filled && i - at < 12 && this.bytes[i]! >= 0x41 && this.bytes[i]! <= 0x5a) i++;
    if (i >= this.filled) return this.ended ? BAD : MORE;
    return this.bytes[i] === EQUALS && i - at > 4 ? OK : BAD;
  }

  private tryOtherUnits(): Verdict {
    const { length, body } = this.marker;
    const countsDiffer = this.html || !this.isAscii(body, Math.min(body + length, this.filled));
    const units = countsDiffer ? this.units : [];
    const affordable = FIRST_EFFORT + (this.base + this.filled) * EFFORT_PER_BYTE;
    for (const unit of units) {
      if (this.effort > affordable) break;
      const end = measure(this.bytes, body, this.filled, length, unit);
      this.effort += (end < 0 ? this.filled : end) - body;
      if (end < 0 && !this.ended) return this.wait(-end);
      const verdict = end < 0 ? BAD : this.follows(end);
      if (verdict === OK) return this.take(body, end, unit.entities);
      if (verdict === MORE) return this.wait(1);
    }
    return this.resume(true);
  }

  /** Remembers how far it looked, so that many fields that each declare a megabyte do not each cost a megabyte. */
  private isAscii(from: number, to: number): boolean {
    let i = Math.max(from, this.asciiTo - this.base);
    while (i < to && this.bytes[i]! < 0x80) i++;
    this.asciiTo = this.base + i;
    return i >= to;
  }

  /** No length fits: the value ends at the next marker. */
  private resume(isPlausible: boolean): Verdict {
    const { length, body } = this.marker;
    const maxBytes = this.maxValueBytes(this.name);
    const giveUpAt = body + maxBytes;
    const { at, sight } = this.search(body, Math.min(this.filled, giveUpAt), this.following, false);
    const isFound = sight === FOUND;
    if (sight === PARTIAL) return this.wait(1);
    if (!isFound && !this.ended && this.filled < giveUpAt) return this.wait(Math.min(SLICE, giveUpAt - this.filled));
    this.followingAt = isFound ? at : -1;

    if (!isFound && (length > maxBytes || body + length > this.filled)) {
      this.wasCut ||= this.ended;
      this.listener.onMisfit(
        "endless",
        `The file ends before the value of ${this.name} (${length} characters) is complete.`,
        this.offset,
      );
      this.start = at;
      return BAD;
    }
    const isFollowedByText = isPlausible && body + length < at && isBlank(this.bytes[body + length]!);
    if (isFollowedByText) {
      this.listener.onMisfit(
        "text",
        `The text after ${this.name} does not belong to any field.`,
        this.base + body + length,
      );
      this.take(body, body + length, false);
    } else {
      this.listener.onMisfit("length", `The length of ${this.name} (${length}) does not match its value.`, this.offset);
      this.take(body, this.withoutSpaceAtEnd(body, at), false);
    }
    this.start = at;
    return OK;
  }

  private withoutSpaceAtEnd(from: number, to: number): number {
    let end = to;
    while (end > from && isBlank(this.bytes[end - 1]!)) end--;
    return end;
  }
}
