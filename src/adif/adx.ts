import type { AdifRecord, Fields, UserDef } from "../domain/contact/adif-record.ts";
import { parseFieldName, typeLetter } from "../domain/contact/field-name.ts";
import { withPlainLineEnds } from "./text.ts";
import { RECORDS_FIELD } from "../domain/contact/exported-records.ts";
import { MAX_CARRIED_LENGTH, MAX_FIELDS, MAX_RECORD_LENGTH, MAX_VALUE_LENGTH } from "../domain/contact/record-size.ts";
import type { AdifBatch, AdifHeader, AdifProblem, ProblemRule } from "./reader.ts";

/** Longer text is read before the markup after it has arrived. A character reference is never split. */
const LONG_TEXT = 65_536;
const MAX_REFERENCE_LENGTH = 16;
const MAX_EXCERPT_LENGTH = 60;
/** No real tag is longer: one can list all counties of a country. */
const MAX_TAG_LENGTH = 65_536;
/** Bytes that are read before yielding to other work. */
const STEP = 16 * 1024;

/** A tag, a comment, a section of plain text or a declaration; what follows is text up to the next of these. */
const MARKUP = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<[^>]*>/y;
const TAG = /^<(\/?)([A-Za-z_][\w.-]*)/;
const ATTRIBUTE = /(?<![\w.-])([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const DECLARED = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/i;

/** The records of an ADX file, in one batch for every 16 KiB. */
export async function* readAdx(source: AsyncIterable<Uint8Array>): AsyncGenerator<AdifBatch> {
  const reader = new AdxReader();
  let decoder: TextDecoder | null = null;
  let bytesRead = 0;
  for await (const chunk of source) {
    decoder ??= decoderFor(chunk);
    for (let at = 0; at < chunk.length; at += STEP) {
      const piece = chunk.subarray(at, at + STEP);
      bytesRead += piece.length;
      reader.write(decoder.decode(piece, { stream: true }));
      yield { ...reader.take(), bytesRead };
    }
  }
  reader.end();
  yield { ...reader.take(), bytesRead };
}

const decoderFor = (chunk: Uint8Array): TextDecoder => {
  const named = DECLARED.exec(new TextDecoder("latin1").decode(chunk.subarray(0, 200)).trimStart());
  try {
    return new TextDecoder((named?.[1] ?? "utf-8") as Bun.Encoding);
  } catch {
    return new TextDecoder();
  }
};

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  maxLength: number;
  isTooLong: boolean;
  /** It can contain only whitespace that makes the XML readable. */
  isLayout: boolean;
}

const isLayout = (text: string): boolean => text === "" || (text.trim() === "" && /[\r\n]/.test(text));

/** Parses text in chunks and keeps only the current record in memory. */
class AdxReader {
  #text = "";
  #offset = 0;
  #at = 0;
  #part: "HEADER" | "RECORD" | null = null;
  #fields: Fields = {};
  #types: Record<string, string> = {};
  #fieldCount = 0;
  #userDefs: UserDef[] = [];
  #element: Element | null = null;
  /** The characters of the names and values in the record. */
  #length = 0;
  #batch: Omit<AdifBatch, "bytesRead"> = { header: null, records: [], problems: [] };

  take(): Omit<AdifBatch, "bytesRead"> {
    const taken = this.#batch;
    this.#batch = { header: null, records: [], problems: [] };
    return taken;
  }

  write(text: string): void {
    this.#text += text;
    this.#at = 0;
    for (;;) {
      const start = this.#text.indexOf("<", this.#at);
      if (start === -1) break;
      MARKUP.lastIndex = start;
      const found = this.#isWhole(start) ? MARKUP.exec(this.#text) : null;
      if (found === null) break;
      this.#say(this.#text.slice(this.#at, start));
      this.#at = start + found[0].length;
      this.#read(found[0]);
    }
    if (this.#text.length - this.#at > LONG_TEXT && this.#text.indexOf("<", this.#at) === -1) {
      const end = this.#text.length - MAX_REFERENCE_LENGTH;
      const open = this.#text.lastIndexOf("&", end);
      const at = open > end - MAX_REFERENCE_LENGTH ? open : end;
      this.#say(this.#text.slice(this.#at, at));
      this.#at = at;
    }
    // What begins here ends in a later chunk.
    this.#offset += this.#at;
    this.#text = this.#text.slice(this.#at);
    if (this.#text.length <= MAX_RECORD_LENGTH) return;
    this.#report("too_large", `A record can have at most ${MAX_RECORD_LENGTH} characters.`);
    this.#offset += this.#text.length;
    this.#text = "";
    this.#forget();
  }

  end(): void {
    if (this.#part === "RECORD") this.#report("truncated", "The file ends in the middle of a record.");
  }

  #isWhole(start: number): boolean {
    const ends = (mark: string, end: string) => this.#text.startsWith(mark, start) && !this.#text.includes(end, start);
    return !ends("<!--", "-->") && !ends("<![CDATA[", "]]>");
  }

  #say(text: string): void {
    if (this.#element) this.#addText(this.#element, text);
  }

  #addText(element: Element, text: string): void {
    element.isLayout &&= isLayout(text);
    this.#append(element, unescaped(text));
  }

  #addPlainText(element: Element, text: string): void {
    element.isLayout = false;
    this.#append(element, text);
  }

  /** What is too long is not kept in memory. */
  #append(element: Element, text: string): void {
    element.isTooLong ||= element.text.length + text.length > element.maxLength;
    if (!element.isTooLong) element.text += text;
  }

  #read(markup: string): void {
    if (markup.startsWith("<![CDATA[")) {
      if (this.#element) this.#addPlainText(this.#element, markup.slice("<![CDATA[".length, -"]]>".length));
      return;
    }
    const [start, closing, name] = TAG.exec(markup) ?? [];
    if (name === undefined || markup.length > MAX_TAG_LENGTH) return;
    const tag = name.toUpperCase();
    if (!closing) this.#open(tag, markup.slice(start!.length, -1));
    if (closing || markup.endsWith("/>")) this.#close(tag);
  }

  #open(name: string, rest: string): void {
    if (name === "HEADER" || name === "RECORD") {
      this.#part = name;
    } else if (this.#part !== null) {
      const attributes = [...rest.matchAll(ATTRIBUTE)].map(([, key, a, b]) => [key!.toUpperCase(), unescaped(a ?? b!)]);
      const given = Object.fromEntries(attributes) as Record<string, string>;
      const maxLength = fieldOf(name, given) === RECORDS_FIELD ? MAX_CARRIED_LENGTH : MAX_VALUE_LENGTH;
      this.#element = { name, attributes: given, text: "", maxLength, isTooLong: false, isLayout: true };
    }
  }

  #close(name: string): void {
    if (name === "HEADER" && this.#part === "HEADER") this.#endHeader();
    else if (name === "RECORD" && this.#part === "RECORD") this.#endRecord();
    else if (this.#element?.name === name) {
      this.#keep(this.#element);
      this.#element = null;
    }
  }

  #keep({ name, attributes, text, isTooLong, isLayout }: Element): void {
    if (this.#part === "HEADER" && name === "USERDEF") return this.#define(text, attributes);
    const value = isLayout ? "" : text;
    if (value === "" && !isTooLong) return;
    const field = fieldOf(name, attributes);
    if (field === null) return this.#report("marker", `${inQuotes(name, attributes)} is not a valid field name.`);
    if (isTooLong) {
      const words = `${field} was left out: a value can have at most ${MAX_VALUE_LENGTH} characters.`;
      return this.#report("too_large", words);
    }
    if (field !== RECORDS_FIELD) this.#length += field.length + value.length;
    if (this.#length > MAX_RECORD_LENGTH || this.#fieldCount++ >= MAX_FIELDS) return;
    this.#fields[field] = withPlainLineEnds(value);
    const type = typeLetter(attributes.TYPE);
    if (type !== undefined) this.#types[field] = type;
  }

  #define(text: string, { TYPE, ENUM, RANGE }: Record<string, string>): void {
    const [name, type, values] = [text.trim().toUpperCase(), typeLetter(TYPE), ENUM ?? RANGE];
    this.#length += name.length + (values?.length ?? 0);
    if (name !== "" && this.#userDefs.length < MAX_FIELDS && this.#length <= MAX_RECORD_LENGTH)
      this.#userDefs.push({ name, ...(type !== undefined && { type }), ...(values !== undefined && { values }) });
  }

  #endHeader(): void {
    const header: AdifHeader = { ...this.#taken(), userDefs: this.#userDefs, comment: "" };
    this.#batch.header = header;
    this.#forget();
  }

  #endRecord(): void {
    if (this.#length > MAX_RECORD_LENGTH) {
      this.#report("too_large", `A record can have at most ${MAX_RECORD_LENGTH} characters.`);
    } else if (this.#fieldCount > MAX_FIELDS) {
      this.#report("too_large", `A record can have at most ${MAX_FIELDS} fields.`);
    } else if (Object.keys(this.#fields).length > 0) this.#batch.records.push(this.#taken());
    this.#forget();
  }

  #taken(): AdifRecord {
    const [fields, types] = [this.#fields, this.#types];
    return Object.keys(types).length === 0 ? { fields } : { fields, types };
  }

  #forget(): void {
    this.#part = null;
    this.#element = null;
    this.#fields = {};
    this.#types = {};
    this.#fieldCount = 0;
    this.#length = 0;
  }

  #report(rule: ProblemRule, message: string): void {
    const excerpt = this.#text
      .slice(this.#at, this.#at + MAX_EXCERPT_LENGTH)
      .replaceAll(/\s+/g, " ")
      .trim();
    const problem: AdifProblem = { rule, message, offset: this.#offset + this.#at, excerpt };
    this.#batch.problems.push(problem);
  }
}

/** The ADIF name of the field, or null if it is not a field. */
const fieldOf = (name: string, { PROGRAMID, FIELDNAME }: Record<string, string>): string | null => {
  if (name === "USERDEF") return parseFieldName(FIELDNAME);
  if (name !== "APP") return parseFieldName(name);
  return PROGRAMID && FIELDNAME ? parseFieldName(`APP_${PROGRAMID}_${FIELDNAME}`) : null;
};

const MAX_SHOWN_LENGTH = 40;

const inQuotes = (name: string, { FIELDNAME = name }: Record<string, string>): string =>
  JSON.stringify(FIELDNAME.slice(0, MAX_SHOWN_LENGTH));

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Entities that the file declares itself are left unchanged, because they could expand without end. */
const unescaped = (text: string): string =>
  text.includes("&")
    ? text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi, (whole, hex, decimal, name) => {
        if (name) return ENTITIES[String(name).toLowerCase()]!;
        const code = hex ? Number.parseInt(hex as string, 16) : Number(decimal);
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      })
    : text;
