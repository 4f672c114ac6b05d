// Runs the benchmarks: bun run bench [--contacts N] [--postgres] [--against REV] [suite…]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import adif from "./adif.ts";
import awards from "./awards.ts";
import disk from "./disk.ts";
import executable from "./executable.ts";
import { bestOf, printFigures, type Figure } from "./figure.ts";
import lists from "./lists.ts";
import { Bench } from "./log.ts";
import { ran, type Program } from "./program.ts";
import server from "./server.ts";
import statistics from "./statistics.ts";
import sync from "./sync.ts";

type Suite = (bench: Bench, program: Program) => Promise<Figure[]>;

const SUITES: Record<string, Suite> = { statistics, lists, sync, awards, adif, server, executable, disk };
const ON_POSTGRES = ["statistics", "lists"];

const ROOT = resolve(import.meta.dir, "../..");
const CONTACTS = 100_000;
/** With --against, each suite runs this often on both versions, alternating so that load affects both equally. */
const ROUNDS_AGAINST = 2;
const USAGE = 2;

const main = async (words: string[]): Promise<number> => {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { contacts: { type: "string" }, postgres: { type: "boolean" }, against: { type: "string" } },
  });
  const measurable = values.postgres ? ON_POSTGRES : Object.keys(SUITES);
  const chosen = positionals.length > 0 ? positionals : measurable;
  const contacts = Number(values.contacts ?? CONTACTS);
  const unknown = chosen.filter((name) => !measurable.includes(name));
  if (unknown.length > 0 || !(contacts > 0)) {
    console.error(
      unknown.length > 0
        ? `No suite ${unknown.join(", ")}. Choose from ${measurable.join(", ")}.`
        : "--contacts needs a number.",
    );
    return USAGE;
  }
  const current = { name: "current", directory: ROOT };
  const older = values.against === undefined ? null : checkedOut(values.against);
  const bench = new Bench({ contacts, onPostgres: values.postgres === true });
  try {
    let isKept = true;
    for (const name of chosen) {
      console.log(`\n${name}`);
      isKept = (await measure(SUITES[name]!, bench, current, older)) && isKept;
    }
    return isKept ? 0 : 1;
  } finally {
    await bench.end();
    if (older) {
      git("worktree", "remove", "--force", older.directory);
      rmSync(dirname(older.directory), { recursive: true });
    }
  }
};

const measure = async (suite: Suite, bench: Bench, current: Program, older: Program | null): Promise<boolean> => {
  if (!older) return printFigures(await suite(bench, current));
  const [before, now]: [Figure[][], Figure[][]] = [[], []];
  for (let round = 0; round < ROUNDS_AGAINST; round++) {
    before.push(await suite(bench, older));
    now.push(await suite(bench, current));
  }
  return printFigures(bestOf(now), bestOf(before));
};

/** Another commit in a directory of its own, with its dependencies. */
const checkedOut = (revision: string): Program => {
  const directory = join(mkdtempSync(join(tmpdir(), "qsolog-bench-")), "against");
  git("worktree", "add", "--detach", directory, revision);
  ran([process.execPath, "install", "--frozen-lockfile", "--silent", "--cwd", directory]);
  return { name: revision, directory };
};

const git = (...words: string[]): void => void ran(["git", "-C", ROOT, ...words]);

// Exit instead of dying from the signal, so that no server is left running.
process.on("SIGINT", () => process.exit(130));
process.exit(await main(process.argv.slice(2)));
