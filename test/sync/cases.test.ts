import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TESTS = join(import.meta.dir, "..");
/** What is to be expected of the two services and of matching, by number. */
const CASES = 72;

const NAMED = [/["`](\d+(?:, \d+)*): /g, /\bcases? (\d+(?:(?:, | and )\d+)*)/g];

test("each case of the two services and of matching is named by a test", () => {
  const texts = readdirSync(TESTS, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(TESTS, file), "utf8"));

  const named = new Set(
    texts
      .flatMap((text) => NAMED.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]!)))
      .flatMap((numbers) => numbers.split(/, | and /).map(Number)),
  );

  const all = Array.from({ length: CASES }, (_, index) => index + 1);
  expect(all.filter((number) => !named.has(number))).toEqual([]);
});
