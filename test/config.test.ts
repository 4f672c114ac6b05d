import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
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

const configError = (env: Record<string, string>): string => {
  try {
    readConfig({ env });
  } catch (error) {
    return (error as AppError).message;
  }
  return "";
};

test.each([
  ["QSOLOG_PROT", "Did you mean QSOLOG_PORT?"],
  ["QSOLOG_LOGLEVEL", "Did you mean QSOLOG_LOG_LEVEL?"],
  ["QSOLOG_SECRET_FIEL", "Did you mean QSOLOG_SECRET_FILE?"],
])("a variable with a typo, %s, is refused with the right name", (name, hint) => {
  expect(configError({ [name]: "1" })).toBe(`The configuration is not valid. ${name}: is not a setting. ${hint}`);
});

test("a variable that is far from every setting is ignored with a warning", () => {
  expect(readConfig({ env: { QSOLOG_OIDC_CLIENT: "x", QSOLOG_COLOUR_OF_THE_PAGES: "red" } }).warnings).toEqual([
    "Ignored QSOLOG_COLOUR_OF_THE_PAGES: it is not a setting.",
    "Ignored QSOLOG_OIDC_CLIENT: it is not a setting. Did you mean QSOLOG_OIDC_CLIENT_ID?",
  ]);
  expect(readConfig({ env: { QSOLOG_URL: "https://log.example.org", QSOLOG_COMMIT: "abc1234" } }).warnings).toEqual([]);
});

test("what Kubernetes injects for a service named qsolog is ignored and explained", () => {
  const injected = {
    QSOLOG_PORT: "tcp://10.96.0.12:7373",
    QSOLOG_PORT_7373_TCP: "tcp://10.96.0.12:7373",
    QSOLOG_PORT_7373_TCP_ADDR: "10.96.0.12",
    QSOLOG_PORT_7373_TCP_PORT: "7373",
    QSOLOG_PORT_7373_TCP_PROTO: "tcp",
    QSOLOG_SERVICE_HOST: "10.96.0.12",
    QSOLOG_SERVICE_PORT: "7373",
    QSOLOG_SERVICE_PORT_HTTP: "7373",
    QSOLOG_DB_SERVICE_HOST: "10.96.0.13",
  };

  const { config, warnings } = readConfig({ env: injected });

  expect(config.port).toBe(7373);
  expect(warnings).toEqual([
    `Ignored ${Object.keys(injected).sort().join(", ")}: Kubernetes sets them for a service named qsolog. To set the port, use --port or qsolog.toml.`,
  ]);
});

test.each([
  [{ QSOLOG_OIDC_CLIENT_ID: "qsolog" }, "QSOLOG_OIDC_ISSUER: is required with QSOLOG_OIDC_CLIENT_ID"],
  [{ QSOLOG_OIDC_REGISTRATION: "open" }, "QSOLOG_OIDC_ISSUER: is required with QSOLOG_OIDC_REGISTRATION"],
  [{ QSOLOG_PROXY_REGISTRATION: "open" }, "QSOLOG_PROXY_USER_HEADER: is required with QSOLOG_PROXY_REGISTRATION"],
])("settings that contradict each other are refused: %p", (env, message) => {
  expect(configError(env)).toContain(message);
});

test("a setting that is set to its default contradicts nothing", () => {
  expect(configError({ QSOLOG_OIDC_REGISTRATION: "closed", QSOLOG_PROXY_REGISTRATION: "closed" })).toBe("");
});

test("secrets are read from files that the environment names", () => {
  const file = join(aDirectory(), "secret");
  writeFileSync(file, `${"s".repeat(40)}\n`);

  const { config, origins } = readConfig({ env: { QSOLOG_SECRET_FILE: file } });

  expect([config.secret, origins.secret]).toEqual(["s".repeat(40), "environment"]);
  expect(configError({ QSOLOG_SECRET_FILE: file, QSOLOG_SECRET: "x".repeat(40) })).toContain(
    "QSOLOG_SECRET_FILE: Use either QSOLOG_SECRET or QSOLOG_SECRET_FILE.",
  );
  expect(configError({ QSOLOG_DATABASE_URL_FILE: `${file}.gone` })).toContain(
    `Could not read ${file}.gone: it does not exist.`,
  );
  expect(configError({ QSOLOG_OIDC_CLIENT_SECRET_FILE: aDirectory() })).toMatch(
    /Could not read \S+: it is a directory\./,
  );
});

test("a directory in place of the configuration file and a table in it are explained", () => {
  const dataDir = aDirectory();
  mkdirSync(join(dataDir, "qsolog.toml"));

  expect(configError({ QSOLOG_DATA_DIR: dataDir })).toContain("qsolog.toml: it is a directory.");
  expect(configError(withFile("[server]\nport = 80"))).toBe(
    "The configuration is not valid. qsolog.toml server: The file has no tables. Write its settings without the line [server].",
  );
});
