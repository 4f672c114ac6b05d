// Runs the tests, lists the slowest and the failures, and ends with the totals.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "./postgres.ts";
import { reported, type Test } from "./report.ts";
import { ISOLATED, ON_BOTH_ENGINES, ON_BOTH_ENGINES_IN_THE_LONG_FORM, testFiles } from "./suites.ts";

const IS_FULL = process.env.QSOLOG_TEST_FULL === "1";

const SLOWEST = 10;

const LINES_OF_A_FAILURE = 60;

/** Both engines are tested at once on two cores: more workers only wait for each other and run into timeouts. */
const WORKERS = 2;

/** How long slow files take: the longest start first, so that nothing waits for one at the end. */
const TIMINGS = join(import.meta.dir, "timings.json");

/** At most this many failing files are retried alone, because timeouts happen on a busy machine. */
const MAX_RETRIED = 4;

/** The suites wait for the disk longer than they work, so where there is room their files are kept in memory. */
const MEMORY_FOLDER = "/dev/shm";
const MIN_MEMORY_FOLDER_BYTES = 8 * 2 ** 30;

const main = async (): Promise<number> => {
  const folder = process.env.TMPDIR === undefined ? makeMemoryFolder() : null;
  if (folder === null) return runSuites();
  process.env.TMPDIR = folder;
  try {
    return await runSuites();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const makeMemoryFolder = (): string | null => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    if (bavail * bsize < MIN_MEMORY_FOLDER_BYTES) return null;
    const folder = mkdtempSync(join(MEMORY_FOLDER, "qsolog-tests-"));
    // PostgreSQL does not run as root: another user has to get to its data.
    chmodSync(folder, 0o755);
    return folder;
  } catch {
    return null;
  }
};

const runSuites = async (): Promise<number> => {
  const words = process.argv.slice(2);
  if (!words.includes("--postgres")) return runTests(words, {});
  // Every minute autovacuum would start a process for each of the databases, of which there are hundreds.
  const postgres = startPostgres({ settings: ["autovacuum_naptime=1d"] });
  if (!postgres) {
    console.log("PostgreSQL is not installed: skipped");
    console.log("0 passed, 0 failed, 1 skipped");
    return 0;
  }
  const named = words.filter((word) => word !== "--postgres");
  try {
    const suites = IS_FULL ? [...ON_BOTH_ENGINES, ...ON_BOTH_ENGINES_IN_THE_LONG_FORM] : ON_BOTH_ENGINES;
    return await runTests(named.length > 0 ? named : suites, { QSOLOG_TEST_POSTGRES: postgres.url });
  } finally {
    postgres.stop();
  }
};

const runTests = async (words: readonly string[], env: Record<string, string>): Promise<number> => {
  const options = words.filter((word) => word.startsWith("-"));
  const named = words.filter((word) => !word.startsWith("-")).map((word) => word.replace(/^\.\//, ""));
  const asked = testFiles().filter((file) => named.length === 0 || named.some((name) => file.includes(name)));
  const run = (files: readonly string[], ...how: string[]) =>
    reported(["--timeout=120000", ...how, ...options, ...files.map((file) => `./${file}`)], env);
  const groups = [
    { files: asked.filter((file) => ISOLATED.includes(file)), how: ["--parallel=1", "--isolate"] },
    // Loading the modules again for each file would take a sixth of the time.
    { files: asked.filter((file) => !ISOLATED.includes(file)), how: [`--parallel=${WORKERS}`, "--no-isolate"] },
  ].filter(({ files }) => files.length > 0);
  const ended = await Promise.all(groups.map(({ files, how }) => run(files, `--timings=${TIMINGS}`, ...how)));
  const first = ended.flatMap(({ tests }) => tests);
  const exitCode = asked.length > 0 && ended.every((group) => group.exitCode === 0) ? 0 : 1;
  const busy = first.filter(isFailed);
  // What a failed test leaves running can end the next file before it starts.
  const unheardIn = (tests: readonly Test[]) => asked.filter((name) => !tests.some(({ file }) => file === name));
  const unheard = unheardIn(first);
  const again = [...new Set([...busy.map(({ file }) => file), ...unheard])];
  const isTriedAgain = again.length > 0 && again.length <= MAX_RETRIED;
  const alone = isTriedAgain ? await run(again, "--isolate") : null;
  const tests = alone ? [...first.filter(({ file }) => !again.includes(file)), ...alone.tests] : first;
  const count = (outcome: Test["outcome"]) => tests.filter((test) => test.outcome === outcome).length;
  console.log(`\nThe ${SLOWEST} slowest:`);
  for (const { name, seconds } of tests.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST)) {
    console.log(`  ${seconds.toFixed(2)} s  ${name}`);
  }
  if (alone) say("What failed beside others, and was tried again alone:", busy);
  if (unheard.length > 0) console.log(`\nNothing was heard of ${unheard.join(", ")}.`);
  say("What failed:", tests.filter(isFailed));
  console.log(`\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`);
  const isWell = (alone?.exitCode ?? exitCode) === 0 && unheardIn(tests).length === 0;
  return isWell && count("passed") > 0 && count("failed") === 0 ? 0 : 1;
};

const isFailed = ({ outcome }: Test): boolean => outcome === "failed";

/** Repeats the failures after thousands of lines of passed tests. */
const say = (title: string, failed: readonly Test[]): void => {
  if (failed.length === 0) return;
  console.log(`\n${title}`);
  for (const { name, place, failure } of failed) {
    console.log(`\n(fail) ${name}\n  ${place}`);
    for (const line of failure.split("\n").slice(0, LINES_OF_A_FAILURE)) console.log(`  ${line}`.trimEnd());
  }
};

process.exit(await main());
