import { expect, test } from "bun:test";
import { SECTIONS } from "../../views/assets/style.ts";

const { tokens = "", ...others } = SECTIONS;

type Tokens = Record<string, string>;

/** "--text: light-dark(#15191c, #e9edef);" or the same for the colour of a band. */
const COLOUR = /(?:--|\.band-)([\w-]+)(?:: | \{\s*--band: )(?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\))?;/g;
const colours = [...tokens.matchAll(COLOUR)];
const light: Tokens = Object.fromEntries(colours.map(([, name, colour]) => [name!, colour!]));
const dark: Tokens = Object.fromEntries(colours.map(([, name, colour, inDark]) => [name!, inDark ?? colour!]));

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

const BANDS = Object.keys(light).filter((name) => /^\d+c?m$/.test(name));

const ON_GROUNDS = ["ground", "surface", "rail", "sunken", "hover", "sel", "chosen"];

const PAIRS: readonly [text: string, ground: string, least: number][] = [
  ...ON_GROUNDS.flatMap((ground): [string, string, number][] =>
    ["text", "muted", "faint", "link", "conf-ink", "worked-ink", "bad"].map((text) => [text, ground, TEXT]),
  ),
  ["on-ink", "ink", TEXT],
  ["on-ink", "ink-2", TEXT],
  ["conf-ink", "conf-soft", TEXT],
  ["worked-ink", "worked-soft", TEXT],
  ["bad", "bad-soft", TEXT],
  ...["conf-soft", "worked-soft"].flatMap((ground): [string, string, number][] => [
    ["text", ground, TEXT],
    ["muted", ground, TEXT],
    ["link", ground, TEXT],
  ]),
  ["on-conf", "conf", TEXT],
  ["on-new", "new", TEXT],
  ["new-ink", "surface", TEXT],
  ["lcd-ink", "lcd", TEXT],
  ["lcd-dim", "lcd", TEXT],
  ...["ground", "surface", "rail", "sel"].flatMap((ground): [string, string, number][] => [
    ["needle", ground, CONTROL],
    ["focus", ground, CONTROL],
  ]),
  ["edge-strong", "surface", CONTROL],
  ["worked-edge", "surface", CONTROL],
  ["conf", "surface", CONTROL],
  ...BANDS.map((band): [string, string, number] => [band, "surface", CONTROL]),
  ["map-conf", "land", 2.5],
  ["land", "sea", 1.5],
  ["coast", "sea", 2.5],
  ...["s1", "s2", "s3", "s4", "s5"].map((step, at): [string, string, number] => [step, `s${at}`, 1.15]),
];

test.each([
  ["light", light],
  ["dark", dark],
] as const)("every text is readable on its background in %s", (_name, tokens) => {
  const weak = PAIRS.filter(([text, ground, least]) => !(contrast(tokens[text]!, tokens[ground]!) >= least));

  expect(BANDS).toHaveLength(14);
  expect(Object.keys(tokens).length).toBeGreaterThan(50);
  expect(weak).toEqual([]);
});

test("contrast is computed as WCAG does", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 1);
});

test("colours are only used through tokens, motion can be reduced, and focus is visible", () => {
  const rules = Object.values(others).join("\n");

  expect(rules.replaceAll("#more", "").match(/#[0-9a-f]{3,8}\b|\brgb|\bhsl/gi)).toBeNull();
  expect(rules).toContain(":focus-visible");
  const moving = [...rules.matchAll(/animation: \w+ (?!0s)/g)];
  expect(moving).toHaveLength(1);
  expect(moving[0]!.index).toBeGreaterThan(rules.indexOf("prefers-reduced-motion: no-preference"));
});

/** What is left of the colours for protanopes, deuteranopes and tritanopes: Machado, Oliveira and Fernandes, 2009. */
const EYES: Readonly<Record<string, readonly number[]>> = {
  protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
  all: [1, 0, 0, 0, 1, 0, 0, 0, 1],
};

const multiply = (matrix: readonly number[], [a, b, c]: readonly number[]): number[] =>
  [0, 3, 6].map((row) => matrix[row]! * a! + matrix[row + 1]! * b! + matrix[row + 2]! * c!);

const TO_XYZ = [0.4124, 0.3576, 0.1805, 0.2126, 0.7152, 0.0722, 0.0193, 0.1192, 0.9505];
const WHITE = [0.9505, 1, 1.089];

const labOf = (colour: string, eyes: readonly number[]): number[] => {
  const linear = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const seen = multiply(eyes, linear).map((part) => Math.min(1, Math.max(0, part)));
  const [x, y, z] = multiply(TO_XYZ, seen).map((value, at) => {
    const part = value / WHITE[at]!;
    return part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116;
  });
  return [116 * y! - 16, 500 * (x! - y!), 200 * (y! - z!)];
};

const difference = (a: string, b: string, eyes: readonly number[]): number =>
  Math.hypot(...labOf(a, eyes).map((value, at) => value - labOf(b, eyes)[at]!));

test.each([
  ["light", light],
  ["dark", dark],
] as const)("the states of a map differ for every kind of eyes in %s", (_name, tokens) => {
  const pairs = [
    ["map-conf", "worked-edge"],
    ["map-conf", "land"],
    ["map-conf", "sea"],
    ["worked-edge", "land"],
    ["worked-edge", "worked-soft"],
    ["land", "sea"],
  ] as const;
  const close = Object.entries(EYES).flatMap(([eyes, matrix]) =>
    pairs
      .map(([a, b]) => ({ eyes, a, b, difference: Math.round(difference(tokens[a]!, tokens[b]!, matrix)) }))
      .filter((pair) => pair.difference < MIN_DIFFERENCE),
  );

  expect(close).toEqual([]);
});

/** About ten times what one just notices when two areas touch. */
const MIN_DIFFERENCE = 15;
