// Lists what the tests promise: `bun run invariants` prints each promise with its tests.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testFiles } from "./suites.ts";

const ROOT = join(import.meta.dir, "../..");

/** Written in a comment above the test. */
export interface Promised {
  kind: "Invariant" | "Defence";
  what: string;
  place: string;
  /** Whether a test follows, or another promise of the same test. */
  hasTest: boolean;
}

const PROMISE = /^\s*\/\/ (Invariant|Defence): (.+)$/;

export const promises = (): Promised[] =>
  testFiles().flatMap((file) => {
    const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
    return lines.flatMap((line, index) => {
      const [, kind, what] = PROMISE.exec(line) ?? [];
      if (kind === undefined) return [];
      const next = lines.slice(index + 1).find((other) => !PROMISE.test(other)) ?? "";
      const hasTest = /^\s*(test|describe)\b/.test(next);
      return [{ kind: kind as Promised["kind"], what: what!, place: `${file}:${index + 1}`, hasTest }];
    });
  });

const print = (): void => {
  for (const kind of ["Invariant", "Defence"] as const) {
    console.log(`\n${kind}s`);
    const those = promises().filter((one) => one.kind === kind);
    for (const [what, held] of Map.groupBy(those, ({ what }) => what)) {
      console.log(`\n  ${what}`);
      for (const { place } of held) console.log(`    ${place}`);
    }
  }
};

if (import.meta.main) print();
