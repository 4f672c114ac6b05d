import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { version } from "../../package.json";
import { readCommit, formatVersion } from "../../cli/version.ts";
import { aDirectory } from "../support/directory.ts";
import { aShell, SOURCES } from "../support/qsolog.ts";

const HASH = "0123456789abcdef0123456789abcdef01234567";
const OTHER = "f".repeat(40);

const aCheckout = (files: Record<string, string>): string => {
  const directory = aDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
};

test.each([
  ["of a branch", { ".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": `${HASH}\n` }, "0123456"],
  [
    "of a packed branch",
    {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/packed-refs": `# pack-refs\n${OTHER} refs/heads/x\n${HASH} refs/heads/main\n`,
    },
    "0123456",
  ],
  ["without a branch", { ".git/HEAD": `${HASH}\n` }, "0123456"],
  ["before the first commit", { ".git/HEAD": "ref: refs/heads/main\n" }, null],
  ["that is garbled", { ".git/HEAD": "\x00\x01" }, null],
  ["that is none", {}, null],
])("the commit of a checkout %s is %p", (_, files, expected) => {
  expect(readCommit(aCheckout(files as Record<string, string>))).toBe(expected as string | null);
});

test("a second work tree has its own HEAD and shares the branches", () => {
  const main = aCheckout({
    ".git/refs/heads/topic": `${HASH}\n`,
    ".git/worktrees/second/HEAD": "ref: refs/heads/topic\n",
    ".git/worktrees/second/commondir": "../..\n",
  });
  const second = aCheckout({ ".git": `gitdir: ${join(main, ".git/worktrees/second")}\n` });

  expect(readCommit(second)).toBe("0123456");
});

test("unknown parts are left out", () => {
  expect(formatVersion({ version: "1.2.3", commit: null, bun: "1.4.5", sqlite: null })).toBe(
    "qsolog 1.2.3 (Bun 1.4.5)",
  );
});

test("--version prints release, commit and engine, as text and as JSON", async () => {
  // The executable shows the commit it was built from.
  const qsolog = aShell(SOURCES);
  const env = { QSOLOG_COMMIT: "abc1234" };

  const words = await qsolog(["--version"], { env });
  const json = await qsolog(["-V", "--json"], { env });

  expect(words).toEqual({
    code: 0,
    out: `qsolog ${version} (abc1234, Bun ${Bun.version}, SQLite ${process.versions.sqlite})\n`,
    err: "",
  });
  expect(JSON.parse(json.out)).toEqual({
    version,
    commit: "abc1234",
    bun: Bun.version,
    sqlite: process.versions.sqlite,
  });
});
