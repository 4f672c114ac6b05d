/** Speed of reading and writing logs compared with adif-parser-ts, and memory while reading a large stream. */
import { join } from "node:path";
import { AdifFormatter, AdifParser } from "adif-parser-ts";
import type { AdifRecord } from "../../src/domain/contact/adif-record.ts";
import { SAMPLE_NAMES, sample } from "../support/samples.ts";
import type { Figure } from "./figure.ts";
import type { Bench } from "./log.ts";
import { ran, type Program } from "./program.ts";

const MB = 1e6;
const LOG_MB = 5;
/** The best of many rounds, because a parser is still being compiled in the first ones. */
const ROUNDS = 15;
const [SMALL_MB, LARGE_MB] = [10, 200];

/** A separate process, because this one cannot load the sources of two versions. */
export default (_: Bench, { directory }: Program): Promise<Figure[]> => {
  const asked = (what: string) => JSON.parse(ran([process.execPath, import.meta.path, directory, what]).stdout);
  const figures = asked("compare") as Figure[];
  const [small, large] = [SMALL_MB, LARGE_MB].map((size) => asked(String(size)) as Streamed);
  figures.push(
    { name: `reader, a stream of ${LARGE_MB} MB`, value: large!.rate, unit: "MB/s" },
    { name: `reader: memory above that for ${SMALL_MB} MB`, value: Math.max(0, large!.peak - small!.peak), unit: "MB" },
  );
  return Promise.resolve(figures);
};

type Reader = typeof import("../../src/adif/reader.ts");
type Writer = typeof import("../../src/adif/writer.ts");

const main = async (directory: string, what: string): Promise<unknown> => {
  const reader = (await import(join(directory, "src/adif/reader.ts"))) as Reader;
  const writer = (await import(join(directory, "src/adif/writer.ts"))) as Writer;
  return what === "compare" ? compare(reader, writer) : holdStream(reader, Number(what));
};

const compare = ({ AdifReader }: Reader, { writeRecord }: Writer): Figure[] => {
  const recordsIn = (bytes: Uint8Array): AdifRecord[] => {
    const records: AdifRecord[] = [];
    const reader = new AdifReader({ onRecord: (record) => void records.push(record) });
    reader.write(bytes);
    reader.end();
    return records;
  };
  /** Like an export: some hundreds of records per chunk. */
  const writeAll = (records: readonly AdifRecord[]): number => {
    let size = 0;
    for (let start = 0; start < records.length; start += 500) {
      const text = records.slice(start, start + 500).map(writeRecord);
      size += sizeOf(text.join(""));
    }
    return size;
  };
  return SAMPLE_NAMES.flatMap((name) => {
    const { bytes } = sample(name);
    const log = enlarged(bytes, LOG_MB * MB);
    const theirs = AdifParser.parseAdi(new TextDecoder().decode(log));
    const ours = recordsIn(log);
    const [read, parsed] = alternately(
      () => recordsIn(log),
      () => AdifParser.parseAdi(new TextDecoder().decode(log)),
    );
    const [written, formatted] = alternately(
      () => writeAll(ours),
      () => sizeOf(AdifFormatter.formatAdi(theirs)),
    );
    return [
      { name: `reader, ${name}`, value: log.length / MB / (read / 1_000), unit: "MB/s" },
      { name: `reader, ${name}: times as fast as adif-parser-ts`, value: parsed / read, limit: "readerRatio" },
      { name: `writer, ${name}`, value: writeAll(ours) / MB / (written / 1_000), unit: "MB/s" },
      { name: `writer, ${name}: times as fast as adif-parser-ts`, value: formatted / written, limit: "writerRatio" },
    ] satisfies Figure[];
  });
};

/** Repeats the records until the size is reached, with one header. */
const enlarged = (bytes: Uint8Array, size: number): Uint8Array => {
  const headerEnd = Buffer.from(bytes).toString("latin1").search(/<eoh>/i) + 5;
  const lastEnd = Buffer.from(bytes).toString("latin1").toLowerCase().lastIndexOf("<eor>") + 5;
  const records = bytes.subarray(headerEnd, lastEnd);
  const times = Math.max(1, Math.round(size / records.length));
  return Buffer.concat([bytes.subarray(0, headerEnd), ...Array.from({ length: times }, () => records)]);
};

/** The best time of each in milliseconds of processor time, alternating so that load affects both equally. */
const alternately = (...works: (() => unknown)[]): [number, number] => {
  const best = works.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      Bun.gc(true);
      const { user: before } = process.cpuUsage();
      work();
      best[index] = Math.min(best[index]!, (process.cpuUsage().user - before) / 1_000);
    }
  }
  return best as [number, number];
};

/** Concatenated strings are only flattened when their bytes are needed. */
const sizeOf = (text: string): number => new TextEncoder().encode(text).length;

interface Streamed {
  rate: number;
  /** Peak memory in megabytes. */
  peak: number;
}

const holdStream = async ({ readAdif }: Reader, size: number): Promise<Streamed> => {
  const { bytes } = sample("lotwreport.adi");
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < size * MB; sent += bytes.length) yield bytes;
  }
  const before = performance.now();
  for await (const _ of readAdif(stream()));
  const seconds = (performance.now() - before) / 1_000;
  return { rate: size / seconds, peak: process.resourceUsage().maxRSS / 1024 };
};

if (import.meta.main) console.log(JSON.stringify(await main(process.argv[2]!, process.argv[3]!)));
