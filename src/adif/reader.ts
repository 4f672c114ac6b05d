import type { AdifRecord, Fields, UserDef } from "../domain/contact/adif-record.ts";
import { END_OF_REPORT } from "../domain/origins/first.ts";
import { RECORDS_FIELD } from "../domain/contact/exported-records.ts";
import { MAX_CARRIED_LENGTH, MAX_FIELDS, MAX_RECORD_LENGTH, MAX_VALUE_LENGTH } from "../domain/contact/record-size.ts";
import { FieldScanner, SLICE } from "./field-scanner.ts";
import { asGiven, inOneOrder } from "./field-order.ts";

export interface AdifHeader extends AdifRecord {
  userDefs: UserDef[];
  /** The free text before the first field. */
  comment: string;
}

export interface RecordPlace {
  /** From 0. */
  index: number;
  /** Byte offset of the first field in the input. */
  offset: number;
  /** In bytes, including the end marker. */
  length: number;
}

export type ProblemRule =
  | "length" // a declared length that does not fit; the value was read up to the next field
  | "text" // text after a value that belongs to no field
  | "marker" // something that looks like a field and is none
  | "duplicate" // a field given twice in one record, differently
  | "too_large" // a record or value over the size limit; left out
  | "second_header"
  | "records" // the records that an export carries cannot be read; its other fields are kept
  | "unfinished" // the input ends without <EOR>; the last record was kept
  | "truncated"; // the input ends inside a record; what was incomplete is left out

export interface AdifProblem {
  rule: ProblemRule;
  message: string;
  /** Byte offset in the input; null if only the record is known. */
  offset: number | null;
  excerpt: string;
}

export interface AdifHandlers {
  onHeader?: (header: AdifHeader) => void;
  onRecord?: (record: AdifRecord, place: RecordPlace) => void;
  onProblem?: (problem: AdifProblem) => void;
}

export interface AdifOptions {
  /**
   * For answers of the second service: markers can be written as `&lt;…&gt;`, fields come in any order, and `&RESULT=OK` can follow
   * the last record.
   */
  html?: boolean;
  /** In characters of its names and values, without the records that an export carries. */
  maxRecordLength?: number;
  /** Whether a last record without `<EOR>` is kept (a file) or dropped (a truncated answer). */
  keepUnfinished?: boolean;
}

/** What the input contained. Without a header and records it is not ADIF. */
export interface AdifSeen {
  header: boolean;
  records: number;
  /** Whether the end mark of the first service's reports was found. */
  eofMarker: boolean;
  /** The input ended within a record. */
  unfinished: boolean;
}

const MAX_COMMENT_LENGTH = 4096;
const MAX_EXCERPT_LENGTH = 60;
/** Tokens, or bytes read more than once, before yielding to other work. */
const TOKENS_A_STEP = 500;
const EFFORT_A_STEP = 1 << 20;

/** Reads ADIF from a stream of bytes in constant memory, and reports what it cannot read. */
export class AdifReader {
  readonly seen: AdifSeen = { header: false, records: 0, eofMarker: false, unfinished: false };

  private readonly handlers: AdifHandlers;
  private readonly scanner: FieldScanner;
  private readonly maxRecordLength: number;
  private readonly keepUnfinished: boolean;

  private inHeader = true;
  private comment = "";
  /** The first text since the last field that looked like a field. Reported once it cannot be part of the header. */
  private stray: AdifProblem | null = null;

  private readonly fields = new Map<string, string>();
  private readonly inOrder: typeof asGiven;
  private types: Record<string, string> | undefined;
  private fieldCount = 0;
  /** The characters of the record, without the records that it carries. */
  private length = 0;
  /** Offset of the record's first field; -1 if there is none yet. */
  private recordAt = -1;
  private isTooLarge = false;

  constructor(handlers: AdifHandlers, options: AdifOptions = {}) {
    this.handlers = handlers;
    this.maxRecordLength = options.maxRecordLength ?? MAX_RECORD_LENGTH;
    this.keepUnfinished = options.keepUnfinished ?? true;
    this.inOrder = options.html ? inOneOrder : asGiven;
    this.scanner = new FieldScanner(
      {
        onMisfit: (rule, message, offset) => this.misfit(rule, message, offset),
        onStray: (offset) => this.noteStray(offset),
        onText: (offset, end) => this.keepComment(offset, end),
      },
      {
        html: options.html ?? false,
        maxValueBytes: (name) => (name === RECORDS_FIELD ? MAX_CARRIED_LENGTH : this.maxRecordLength),
      },
    );
  }

  write(chunk: Uint8Array): void {
    for (const _ of this.steps(chunk));
  }

  end(): void {
    for (const _ of this.lastSteps());
  }

  /** Like `write`, in short steps, so that other work on the thread gets a turn in between. */
  *steps(chunk: Uint8Array): Generator<void, void, void> {
    for (let at = 0; at < chunk.length; at += SLICE) {
      this.scanner.append(chunk.subarray(at, at + SLICE));
      while (!this.takeTokens()) yield;
    }
  }

  /** Like `end`, in short steps: a value without end is read only here. */
  *lastSteps(): Generator<void, void, void> {
    this.scanner.end();
    while (!this.takeTokens()) yield;
    this.finish();
  }

  /** Whether it has read all bytes received so far. */
  private takeTokens(): boolean {
    const enough = this.scanner.effort + EFFORT_A_STEP;
    for (let left = TOKENS_A_STEP; left > 0 && this.scanner.effort < enough; left--) {
      const token = this.scanner.next();
      if (token === "none") return true;
      if (this.stray !== null && !this.inHeader) this.reportStray();
      if (token === "field") this.takeField();
      else if (token === "EOR") this.endRecord(this.scanner.position);
      else this.endHeader();
    }
    return false;
  }

  private get isEmpty(): boolean {
    return this.fieldCount === 0;
  }

  private takeField(): void {
    const { name, type, offset, valueSize } = this.scanner;
    if (!this.isWanted(name, offset, valueSize === 0)) return;
    const value = this.scanner.value();
    if (!this.hasRoomFor(name, value, offset)) return;
    const before = this.fields.get(name);
    if (before !== undefined && before !== value) {
      this.report(
        "duplicate",
        `${name} appears twice in one record. The first value was ${shortened(before)}.`,
        offset,
      );
    }
    this.fields.set(name, value);
    this.fieldCount += 1;
    if (type !== "") (this.types ??= {})[name] = type;
  }

  /** Whether the value of a field belongs to the record. */
  private isWanted(name: string, offset: number, isEmpty: boolean): boolean {
    if (name === END_OF_REPORT) {
      this.seen.eofMarker = true;
      return false;
    }
    if (this.recordAt === -1) this.recordAt = offset;
    return !this.isTooLarge && !isEmpty;
  }

  private hasRoomFor(name: string, value: string, offset: number): boolean {
    const isCarried = name === RECORDS_FIELD;
    if (!isCarried) this.length += name.length + value.length;
    if (this.length > this.maxRecordLength) {
      this.refuseRecord(`A record can have at most ${this.maxRecordLength} characters.`, offset);
    } else if (this.fieldCount >= MAX_FIELDS) {
      this.refuseRecord(`A record can have at most ${MAX_FIELDS} fields.`, offset);
    } else if (!isCarried && value.length > MAX_VALUE_LENGTH) {
      this.report(
        "too_large",
        `${name} was left out: a value can have at most ${MAX_VALUE_LENGTH} characters.`,
        offset,
      );
      return false;
    }
    return !this.isTooLarge;
  }

  private refuseRecord(message: string, offset: number): void {
    this.isTooLarge = true;
    this.report("too_large", message, offset);
  }

  private endRecord(end: number): void {
    const isHeaderText = this.inHeader && this.recordAt === -1;
    if (isHeaderText) return;
    this.inHeader = false;
    this.reportStray();
    if (!this.isEmpty && !this.isTooLarge) this.emit(end);
    this.clear();
  }

  private endHeader(): void {
    if (this.inHeader) {
      this.seen.header = true;
      const header = this.taken();
      const userDefs = userDefsIn(header.fields, this.types);
      this.handlers.onHeader?.({ ...header, userDefs, comment: this.comment.trim() });
    } else if (this.fields.get("CALL") !== undefined) {
      this.report("second_header", "A header starts before the record has ended.", this.recordAt);
      this.emit(this.scanner.offset);
    } else {
      this.report(
        "second_header",
        "A second header was ignored: its fields do not belong to a record.",
        this.scanner.offset,
      );
    }
    this.inHeader = false;
    this.stray = null;
    this.clear();
  }

  private finish(): void {
    this.reportStray();
    this.seen.unfinished = !this.isEmpty || (this.scanner.wasCut && (!this.inHeader || this.recordAt !== -1));
    if (this.isEmpty || this.isTooLarge) return;

    const isRecord = !this.inHeader || this.fields.get("CALL") !== undefined;
    if (this.keepUnfinished && isRecord) {
      this.report("unfinished", "The last record has no <EOR>. It was read anyway.", this.recordAt);
      this.emit(this.scanner.position);
    } else {
      this.report("truncated", "The file ends in the middle of a record or header.", this.recordAt);
    }
    this.clear();
  }

  private emit(end: number): void {
    const place = { index: this.seen.records, offset: this.recordAt, length: end - this.recordAt };
    this.seen.records++;
    this.handlers.onRecord?.(this.taken(), place);
  }

  private taken(): AdifRecord {
    const fields = this.inOrder(this.fields);
    return this.types === undefined ? { fields } : { fields, types: this.types };
  }

  private clear(): void {
    this.fields.clear();
    this.types = undefined;
    this.fieldCount = 0;
    this.length = 0;
    this.recordAt = -1;
    this.isTooLarge = false;
  }

  private misfit(rule: "length" | "text" | "endless", message: string, offset: number): void {
    if (rule !== "endless") this.report(rule, message, offset);
    else this.report(this.scanner.wasCut ? "truncated" : "too_large", message, offset);
  }

  private keepComment(offset: number, end: number): void {
    const room = MAX_COMMENT_LENGTH - this.comment.length;
    if (!this.inHeader || this.recordAt !== -1 || room <= 0) return;
    this.comment += this.scanner.text(offset, Math.min(end, offset + room));
    if (offset === 0) this.comment = this.comment.replace(/^\uFEFF/, "");
  }

  private noteStray(offset: number): void {
    this.stray ??= this.problem("marker", "This looks like a field, but it is malformed.", offset);
  }

  private reportStray(): void {
    if (this.stray === null) return;
    if (!this.inHeader) this.handlers.onProblem?.(this.stray);
    this.stray = null;
  }

  private report(rule: ProblemRule, message: string, offset: number): void {
    this.handlers.onProblem?.(this.problem(rule, message, offset));
  }

  private problem(rule: ProblemRule, message: string, offset: number): AdifProblem {
    const excerpt = this.scanner.text(offset, offset + MAX_EXCERPT_LENGTH);
    return { rule, message, offset, excerpt: excerpt.replaceAll(/\s+/g, " ").trim() };
  }
}

/** The records of one chunk of the input. */
export interface AdifBatch {
  header: AdifHeader | null;
  records: AdifRecord[];
  problems: AdifProblem[];
  /** Bytes of the input read so far. */
  bytesRead: number;
}

/**
 * The records of a stream, in a batch for every 64 KiB, or less if that takes long. Returns what the input contained.
 */
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
  const taken = (): AdifBatch => {
    const last = batch;
    batch = { header: null, records: [], problems: [], bytesRead: last.bytesRead };
    return last;
  };
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    for (let at = 0; at < chunk.length; at += SLICE) {
      const slice = chunk.subarray(at, at + SLICE);
      for (const _ of reader.steps(slice)) yield taken();
      batch.bytesRead += slice.length;
      yield taken();
    }
  }
  for (const _ of reader.lastSteps()) yield taken();
  yield taken();
  return reader.seen;
}

function userDefsIn(fields: Fields, types: Record<string, string> | undefined): UserDef[] {
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

function shortened(value: string): string {
  return value.length > 20 ? `${value.slice(0, 20)}…` : value;
}
