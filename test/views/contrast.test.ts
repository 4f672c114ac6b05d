import { expect, test } from "bun:test";
import { SECTIONS } from "../../views/assets/style.ts";

const { tokens = "", ...others } = SECTIONS;

type Tokens = Record<string, string>;

const tokensIn = (text: string): Tokens =>
  Object.fromEntries([...text.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\b/g)].map(([, name, value]) => [name!, value!]));

const darkAt = tokens.indexOf("@media (prefers-color-scheme: dark)");
const light = tokensIn(tokens.slice(0, darkAt));
const dark = { ...light, ...tokensIn(tokens.slice(darkAt)) };

/** Relative luminance and contrast as WCAG 2.2 defines them. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (a: string, b: string): number => {
  const [brighter, darker] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (brighter + 0.05) / (darker + 0.05);
};

const TEXT = 4.5;
const CONTROL = 3;

const PAIRS: readonly [text: string, ground: string, least: number][] = [
  ...["bg", "surface", "sunken"].flatMap((ground): [string, string, number][] =>
    ["text", "muted", "accent", "good", "warn", "bad"].map((text) => [text, ground, TEXT]),
  ),
  ["accent-strong", "surface", TEXT],
  ["accent-strong", "accent-soft", TEXT],
  ["text", "accent-soft", TEXT],
  ["muted", "accent-soft", TEXT],
  ["bad", "accent-soft", TEXT],
  ["text", "good-soft", TEXT],
  ["text", "warn-soft", TEXT],
  ["text", "idle-soft", TEXT],
  ["good", "good-soft", TEXT],
  ["warn", "warn-soft", TEXT],
  ["bad", "bad-soft", TEXT],
  ["on-accent", "accent", TEXT],
  ["on-accent", "accent-strong", TEXT],
  ["line-strong", "surface", CONTROL],
  ["focus", "bg", CONTROL],
  ["focus", "surface", CONTROL],
  ["bar-first", "surface", CONTROL],
  ...["good", "warn"].map((mark): [string, string, number] => [mark, "idle-soft", CONTROL]),
  ["muted", "idle-soft", TEXT],
];

test.each([
  ["light", light],
  ["dark", dark],
] as const)("every text is readable on its background in %s", (_name, tokens) => {
  const weak = PAIRS.filter(([text, ground, least]) => !(contrast(tokens[text]!, tokens[ground]!) >= least));

  expect(Object.keys(tokens).length).toBeGreaterThan(20);
  expect(weak).toEqual([]);
});

test("contrast is computed as WCAG does", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 1);
});

test("colours are only used through tokens, motion can be reduced, and focus is visible", () => {
  const rules = Object.values(others).join("\n");

  expect(rules.match(/#[0-9a-f]{3,8}\b|\brgb|\bhsl/gi)).toBeNull();
  expect(rules).toContain(":focus-visible");
  const moving = [...rules.matchAll(/animation: \w+ (?!0s)/g)];
  expect(moving).toHaveLength(1);
  expect(moving[0]!.index).toBeGreaterThan(rules.indexOf("prefers-reduced-motion: no-preference"));
});
