import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testFiles } from "../support/suites.ts";

const ROOT = join(import.meta.dir, "../..");

const NAMED = [/["`](\d+(?:, \d+)*): /g, /\bcases? (\d+(?:(?:, | and )\d+)*)/g];

const sorted = (numbers: Iterable<number>): number[] => [...new Set(numbers)].sort((a, b) => a - b);

test("the cases of CASES.md are those named by tests", () => {
  const list = readFileSync(join(import.meta.dir, "CASES.md"), "utf8");
  const told = [...list.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));

  const named = testFiles()
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .flatMap((text) => NAMED.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!)))
    .flatMap((numbers) => numbers.split(/, | and /).map(Number));

  expect(told.length).toBeGreaterThan(70);
  expect(sorted(told)).toEqual(told);
  expect(sorted(named)).toEqual(told);
});
