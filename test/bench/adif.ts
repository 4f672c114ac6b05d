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
    const ours = bestOf(9, () => readWhole(bytes));
    const theirs = bestOf(3, () => parseWhole(bytes));
    const rate = (milliseconds: number) => `${(bytes.length / MB / (milliseconds / 1000)).toFixed(0)} MB/s`;
    const beside =
      theirs === null ? "it fails on this log" : `${(theirs / ours!).toFixed(1)} × adif-parser-ts (${rate(theirs)})`;
    console.log(`reader, ${isReal ? name : `twin of ${name}`}: ${rate(ours!)}, ${beside}`);
  }
  for (const size of ["10", "100"]) {
    const run = Bun.spawnSync([process.execPath, import.meta.path, "stream", size]);
    console.log(`stream of ${size} MB: ${run.stdout.toString().trim()}`);
  }
}

function readWhole(bytes: Uint8Array): void {
  const reader = new AdifReader({ onRecord: () => {} });
  reader.write(bytes);
  reader.end();
}

function parseWhole(bytes: Uint8Array): void {
  AdifParser.parseAdi(new TextDecoder().decode(bytes));
}

/** Milliseconds; null when it throws. */
function bestOf(runs: number, work: () => void): number | null {
  let best = Infinity;
  try {
    for (let run = 0; run < runs; run++) {
      const before = performance.now();
      work();
      best = Math.min(best, performance.now() - before);
    }
  } catch {
    return null;
  }
  return best;
}

async function holdStream(size: number): Promise<void> {
  const { bytes } = sample("lotwreport.adi");
  async function* repeated(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < size * MB; sent += bytes.length) yield bytes;
  }
  let records = 0;
  const before = performance.now();
  for await (const batch of readAdif(repeated())) records += batch.records.length;
  const seconds = (performance.now() - before) / 1000;
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(`${records} records, ${(size / seconds).toFixed(0)} MB/s, ${peak.toFixed(0)} MB at the most`);
}
