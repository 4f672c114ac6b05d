// What can be known in half a minute: types, format, lint, and the tests that one process runs. Stops at what fails.
import { quickTests, testFiles } from "./suites.ts";

const STEPS: readonly (readonly [name: string, ...words: string[]])[] = [
  ["types", "run", "types"],
  ["format", "run", "format", "--check"],
  ["lint", "run", "lint"],
  ["tests", "test", "--timeout=20000", "--only-failures", ...quickTests().map((file) => `./${file}`)],
];

const begun = performance.now();
for (const [name, ...words] of STEPS) {
  const { exitCode } = Bun.spawnSync([process.execPath, ...words], { stdio: ["ignore", "inherit", "inherit"] });
  if (exitCode !== 0) {
    console.log(`\nFailed: ${name}.`);
    process.exit(1);
  }
}
const seconds = ((performance.now() - begun) / 1000).toFixed(1);
console.log(`\nAll is well, in ${seconds} s: ${quickTests().length} of ${testFiles().length} files of tests.`);
