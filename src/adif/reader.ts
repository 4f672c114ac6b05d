import type { AdifRecord, Fields, UserDef } from "../domain/adif-record.ts";
import { AMP, FOUND, LT, type Marker, newMarker, NONE, PARTIAL, readMarker } from "./marker.ts";
import { HTML_UNITS, measure, type Unit, UNITS, withoutEntities } from "./value-length.ts";
import { WordCache } from "./word-cache.ts";

export interface AdifHeader extends AdifRecord {
  userDefs: UserDef[];
  /** The free text before the first field. */
  comment: string;
}

export interface RecordPlace {
  /** Counts from 0. */
  index: number;
  /** Where the first field begins, in bytes from the start of the input. */
  offset: number;
  /** Bytes up to and including the end marker. */
  length: number;
}

export type ProblemRule =
  | "length" // a declared length that does not fit; the value was read up to the next field
  | "text" // text after a value that belongs to no field
  | "marker" // something that looks like a field and is none
  | "duplicate" // a field given twice in one record, differently
  | "too_large" // a record over the size limit; left out
  | "second_header"
  | "unfinished" // the input ends without <EOR>; the last record was kept
  | "truncated"; // the input ends inside a record; what was incomplete is left out

export interface AdifProblem {
  rule: ProblemRule;
  message: string;
  /** In bytes from the start of the input. */
  offset: number;
  excerpt: string;
}

export interface AdifHandlers {
  onHeader?: (header: AdifHeader) => void;
  onRecord?: (record: AdifRecord, place: RecordPlace) => void;
  onProblem?: (problem: AdifProblem) => void;
}

export interface AdifOptions {
  /** As the QRZ interface sends it: markers may read `&lt;…&gt;`, and `&RESULT=OK` may follow the last record. */
  html?: boolean;
  maxRecordBytes?: number;
  /** What becomes of a last record without `<EOR>`: kept (a file), or left out (an answer that was cut off). */
  keepUnfinished?: boolean;
}

/** What the input turned out to be. No header and no record: it is not ADIF at all. */
export interface AdifSeen {
  header: boolean;
  records: number;
  /** LoTW's `<APP_LoTW_EOF>`. */
  eofMarker: boolean;
  /** The input ended inside a record. */
  unfinished: boolean;
}

const SLICE = 64 * 1024;
const COMMENT_BYTES = 4096;
const EXCERPT_BYTES = 60;
/** How far whitespace and comments after a value are followed before they are taken to be in order. */
const LOOKAHEAD = 1024;
/** Steps spent on trying other units of length, per byte of input and at the start. Keeps hostile input linear. */
const EFFORT_PER_BYTE = 8;
const FIRST_EFFORT = 1 << 20;

const OK = 1;
const BAD = 0;
const MORE = -1;

const [TAB, LF, CR, SPACE, SLASH, HASH, EQUALS] = [9, 10, 13, 32, 0x2f, 0x23, 0x3d];

/**
 * Reads ADIF from bytes as they come, in constant memory. A value ends where its declared length says, in whichever
 * unit leaves a field, a comment or the end behind it; where none does, reading resumes at the next field.
 */
export class AdifReader {
  readonly seen: AdifSeen = { header: false, records: 0, eofMarker: false, unfinished: false };

  readonly #handlers: AdifHandlers;
  readonly #html: boolean;
  readonly #units: readonly Unit[];
  readonly #maxRecordBytes: number;
  readonly #keepUnfinished: boolean;
  readonly #words = new WordCache();

  #bytes: Buffer = Buffer.allocUnsafeSlow(4 * SLICE);
  /** Bytes before #start are done with; bytes from #end on are not there yet. */
  #start = 0;
  #end = 0;
  /** Offset in the input of #bytes[0]. */
  #base = 0;
  /** No use in parsing again with fewer bytes than this. */
  #need = 0;
  #ended = false;
  #effort = 0;

  #marker = newMarker();
  /** The marker that follows the value just read, when #nextAt is not -1. */
  #next = newMarker();
  #nextAt = -1;

  #inHeader = true;
  #comment = "";
  #fields: Fields = {};
  #types: Record<string, string> | undefined;
  #fieldCount = 0;
  #recordAt = -1;
  #tooLarge = false;
  /** The first thing that looked like a marker since the last one; reported once it cannot be header text. */
  #stray: AdifProblem | null = null;

  constructor(handlers: AdifHandlers, options: AdifOptions = {}) {
    this.#handlers = handlers;
    this.#html = options.html ?? false;
    this.#units = this.#html ? HTML_UNITS : UNITS;
    this.#maxRecordBytes = options.maxRecordBytes ?? 1024 * 1024;
    this.#keepUnfinished = options.keepUnfinished ?? true;
  }

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += SLICE) {
      this.#append(chunk.subarray(at, at + SLICE));
      if (this.#end - this.#start >= this.#need) this.#parse();
    }
  }

  end(): void {
    this.#ended = true;
    this.#parse();
    this.#finish();
  }

  #append(slice: Uint8Array): void {
    const held = this.#end - this.#start;
    if (this.#end + slice.length > this.#bytes.length) {
      const crowded = held + slice.length > this.#bytes.length / 2;
      const room = crowded ? Buffer.allocUnsafeSlow((held + slice.length) * 4) : this.#bytes;
      this.#bytes.copy(room, 0, this.#start, this.#end);
      this.#bytes = room;
      this.#base += this.#start;
      this.#start = 0;
      this.#end = held;
    }
    this.#bytes.set(slice, this.#end);
    this.#end += slice.length;
  }

  #parse(): void {
    this.#need = 0;
    while (this.#toMarker()) {
      const { name } = this.#marker;
      if (name === "EOR") this.#endRecord();
      else if (name === "EOH") this.#endHeader();
      else if (!this.#readValue()) return;
    }
  }

  /** Moves to the next marker; false when there is none in the bytes at hand. */
  #toMarker(): boolean {
    if (this.#nextAt !== -1) {
      [this.#marker, this.#next] = [this.#next, this.#marker];
      this.#start = this.#nextAt;
      this.#nextAt = -1;
      return true;
    }
    const { at, sight } = this.#search(this.#start, this.#marker);
    this.#keepComment(this.#start, at);
    this.#start = at;
    if (sight === PARTIAL) this.#need = this.#end - at + 1;
    if (sight === FOUND && !this.#inHeader) this.#reportStray();
    return sight === FOUND;
  }

  /** Looks for a marker from `from` on and notes what only looks like one. */
  #search(from: number, into: Marker): { at: number; sight: number } {
    const bytes = this.#bytes;
    const end = this.#end;
    for (let i = from; i < end; i++) {
      const byte = bytes[i]!;
      if (byte !== LT && !(byte === AMP && this.#html)) continue;
      const sight = readMarker(bytes, i, end, this.#html, this.#words, into);
      if (sight === FOUND || (sight === PARTIAL && !this.#ended)) return { at: i, sight };
      if (byte === LT) this.#noteStray(i);
    }
    return { at: end, sight: NONE };
  }

  /** Reads the value of the marker at #start; false when more bytes are needed to tell where it ends. */
  #readValue(): boolean {
    const { length, body } = this.#marker;
    if (length <= 0) {
      this.#store(body, body, false);
      this.#start = body;
      return true;
    }
    if (length > this.#maxRecordBytes) return this.#resume(false);

    const end = body + length;
    if (end > this.#end && !this.#ended) return this.#wait(end - this.#end + 1);
    const verdict = end > this.#end ? BAD : this.#follows(end);
    if (verdict === BAD) return this.#tryOtherUnits();
    if (verdict === MORE) return this.#wait(1);
    this.#store(body, end, false);
    this.#start = end;
    return true;
  }

  #wait(missing: number): false {
    this.#need = this.#end - this.#start + missing;
    return false;
  }

  /** Whether a value may end at `at`: a field, a comment or the end of the input must follow. Finds the next marker on the way. */
  #follows(at: number): typeof OK | typeof BAD | typeof MORE {
    const bytes = this.#bytes;
    const end = this.#end;
    this.#nextAt = -1;
    for (let i = at; ;) {
      while (i < end && isSpace(bytes[i]!)) i++;
      if (i - at > LOOKAHEAD) return OK;
      if (i >= end) return this.#ended ? OK : MORE;

      const byte = bytes[i]!;
      if (byte === LT || (byte === AMP && this.#html)) {
        const sight = readMarker(bytes, i, end, this.#html, this.#words, this.#next);
        if (sight === PARTIAL && !this.#ended) return MORE;
        if (sight === FOUND) this.#nextAt = i;
        else if (byte === AMP) return this.#replyGoesOn(i);
        return sight === FOUND ? OK : BAD;
      }

      if (i === at || (byte !== SLASH && byte !== HASH)) return BAD;
      if (byte === SLASH && i + 1 >= end && !this.#ended) return MORE;
      if (byte === SLASH && bytes[i + 1] !== SLASH) return BAD;
      while (i < end && bytes[i] !== LF && bytes[i] !== CR) i++;
    }
  }

  /** Whether `&RESULT=` or another key of the QRZ interface stands at `at`. */
  #replyGoesOn(at: number): typeof OK | typeof BAD | typeof MORE {
    let i = at + 1;
    while (i < this.#end && i - at < 12 && this.#bytes[i]! >= 0x41 && this.#bytes[i]! <= 0x5a) i++;
    if (i >= this.#end) return this.#ended ? BAD : MORE;
    return this.#bytes[i] === EQUALS && i - at > 4 ? OK : BAD;
  }

  #tryOtherUnits(): boolean {
    const { length, body } = this.#marker;
    const bytes = this.#bytes;
    const countsDiffer = this.#html || !isAscii(bytes, body, Math.min(body + length, this.#end));
    const affordable = FIRST_EFFORT + (this.#base + this.#end) * EFFORT_PER_BYTE;
    this.#effort += length;
    const units = countsDiffer ? this.#units : [];
    for (const unit of units) {
      if (this.#effort > affordable) break;
      const end = measure(bytes, body, this.#end, length, unit);
      this.#effort += (end < 0 ? this.#end : end) - body;
      if (end < 0 && !this.#ended) return this.#wait(-end);
      const verdict = end < 0 ? BAD : this.#follows(end);
      if (verdict === MORE) return this.#wait(1);
      if (verdict === BAD) continue;
      this.#store(body, end, unit.entities);
      this.#start = end;
      return true;
    }
    return this.#resume(true);
  }

  /** No length fits: the value is what stands before the next marker, wherever that is. */
  #resume(isPlausible: boolean): boolean {
    const { length, body, name } = this.#marker;
    const stray = this.#stray;
    const { at, sight } = this.#search(body, this.#next);
    this.#stray = stray; // what looked like a marker was part of the value
    const found = sight === FOUND;
    if (!found && !this.#ended && this.#end - this.#start < this.#maxRecordBytes) return this.#wait(SLICE);
    if (found) this.#nextAt = at;

    const cut = !found && body + length > this.#end;
    if (cut) {
      this.#report(this.#ended ? "truncated" : "too_large", `The value of ${name} has no end.`, this.#start);
      this.seen.unfinished ||= this.#ended;
    } else if (isPlausible && body + length < at && isSpace(this.#bytes[body + length]!)) {
      this.#store(body, body + length, false);
      this.#report("text", `The text after ${name} belongs to no field.`, body + length);
    } else {
      this.#store(body, this.#withoutSpaceAtEnd(body, at), false);
      this.#report("length", `The length of ${name} (${length}) does not fit its value.`, this.#start);
    }
    this.#start = at;
    return true;
  }

  #withoutSpaceAtEnd(from: number, to: number): number {
    let end = to;
    while (end > from && isSpace(this.#bytes[end - 1]!)) end--;
    return end;
  }

  /** Takes the value of the current marker into the record. */
  #store(from: number, to: number, hasEntities: boolean): void {
    const { name, type } = this.#marker;
    if (name === "APP_LOTW_EOF") {
      this.seen.eofMarker = true;
      return;
    }
    if (this.#recordAt === -1) this.#recordAt = this.#base + this.#start;
    if (this.#tooLarge || to === from) return;
    if (this.#base + to - this.#recordAt > this.#maxRecordBytes) {
      this.#tooLarge = true;
      this.#report("too_large", `A record may have ${this.#maxRecordBytes} bytes at most.`, this.#start);
      return;
    }

    const text = this.#words.value(this.#bytes, from, to);
    const value = hasEntities ? withoutEntities(text) : text;
    const before = this.#fields[name];
    if (before !== undefined && before !== value) {
      this.#report("duplicate", `${name} is given twice in one record, first as ${shortened(before)}.`, this.#start);
    }
    this.#fields[name] = value;
    this.#fieldCount++;
    if (type !== "") (this.#types ??= {})[name] = type;
  }

  #endRecord(): void {
    const offset = this.#recordAt;
    const isHeaderText = this.#inHeader && this.#recordAt === -1;
    this.#start = this.#marker.body;
    if (isHeaderText) return;
    this.#inHeader = false;
    this.#reportStray();
    if (this.#fieldCount > 0 && !this.#tooLarge) this.#emit(offset, this.#base + this.#start - offset);
    this.#clear();
  }

  #endHeader(): void {
    const at = this.#start;
    this.#start = this.#marker.body;
    if (this.#inHeader) {
      this.seen.header = true;
      this.#handlers.onHeader?.({
        ...this.#taken(),
        userDefs: userDefs(this.#fields, this.#types),
        comment: this.#comment.trim(),
      });
    } else if (this.#fields["CALL"] !== undefined) {
      this.#report("second_header", "A header begins before the record has ended.", at);
      this.#emit(this.#recordAt, this.#base + at - this.#recordAt);
    } else {
      this.#report("second_header", "The fields of a second header belong to no record.", at);
    }
    this.#inHeader = false;
    this.#stray = null;
    this.#clear();
  }

  #finish(): void {
    this.#reportStray();
    const isRecord = this.#fields["CALL"] !== undefined || !this.#inHeader;
    if (this.#fieldCount === 0 || this.#tooLarge) return;
    this.seen.unfinished = true;
    const kept = this.#keepUnfinished && isRecord;
    if (kept) this.#report("unfinished", "The last record has no <EOR>; it is kept.", this.#recordAt - this.#base);
    else this.#report("truncated", "The input ends inside a record.", this.#recordAt - this.#base);
    if (kept) this.#emit(this.#recordAt, this.#base + this.#end - this.#recordAt);
    this.#clear();
  }

  #emit(offset: number, length: number): void {
    this.#handlers.onRecord?.(this.#taken(), { index: this.seen.records, offset, length });
    this.seen.records++;
  }

  #taken(): AdifRecord {
    return this.#types === undefined ? { fields: this.#fields } : { fields: this.#fields, types: this.#types };
  }

  #clear(): void {
    this.#fields = {};
    this.#types = undefined;
    this.#fieldCount = 0;
    this.#recordAt = -1;
    this.#tooLarge = false;
  }

  #keepComment(from: number, to: number): void {
    if (!this.#inHeader || this.#recordAt !== -1 || this.#comment.length >= COMMENT_BYTES) return;
    const text = this.#words.value(this.#bytes, from, Math.min(to, from + COMMENT_BYTES));
    this.#comment += this.#base + from === 0 ? text.replace(/^\uFEFF/, "") : text;
  }

  #noteStray(at: number): void {
    this.#stray ??= this.#problem("marker", "This looks like a field but cannot be read.", at);
  }

  #reportStray(): void {
    if (this.#stray === null) return;
    if (!this.#inHeader || this.#fieldCount > 0) this.#handlers.onProblem?.(this.#stray);
    this.#stray = null;
  }

  #report(rule: ProblemRule, message: string, at: number): void {
    this.#handlers.onProblem?.(this.#problem(rule, message, at));
  }

  #problem(rule: ProblemRule, message: string, at: number): AdifProblem {
    const from = Math.max(0, at);
    const excerpt = this.#words.value(this.#bytes, from, Math.min(this.#end, from + EXCERPT_BYTES));
    return { rule, message, offset: this.#base + at, excerpt: excerpt.replaceAll(/\s+/g, " ").trim() };
  }
}

/** What one stretch of the input held. */
export interface AdifBatch {
  header: AdifHeader | null;
  records: AdifRecord[];
  problems: AdifProblem[];
  /** Bytes of the input read so far. */
  bytesRead: number;
}

/** The records of a stream, in batches of what every 64 KiB held; returns what the input turned out to be. */
export async function* readAdif(
  source: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
  options: AdifOptions = {},
): AsyncGenerator<AdifBatch, AdifSeen> {
  let batch: AdifBatch = { header: null, records: [], problems: [], bytesRead: 0 };
  const reader = new AdifReader(
    {
      onHeader: (header) => (batch.header = header),
      onRecord: (record) => batch.records.push(record),
      onProblem: (problem) => batch.problems.push(problem),
    },
    options,
  );
  const isFilled = () => batch.header !== null || batch.records.length > 0 || batch.problems.length > 0;

  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    for (let at = 0; at < chunk.length; at += SLICE) {
      const slice = chunk.subarray(at, at + SLICE);
      reader.write(slice);
      batch.bytesRead += slice.length;
      if (!isFilled()) continue;
      yield batch;
      batch = { header: null, records: [], problems: [], bytesRead: batch.bytesRead };
    }
  }
  reader.end();
  if (isFilled()) yield batch;
  return reader.seen;
}

function userDefs(fields: Fields, types: Record<string, string> | undefined): UserDef[] {
  return Object.keys(fields)
    .filter((name) => /^USERDEF\d+$/.test(name))
    .map((name) => {
      const [defined = "", ...values] = fields[name]!.split(",");
      const type = types?.[name];
      return {
        name: defined.trim().toUpperCase(),
        ...(type === undefined ? {} : { type }),
        ...(values.length === 0 ? {} : { values: values.join(",") }),
      };
    });
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i]! >= 0x80) return false;
  return true;
}

function shortened(value: string): string {
  return value.length > 20 ? `${value.slice(0, 20)}…` : value;
}
