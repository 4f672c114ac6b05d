/** Size of the single executable, and processor time of its commands and its start. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "./figure.ts";
import type { Bench } from "./log.ts";
import { ran, type Program } from "./program.ts";
import { startFigures } from "./server.ts";

const RUNS = 15;
const MEGABYTE = 1_048_576;

export default async (bench: Bench, program: Program): Promise<Figure[]> => {
  const installation = await bench.logOf(program);
  const folder = mkdtempSync(join(tmpdir(), "qsolog-bench-"));
  try {
    const executable = join(folder, "qsolog");
    ran([process.execPath, join(program.directory, "deploy/build.ts"), "--outfile", executable]);
    /** The minimum of some runs: load makes the same work slower, and the first run reads files. */
    const least = (...words: string[]) =>
      Math.min(...Array.from({ length: RUNS }, () => installation.run(words, "", [executable]).processorMs));
    return [
      { name: "size", value: statSync(executable).size / MEGABYTE, limit: "sizeOfExecutable" },
      { name: "qsolog --version", value: least("--version"), limit: "versionOfExecutable" },
      { name: "qsolog --help", value: least("--help"), unit: "ms" },
      { name: "qsolog stats", value: least("stats"), limit: "statsOfExecutable" },
      ...(await startFigures("start", "startOfExecutable", installation, [executable])),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
};
