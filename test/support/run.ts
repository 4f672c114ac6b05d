// Runs the tests, says which were slowest and what failed, and ends with the counts of the real run.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "./postgres.ts";
import { ON_BOTH_ENGINES } from "./suites.ts";

const SLOWEST = 10;

const LINES_OF_A_FAILURE = 60;

interface Test {
  name: string;
  place: string;
  seconds: number;
  outcome: "passed" | "failed" | "skipped";
  failure: string;
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

const testsIn = (xml: string): Test[] =>
  [...xml.matchAll(/<testcase\s([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, attributes = "", , body = ""]) => {
    const value = (name: string) => textOf(attributes.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1] ?? "?");
    const [failed, shortly = "", atLength = ""] = body.match(/<(?:failure|error)\b([^>]*)>([^<]*)/) ?? [];
    return {
      name: [value("classname"), value("name")].filter((part) => part !== "").join(" > "),
      place: `${value("file")}:${value("line")}`,
      seconds: Number(value("time")),
      outcome: failed ? "failed" : body.includes("<skipped") ? "skipped" : "passed",
      failure: textOf(atLength.trim() || (shortly.match(/message="([^"]*)"/)?.[1] ?? "")),
    };
  });

const textOf = (escaped: string): string =>
  escaped
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(lt|gt|quot|apos|amp);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]);

const ENTITIES = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

process.exit(await main());
