// Runs the tests, says which were slowest and what failed, and ends with the counts of the real run.
import { startPostgres } from "./postgres.ts";
import { reported, type Test } from "./report.ts";
import { ON_BOTH_ENGINES } from "./suites.ts";

const SLOWEST = 10;

const LINES_OF_A_FAILURE = 60;

/** A test waits for other programs much of its time; more at once than this only wait for each other. */
const WORKERS = 3;

const main = async (): Promise<number> => {
  const words = process.argv.slice(2);
  if (!words.includes("--postgres")) return runTests(words, {});
  const postgres = startPostgres();
  if (!postgres) {
    console.log("PostgreSQL is not installed: skipped");
    console.log("0 passed, 0 failed, 1 skipped");
    return 0;
  }
  const named = words.filter((word) => word !== "--postgres");
  try {
    return await runTests(named.length > 0 ? named : ON_BOTH_ENGINES, { QSOLOG_TEST_POSTGRES: postgres.url });
  } finally {
    postgres.stop();
  }
};

const runTests = async (words: readonly string[], env: Record<string, string>): Promise<number> => {
  const { exitCode, tests } = await reported(["--timeout=120000", `--parallel=${WORKERS}`, ...words], env);
  const count = (outcome: Test["outcome"]) => tests.filter((test) => test.outcome === outcome).length;
  console.log(`\nThe ${SLOWEST} slowest:`);
  for (const { name, seconds } of tests.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)) {
    console.log(`  ${seconds.toFixed(2)} s  ${name}`);
  }
  sayWhatFailed(tests.filter(({ outcome }) => outcome === "failed"));
  console.log(`\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
  return exitCode === 0 && count("passed") > 0 && count("failed") === 0 ? 0 : 1;
};

/** The failures once more, behind thousands of lines of what passed. */
const sayWhatFailed = (failed: readonly Test[]): void => {
  if (failed.length === 0) return;
  console.log("\nWhat failed:");
  for (const { name, place, failure } of failed) {
    console.log(`\n(fail) ${name}\n  ${place}`);
    for (const line of failure.split("\n").slice(0, LINES_OF_A_FAILURE)) console.log(`  ${line}`.trimEnd());
  }
};

process.exit(await main());
