import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { readAdx } from "../../adif/adx.ts";
import { readAdif, type AdifBatch, type AdifProblem, type ProblemRule } from "../../adif/reader.ts";
import type { AdifRecord } from "../../domain/contact/adif-record.ts";
import type { Time } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { RECORDS_FIELD, decodeCarried } from "../../domain/contact/exported-records.ts";
import { Yielder } from "../../kernel/yield-to-event-loop.ts";

/** The same limit as for an uncompressed upload (1 GiB). */
const MAX_DECOMPRESSED_BYTES = 1_073_741_824;
const HEAD = 4_096;

type Bytes = AsyncIterable<Uint8Array>;

/** Reads the records of a log file: ADI or ADX, optionally compressed with gzip. */
export async function* readLog(time: Pick<Time, "ticks" | "turn">, path: string): AsyncGenerator<AdifBatch> {
  const bytes = (await isGzip(path)) ? () => decompress(path, MAX_DECOMPRESSED_BYTES) : () => readPlain(path);
  const batches = IS_XML.test(decodeHead(await readHead(bytes()))) ? readAdx(bytes()) : readAdif(bytes());
  const yielder = new Yielder(time);
  for await (const batch of batches) {
    if (batch.header || batch.records.length > 0 || batch.problems.length > 0) yield readCarried(batch);
    await yielder.yieldIfDue();
  }
}

/** Decodes the carried records of an export. If that fails, the plain fields are used. */
const readCarried = (batch: AdifBatch): AdifBatch => {
  const problems = [...batch.problems];
  const records = batch.records.map((given) => {
    const { record, isUnreadable } = decodeCarried(given);
    if (isUnreadable) problems.push(reportUnreadable(record));
    return record;
  });
  return { ...batch, records, problems };
};

const UNREADABLE: ProblemRule = "records";

const reportUnreadable = ({ fields: { CALL = "?", QSO_DATE = "", TIME_ON = "" } }: AdifRecord): AdifProblem => ({
  rule: UNREADABLE,
  message: `${RECORDS_FIELD} of ${CALL} is malformed. Only the other fields of this QSO were imported.`,
  offset: null,
  excerpt: [CALL, QSO_DATE, TIME_ON].join(" ").trim(),
});

/** Refuses a file without header and records before a job is created, and says what the file is instead. */
export const assertLog = async (
  time: Pick<Time, "ticks" | "turn">,
  path: string,
  maxDecompressedBytes = MAX_DECOMPRESSED_BYTES,
): Promise<void> => {
  try {
    const isCompressed = await isGzip(path);
    const refusal = describeOther(
      await readHead(isCompressed ? decompress(path, maxDecompressedBytes) : readPlain(path)),
    );
    if (refusal !== null) throw new AppError("invalid", refusal);
    // Read a compressed file to its end first: if it is damaged, a job would import half a log.
    if (isCompressed) for await (const _ of decompress(path, maxDecompressedBytes));
    for await (const { header, records } of readLog(time, path)) if (header || records.length > 0) return;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("invalid", `Could not read the file ${path}: ${describeError(error)}.`, { cause: error });
  }
  throw new AppError("invalid", "This is not an ADIF file: it has no header and no records.");
};

const describeError = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "it does not exist";
  if (code === "EACCES") return "permission denied";
  return code === "EISDIR" ? "it is a directory" : message;
};

const isGzip = async (path: string): Promise<boolean> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.readUInt16BE(0) === 0x1f8b;
  } finally {
    await file.close();
  }
};

const readPlain = (path: string): Bytes => Bun.file(path).stream() as unknown as Bytes;

async function* decompress(path: string, most: number): AsyncGenerator<Uint8Array> {
  // Loaded on demand: most files are not compressed, and loading it would slow down every start.
  const { createGunzip } = await import("node:zlib");
  const packed = createReadStream(path);
  const stream = createGunzip();
  packed.on("error", (error) => stream.destroy(error));
  let size = 0;
  try {
    for await (const chunk of packed.pipe(stream) as Bytes) {
      size += chunk.length;
      if (size > most) throw new AppError("too_large", `This gzip file unpacks to more than ${formatMegabytes(most)}.`);
      yield chunk;
    }
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith("Z_")) throw error;
    throw new AppError("invalid", "This gzip file is damaged or incomplete. Create or download it again.", {
      cause: error,
    });
  } finally {
    packed.destroy();
    stream.destroy();
  }
}

const formatMegabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;

const readHead = async (bytes: Bytes): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    pieces.push(piece.slice(0, HEAD));
    size += piece.length;
    if (size >= HEAD) break;
  }
  return Buffer.concat(pieces).subarray(0, HEAD);
};

const decodeHead = (head: Buffer): string =>
  head
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "")
    .trimStart();

const IS_XML = /^<(\?xml|adx)\b/i;
const ADIF_FIELD = /<[a-z]\w*(:\d+|>)/i;

/** Says what the file is instead of a log, and what the user can do. */
const describeOther = (head: Buffer): string | null => {
  const text = decodeHead(head);
  if (/^PK(\x03\x04|\x05\x06)/.test(text)) {
    return "This is a ZIP archive. Unpack it and import the .adi or .adx file inside.";
  }
  if (/^(\xff\xfe|\xfe\xff)/.test(text) || /^.?\0.\0|^\0.\0./s.test(text)) {
    return "This file is encoded in UTF-16. Save it as UTF-8 in an editor and import that.";
  }
  if (/^START-OF-LOG:/i.test(text)) {
    return "This is a Cabrillo file for contest submissions. Export ADIF (.adi) from your contest program and import that.";
  }
  if (/^<(!doctype\s+)?html\b/i.test(text)) {
    return "This is a web page, not a log. Sign in where you downloaded it and download the ADIF file (.adi) again.";
  }
  if (!ADIF_FIELD.test(text) && isTable(text)) {
    return "This is a CSV table. Export ADIF (.adi) from the program that created it and import that.";
  }
  return null;
};

/** Whether all lines have the same number of columns. With only two columns, at least two lines are needed. */
const isTable = (text: string): boolean => {
  const lines = text.trimEnd().split(/\r?\n/, 3);
  return [",", ";", "\t"].some((separator) => {
    const [first = 0, ...others] = lines.map((line) => line.split(separator).length);
    if (first > 2) return others.length === 0 || others[0]! >= first - 1;
    return first === 2 && others.length > 0 && others.every((columns) => columns === first);
  });
};
