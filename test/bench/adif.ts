/** Prints how fast the reader is beside adif-parser-ts, and what it holds in memory for a small and a large stream. */
import { AdifParser } from "adif-parser-ts";
import { AdifReader, readAdif } from "../../src/adif/reader.ts";
import { SAMPLE_NAMES, sample } from "../support/samples.ts";

const MB = 1e6;
const [mode, megabytes] = process.argv.slice(2);

if (mode === "stream") await holdStream(Number(megabytes));
else compare();

function compare(): void {
  for (const name of SAMPLE_NAMES) {
    const { bytes, isReal } = sample(name);
    const log = repeated(bytes, 5 * MB);
    const times = alternately(7, [() => readWhole(log), () => parseWhole(log)]);
    const [ours, theirs] = times.map((milliseconds) => log.length / MB / (milliseconds / 1000));
    console.log(
      `reader, ${isReal ? name : `twin of ${name}`}: ${(ours! / theirs!).toFixed(1)} × adif-parser-ts ` +
        `(${ours!.toFixed(0)} against ${theirs!.toFixed(0)} MB/s)`,
    );
  }
  for (const size of ["10", "100"]) {
    const run = Bun.spawnSync([process.execPath, import.meta.path, "stream", size]);
    console.log(`stream of ${size} MB: ${run.stdout.toString().trim()}`);
  }
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
      const before = performance.now();
      work();
      best[index] = Math.min(best[index]!, performance.now() - before);
    }
  }
  return best;
}

function readWhole(bytes: Uint8Array): void {
  const reader = new AdifReader({ onRecord: () => {} });
  reader.write(bytes);
  reader.end();
}

function parseWhole(bytes: Uint8Array): void {
  AdifParser.parseAdi(new TextDecoder().decode(bytes));
}

async function holdStream(size: number): Promise<void> {
  const { bytes } = sample("lotwreport.adi");
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < size * MB; sent += bytes.length) yield bytes;
  }
  let records = 0;
  const before = performance.now();
  for await (const batch of readAdif(stream())) records += batch.records.length;
  const seconds = (performance.now() - before) / 1000;
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(`${records} records, ${(size / seconds).toFixed(0)} MB/s, ${peak.toFixed(0)} MB at the most`);
}
