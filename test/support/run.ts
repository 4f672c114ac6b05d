// Runs the tests, says which were slowest and ends with the counts of the real run.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "./postgres.ts";

/** The suites whose subject is the database. */
const ON_BOTH_ENGINES = [
  "test/storage",
  "test/admin",
  "test/logbook",
  "test/sync/matching.test.ts",
  "test/awards",
  "test/upkeep",
];
const SLOWEST = 10;

interface Test {
  name: string;
  seconds: number;
  outcome: "passed" | "failed" | "skipped";
}

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
  const directory = mkdtempSync(join(tmpdir(), "qsolog-report-"));
  const report = join(directory, "junit.xml");
  const run = Bun.spawn(
    ["bun", "test", "--timeout=120000", "--reporter=junit", `--reporter-outfile=${report}`, ...words],
    {
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  const exitCode = await run.exited;
  const tests = testsIn(readFileSync(report, "utf8"));
  rmSync(directory, { recursive: true });
  const count = (outcome: Test["outcome"]) => tests.filter((test) => test.outcome === outcome).length;
  console.log(`\nThe ${SLOWEST} slowest:`);
  for (const { name, seconds } of tests.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)) {
    console.log(`  ${seconds.toFixed(2)} s  ${name}`);
  }
  console.log(`\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
  return exitCode === 0 && count("passed") > 0 && count("failed") === 0 ? 0 : 1;
};

const testsIn = (xml: string): Test[] =>
  [...xml.matchAll(/<testcase\s([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, attributes = "", , body = ""]) => ({
    name: attributes.match(/\bname="([^"]*)"/)?.[1] ?? "?",
    seconds: Number(attributes.match(/\btime="([^"]*)"/)?.[1] ?? 0),
    outcome: /<(failure|error)\b/.test(body) ? "failed" : body.includes("<skipped") ? "skipped" : "passed",
  }));

process.exit(await main());
