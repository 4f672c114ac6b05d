import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentsOf } from "../../src/storage/engine/sqlite-file.ts";
import { aDirectory } from "../support/directory.ts";
import { aShell, cleanEnvironment, PASSWORD, ROOT } from "../support/qsolog.ts";

setDefaultTimeout(120_000);

const SCRIPT = join(ROOT, "deploy/backup.sh");

/** The nightly script, run by a shell on a database with one user. */
const aNight = async () => {
  const qsolog = aShell();
  await qsolog(["admin", "create", "ann", "--password-stdin"], { stdin: PASSWORD });
  const program = join(aDirectory(), "qsolog");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, "cli/main.ts")}" "$@"\n`);
  chmodSync(program, 0o755);
  const copies = aDirectory();
  const backUp = async (words: readonly string[], env: Record<string, string> = {}) => {
    const child = Bun.spawn(["sh", SCRIPT, ...words], {
      env: cleanEnvironment({ QSOLOG_DATA_DIR: qsolog.dataDir, QSOLOG: program, ...env }),
      stdio: ["ignore", "ignore", "pipe"],
    });
    return { code: await child.exited, err: await child.stderr.text() };
  };
  return { copies, backUp };
};

const OLD = ["20240101T030000Z", "20240102T030000Z", "20240103T030000Z"].map((at) => `qsolog-${at}.db`);
const OTHERS = ["qsolog-before-the-move.db", "letter.txt", "qsolog-20240101T030000Z.db.gz"];

// Defence: the backup script deletes old backups and nothing else
test("the newest backups are kept and valid, and no other file is touched", async () => {
  const { copies, backUp } = await aNight();
  for (const file of [...OLD, ...OTHERS]) writeFileSync(join(copies, file), "x");

  expect((await backUp([copies, "2"])).code).toBe(0);

  const left = readdirSync(copies).sort();
  const made = left.find((file) => /^qsolog-20(2[5-9]|[3-9]\d)\d{4}T\d{6}Z\.db$/.test(file))!;
  expect(left).toEqual([OLD[2]!, made, ...OTHERS].sort());
  expect(contentsOf(join(copies, made))).toMatchObject({ users: 1, qsos: 0 });
});

// Defence: the backup script deletes old backups and nothing else
test("a failed backup removes no older one and is reported", async () => {
  const { copies, backUp } = await aNight();
  for (const file of OLD) writeFileSync(join(copies, file), "x");

  const nowhere = await backUp([copies, "1"], { QSOLOG_DATA_DIR: join(copies, "nowhere") });
  const none = await backUp([copies, "none"]);
  const zero = await backUp([copies, "0"]);

  expect(nowhere.code).not.toBe(0);
  expect(nowhere.err).toContain("There is no database");
  expect([none.code, zero.code, (await backUp([])).code > 0]).toEqual([2, 2, true]);
  expect(readdirSync(copies).sort()).toEqual(OLD);
});
