/** How fast logs are read and written beside adif-parser-ts, and what a small and a large stream hold in memory. */
import { AdifFormatter, AdifParser } from "adif-parser-ts";
import { AdifReader, readAdif } from "../../src/adif/reader.ts";
import { writeRecord } from "../../src/adif/writer.ts";
import type { AdifRecord } from "../../src/domain/adif-record.ts";
import { SAMPLE_NAMES, sample } from "../support/samples.ts";
import { atLeast, print } from "./figure.ts";

const MB = 1e6;
const LOG_MB = 5;
/** The best of many: a reader that has just started is compiled while it reads. */
const ROUNDS = 25;
const [SMALL_MB, LARGE_MB] = [10, process.argv.includes("--quick") ? 100 : 1_000];
const READER_LEAST = 4;
const WRITER_LEAST = 3;
const GROWTH_LIMIT_MB = 25;

const [mode, megabytes] = process.argv.slice(2);

if (mode === "stream") console.log(JSON.stringify(await holdStream(Number(megabytes))));
else compare();

function compare(): void {
  for (const name of SAMPLE_NAMES) {
    const { bytes, isReal } = sample(name);
    const title = isReal ? name : `twin of ${name}`;
    const log = repeated(bytes, LOG_MB * MB);
    report(`reader, ${title}`, READER_LEAST, log.length, [() => void recordsIn(log), () => parseWhole(log)]);
    const theirs = AdifParser.parseAdi(new TextDecoder().decode(log));
    const ours = recordsIn(log);
    const works: [() => void, () => void] = [() => writeWhole(ours), () => asBytes(AdifFormatter.formatAdi(theirs))];
    report(`writer, ${title}`, WRITER_LEAST, writeWhole(ours), works);
  }
  const [small, large] = [streamed(SMALL_MB), streamed(LARGE_MB)];
  print({ name: `stream of ${LARGE_MB} MB`, value: large.rate, unit: "MB/s" });
  print({
    name: `  memory, more than for ${SMALL_MB} MB`,
    value: Math.max(0, large.peak - small.peak),
    unit: "MB",
    limit: GROWTH_LIMIT_MB,
  });
}

function report(name: string, least: number, size: number, works: [ours: () => void, theirs: () => void]): void {
  const [ours, theirs] = alternately(ROUNDS, works);
  atLeast({ name, value: size / MB / (ours! / 1000), unit: "MB/s", ratio: theirs! / ours!, least });
}

/** The header once, the records as often as it takes. */
function repeated(bytes: Uint8Array, size: number): Uint8Array {
  const headerEnd = Buffer.from(bytes).toString("latin1").search(/<eoh>/i) + 5;
  const lastEnd = Buffer.from(bytes).toString("latin1").toLowerCase().lastIndexOf("<eor>") + 5;
  const records = bytes.subarray(headerEnd, lastEnd);
  const times = Math.max(1, Math.round(size / records.length));
  return Buffer.concat([bytes.subarray(0, headerEnd), ...Array.from({ length: times }, () => records)]);
}

/** The best time of each work in milliseconds, with the turns mixed so that a busy machine hits all alike. */
function alternately(rounds: number, works: (() => void)[]): number[] {
  const best = works.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of works.entries()) {
      Bun.gc(true);
      const { user: before } = process.cpuUsage();
      work();
      best[index] = Math.min(best[index]!, (process.cpuUsage().user - before) / 1000);
    }
  }
  return best;
}

function recordsIn(bytes: Uint8Array): AdifRecord[] {
  const records: AdifRecord[] = [];
  const reader = new AdifReader({ onRecord: (record) => void records.push(record) });
  reader.write(bytes);
  reader.end();
  return records;
}

/** Text that is put together is only written out when somebody wants its bytes. */
function asBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** As an export does: some hundreds of records to a piece. */
function writeWhole(records: readonly AdifRecord[]): number {
  let size = 0;
  for (let start = 0; start < records.length; start += 500) {
    size += asBytes(
      records
        .slice(start, start + 500)
        .map(writeRecord)
        .join(""),
    );
  }
  return size;
}

function parseWhole(bytes: Uint8Array): void {
  AdifParser.parseAdi(new TextDecoder().decode(bytes));
}

interface Streamed {
  rate: number;
  /** Megabytes of memory at the most. */
  peak: number;
}

function streamed(size: number): Streamed {
  const run = Bun.spawnSync([process.execPath, import.meta.path, "stream", String(size)]);
  return JSON.parse(run.stdout.toString()) as Streamed;
}

async function holdStream(size: number): Promise<Streamed> {
  const { bytes } = sample("lotwreport.adi");
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < size * MB; sent += bytes.length) yield bytes;
  }
  const before = performance.now();
  for await (const _ of readAdif(stream()));
  const seconds = (performance.now() - before) / 1000;
  return { rate: size / seconds, peak: process.resourceUsage().maxRSS / 1024 };
}
