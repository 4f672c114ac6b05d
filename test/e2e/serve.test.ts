import { expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { aDirectory } from "../support/directory.ts";
import { afterTest } from "../support/cleanup.ts";
import { aShell, aShellWithUsers, cleanEnvironment, QSOLOG } from "../support/qsolog.ts";
import { addressIn, LISTENING, saidUntil, serving } from "../support/serving.ts";

const start = (dataDir: string, env: Record<string, string> = {}, flags: string[] = []) =>
  serving({ QSOLOG_DATA_DIR: dataDir, ...env }, flags);

test("in an empty directory the server starts, is healthy, and exits with 0 on SIGTERM and SIGINT", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const dataDir = join(aDirectory(), "new");
    const { child, url, said } = await start(dataDir);

    expect(said.trimEnd().split("\n").at(-1)).toContain(url);
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: "ok", version });
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ ready: true, checks: { database: true } });
    const page = await fetch(url);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await page.text()).toContain("<h1>Sign in</h1>");
    const missing = await fetch(`${url}/nope`);
    expect(missing.status).toBe(404);
    expect(await missing.json()).toMatchObject({ error: { code: "not_found" } });

    child.kill(signal);
    expect(await child.exited).toBe(0);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, "secret")).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir).sort()).toEqual(["qsolog.db", "qsolog.log", "secret"]);
  }
});

test("a signal that arrives twice, from the terminal and from bun run, stops the server in order", async () => {
  const { child } = await start(aDirectory());

  child.kill("SIGINT");
  child.kill("SIGTERM");

  expect(await child.exited).toBe(0);
});

test("the log continues after restarts, and in a new file after a rotation", async () => {
  const dataDir = aDirectory();
  const log = join(dataDir, "qsolog.log");
  const first = await start(dataDir);
  first.child.kill("SIGTERM");
  await first.child.exited;
  const before = readFileSync(log, "utf8");

  const second = await start(dataDir);
  expect(readFileSync(log, "utf8")).toStartWith(before);
  renameSync(log, `${log}.1`);
  second.child.kill("SIGHUP");
  while (!readdirSync(dataDir).includes("qsolog.log")) await Bun.sleep(2);
  second.child.kill("SIGTERM");

  expect(await second.child.exited).toBe(0);
  expect(readFileSync(log, "utf8")).toContain('"event":"server.stopped"');
  expect(readFileSync(`${log}.1`, "utf8")).toStartWith(before);
});

test("with QSOLOG_LOG_FILE=- the log is on standard output and in its usual file", async () => {
  const dataDir = aDirectory();
  const child = Bun.spawn([...QSOLOG, "serve"], {
    env: cleanEnvironment({ QSOLOG_DATA_DIR: dataDir, QSOLOG_PORT: "0", QSOLOG_LOG_FILE: "-" }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  afterTest(() => child.kill("SIGKILL"));
  const url = addressIn(await saidUntil(child.stderr, LISTENING));
  await fetch(`${url}/api/auth/login`, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
  child.kill("SIGTERM");

  const printed = await child.stdout.text();
  expect(printed).toContain('"event":"server.started"');
  expect(printed).toContain('"path":"/api/auth/login"');
  expect(printed).toBe(readFileSync(join(dataDir, "qsolog.log"), "utf8"));
});

test("a key for a program comes with the address where the server listens, and a wrong key is called that", async () => {
  const qsolog = await aShellWithUsers({ username: "bob" });
  const { url } = await start(qsolog.dataDir, await qsolog.place());

  const { err } = await qsolog(["token", "create", "radio", "--feed"]);
  const answer = await fetch(`${url}/api/qso`, {
    method: "POST",
    body: JSON.stringify({ key: "qf0000", type: "adif", string: "" }),
  });

  expect(err).toContain(`Address to enter in the program: ${url}\n`);
  expect(await answer.json()).toMatchObject({ status: "failed", reason: "The API key is missing or wrong." });
});

test("healthcheck detects whether the server runs", async () => {
  const { url, child } = await start(aDirectory());
  const qsolog = aShell();
  const env = { QSOLOG_PORT: new URL(url).port };

  expect(await qsolog(["healthcheck"], { env })).toEqual({ code: 0, out: `healthy, version ${version}\n`, err: "" });
  child.kill("SIGTERM");
  await child.exited;
  expect((await qsolog(["healthcheck"], { env })).code).toBe(1);
});

test("under a base path the pages are below it, and health checks answer in both places", async () => {
  const { child } = await start(aDirectory(), { QSOLOG_BASE_URL: "https://example.org/log/", QSOLOG_PORT: "17391" });
  const at = async (path: string) => (await fetch(`http://127.0.0.1:17391${path}`)).status;

  expect(await Promise.all(["/log/", "/log/healthz", "/healthz", "/readyz", "/"].map(at))).toEqual([
    200, 200, 200, 200, 404,
  ]);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});

test("an address in use gives one clear line and exit code 1", async () => {
  const { url } = await start(aDirectory());
  const qsolog = aShell();

  const { code, err } = await qsolog(["serve", "--port", new URL(url).port]);

  expect(code).toBe(1);
  expect(err).toContain("another program already uses this address");
});

// Defence: data directory, database, log, secret and backups are readable by their owner only
test("a secret file that others can read prevents the start, with what to do", async () => {
  const qsolog = aShell();
  const secret = join(qsolog.dataDir, "secret");
  writeFileSync(secret, "x".repeat(64));
  chmodSync(secret, 0o644);

  const { code, err } = await qsolog(["serve", "--port", "0"]);

  expect([code, err]).toEqual([
    2,
    "qsolog: Other users can read the secret file <data>/secret. Run: chmod 600 <data>/secret\n",
  ]);
});

test("a database of a newer program is refused at the start", async () => {
  const qsolog = aShell();
  await qsolog(["db", "migrate"]);
  const { Database } = await import("bun:sqlite");
  const db = new Database(join(qsolog.dataDir, "qsolog.db"));
  db.run("INSERT INTO migrations VALUES ('9999_later', 'x', 1)");
  db.close();

  const { code, err } = await qsolog(["serve", "--port", "0"]);

  expect([code, err]).toEqual([
    1,
    "qsolog: This database was created by a newer qsolog (it has 9999_later). Update qsolog.\n",
  ]);
});

test("with --no-migrate a reverted table stays reverted", async () => {
  const qsolog = aShell();
  await qsolog(["db", "migrate"]);
  await qsolog(["db", "rollback", "0005_auto_sync", "--yes"]);

  const { child } = await start(qsolog.dataDir, {}, ["--no-migrate"]);
  child.kill("SIGTERM");
  await child.exited;

  const { migrations } = JSON.parse((await qsolog(["db", "status", "--json"])).out);
  expect(migrations.find(({ name }: { name: string }) => name === "0005_auto_sync").appliedAt).toBeNull();
});
