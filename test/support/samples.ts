import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");
const FOLDER = resolve(ROOT, process.env["QSOLOG_SAMPLES"] ?? "samples");
const TWINS = join(ROOT, "test/fixtures/adif");
const FOREIGN = join(ROOT, "node_modules/@ham2k/lib-qson-adif/src/lib/samples");

export type SampleName = "lotwreport.adi" | "qrz-export.adi" | "adif-3.1.6-test-qsos.adi";
export const SAMPLE_NAMES: readonly SampleName[] = ["lotwreport.adi", "qrz-export.adi", "adif-3.1.6-test-qsos.adi"];

export interface Sample {
  name: string;
  bytes: Uint8Array;
  /** False for the synthetic twin, which has the same structure and quirks but other counts. */
  isReal: boolean;
}

/** A real log if the samples folder is available, otherwise its synthetic twin. */
export function sample(name: SampleName): Sample {
  const real = join(FOLDER, name);
  const isReal = existsSync(real);
  return { name, bytes: readFileSync(isReal ? real : join(TWINS, name)), isReal };
}

export function twin(name: SampleName): Sample {
  return { name: `twin of ${name}`, bytes: readFileSync(join(TWINS, name)), isReal: false };
}

/** The logs of other programs that come with @ham2k/lib-qson-adif. */
export function foreignLogs(): Sample[] {
  return readdirSync(FOREIGN)
    .filter((name) => name.endsWith(".adi"))
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(FOREIGN, name)), isReal: true }));
}

export function everyLog(): Sample[] {
  return [...SAMPLE_NAMES.map(sample), ...SAMPLE_NAMES.map(twin), ...foreignLogs()];
}

/** A table of the samples folder, or null if there is none. */
export function sampleTable(name: string): unknown {
  const path = join(FOLDER, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
}
