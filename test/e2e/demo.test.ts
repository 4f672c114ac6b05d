import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { cleanEnvironment, QSOLOG } from "../support/qsolog.ts";

/** Processor time of the demo where the system reports it, so that other load does not count. */
const READY_WITHIN_MS = 15_000;

const TICK_MS = 10;

/** Processor time of all threads of a process. */
const processorMsOf = (pid: number): number => {
  const figures = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ");
  return (Number(figures[11]) + Number(figures[12])) * TICK_MS;
};

/** Starts the demo as a user would, in a directory of its own with its own temporary directory. */
const start = async (flags: string[] = [], env: Record<string, string> = {}) => {
  const tmp = aDirectory();
  const begun = performance.now();
  const child = Bun.spawn([...QSOLOG, "demo", "--port", "0", "--json", ...flags], {
    cwd: aDirectory(),
    env: cleanEnvironment({ TMPDIR: tmp, ...env }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  afterTest(() => child.kill("SIGKILL"));
  const said = await firstWords(child.stdout);
  const demo = JSON.parse(said) as { url: string; dataDir: string; users: { username: string; password: string }[] };
  const health = await fetch(`${demo.url}/healthz`);
  const readyAfter = existsSync("/proc/self/stat") ? processorMsOf(child.pid) : performance.now() - begun;
  return { child, tmp, ...demo, health, readyAfter };
};

const firstWords = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  let said = "";
  for await (const bytes of stream) {
    said += new TextDecoder().decode(bytes);
    if (said.endsWith("\n")) return said;
  }
  throw new Error(`the demo ended: ${said}`);
};

const command = async (dataDir: string, words: string[]) => {
  const child = Bun.spawn([...QSOLOG, ...words, "--data-dir", dataDir, "--json"], {
    env: cleanEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, err, answer: out === "" ? null : JSON.parse(out) };
};

// Invariant: the demo leaves nothing behind
test("the demo starts quickly, other commands work on it, and it leaves no files", async () => {
  const { child, tmp, dataDir, users, health, readyAfter } = await start();

  expect(await health.json()).toMatchObject({ status: "ok" });
  expect(readyAfter).toBeLessThan(READY_WITHIN_MS);
  expect(users).toMatchObject([
    { username: "ann", role: "admin" },
    { username: "bob", role: "user" },
    { username: "cleo", role: "user", factorKey: expect.stringMatching(/^[A-Z2-7]{32}$/) },
  ]);
  expect(readdirSync(tmp)).toHaveLength(1);

  const { jobs } = (await command(dataDir, ["jobs", "list", "--user", "bob"])).answer;
  const stale = jobs.find((job: { stale: boolean }) => job.stale);
  const failed = jobs.find((job: { status: string }) => job.status === "failed");
  for (const job of [failed, stale]) {
    const { code, answer } = await command(dataDir, ["rollback", String(job.id), "--yes"]);
    expect([code, answer.job.status]).toEqual([0, "cancelled"]);
    expect(answer.rollback).toMatchObject({ deleted: job.stats.added, restored: job.stats.updated, kept: 0 });
  }
  const news = await command(dataDir, ["sync", "second", "--user", "bob"]);
  expect([news.code, news.answer.job.status]).toEqual([0, "completed"]);
  expect(news.answer.job.stats.added).toBeGreaterThan(0);

  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  expect(readdirSync(tmp)).toEqual([]);
});

test("Ctrl-C ends it, --keep leaves the data and prints where, and the operator's own settings do not matter", async () => {
  const own = aDirectory();
  const env = {
    QSOLOG_DATA_DIR: own,
    QSOLOG_DATABASE_URL: join(own, "mine.db"),
    QSOLOG_FIRST_URL: "https://example.org",
  };
  const { child, dataDir, health } = await start(["--keep"], env);
  expect(health.status).toBe(200);

  child.kill("SIGINT");

  expect(await child.exited).toBe(0);
  expect(await child.stderr.text()).toContain(`Kept the data directory: ${dataDir}`);
  expect(existsSync(join(dataDir, "qsolog.db"))).toBe(true);
  expect(readdirSync(own)).toEqual([]);
  rmSync(dataDir, { recursive: true });
});

test("an address that is in use or invalid gives one clear line and leaves no files", async () => {
  const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  afterTest(() => taken.stop(true));
  const refusals = [
    { port: String(taken.port), code: 1, words: "another program already uses this address" },
    { port: "nowhere", code: 2, words: "must be a whole number" },
  ];

  for (const { port, code, words } of refusals) {
    const tmp = aDirectory();
    const child = Bun.spawn([...QSOLOG, "demo", "--port", port], {
      env: cleanEnvironment({ TMPDIR: tmp }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    afterTest(() => child.kill("SIGKILL"));

    expect(await child.exited).toBe(code);
    expect(await child.stderr.text()).toContain(words);
    expect(readdirSync(tmp)).toEqual([]);
  }
});
