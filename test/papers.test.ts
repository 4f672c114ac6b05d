import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { leavesOf } from "../cli/command-tree.ts";
import { GROUPS } from "../cli/groups.ts";
import { SETTINGS } from "../src/config.ts";
import { AWARD_IDS } from "../src/domain/awards/award.ts";
import { PAGE_ROUTES } from "../src/server/pages/page-routes.ts";
import { MAX_CONNECTIONS } from "../src/storage/engine/postgres.ts";
import { commandTree } from "./cli/program.ts";
import { counts, examplesTold, tableOf } from "./support/recipes.ts";
import { referencePages } from "./support/docs.ts";
import { promises } from "./support/promises.ts";

const ROOT = join(import.meta.dir, "..");
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** The list items of a chapter, one line each. */
const listItems = (paper: string, chapter: string | null): string[] => {
  const all = textOf(paper);
  const text = chapter === null ? all : all.split(`\n## ${chapter}\n`)[1]!.split("\n## ")[0]!;
  return [...text.matchAll(/^- (.+(?:\n {2}.+)*)$/gm)].map(([, item]) => item!.replaceAll("\n  ", " "));
};

test.each([
  ["docs/invariants.md", null, "Invariant"],
  ["docs/security.md", "Defences", "Defence"],
] as const)("%s lists exactly what tests prove", (paper, chapter, kind) => {
  const held = promises().filter((one) => one.kind === kind);

  expect(held.length).toBeGreaterThan(60);
  expect(held.filter(({ hasTest }) => !hasTest)).toEqual([]);
  expect(listItems(paper, chapter).sort()).toEqual([...new Set(held.map(({ what }) => what))].sort());
});

/** The number of level 1 and 2 requirements in each section of ASVS 5.0, numbered from 1. */
const REQUIREMENTS = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2
  4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2
  7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3
  11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3
  15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2`;

/** Expands `1.2.6–1.2.8` to three requirements. */
const requirementsIn = (cell: string): string[] =>
  [...cell.matchAll(/(\d+\.\d+)\.(\d+)(?:–\1\.(\d+))?/g)].flatMap(([, section, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${section}.${Number(first) + at}`),
  );

test("docs/asvs.md says for every requirement of ASVS levels 1 and 2 whether it is met", () => {
  const rows = rowsOf(textOf("docs/asvs.md")).filter(([first]) => /^\d/.test(first!));
  const wanted = [...REQUIREMENTS.matchAll(/(\S+):(\d+)/g)].flatMap(([, section, count]) =>
    Array.from({ length: Number(count) }, (_, at) => `${section}.${at + 1}`),
  );

  expect(wanted.length).toBe(253);
  expect(rows.flatMap(([first]) => requirementsIn(first!))).toEqual(wanted);
  expect(rows.filter(([, verdict]) => !/^(met|part|no|yours|–)$/.test(verdict!))).toEqual([]);
  const unexplained = rows.filter(
    ([, verdict, why = ""]) => verdict !== "met" && why.replace(" |", "").trim().length < 5,
  );
  expect(unexplained.map(([first, verdict]) => [first, verdict])).toEqual([]);
});

test("the table of recipes in docs/ARCHITECTURE.md has the current counts", () => {
  const paper = textOf("docs/ARCHITECTURE.md");

  expect(paper).toContain(tableOf(counts(examplesTold(paper))));
});

test("every suite of the bench named in a document exists", () => {
  const suites = textOf("test/bench/run.ts")
    .match(/SUITES[^=]*= \{ (.*) \}/)![1]!
    .split(", ");
  const papers = ["*.md", "docs/**/*.md"].flatMap((glob) => [...new Bun.Glob(glob).scanSync(ROOT)]);
  const named = papers.flatMap((paper) => [...textOf(paper).matchAll(/`(?:bun run )?bench ([a-z ]+)`/g)]);
  const words = named.flatMap(([, names]) => names!.split(" "));

  expect(words.length).toBeGreaterThan(1);
  expect(words.filter((word) => !suites.includes(word))).toEqual([]);
});

test("docs/operate.md names the limits that the program has", () => {
  const paper = textOf("docs/operate.md");
  const { fallback } = SETTINGS.find(({ name }) => name === "syncConcurrency")!;

  expect(paper).toContain(`| ${MAX_CONNECTIONS} per instance; \`max_connections\` of 100`);
  expect(paper).toContain(`enough for ${Math.floor(97 / MAX_CONNECTIONS)} instances`);
  expect(paper).toContain(`| ${String(fallback(""))} per instance, up to 64 (\`QSOLOG_SYNC_CONCURRENCY\`)`);
});

test("the contract names the commands that can ask a server", () => {
  const remote = GROUPS.filter(({ isRemote }) => isRemote).map(({ name }) => name);
  const [, list] = textOf("docs/CONTRACT.md").match(/((?:`[a-z]+`(?:,\s+|\s+and\s+))+`[a-z]+`)\s+ask\s+a\s+server/)!;
  const named = [...list!.matchAll(/[a-z]+(?=`)/g)].map(([name]) => name);

  expect(named.sort()).toEqual(remote.toSorted());
});

test("the contract names every award, in its order", () => {
  const [, named] = textOf("docs/CONTRACT.md").match(/^Awards: `([^`]+)`/m)!;

  expect(named!.split(/\s+/)).toEqual([...AWARD_IDS]);
});

const rowsOf = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.slice(2).split(" | "));

// Invariant: the documentation lists what the program has
test("the reference pages equal the output of bun run docs", async () => {
  for (const [file, text] of Object.entries(await referencePages())) {
    expect([file, textOf(file) === text]).toEqual([file, true]);
  }
});

// Invariant: the documentation lists what the program has
test("the contract has every page and every health check", () => {
  const contract = textOf("docs/CONTRACT.md");
  const pages = PAGE_ROUTES.filter(({ spec }) => spec.method === "GET").map(({ spec }) => spec.path);

  expect(pages.filter((path) => !contract.includes(`\`${path}\``))).toEqual([]);
  for (const path of ["/healthz", "/metrics", "/readyz"]) expect(contract).toContain(`| GET \`${path}\``);
});

test("the contract has every rule that refuses something", () => {
  const sources = [...new Bun.Glob("{src,cli}/**/*.{ts,tsx}").scanSync(ROOT)].map(textOf);
  const rules = sources.flatMap((text) => [...text.matchAll(/\brule: "(\w+)"(?! \|)/g)].map(([, rule]) => rule!));
  const told = rowsOf(textOf("docs/CONTRACT.md")).map(([name]) => name!);

  expect(rules.length).toBeGreaterThan(15);
  expect(rules.filter((rule) => !told.includes(`\`${rule}\``))).toEqual([]);
});

// Invariant: the documentation lists what the program has
test("the contract has every command with its options", async () => {
  const commands = leavesOf(await commandTree()).filter(({ commands: below }) => below.length === 0);
  const contract = rowsOf(textOf("docs/CONTRACT.md").split("## Command line")[1]!.split("## Serving")[0]!);
  /** Options of every command, or those documented for several. */
  const isTold = (flag: string, options: string) =>
    /^--(json|data-dir|database-url|server|insecure)$/.test(flag) ||
    /the same|the fields|the filters|every flag/.test(options) ||
    options.includes(flag);
  const missing = commands.flatMap(({ words, flags }) => {
    const name = words.join(" ");
    const row = contract.find(([names]) => names!.includes(`\`${name}`));
    return [
      ...(row ? [] : [`${name} in the contract`]),
      ...flags.filter((flag) => row && !isTold(flag.name, row.join(" "))).map((flag) => `${name} ${flag.name}`),
    ];
  });

  expect(missing).toEqual([]);
});

const PAPERS = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...[...new Bun.Glob("docs/**/*.md").scanSync(ROOT)].sort(),
];

test("every picture is used by a document and is small", () => {
  const pictures = [...new Bun.Glob("docs/images/*.png").scanSync(ROOT)];
  const shown = PAPERS.map(textOf).join("");

  expect(pictures.length).toBeGreaterThan(4);
  for (const picture of pictures) {
    expect(shown).toContain(picture.replace("docs/", ""));
    expect(Bun.file(join(ROOT, picture)).size).toBeWithin(1_000, 150_000);
  }
});

/** The anchor that Markdown viewers give a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsIn = (paper: string): string[] =>
  [...textOf(paper).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

/** Links in text and images, except in code. */
const linksIn = (paper: string): string[] => {
  const text = textOf(paper)
    .replaceAll(/^```.*?^```$/gms, "")
    .replaceAll(/`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(([, link, source]) => link ?? source!);
};

test("every relative link leads to an existing file and heading", () => {
  const links = PAPERS.flatMap((paper) => linksIn(paper).map((link) => ({ paper, link })));
  const broken = links.filter(({ paper, link }) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path, anchor] = link.split("#") as [string, string?];
    const target = path === "" ? paper : join(paper, "..", path);
    return !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsIn(target).includes(anchor));
  });

  expect(links.length).toBeGreaterThan(60);
  expect(broken).toEqual([]);
});
