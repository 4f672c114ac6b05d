import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as syncJobs from "../../src/storage/jobs/sync-jobs.ts";
import { logOf } from "../support/sync.ts";
import { callOf } from "../sync/services.ts";
import { aCommandLine, type CommandLine } from "./services.ts";

const DATABASE = "database: <data>/qsolog.db\n";

const record = (call: string, more: Record<string, string> = {}): string => {
  const fields = { CALL: call, QSO_DATE: "20260718", TIME_ON: "0143", BAND: "20m", MODE: "CW", ...more };
  return `${Object.entries(fields)
    .map(([name, value]) => `<${name}:${value.length}>${value}`)
    .join("")}<EOR>\n`;
};

const aFile = ({ world }: CommandLine, text: string): string => {
  const path = join(world.dataDir, "log.adi");
  writeFileSync(path, text);
  return path;
};

const jobsOf = ({ world, bob }: CommandLine) => world.db.read(() => syncJobs.list({ userId: bob.id, limit: 10 }));

test("an import prints its counts and how to undo it", async () => {
  const line = await aCommandLine();
  const path = aFile(line, `<EOH>\n${record("K1AAA")}${record("K2BBB")}${record("K1AAA")}${record("", {})}`);

  expect(await line.qsolog(["qso", "import", path])).toMatchObject({
    code: 0,
    out:
      "4 records: 2 added, 0 changed, 1 already known, 0 unmatched, 1 rejected; 0 newly confirmed.\n" +
      "1 record was unresolved: qsolog jobs show 1 --leftovers\n" +
      "1 of the unchanged records was in the file more than once.\n" +
      "To undo it: qsolog rollback 1 --undo\n",
    err: DATABASE,
    over: [],
  });
  expect((await line.qsolog(["qso", "import", path])).out).toStartWith(
    "4 records: 0 added, 0 changed, 3 already known",
  );
  const { job } = JSON.parse((await line.qsolog(["qso", "import", path, "--json"])).out);
  expect(job).toMatchObject({ source: "file", trigger: "cli", status: "completed", stats: { unchanged: 3 } });
});

test("--undo undoes a completed import; without it that is refused", async () => {
  const line = await aCommandLine();
  const path = aFile(line, `<EOH>\n${record("K1AAA")}`);
  await line.qsolog(["qso", "import", path]);
  const before = await logOf(line.world, line.bob.id);
  writeFileSync(path, `<EOH>\n${record("K1AAA", { QTH: "Home" })}${record("K2BBB")}`);
  await line.qsolog(["qso", "import", path]);

  expect(await line.qsolog(["rollback", "2", "--yes"])).toMatchObject({
    code: 3,
    err: `qsolog: This import completed. Undo it instead of rolling it back.\nTo do so: qsolog rollback 2 --undo\n`,
  });
  expect((await line.qsolog(["jobs", "show", "2"])).out).toEndWith("To undo it: qsolog rollback 2 --undo\n");
  expect(await line.qsolog(["rollback", "2", "--undo", "--yes"])).toMatchObject({
    code: 0,
    out: "Job 2 is undone: 1 QSO deleted, 1 QSO restored.\n",
  });
  expect(await logOf(line.world, line.bob.id)).toEqual(before);
});

test("--dry-run shows what would change, and changes nothing", async () => {
  const line = await aCommandLine();
  const path = aFile(line, `<EOH>\n${record("K1AAA")}`);

  const { code, out } = await line.qsolog(["qso", "import", path, "--dry-run"]);

  expect([code, out]).toEqual([
    0,
    "1 record: 1 added, 0 changed, 0 already known, 0 unmatched, 0 rejected; 0 newly confirmed.\n" +
      "This was a dry run: nothing was written.\n",
  ]);
  expect(await logOf(line.world, line.bob.id)).toEqual([]);
});

test.each([
  ["a text", "Dear diary, today I worked nobody.\n"],
  ["nothing", ""],
  ["a text", "Not a log."],
])("%s is not ADIF: exit 2 and no job", async (_, text) => {
  const line = await aCommandLine();

  expect(await line.qsolog(["qso", "import", aFile(line, text)])).toMatchObject({
    code: 2,
    out: "",
    err: `qsolog: This is not an ADIF file: it has no header and no records.\n`,
  });
  expect(await jobsOf(line)).toEqual([]);
});

test("a missing file or a folder is exit 2 and no job", async () => {
  const line = await aCommandLine();

  const missing = await line.qsolog(["qso", "import", "/nowhere/log.adi"]);
  const folder = await line.qsolog(["qso", "import", line.world.dataDir]);

  expect([missing.code, missing.err]).toEqual([
    2,
    `qsolog: Could not read the file /nowhere/log.adi: it does not exist.\n`,
  ]);
  expect([folder.code, folder.err]).toEqual([2, `qsolog: Could not read the file <data>: it is a directory.\n`]);
  expect(await jobsOf(line)).toEqual([]);
});

test("another kind of file is recognised, with what to do", async () => {
  const line = await aCommandLine();

  const answer = await line.qsolog(["qso", "import", aFile(line, "START-OF-LOG: 3.0\nCALLSIGN: YU1TEST\n")]);

  expect([answer.code, answer.err]).toEqual([
    2,
    `qsolog: This is a Cabrillo file for contest submissions. Export ADIF (.adi) from your contest program and import that.\n`,
  ]);
});

test("problems found by the parser are printed to stderr", async () => {
  const line = await aCommandLine();
  const path = aFile(line, `<EOH>\n${record("K1AAA")}<CALL:5>K2BBB<QSO_DATE:8>20260718<TIME_ON:4>0143<BAND:3>20m`);

  const { code, out, err } = await line.qsolog(["qso", "import", path]);

  expect([code, out.split("\n")[0]]).toEqual([
    0,
    "2 records: 2 added, 0 changed, 0 already known, 0 unmatched, 0 rejected; 0 newly confirmed.",
  ]);
  expect(err).toMatch(/^warning at byte \d+: .+$/m);
});

test("- reads standard input into a private file and leaves nothing; other input creates no job", async () => {
  const line = await aCommandLine();
  const spoolDir = join(line.world.dataDir, "spool");

  const { code, out } = await line.asProcess(["qso", "import", "-"], `<EOH>\n${record("K1AAA")}`);

  expect([code, out.split(":")[0]]).toEqual([0, "1 record"]);
  expect(readdirSync(spoolDir)).toEqual([]);
  expect((await line.asProcess(["qso", "import", "-"], "nothing like it")).code).toBe(2);
  expect(readdirSync(spoolDir)).toEqual([]);
  expect(await jobsOf(line)).toHaveLength(1);
});

test("a named pipe is imported completely and once", async () => {
  const line = await aCommandLine();
  const pipe = join(line.world.dataDir, "pipe");
  Bun.spawnSync(["mkfifo", pipe]);
  const numbers = Array.from({ length: 3_000 }, (_, n) => n);
  const path = aFile(line, `<EOH>\n${numbers.map((n) => record(callOf(n))).join("")}`);
  const writer = Bun.spawn(["sh", "-c", 'cat "$0" > "$1"', path, pipe]);

  const { code, out } = await line.asProcess(["qso", "import", pipe]);

  expect(await writer.exited).toBe(0);
  expect([code, out.slice(0, out.indexOf(" added"))]).toEqual([0, "3,000 records: 3,000"]);
});

test("a progress bar appears on a terminal only", async () => {
  const line = await aCommandLine();
  const records = Array.from({ length: 300 }, (_, n) => record(callOf(n)));
  const path = aFile(line, `<EOH>\n${records.join("")}`);

  const { over } = await line.qsolog(["qso", "import", path], { errIsTerminal: true });

  expect(over[0]).toMatch(/^import: reading the file, \d+; \d+ added, 0 changed$/);
  expect(over.at(-1)).toBe("");
});

test("Ctrl-C ends it as interrupted, and rollback undoes it", async () => {
  const line = await aCommandLine();
  const records = Array.from({ length: 20_000 }, (_, n) => record(callOf(n)));
  const path = aFile(line, `<EOH>\n${records.join("")}`);
  const terminal = line.inTerminal(["qso", "import", path]);
  await terminal.shows("import: reading the file");
  terminal.type("\x03");

  await terminal.shows("Job 1 failed: The job was stopped before it finished.");
  expect(await terminal.exited).toBe(130);
  expect((await jobsOf(line))[0]).toMatchObject({ status: "failed", error: { code: "interrupted" } });
  expect((await line.qsolog(["rollback", "1", "--yes"])).code).toBe(0);
  expect(await logOf(line.world, line.bob.id)).toEqual([]);
  expect(existsSync(path)).toBe(true);
});
