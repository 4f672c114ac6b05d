// How many files an addition touches, counted for an existing example: bun run recipes [--write] [--column contestId …]
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dir, "../..");
const PAPER = join(ROOT, "docs/ARCHITECTURE.md");

/** The kinds of additions, the example that is counted, and how files mention it. */
const RECIPES = {
  award: { example: "wac-5band", mentions: (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`) },
  column: {
    example: "county",
    mentions: (name: string) =>
      new RegExp(`\\b(${name}|${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)})\\b`),
  },
  command: { example: "healthcheck", mentions: (name: string) => new RegExp(`\\b${name}\\b`) },
  page: {
    example: "admin/actions",
    mentions: (name: string) => new RegExp(`(?<!api/)\\b${name}\\b|pages/${name.replaceAll("/", "-")}\\b`),
  },
};

type Recipe = keyof typeof RECIPES;

/** Folders that people edit. Captures and fixtures are generated. */
const PLACES = {
  program: ["src", "cli", "views", "migrations"],
  tests: ["test"],
  papers: ["docs/CONTRACT.md", "docs/security.md"],
};
const WRITTEN_BY_RUNS = /^test\/([\w-]+\/)*(golden|fixtures)\//;

type Place = keyof typeof PLACES;

interface Count {
  what: Recipe;
  example: string;
  files: Record<Place, string[]>;
}

const filesIn = (place: string): string[] =>
  /\.\w+$/.test(place)
    ? [place]
    : readdirSync(join(ROOT, place), { recursive: true, encoding: "utf8" })
        .map((file) => join(place, file))
        .filter((file) => /\.(tsx?|sql|css)$/.test(file) && !WRITTEN_BY_RUNS.test(file) && file !== OWN);

const OWN = "test/support/recipes.ts";

const mentioned = (place: Place, pattern: RegExp): string[] =>
  PLACES[place]
    .flatMap(filesIn)
    .filter((file) => pattern.test(file) || pattern.test(readFileSync(join(ROOT, file), "utf8")))
    .sort();

export const counts = (examples: Partial<Record<Recipe, string>> = {}): Count[] =>
  (Object.keys(RECIPES) as Recipe[]).map((what) => {
    const example = examples[what] ?? RECIPES[what].example;
    const pattern = RECIPES[what].mentions(example);
    const [program, tests, papers] = (["program", "tests", "papers"] as const).map((place) =>
      mentioned(place, pattern),
    ) as [string[], string[], string[]];
    return { what, example, files: { program, tests, papers } };
  });

const HEADING = "| an addition | counted on | program | tests | papers |\n|---|---|---|---|---|\n";

/** The table in docs/ARCHITECTURE.md. */
export const tableOf = (counted: readonly Count[]): string =>
  HEADING +
  counted
    .map(
      ({ what, example, files: { program, tests, papers } }) =>
        `| ${what} | \`${example}\` | ${program.length} | ${tests.length} | ${papers.length} |\n`,
    )
    .join("");

const TABLE = new RegExp(`${HEADING.replaceAll("|", "\\|")}(\\|.*\\n)+`);

export const examplesTold = (paper: string): Partial<Record<Recipe, string>> =>
  Object.fromEntries(
    [...paper.matchAll(/^\| (\w+) \| `([^`]+)` \| \d+ \| \d+ \| \d+ \|$/gm)].map(([, a, b]) => [a, b]),
  );

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      award: { type: "string" },
      column: { type: "string" },
      command: { type: "string" },
      page: { type: "string" },
      write: { type: "boolean" },
    },
  });
  const paper = readFileSync(PAPER, "utf8");
  const { write, ...named } = values;
  const counted = counts({ ...examplesTold(paper), ...named });
  for (const { what, example, files } of counted) {
    console.log(`${what}, counted on ${example}`);
    for (const file of Object.values(files).flat()) console.log(`  ${file}`);
  }
  console.log(`\n${tableOf(counted)}`);
  if (write) writeFileSync(PAPER, paper.replace(TABLE, tableOf(counted)));
}
