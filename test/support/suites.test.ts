import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  ISOLATED,
  needsMore,
  ON_BOTH_ENGINES,
  ON_BOTH_ENGINES_IN_THE_LONG_FORM,
  quickTests,
  reachesFurther,
  SLOW,
  testFiles,
} from "./suites.ts";

test("every listed suite exists and needs its entry", () => {
  const onBoth = [...ON_BOTH_ENGINES, ...ON_BOTH_ENGINES_IN_THE_LONG_FORM];
  const missing = onBoth.filter((place) => !existsSync(join(import.meta.dir, "../..", place)));

  expect(missing).toEqual([]);
  expect(new Set(onBoth).size).toBe(onBoth.length);
  expect(ISOLATED.filter((file) => !testFiles().includes(file))).toEqual([]);
  expect(SLOW.filter((file) => !testFiles().includes(file) || needsMore(file))).toEqual([]);
});

test("quick tests use only one process, including what they import", () => {
  const quick = quickTests();

  expect(quick).toContain("test/architecture.test.ts");
  expect(quick).toContain("test/sync/matching.test.ts");
  // Slow by itself, by its rig, and by the program it starts.
  for (const slow of ["test/e2e/kill", "test/providers/first", "test/cli/cli"]) {
    expect(quick).not.toContain(`${slow}.test.ts`);
  }
  expect(quick.length).toBeGreaterThan(50);
});

test("the check looks at code, not at quoted text", () => {
  expect(reachesFurther(`const child = Bun.spawn(["true"]);`)).toBeTrue();
  expect(reachesFurther(`import { createServer } from "node:net";`)).toBeTrue();
  expect(reachesFurther(`const world = await testWorld({ thread: true });`)).toBeTrue();
  expect(reachesFurther(`  "Bun.serve({})",`)).toBeFalse();
});
