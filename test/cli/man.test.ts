import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { aDirectory } from "../support/directory.ts";
import { aShell, cleanEnvironment } from "../support/qsolog.ts";

const isThere = (program: string) => Bun.which(program) !== null;

/** The page as a reader sees it, without what marks bold letters. */
const readable = (shown: string) => shown.replace(/\x1b\[[0-9;]*m/g, "").replace(/.\x08/g, "");

test.skipIf(!isThere("groff"))("the manual page is valid roff, at any width", async () => {
  const { code, out } = await aShell()(["man"]);

  expect(code).toBe(0);
  for (const width of ["80n", "50n"]) {
    const groff = Bun.spawnSync(["groff", "-man", "-Tutf8", "-ww", `-rLL=${width}`], { stdin: Buffer.from(out) });
    expect([groff.exitCode, groff.stderr.toString()]).toEqual([0, ""]);
  }
});

test.skipIf(!isThere("man"))("man shows it, with every command, its options and examples", async () => {
  const qsolog = aShell();
  const file = join(aDirectory(), "qsolog.1");
  writeFileSync(file, (await qsolog(["man"])).out);

  const man = Bun.spawnSync(["man", "--warnings=w", "-l", file], { env: cleanEnvironment({ MANWIDTH: "100" }) });
  const page = readable(man.stdout.toString());

  expect([man.exitCode, man.stderr.toString()]).toEqual([0, ""]);
  expect(page).toContain("qsolog - a contact log service for radio amateurs");
  for (const words of ["qsolog sync <lotw|qrz|all>", "qsolog jobs list", "qsolog awards [award] [needed]"]) {
    expect(page).toContain(words);
  }
  expect(page).toContain("--since <date>");
  expect(page).toContain('$ qsolog qso edit 1017 --name ""');
  expect(page).toContain("a path, sqlite:PATH or postgres://…");
  expect(page).toMatch(/EXIT STATUS\n +0 +done/);
  expect(page).toMatch(/QSOLOG_DATA_DIR\n/);
});

test("as JSON it is a document, and it is the same in every locale", async () => {
  const qsolog = aShell();
  const plain = await qsolog(["man"]);

  expect(JSON.parse((await qsolog(["man", "--json"])).out)).toEqual({ page: plain.out });
  expect((await qsolog(["man"], { env: { LC_ALL: "C" } })).out).toBe(plain.out);
  expect(plain.out).toMatch(/^[\x00-\x7f]*$/);
});
