import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentName, SETTINGS } from "../src/config.ts";

const ROOT = join(import.meta.dir, "..");
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

interface Named {
  file: string;
  name: string;
}

/** What the last column of a table of promises names: `file`: a test; another; `file`: a test. */
const testsNamedIn = (paper: string): Named[] =>
  [...textOf(paper).matchAll(/^\|[^|]*\| test \|\n((?:\|.*\n)+)/gm)]
    .flatMap(([, rows]) => rows!.split("\n"))
    .filter((line) => /^\|.*\|.*`[\w/-]+`.*\|$/.test(line))
    .flatMap((line) => {
      const cell = line.split(" | ").at(-1)!.replace(/ \|$/, "");
      return [...cell.matchAll(/`([a-z0-9-]+(?:\/[a-z0-9-]+)*)`: ((?:[^;`]|`[^`]*`(?!:))*(?:; (?!`)[^;`]*)*)/g)];
    })
    .flatMap(([, file, names]) => names!.split("; ").map((name) => ({ file: file!, name: name.trim() })))
    .filter(({ name }) => name !== "");

const plain = (text: string): string => text.replaceAll(/[\\`]/g, "");

/** The pieces between what differs from run to run. */
const isIn = ({ file, name }: Named): boolean => {
  const path = join(ROOT, "test", `${file}.test.ts`);
  return (
    existsSync(path) &&
    plain(name)
      .split("…")
      .every((piece) => plain(readFileSync(path, "utf8")).includes(piece.trim()))
  );
};

for (const paper of ["docs/SECURITY.md", "docs/ARCHITECTURE.md"]) {
  test(`every test that ${paper} leans on is there, under its name`, () => {
    const named = testsNamedIn(paper);

    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((one) => !isIn(one))).toEqual([]);
  });
}

test("every setting has its line in the README, and no other has", () => {
  const table = textOf("README.md").split("## Configuration")[1]!.split("## Command line")[0]!;
  const rows = table.split("\n").filter((line) => line.startsWith("| `QSOLOG_"));
  const named = rows.flatMap((row) => [...row.split("|")[1]!.matchAll(/QSOLOG_\w+/g)].map(([name]) => name));

  expect(named.sort()).toEqual(SETTINGS.map(environmentName).sort());
});

test("the pictures of the README are there, and light", () => {
  const pictures = [...new Set(textOf("README.md").match(/docs\/images\/[\w-]+\.png/g))];

  expect(pictures.length).toBeGreaterThan(4);
  for (const picture of pictures) expect(Bun.file(join(ROOT, picture)).size).toBeWithin(1_000, 150_000);
});

test("every paper leads to files that are there", () => {
  for (const paper of [
    "README.md",
    "CONTRIBUTING.md",
    "docs/ARCHITECTURE.md",
    "docs/CONTRACT.md",
    "docs/SECURITY.md",
  ]) {
    const places = [...textOf(paper).matchAll(/\]\(([^)#]+)\)/g)].map(([, place]) => place!);
    const own = places.filter((place) => !/^https?:/.test(place));
    expect([paper, own.filter((place) => !existsSync(join(ROOT, paper, "..", place)))]).toEqual([paper, []]);
  }
});
