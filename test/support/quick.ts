// What can be checked in half a minute: types, format, lint, and tests that need one process. Stops at the first
// failure.
import { reported, type Test } from "./report.ts";
import { quickTests, testFiles } from "./suites.ts";

/** An acceptable wait after every change. */
const MAX_SECONDS = 30;

const CHECKS: readonly (readonly [name: string, ...words: string[]])[] = [
  ["types", "run", "types"],
  ["format", "run", "format", "--check"],
  ["lint", "run", "lint"],
];

const main = async (): Promise<number> => {
  const begun = performance.now();
  for (const [name, ...words] of CHECKS) {
    const { exitCode } = Bun.spawnSync([process.execPath, ...words], { stdio: ["ignore", "inherit", "inherit"] });
    if (exitCode !== 0) return failed(name);
  }
  const files = quickTests();
  const { exitCode, tests } = await reported([
    "--timeout=20000",
    "--only-failures",
    ...files.map((file) => `./${file}`),
  ]);
  if (exitCode !== 0) return failed("tests");
  const seconds = (performance.now() - begun) / 1_000;
  console.log(`\nAll is well, in ${seconds.toFixed(1)} s: ${files.length} of ${testFiles().length} files of tests.`);
  if (seconds > MAX_SECONDS) sayWhatTookLong(tests);
  return 0;
};

const failed = (name: string): number => {
  console.log(`\nFailed: ${name}.`);
  return 1;
};

/** Files grow slowly; the list of slow ones in suites.ts is maintained with this output. */
const sayWhatTookLong = (tests: readonly Test[]): void => {
  const seconds = new Map<string, number>();
  for (const test of tests) seconds.set(test.file, (seconds.get(test.file) ?? 0) + test.seconds);
  console.log(`That is more than ${MAX_SECONDS} s. Where this machine is not busy, these belong to SLOW in suites.ts:`);
  for (const [file, took] of [...seconds].sort(([, a], [, b]) => b - a).slice(0, 5)) {
    console.log(`  ${took.toFixed(1)} s  ${file}`);
  }
};

process.exit(await main());
