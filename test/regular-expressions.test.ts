import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { hostileTexts, type HostileText } from "./support/hostile-texts.ts";

const ROOT = join(import.meta.dir, "..");

interface Found {
  /** Of a literal. */
  literals: Map<string, string>;
  /** What `new RegExp` is given. */
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

const LETTERS = 3_000;

const textOf = ({ before, repeated, after }: HostileText, letters: number): string =>
  before + repeated.repeat(Math.ceil(letters / repeated.length)) + after;

const used = (expression: RegExp, text: string): void => {
  if (expression.global) text.replace(expression, "");
  else expression.exec(text);
};

/** The shortest of some tries: others may take the processor meanwhile. */
const millisecondsOf = (expression: RegExp, text: string, tries: number): number => {
  let least = Infinity;
  for (let n = 0; n < tries; n++) {
    const began = performance.now();
    used(expression, text);
    least = Math.min(least, performance.now() - began);
  }
  return least;
};

/** Less than this is too little to compare. The square of the letters takes ten times as long on any machine. */
const TOO_SHORT_MS = 1;
/** Twice the letters take twice as long; by the square of the letters it would be four times. */
const MOST_GROWTH = 3;

/** A text that takes the expression more time than its length explains. */
const stuckOn = (expression: RegExp): HostileText | undefined =>
  hostileTexts(expression).find((text) => {
    const short = textOf(text, LETTERS);
    if (millisecondsOf(expression, short, 1) < TOO_SHORT_MS) return false;
    if (millisecondsOf(expression, short, 3) < TOO_SHORT_MS) return false;
    const long = textOf(text, 2 * LETTERS);
    return [1, 2, 3].every(
      () => millisecondsOf(expression, long, 2) > MOST_GROWTH * millisecondsOf(expression, short, 2),
    );
  });

describe("every regular expression of the program takes time in proportion to its text", () => {
  test("there are some", () => {
    expect(found.literals.size).toBeGreaterThan(100);
  });

  test.each([...found.literals])("%s in %s", (literal) => {
    expect(stuckOn(expressionOf(literal))).toBeUndefined();
  });

  test("none is made from text, unless of words that are taken as they are", () => {
    const open = found.made.filter(
      (given) => !given.includes("RegExp.escape") || /["'`][^"'`]*[*+{][^"'`]*["'`]/.test(given),
    );

    expect(open).toEqual([]);
  });
});

describe("what is slow is found", () => {
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
    expect(stuckOn(expressionOf(literal))).toBeDefined();
  });
});
