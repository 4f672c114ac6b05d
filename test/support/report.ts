import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Test {
  name: string;
  file: string;
  place: string;
  seconds: number;
  outcome: "passed" | "failed" | "skipped";
  failure: string;
}

/** Runs tests and parses the runner's report. */
export const reported = async (
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<{ exitCode: number; tests: Test[] }> => {
  const directory = mkdtempSync(join(tmpdir(), "qsolog-report-"));
  const report = join(directory, "junit.xml");
  const run = Bun.spawn(["bun", "test", "--reporter=junit", `--reporter-outfile=${report}`, ...words], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ended = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, () => ended.abort(new Error(`${signal} ended the tests.`)));
  ended.signal.addEventListener("abort", () => run.kill());
  const exitCode = await run.exited;
  // Do not start the next run.
  ended.signal.throwIfAborted();
  const tests = testsIn(readFileSync(report, "utf8"));
  rmSync(directory, { recursive: true });
  return { exitCode, tests };
};

const testsIn = (xml: string): Test[] =>
  [...xml.matchAll(/<testcase\s([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, attributes = "", , body = ""]) => {
    const value = (name: string) => textOf(attributes.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1] ?? "?");
    const [failed, shortly = "", atLength = ""] = body.match(/<(?:failure|error)\b([^>]*)>([^<]*)/) ?? [];
    return {
      name: [value("classname"), value("name")].filter((part) => part !== "").join(" > "),
      file: value("file"),
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
