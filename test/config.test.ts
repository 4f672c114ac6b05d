import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../src/config.ts";
import { AppError } from "../src/kernel/errors.ts";
import { aDirectory } from "./support/directory.ts";

const withFile = (toml: string) => {
  const dataDir = aDirectory();
  writeFileSync(join(dataDir, "qsolog.toml"), toml);
  return { QSOLOG_DATA_DIR: dataDir };
};

const problemsOf = (read: () => unknown): string[] => {
  try {
    read();
  } catch (error) {
    return (error as AppError).fields!.map(({ path }) => path);
  }
  return [];
};

test("without settings the defaults apply, with the data directory in the home directory", () => {
  const { config } = readConfig({ env: { HOME: "/home/ann" } });

  expect(config).toMatchObject({
    dataDir: "/home/ann/.local/share/qsolog",
    databaseUrl: "/home/ann/.local/share/qsolog/qsolog.db",
    logFile: "/home/ann/.local/share/qsolog/qsolog.log",
    host: "127.0.0.1",
    port: 7373,
    baseUrl: null,
    registration: "closed",
    syncConcurrency: 4,
    pace: 1,
    firstUrl: "https://lotw.arrl.org",
    secondUrl: "https://logbook.qrz.com",
    trustedProxies: [],
    noticeNetworks: [],
  });
  expect(readConfig({ env: { XDG_DATA_HOME: "/data" } }).config.dataDir).toBe("/data/qsolog");
});

test("a flag overrides the environment, the environment the file, the file the default", () => {
  const env = withFile('port = 1\nhost = "a"\nlog_level = "warn"');

  const { config, origins } = readConfig({ env: { ...env, QSOLOG_PORT: "2", QSOLOG_HOST: "b" }, flags: { port: "3" } });

  expect(config).toMatchObject({ port: 3, host: "b", logLevel: "warn", pace: 1 });
  expect(origins).toMatchObject({ port: "flag", host: "environment", logLevel: "file", pace: "default" });
});

// Invariant: all configuration errors are reported together
test("all problems are reported together, with the names that were used", () => {
  const env = withFile('log_level = "loud"\nmood = "good"\nuser = "ann"');

  const problems = problemsOf(() =>
    readConfig({
      env: {
        ...env,
        QSOLOG_PACE: "-1",
        QSOLOG_SECRET: "short",
        QSOLOG_FIRST_URL: "http://example.org",
        QSOLOG_BASE_URL: "ftp://x",
        QSOLOG_DATABASE_URL: "mysql://x/y",
        QSOLOG_REGISTRATION: "maybe",
        QSOLOG_TRUSTED_PROXIES: "172.16.0.0/12, banana",
      },
      flags: { port: "70000", syncConcurrency: "0" },
    }),
  );

  expect(problems.sort()).toEqual(
    [
      "--port",
      "--sync-concurrency",
      "QSOLOG_BASE_URL",
      "QSOLOG_DATABASE_URL",
      "QSOLOG_FIRST_URL",
      "QSOLOG_PACE",
      "QSOLOG_REGISTRATION",
      "QSOLOG_SECRET",
      "QSOLOG_TRUSTED_PROXIES",
      "qsolog.toml log_level",
      "qsolog.toml mood",
      "qsolog.toml user",
    ].sort(),
  );
});

test("a file that is not TOML is a problem, not a crash", () => {
  expect(problemsOf(() => readConfig({ env: withFile("port = = 3") }))).toEqual(["qsolog.toml"]);
});

// Defence: services are asked over https only; http only on this machine
test("plain HTTP is allowed only to this machine", () => {
  const url = (address: string) => () => readConfig({ env: { QSOLOG_FIRST_URL: address } }).config.firstUrl;

  expect(url("http://127.0.0.1:8080/x/")()).toBe("http://127.0.0.1:8080/x");
  expect(url("http://localhost:1")()).toBe("http://localhost:1");
  expect(url("https://example.org")()).toBe("https://example.org");
  for (const bad of ["http://127.0.0.1.example.org", "https://user:pw@example.org", "https://example.org/?q=1"]) {
    expect(problemsOf(url(bad))).toEqual(["QSOLOG_FIRST_URL"]);
  }
});

test("a password in a flag is refused, because others can see the command line", () => {
  const address = "postgres://qsolog:hunter22@db.example.org/log";

  expect(problemsOf(() => readConfig({ env: {}, flags: { databaseUrl: address } }))).toEqual(["--database-url"]);
  expect(readConfig({ env: { QSOLOG_DATABASE_URL: address } }).config.databaseUrl).toBe(address);
});

// Defence: secrets are never accepted on a command line
test("secrets are not accepted as flags", () => {
  const { config } = readConfig({ env: {}, flags: { secret: "x".repeat(40), password: "p", token: "t" } });

  expect([config.secret, config.password, config.token]).toEqual([null, null, null]);
});
