import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { growsTooFast } from "./support/growth.ts";
import { hostileTexts, type HostileText } from "./support/hostile-texts.ts";

const ROOT = join(import.meta.dir, "..");

interface Found {
  /** Source and flags of a literal. */
  literals: Map<string, string>;
  /** The argument of `new RegExp`. */
  made: string[];
}

const found: Found = { literals: new Map(), made: [] };

for (const file of ["src", "cli", "views"].flatMap((part) =>
  readdirSync(join(ROOT, part), { recursive: true }).map((path) => join(part, String(path))),
)) {
  if (!/\.tsx?$/.test(file)) continue;
  const text = readFileSync(join(ROOT, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const look = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.literals.set(node.text, `${file}:${line + 1}`);
    }
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "RegExp") {
      found.made.push(node.arguments?.[0]?.getText() ?? "");
    }
    ts.forEachChild(node, look);
  };
  look(source);
}

const expressionOf = (literal: string): RegExp => {
  const end = literal.lastIndexOf("/");
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
};

/** Longer texts reveal expressions that need little time per character or start at few places. */
const SIZES = [3_000, 12_000];

const textOf = ({ before, repeated, after }: HostileText, letters: number): string =>
  before + repeated.repeat(Math.ceil(letters / repeated.length)) + after;

const used = (expression: RegExp, text: string): void => {
  if (expression.global) text.replace(expression, "");
  else expression.exec(text);
};

/** A text for which the expression takes more than linear time. */
const stuckOn = (expression: RegExp, rounds?: number): HostileText | undefined =>
  hostileTexts(expression).find((text) =>
    SIZES.some((size) =>
      growsTooFast(
        (letters) => textOf(text, letters),
        size,
        (long) => used(expression, long),
        rounds,
      ),
    ),
  );

describe("every regular expression takes time in proportion to the text", () => {
  test("the scan finds them", () => {
    expect(found.literals.size).toBeGreaterThan(100);
  });

  test.each([...found.literals])("%s in %s", (literal) => {
    expect(stuckOn(expressionOf(literal))).toBeUndefined();
  });

  test("none is built from text, except from escaped words", () => {
    const open = found.made.filter(
      (given) => !given.includes("RegExp.escape") || /["'`][^"'`]*[*+{][^"'`]*["'`]/.test(given),
    );

    expect(open).toEqual([]);
  });
});

describe("the check finds slow expressions", () => {
  test.each([
    "/^(\\d+\\.?\\d*|\\.\\d+)$/",
    "/\\r+\\n/g",
    "/\\r*\\n/g",
    "/(\\w+:\\/\\/[^\\s/:@]*):[^\\s/@]+@/g",
    "/\\s*,\\s*/",
    "/\\/+$/",
    "/^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$/",
    "/^(.*?)(\\d+)$/",
    "/^[A-Z0-9]*[A-Z][A-Z0-9]*\\d/",
    "/\\B(?=(\\d{3})+$)/g",
    "/^\\s*--.*$/gm",
    "/[<[](.+)[>\\]]/",
    "/( +[CW·])+$/",
    "/\\bSINCE:\\s*(\\d{4}-\\d\\d-\\d\\d)[^(\\n]*\\((user|system) supplied/gi",
    "/^qsolog-.*-before-.*\\.db$/",
  ])("%s", (literal) => {
    const expression = expressionOf(literal);
    // On a busy machine the short text can look slow, which hides the growth, so it is tried several times.
    const found = stuckOn(expression, 1) ?? stuckOn(expression, 1) ?? stuckOn(expression, 1);
    expect(found).toBeDefined();
  });
});
