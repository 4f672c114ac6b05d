import { expect, test } from "bun:test";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOG_EVENTS } from "../src/kernel/log-events.ts";
import { openLog as openLogOfEvents, type Log, type LogLevel } from "../src/kernel/log.ts";
import { redactText } from "../src/kernel/redact.ts";
import { rotateLargeLog } from "../src/main.ts";
import { aDirectory } from "./support/directory.ts";
import { NOON, testClock } from "./support/world.ts";

type WriteAny = (event: string, fields?: Record<string, unknown>) => void;

/** A log that also takes events which are not declared. */
const openLog = (options: Parameters<typeof openLogOfEvents>[0]) =>
  openLogOfEvents(options) as Omit<Log, LogLevel> & Record<LogLevel, WriteAny>;

const linesOf = (file: string) =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

// Invariant: the log file is never truncated
test("earlier content of the log file stays, and each entry is one JSON line", () => {
  const file = join(aDirectory(), "qsolog.log");
  writeFileSync(file, '{"event":"old"}\n');

  const log = openLog({ file, level: "info", clock: testClock() });
  log.info("new", { text: "two\nlines", job: 7 });
  log.debug("too quiet");
  log.close();

  expect(linesOf(file)).toEqual([
    { event: "old" },
    { at: new Date(NOON).toISOString(), level: "info", event: "new", text: "two\nlines", job: 7 },
  ]);
});

test("a text in the log cannot steer the terminal that shows it", () => {
  const file = join(aDirectory(), "qsolog.log");
  const text = "\u009b31m \u202e \u2066 \u001b]8;;http://x\u0007";
  const echoed: string[] = [];

  const log = openLog({ file, level: "info", clock: testClock(), echo: (line) => void echoed.push(line) });
  log.info("new", { text });
  log.close();

  expect(linesOf(file)).toMatchObject([{ text }]);
  for (const written of [readFileSync(file, "utf8"), ...echoed]) {
    expect(written).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/);
  }
});

test("reopening continues in a new file after a rotation", () => {
  const file = join(aDirectory(), "qsolog.log");
  const log = openLog({ file, level: "info", clock: testClock() });
  log.info("before");
  renameSync(file, `${file}.1`);

  log.info("still there");
  log.reopen();
  log.info("after");
  log.close();

  expect(linesOf(`${file}.1`).map(({ event }) => event)).toEqual(["before", "still there"]);
  expect(linesOf(file).map(({ event }) => event)).toEqual(["after"]);
});

// Defence: credentials never appear in logs, errors, file names, messages or on a terminal
test("no secret gets into the log, by name, in a text, in an error or nested", () => {
  const file = join(aDirectory(), "qsolog.log");
  const log = openLog({ file, level: "info", clock: testClock() });
  const secret = "hunter22";

  log.error("failed", {
    password: secret,
    apiKey: secret,
    headers: { Authorization: `Bearer ${secret}`, cookie: [secret] },
    url: `https://lotw.example.org/x?login=bob&password=${secret}&qso_query=1`,
    database: `postgres://qsolog:${secret}@db/log`,
    error: new Error(`GET /x?key=${secret} with Bearer ${secret}`),
  });
  log.close();

  const written = readFileSync(file, "utf8");
  expect(written).not.toContain(secret);
  expect(written).toContain("qso_query=1");
});

// Defence: a broken or missing log file never stops the program
test("a log that cannot be written never stops the program", () => {
  const said: string[] = [];
  const log = openLog({ file: "/dev/full", level: "info", clock: testClock(), echo: (line) => said.push(line) });

  log.info("lost");

  expect(said[0]).toContain("Could not write the log file");
  log.close();
});

test("a redacted text keeps everything that is not secret", () => {
  expect(redactText("STATUS=OK&KEY=0026-A7F6&COUNT=2")).toBe("STATUS=OK&KEY=[redacted]&COUNT=2");
});

test("every declared log event is written somewhere, with its levels", () => {
  const root = join(import.meta.dir, "..");
  const sources = [...new Bun.Glob("{src,cli}/**/*.{ts,tsx}").scanSync(root)]
    .filter((file) => !file.endsWith("/log-events.ts"))
    .map((file) => readFileSync(join(root, file), "utf8"));
  const code = sources.join("\n");
  const written = [...code.matchAll(/\blog\??\.(debug|info|warn|error)\(\s*(?:[\w.]+ \? )?"([\w.]+)"/g)];

  expect(written.length).toBeGreaterThan(30);
  expect(Object.keys(LOG_EVENTS).filter((event) => !code.includes(`"${event}"`))).toEqual([]);
  for (const [, level, event] of written) {
    const { levels } = LOG_EVENTS[event as keyof typeof LOG_EVENTS];
    expect([event, levels.includes(level as never)]).toEqual([event, true]);
  }
});

test("a large log is renamed and goes on in a new file; a small one stays", () => {
  const file = join(aDirectory(), "qsolog.log");
  const log = openLog({ file, level: "info", clock: testClock() });
  log.info("before");

  rotateLargeLog(file, log.reopen, 1_000);
  log.info("still there");
  rotateLargeLog(file, log.reopen, 100);
  log.info("after");
  log.close();

  expect(linesOf(`${file}.old`).map(({ event }) => event)).toEqual(["before", "still there"]);
  expect(linesOf(file).map(({ event }) => event)).toEqual(["after"]);
});
