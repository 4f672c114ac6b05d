import { expect, test } from "bun:test";
import { Glob } from "bun";
import ts from "typescript";

/** Attributes and properties that people see or hear. */
const SPOKEN = new Set(
  "label title aria-label help placeholder words caption summary note meaning says button consequence data-label".split(
    " ",
  ),
);

/** Names, keys and commands, which are the same in every language. */
const SAME_EVERYWHERE = new Set(["qsolog", "qsolog listen", "Ctrl K", "n", "e", "cw"]);

const WORD = /[A-Za-z]+/;
const SENTENCE = /\b[A-Za-z]{2,}[,.;]? [a-z]+[,.;]? [a-z]{2,}\b(?![:=])/;

/** Every text that a view holds itself: any word between or in elements, and every sentence elsewhere. */
const textsIn = (name: string, source: string): string[] => {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = readText(node, file);
    if (text !== null && !SAME_EVERYWHERE.has(text) && (isSpoken(node) ? WORD : SENTENCE).test(text))
      found.push(`${name}: ${text}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

const readText = (node: ts.Node, file: ts.SourceFile): string | null => {
  if (ts.isJsxText(node)) return node.text.trim();
  if (ts.isStringLiteralLike(node)) return isAttribute(node, "class") ? null : node.text;
  return ts.isTemplateExpression(node) ? node.getText(file).replaceAll(/\$\{[^}]*\}/g, "…") : null;
};

const isSpoken = (node: ts.Node): boolean =>
  ts.isJsxText(node) || [...SPOKEN].some((attribute) => isAttribute(node, attribute));

const isAttribute = ({ parent }: ts.Node, attribute: string): boolean =>
  (ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent)) && parent.name.getText() === attribute;

test("views take every text from views/texts", async () => {
  const found: string[] = [];
  for (const path of new Glob("views/**/*.tsx").scanSync("."))
    found.push(...textsIn(path, await Bun.file(path).text()));

  expect(found.toSorted()).toEqual([]);
});

test.each([
  ["<p>Jobs</p>", "Jobs"],
  ['<a title="All jobs" href="jobs" class="button primary wide">{n}</a>', "All jobs"],
  ["<p>{isEmpty ? 'Nothing is missing.' : ''}</p>", "Nothing is missing."],
  ["<p>{`${name} was rolled back.`}</p>", "`… was rolled back.`"],
])("a text in %p is found", (source, text) => {
  expect(textsIn("page.tsx", `const page = ${source};`)).toEqual([`page.tsx: ${text}`]);
});
