import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { leavesOf } from "../cli/command-tree.ts";
import { GROUPS } from "../cli/groups.ts";
import { environmentName, SETTINGS } from "../src/config.ts";
import { AWARD_IDS } from "../src/domain/award.ts";
import { commandTree } from "./cli/program.ts";

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

/** The commands in the first column of a paper's tables, each as its words. */
const commandsIn = (paper: string): string[][] =>
  [...textOf(paper).matchAll(/^\| (`.+?`) \| /gm)]
    .flatMap(([, cell]) => [...cell!.matchAll(/`([^`]+)`/g)])
    .map(([, command]) => command!.match(/[a-z]+/g) ?? []);

test("every command has its row in the README and in the contract", async () => {
  const commands = leavesOf(await commandTree()).map(({ words }) => words);

  for (const paper of ["README.md", "docs/CONTRACT.md"]) {
    const named = commandsIn(paper);
    const isThere = ([group, ...words]: readonly string[]) =>
      named.some(([first, ...others]) => first === group && words.every((word) => others.includes(word)));
    expect([paper, commands.filter((words) => !isThere(words))]).toEqual([paper, []]);
  }
});

test("the commands that can ask a server are those the papers name", () => {
  const remote = GROUPS.filter(({ isRemote }) => isRemote).map(({ name }) => name);

  for (const paper of ["README.md", "docs/CONTRACT.md"]) {
    const [, list] = textOf(paper).match(/((?:`[a-z]+`(?:, |,\n| and ))+`[a-z]+`) ask a server/)!;
    const named = [...list!.matchAll(/[a-z]+(?=`)/g)].map(([name]) => name);
    expect([paper, named.sort()]).toEqual([paper, remote.toSorted()]);
  }
});

test("the contract names every award, in its order", () => {
  const [, named] = textOf("docs/CONTRACT.md").match(/^Awards: `([^`]+)`/m)!;

  expect(named!.split(/\s+/)).toEqual([...AWARD_IDS]);
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
