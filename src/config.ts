import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { AppError, type FieldProblem } from "./kernel/errors.ts";
import { describeFileError } from "./kernel/files.ts";
import { SERVICE_ORIGINS } from "./domain/origins/services.ts";
import { SERVICES, type Service } from "./domain/jobs/source.ts";
import { LOG_LEVELS, type LogLevel } from "./kernel/log.ts";
import { redactText } from "./kernel/redact.ts";
import { distanceBetween, suggest } from "./kernel/similar-words.ts";
import {
  oneOf,
  headerName,
  issuerUrl,
  mailAddress,
  parseAddresses,
  parseDatabaseUrl,
  parsePace,
  parseSecret,
  plainUrl,
  serviceUrl,
  smtpUrl,
  wholeNumber,
} from "./kernel/setting-values.ts";

export interface Config extends Record<`${Service}Url`, string> {
  dataDir: string;
  databaseUrl: string;
  host: string;
  port: number;
  baseUrl: string | null;
  trustedProxies: string[];
  noticeNetworks: string[];
  secret: string | null;
  logFile: string;
  logLevel: LogLevel;
  registration: "closed" | "open";
  adminFactor: "optional" | "required";
  oidcIssuer: string | null;
  oidcClientId: string | null;
  oidcClientSecret: string | null;
  oidcName: string | null;
  oidcScopes: string;
  oidcUsernameClaim: string | null;
  oidcCallsignClaim: string | null;
  oidcRegistration: "closed" | "open";
  oidcAdminGroup: string | null;
  proxyUserHeader: string | null;
  proxyRegistration: "closed" | "open";
  smtpUrl: string | null;
  mailFrom: string | null;
  backupHours: number | null;
  backupDir: string;
  backupKeep: number;
  syncConcurrency: number;
  pace: number;
  user: string | null;
  password: string | null;
  server: string | null;
  token: string | null;
}

export type SettingName = keyof Config;
export type Origin = "flag" | "environment" | "file" | "default";

export interface Setting {
  name: SettingName;
  /** What it is called in the configuration file, from its name. The flag has dashes, the environment capitals and a prefix. */
  key: string;
  /** Shown in help and in docs/configuration.md, which follows from this table. */
  meaning: string;
  /** Its values, in Markdown. */
  accepts: string;
  /** Its default in Markdown, where the value itself does not say it. */
  standard?: string;
  /** Never given as a flag, because other people on the machine see the command line. */
  secret?: boolean;
  /** Says where things are before a file can be read, or belongs to one person's shell. */
  notInFile?: boolean;
  /** The environment can name a file with the value: QSOLOG_SECRET_FILE. */
  hasFileVariable?: boolean;
  parse(text: string): unknown;
  fallback(dataDir: string): unknown;
}

export interface Sources {
  env: Record<string, string | undefined>;
  flags?: Record<string, unknown>;
}

export interface ConfigReading {
  config: Config;
  origins: Record<SettingName, Origin>;
  /** What was ignored. */
  warnings: string[];
}

/** The value of `log_file` that also prints the log. */
const STDOUT_TOO = "-";
const getDefaultLogFile = (dataDir: string): string => join(dataDir, "qsolog.log");

export const isLogPrinted = ({ logFile }: Pick<Config, "logFile">): boolean => logFile === STDOUT_TOO;

export const getLogFile = (config: Pick<Config, "logFile" | "dataDir">): string =>
  isLogPrinted(config) ? getDefaultLogFile(config.dataDir) : config.logFile;

type DeclaredSetting = Pick<Setting, "name" | "meaning"> & Partial<Omit<Setting, "key">>;

/** One of some words, of which the first is the default. */
const choice = (...words: string[]) => ({
  accepts: words.map((word) => `\`${word}\``).join(", "),
  parse: (value: string) => oneOf(value, words),
  fallback: () => words[0],
});

const between = (low: number, high: number) => ({
  accepts: `${low} to ${high}`,
  parse: (value: string) => wholeNumber(value, low, high),
});

/** The settings. What is left out here is the same for most of them. */
const DECLARED: readonly DeclaredSetting[] = [
  {
    name: "dataDir",
    meaning: "database, secret, log, country file, spool",
    accepts: "a path",
    standard: "`$XDG_DATA_HOME/qsolog`, else `~/.local/share/qsolog`",
    notInFile: true,
    parse: (value) => resolve(value),
  },
  {
    name: "databaseUrl",
    meaning: "a path, sqlite:PATH or postgres://…",
    accepts: "a path, `sqlite:PATH`, `sqlite://PATH`, `postgres://…`, `postgresql://…`",
    hasFileVariable: true,
    parse: parseDatabaseUrl,
    fallback: (dataDir) => join(dataDir, "qsolog.db"),
  },
  {
    name: "host",
    meaning: "listen address",
    accepts: "a name or address",
    fallback: () => "127.0.0.1",
  },
  {
    name: "port",
    meaning: "listen port; 0 takes any free one",
    ...between(0, 65_535),
    fallback: () => 7373,
  },
  {
    name: "baseUrl",
    meaning: "public address; its path precedes every page, https makes cookies Secure",
    accepts: "http or https, without query, fragment or password",
    standard: "from host and port",
    parse: plainUrl,
  },
  {
    name: "trustedProxies",
    meaning: "addresses or ranges whose X-Forwarded-For is trusted, separated by commas",
    accepts: "addresses or ranges such as `172.16.0.0/12`",
    parse: parseAddresses,
    fallback: () => [],
  },
  {
    name: "noticeNetworks",
    meaning: "addresses or ranges on the local network that notifications can be sent to, separated by commas",
    accepts: "addresses or ranges such as `192.168.1.0/24`",
    parse: parseAddresses,
    fallback: () => [],
  },
  {
    name: "secret",
    meaning: "every key is derived from it; if the file is missing it is created, readable by its owner only",
    accepts: "at least 32 bytes",
    standard: "the file `<data>/secret`",
    secret: true,
    hasFileVariable: true,
    parse: parseSecret,
  },
  {
    name: "logFile",
    meaning: "appended to, never truncated; one JSON object per line",
    accepts: "a path; `-` for the default, and standard output too",
    parse: (value) => (value === STDOUT_TOO ? value : resolve(value)),
    fallback: getDefaultLogFile,
  },
  {
    name: "logLevel",
    meaning: "the least severe entries that the log file gets",
    ...choice(...LOG_LEVELS),
    fallback: () => "info",
  },
  ...SERVICES.map((service): DeclaredSetting => ({
    name: `${service}Url`,
    meaning: `the address of ${SERVICE_ORIGINS[service].label}`,
    accepts: "https; http for this machine only; the path of the service is added",
    parse: serviceUrl,
    fallback: () => SERVICE_ORIGINS[service].url,
  })),
  {
    name: "registration",
    meaning: "open lets visitors create an account",
    ...choice("closed", "open"),
  },
  {
    name: "adminFactor",
    meaning: "required locks administrators without a second factor out of administration",
    ...choice("optional", "required"),
  },
  {
    name: "oidcIssuer",
    meaning: "the address of an OpenID Connect provider that users can sign in with",
    accepts: "https; http for this machine only; kept as it is written",
    parse: issuerUrl,
  },
  {
    name: "oidcClientId",
    meaning: "the client ID of this server at the provider",
    accepts: "text; needed with an issuer, like `QSOLOG_BASE_URL`",
  },
  {
    name: "oidcClientSecret",
    meaning: "the client secret; without one it is a public client",
    secret: true,
    hasFileVariable: true,
  },
  {
    name: "oidcName",
    meaning: "the provider's name on the sign-in button",
    standard: "the issuer's host",
  },
  {
    name: "oidcScopes",
    meaning: "scopes to request, separated by spaces",
    fallback: () => "openid profile email",
  },
  {
    name: "oidcUsernameClaim",
    meaning: "the claim whose value signs in as the user with that name, such as preferred_username",
  },
  {
    name: "oidcCallsignClaim",
    meaning: "the claim that holds the callsign of a new user",
  },
  {
    name: "oidcRegistration",
    meaning: "open lets everyone the provider knows create an account",
    ...choice("closed", "open"),
  },
  {
    name: "oidcAdminGroup",
    meaning: "the group at the provider whose members are administrators",
  },
  {
    name: "proxyUserHeader",
    meaning: "the header in which a trusted proxy names the signed-in user",
    accepts: "the name of a header; needs `QSOLOG_TRUSTED_PROXIES`",
    parse: headerName,
  },
  {
    name: "proxyRegistration",
    meaning: "open creates an account for everyone whom that proxy names",
    ...choice("closed", "open"),
  },
  {
    name: "smtpUrl",
    meaning: "the mail server for password links and notifications; without it no mail is sent",
    accepts: "`smtps://user:password@host`, or `smtp://…` with STARTTLS",
    secret: true,
    hasFileVariable: true,
    parse: smtpUrl,
  },
  {
    name: "mailFrom",
    meaning: "the sender of mail",
    accepts: "an e-mail address",
    parse: mailAddress,
  },
  {
    name: "backupHours",
    meaning: "hours between automatic backups by the server; without it there are none",
    ...between(1, 720),
  },
  {
    name: "backupDir",
    meaning: "where automatic backups go, best another disk",
    accepts: "a path",
    standard: "`<data>/backups`",
    parse: (value) => resolve(value),
    fallback: (dataDir) => join(dataDir, "backups"),
  },
  {
    name: "backupKeep",
    meaning: "how many automatic backups are kept",
    ...between(1, 1_000),
    fallback: () => 14,
  },
  {
    name: "syncConcurrency",
    meaning: "sync jobs the server runs at the same time",
    ...between(1, 64),
    fallback: () => 4,
  },
  {
    name: "pace",
    meaning: "factor on the pauses between requests to the services",
    accepts: "0 to 100",
    parse: parsePace,
    fallback: () => 1,
  },
  {
    name: "user",
    meaning: "the user whose log a command works on",
    notInFile: true,
  },
  {
    name: "password",
    meaning: "the password or service secret that a command sets, instead of a prompt",
    secret: true,
    notInFile: true,
  },
  {
    name: "server",
    meaning: "a server whose log commands work on, instead of the log on this machine",
    accepts: "http or https, like the base URL",
    notInFile: true,
    parse: plainUrl,
  },
  {
    name: "token",
    meaning: "an API token for that server; otherwise the one that qsolog login stored",
    secret: true,
    notInFile: true,
  },
];

export const SETTINGS: readonly Setting[] = DECLARED.map((setting) => ({
  key: setting.name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  accepts: "text",
  parse: (value) => value,
  fallback: () => null,
  ...setting,
}));

export const environmentName = ({ key }: Setting): string => `QSOLOG_${key.toUpperCase()}`;
const fileVariable = (setting: Setting): string => `${environmentName(setting)}_FILE`;
export const flagName = ({ key }: Setting): string => `--${key.replaceAll("_", "-")}`;

/** Reads flags, environment and file, in this order of strength, and reports every problem at once. */
export const readConfig = ({ env: given, flags = {} }: Sources): ConfigReading => {
  const problems: FieldProblem[] = [];
  const { env, warnings } = readEnvironment(given, problems);
  const dataDir = resolve(asText(flags.dataDir) ?? nonEmpty(env.QSOLOG_DATA_DIR) ?? join(dataHome(env), "qsolog"));
  const file = readFile(join(dataDir, "qsolog.toml"), problems);
  const config: Record<string, unknown> = {};
  const origins = {} as Record<SettingName, Origin>;
  for (const setting of SETTINGS) {
    const { origin, value } = strongest(setting, flags, env, file);
    origins[setting.name] = origin;
    try {
      if (origin === "flag") assertNoPassword(value!);
      config[setting.name] = value === undefined ? setting.fallback(dataDir) : setting.parse(value);
    } catch (error) {
      problems.push({ path: nameAt(setting, origin), message: (error as Error).message });
    }
  }
  config.dataDir = dataDir;
  problems.push(...findContradictions(config as unknown as Config, origins));
  if (problems.length > 0) {
    const lines = problems.map(({ path, message }) => `${path}: ${message}`);
    throw new AppError("invalid", `The configuration is not valid. ${lines.join(" ")}`, { fields: problems });
  }
  return { config: config as unknown as Config, origins, warnings };
};

/** Names that are not settings: the build, the examples in docs/examples, and the tests use them. */
const OTHER_USES = /^QSOLOG_(COMMIT|URL|SAMPLES|TEST_.*|UPDATE_GOLDEN|RECORD_ANSWERS)$/;
/** Kubernetes sets these in every container next to a service whose name begins with "qsolog". */
const FROM_KUBERNETES = /_(SERVICE_HOST|SERVICE_PORT|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$|_SERVICE_PORT_/;
const KUBERNETES_ADDRESS = /^(tcp|udp|sctp):\/\//;
/** A name this close to a setting is a typo: the server would run without what its operator set. */
const MAX_TYPO_DISTANCE = 2;
const MAX_SUGGESTION_DISTANCE = 3;

/** The settings of the environment, with those read from files, and without what is none of ours. */
const readEnvironment = (
  given: Sources["env"],
  problems: FieldProblem[],
): Omit<Sources, "flags"> & { warnings: string[] } => {
  const env = { ...given };
  const warnings: string[] = [];
  const known = SETTINGS.flatMap((setting) => [
    environmentName(setting),
    ...(setting.hasFileVariable ? [fileVariable(setting)] : []),
  ]);
  const injected: string[] = [];
  for (const name of Object.keys(given).sort()) {
    if (!name.startsWith("QSOLOG_") || OTHER_USES.test(name)) continue;
    if (FROM_KUBERNETES.test(name) && (!known.includes(name) || KUBERNETES_ADDRESS.test(given[name] ?? ""))) {
      injected.push(name);
      delete env[name];
    } else if (!known.includes(name)) {
      const words = `is not a setting.${suggest(name, known, MAX_SUGGESTION_DISTANCE)}`;
      const isTypo = known.some((one) => distanceBetween(name, one) <= MAX_TYPO_DISTANCE);
      if (isTypo) problems.push({ path: name, message: words });
      else warnings.push(`Ignored ${name}: it ${words}`);
    }
  }
  if (injected.length > 0) {
    warnings.push(
      `Ignored ${injected.join(", ")}: Kubernetes sets ${injected.length > 1 ? "them" : "it"} for a service named ` +
        "qsolog. To set the port, use --port or qsolog.toml.",
    );
  }
  for (const setting of SETTINGS) if (setting.hasFileVariable) readFileVariable(setting, env, problems);
  return { env, warnings };
};

/** Reads a secret from the file that the environment names, as containers and systemd hand them over. */
const readFileVariable = (setting: Setting, env: Sources["env"], problems: FieldProblem[]): void => {
  const [name, variable] = [environmentName(setting), fileVariable(setting)];
  const path = nonEmpty(env[variable]);
  if (path === undefined) return;
  if (nonEmpty(env[name]) !== undefined) {
    problems.push({ path: variable, message: `Use either ${name} or ${variable}.` });
    return;
  }
  try {
    env[name] = readFileSync(path, "utf8").trim();
    if (env[name] === "") problems.push({ path: variable, message: `The file ${path} is empty.` });
  } catch (error) {
    problems.push({ path: variable, message: `Could not read ${path}: ${describeFileError(error)}.` });
  }
};

/** What a setting needs beside it. */
const NEEDS: readonly (readonly [name: SettingName, needed: SettingName, why: string])[] = [
  ["oidcIssuer", "oidcClientId", "the provider needs it."],
  ["oidcIssuer", "baseUrl", "the provider sends people back to it."],
  ["proxyUserHeader", "trustedProxies", "the header is only trusted from these proxies."],
  ...SETTINGS.filter(({ name }) => name.startsWith("oidc") && name !== "oidcIssuer").map(
    ({ name }) => [name, "oidcIssuer", "without it there is no single sign-on."] as const,
  ),
  ["proxyRegistration", "proxyUserHeader", "without it no proxy names users."],
  ["smtpUrl", "mailFrom", "mail needs a sender."],
  ["smtpUrl", "baseUrl", "links in mail lead there."],
  ["mailFrom", "smtpUrl", "without it no mail is sent."],
  ["backupDir", "backupHours", "without it there are no automatic backups."],
  ["backupKeep", "backupHours", "without it there are no automatic backups."],
];

/** Settings without another that they need. One that is set to its default changes nothing, so it needs nothing. */
const findContradictions = (config: Config, origins: Record<SettingName, Origin>): FieldProblem[] => {
  const settingOf = (name: SettingName) => SETTINGS.find((one) => one.name === name)!;
  const isThere = (name: SettingName) =>
    origins[name] !== "default" &&
    config[name] != null &&
    String(config[name]) !== String(settingOf(name).fallback(config.dataDir) ?? "");
  const found = NEEDS.filter(([name, needed]) => isThere(name) && !isThere(needed));
  return found.map(([name, needed, why]) => ({
    path: environmentName(settingOf(needed)),
    message: `is required with ${environmentName(settingOf(name))}: ${why}`,
  }));
};

const dataHome = (env: Sources["env"]): string =>
  nonEmpty(env.XDG_DATA_HOME) ?? join(nonEmpty(env.HOME) ?? homedir(), ".local", "share");

const strongest = (
  setting: Setting,
  flags: Record<string, unknown>,
  env: Sources["env"],
  file: Record<string, unknown>,
): { origin: Origin; value: string | undefined } => {
  const flag = setting.secret ? undefined : asText(flags[setting.name]);
  if (flag !== undefined) return { origin: "flag", value: flag };
  const environment = nonEmpty(env[environmentName(setting)]);
  if (environment !== undefined) return { origin: "environment", value: environment };
  const written = asText(file[setting.key]);
  if (written !== undefined) return { origin: "file", value: written };
  return { origin: "default", value: undefined };
};

const nameAt = (setting: Setting, origin: Origin): string => {
  if (origin === "flag") return flagName(setting);
  return origin === "file" ? `qsolog.toml ${setting.key}` : environmentName(setting);
};

const readFile = (path: string, problems: FieldProblem[]): Record<string, unknown> => {
  let written: string;
  try {
    written = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR")
      problems.push({ path: "qsolog.toml", message: `Could not read ${path}: ${describeFileError(error)}.` });
    return {};
  }
  try {
    const values = Bun.TOML.parse(written) as Record<string, unknown>;
    for (const [key, value] of Object.entries(values)) {
      const setting = SETTINGS.find((known) => known.key === key);
      const report = (message: string) => problems.push({ path: `qsolog.toml ${key}`, message });
      if (isTable(value)) report(`The file has no tables. Write its settings without the line [${key}].`);
      else if (!setting)
        report(
          `is not a setting.${suggest(
            key,
            SETTINGS.map((one) => one.key),
          )}`,
        );
      else if (setting.notInFile) report("cannot be set in the file.");
    }
    return Object.fromEntries(Object.entries(values).filter(([, value]) => !isTable(value)));
  } catch (error) {
    problems.push({ path: "qsolog.toml", message: `is not valid TOML: ${redactText((error as Error).message)}.` });
    return {};
  }
};

const isTable = (value: unknown): boolean =>
  [value].flat().some((one) => typeof one === "object" && one !== null && !(one instanceof Date));

const nonEmpty = (value: string | undefined): string | undefined => (value?.trim() ? value.trim() : undefined);

const asText = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.join(",") : String(value);
};

const assertNoPassword = (flag: string): void => {
  if (URL.canParse(flag) && new URL(flag).password !== "") {
    throw new Error("must not contain a password, because others can see it. Use the environment or qsolog.toml.");
  }
};
