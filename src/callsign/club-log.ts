import { AppError } from "../kernel/errors.ts";

// Club Log's cty.xml: https://clublog.freshdesk.com/support/solutions/articles/54902

const MAX_FILE_BYTES = 64_000_000;
/** Club Log lists tens of thousands; fewer are half a download. */
const MIN_EXCEPTIONS = 1_000;

const CALL = /^[A-Z0-9/]+$/;
const ENTITY = /^\d{1,3}$/;
const DAY = /^\d{4}-\d\d-\d\d/;

/** Whether a file is XML or packed, which a cty.csv is not. False if it cannot be read. */
export const isClubLogFile = async (path: string): Promise<boolean> => {
  const start = await Bun.file(path)
    .slice(0, 8)
    .bytes()
    .catch(() => new Uint8Array());
  const text = new TextDecoder().decode(start);
  return isGzip(start) || text.startsWith("<?xml") || text === "<clublog";
};

/** Reads a cty.xml or cty.xml.gz and turns it into a table of dated calls. */
export const readClubLog = async (path: string): Promise<string> => {
  const file = Bun.file(path);
  if (file.size > MAX_FILE_BYTES) throw unusable("it is too large");
  return parseClubLog(await file.bytes());
};

/**
 * Of the file, this takes the exceptions, and the operations that Club Log calls invalid, which count for no entity.
 * Throws if the file is invalid or incomplete.
 */
export const parseClubLog = (bytes: Uint8Array<ArrayBuffer>): string => {
  const text = unpack(bytes);
  const lines = [...listRecords(text, "exception"), ...listRecords(text, "invalid")];
  if (lines.length < MIN_EXCEPTIONS) throw unusable(`it has only ${lines.length} exceptions`);
  return `${lines.join("\n")}\n`;
};

const listRecords = (text: string, kind: "exception" | "invalid"): string[] =>
  text
    .split(`<${kind} `)
    .slice(1)
    .map((record) => {
      const call = readElement(record, "call")?.toUpperCase() ?? "";
      const entity = kind === "invalid" ? "0" : readElement(record, "adif");
      const [first, last] = [readDay(readElement(record, "start")), readDay(readElement(record, "end"))];
      const isWhole = record.includes(`</${kind}>`) && CALL.test(call) && ENTITY.test(entity ?? "");
      if (!isWhole) throw unusable(`the record of "${call}" is invalid`);
      return `${entity === "0" ? "-" : entity} ${first} ${last} ClubLog ${call}`;
    });

const readElement = (record: string, name: string): string | undefined => {
  const start = record.indexOf(`<${name}>`);
  if (start < 0) return undefined;
  return record.slice(start + name.length + 2, record.indexOf("<", start + 1)).trim();
};

const readDay = (moment: string | undefined): string => {
  if (!moment) return "-";
  const day = DAY.exec(moment)?.[0];
  if (day === undefined || Number.isNaN(Date.parse(day))) throw unusable(`${moment} is not a date`);
  return day;
};

const unpack = (bytes: Uint8Array<ArrayBuffer>): string => {
  try {
    const plain = isGzip(bytes)
      ? process.getBuiltinModule("node:zlib").gunzipSync(bytes, { maxOutputLength: MAX_FILE_BYTES })
      : bytes;
    if (plain.length > MAX_FILE_BYTES) throw unusable("it is too large");
    return new TextDecoder().decode(plain);
  } catch (cause) {
    throw cause instanceof AppError ? cause : unusable("it is not complete or too large");
  }
};

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const unusable = (why: string): AppError =>
  new AppError("invalid", `This is not a valid Club Log file (cty.xml): ${why}.`, { rule: "country_file" });
