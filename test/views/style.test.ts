import { expect, test } from "bun:test";
import { PageProgress } from "../../src/server/pages/page-progress.ts";
import { STYLE } from "../../views/assets/style.ts";
import { everyView } from "./every-view.ts";

/** States that only a browser or a script adds to an element, and elements that a script adds. */
const AT_RUN_TIME =
  /\.leads| \.cursor|\.htmx-request(?::not\([^)]*\))? |\[open\]|:has\(input:checked\)|:has\(\+ \*\)|:has\(#panel:popover-open\)|\[aria-selected="true"\]|\[aria-current\](?= |$)/g;

const selectorsIn = (css: string): string[] =>
  [...css.replaceAll(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^{}]+)\{(?=[^{}]*\})/g)]
    .map(([, selectors]) => selectors!.trim())
    .flatMap((selectors) => selectors.split(/,(?![^(]*\))/))
    .map((selector) => selector.trim().replaceAll(/\s+/g, " "));

/** The elements of a selector without their states, in the syntax of HTMLRewriter. */
const elementsOf = (selector: string): string[] =>
  withoutChoices(selector.replaceAll(AT_RUN_TIME, "")).map((one) =>
    one
      .replaceAll(/[^\s>]+ \+ /g, "")
      .replaceAll(/:(not|has)\([^)]*\)/g, "")
      .split(" ")
      .map((word) => word.replaceAll(/::?(?!nth-child)[\w-]+/g, "") || "*")
      .join(" "),
  );

const withoutChoices = (selector: string): string[] => {
  const [all, words] = /:is\(([^)]*)\)/.exec(selector) ?? [];
  return all ? words!.split(",").flatMap((word) => withoutChoices(selector.replace(all, word.trim()))) : [selector];
};

/** Selectors that match no element of the markup. */
const unanswered = async (selectors: readonly string[], markup: string): Promise<string[]> => {
  const heard = new Set<string>();
  const rewriter = new HTMLRewriter();
  for (const selector of selectors) {
    for (const one of elementsOf(selector)) rewriter.on(one, { element: () => void heard.add(selector) });
  }
  await rewriter.transform(new Response(markup)).text();
  return selectors.filter((selector) => !heard.has(selector));
};

const SELECTORS = [...new Set(selectorsIn(STYLE))].filter((selector) => !/^(:root|\d+%)$/.test(selector));

/** What a page sends while a large log is being read. */
const progressLine = async () => (await Array.fromAsync(new PageProgress().until(Promise.resolve("")))).join("");

test("every rule matches an element of some page", async () => {
  expect(SELECTORS.length).toBeGreaterThan(200);
  const views = await everyView();
  expect(await unanswered(SELECTORS, [await progressLine(), ...views.map(({ html }) => html)].join(""))).toEqual([]);
});

test("every token is used, and every used token exists", () => {
  const told = new Set([...STYLE.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const used = new Set([...STYLE.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));

  expect([...used].sort()).toEqual([...told].sort());
});

test("a rule without an element is found, whatever its selector", async () => {
  const dead = [".gone", "p > .here", "h2 .here:hover", "main :is(h2, h3)", ".here[open] b::before", "ol, ul"];
  const markup = `<main class="here"><p><b class="other">x</b></p></main>`;

  expect(await unanswered(selectorsIn(dead.map((one) => `${one} { top: 0; }`).join("")), markup)).toEqual([
    ".gone",
    "p > .here",
    "h2 .here:hover",
    "main :is(h2, h3)",
    "ol",
    "ul",
  ]);
});
