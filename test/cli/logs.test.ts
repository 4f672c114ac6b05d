import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { aShell, aShellWithUsers, cleanEnvironment, QSOLOG } from "../support/qsolog.ts";
import { saidUntil } from "../support/serving.ts";

setDefaultTimeout(30_000);

const entry = (level: string, event: string, fields = {}) =>
  `${JSON.stringify({ at: "2026-11-26T10:00:00.000Z", level, event, ...fields })}\n`;

test("logs shows the newest entries, filtered by level, for people and as JSON", async () => {
  const qsolog = aShell();
  const line = entry("warn", "sign_in.failed", { address: "192.0.2.7", name: "(unknown)" });
  writeFileSync(join(qsolog.dataDir, "qsolog.log"), entry("info", "server.started", { url: "http://x" }) + line);

  const all = await qsolog(["logs"]);
  const warnings = await qsolog(["logs", "--level", "warn", "--json"]);
  const newest = await qsolog(["logs", "--lines", "1"]);

  expect(all.out).toBe(
    "2026-11-26T10:00:00.000Z info  server.started url=http://x\n" +
      "2026-11-26T10:00:00.000Z warn  sign_in.failed address=192.0.2.7 name=(unknown)\n",
  );
  expect(warnings.out).toBe(line);
  expect(newest.out).not.toContain("server.started");
  expect(await qsolog(["logs", "--lines", "many"])).toMatchObject({
    code: 2,
    err: 'qsolog: --lines must be a whole number from 0 to 100000, not "many".\n',
  });
});

test("what a log file holds cannot steer the terminal, also as JSON", async () => {
  const qsolog = aShell();
  const steering = { text: "\u009b31m \u202e \u001b]0;x\u0007" };
  writeFileSync(join(qsolog.dataDir, "qsolog.log"), entry("info", "server.started", steering));

  const { out } = await qsolog(["logs", "--json"]);

  expect(JSON.parse(out)).toMatchObject(steering);
  for (const text of [out, (await qsolog(["logs"])).out])
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
});

test("without a log file, logs says which file is missing", async () => {
  const { code, err } = await aShell()(["logs"]);

  expect([code, err]).toEqual([
    5,
    "qsolog: Could not read the log <data>/qsolog.log: it does not exist. The server and commands that change something write it.\n",
  ]);
});

test("logs --follow prints new entries, also after a rotation", async () => {
  const dataDir = aDirectory();
  const file = join(dataDir, "qsolog.log");
  writeFileSync(file, entry("info", "first"));
  const child = Bun.spawn([...QSOLOG, "logs", "--follow"], {
    env: cleanEnvironment({ QSOLOG_DATA_DIR: dataDir }),
    stdio: ["ignore", "pipe", "ignore"],
  });
  afterTest(() => child.kill("SIGKILL"));
  const [shown, later] = child.stdout.tee();
  await saidUntil(shown, /first\n/);

  appendFileSync(file, entry("info", "second"));
  renameSync(file, `${file}.1`);
  writeFileSync(file, entry("info", "third"));

  expect(await saidUntil(later, /third\n/)).toMatch(/first\n.*second\n.*third\n/);
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
});

test("an import by a command is in the log", async () => {
  const qsolog = await aShellWithUsers({ username: "bob" });
  const adif = "<CALL:5>K1ABC <QSO_DATE:8>20240101 <TIME_ON:4>1200 <BAND:3>20m <MODE:2>CW <EOR>";

  writeFileSync(join(qsolog.dataDir, "log.adi"), adif);
  const { code } = await qsolog(["qso", "import", "log.adi"]);

  expect(code).toBe(0);
  const lines = readFileSync(join(qsolog.dataDir, "qsolog.log"), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ event: "job.ended", trigger: "cli", status: "completed", added: 1 }),
  );
});
