import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { AppError, type FieldProblem } from "./kernel/errors.ts";
import { SERVICE_ORIGINS } from "./domain/origins/services.ts";
import { SERVICES, type Service } from "./domain/jobs/source.ts";
import { LOG_LEVELS, redactText, type LogLevel } from "./kernel/log.ts";
import {
  oneOf,
  headerName,
  issuerUrl,
  parseAddresses,
  parseDatabaseUrl,
  parsePace,
  parseSecret,
  plainUrl,
  serviceUrl,
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
  /** What it is called in the configuration file; the flag has dashes, the environment capitals and a prefix. */
  key: string;
  meaning: string;
  /** Never given as a flag, because other people on the machine see the command line. */
  secret?: boolean;
  /** Says where things are before a file can be read, or belongs to one person's shell. */
  notInFile?: boolean;
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
}

const text = (value: string) => value;

export const SETTINGS: readonly Setting[] = [
  {
    name: "dataDir",
    key: "data_dir",
    meaning: "database, secret, log, country file, spool",
    notInFile: true,
    parse: (value) => resolve(value),
    fallback: () => null,
  },
  {
    name: "databaseUrl",
    key: "database_url",
    meaning: "a path, sqlite:PATH or postgres://…",
    parse: parseDatabaseUrl,
    fallback: (dataDir) => join(dataDir, "qsolog.db"),
  },
  { name: "host", key: "host", meaning: "listen address", parse: text, fallback: () => "127.0.0.1" },
  {
    name: "port",
    key: "port",
    meaning: "listen port, 0 for any free one",
    parse: (value) => wholeNumber(value, 0, 65_535),
    fallback: () => 7373,
  },
  {
    name: "baseUrl",
    key: "base_url",
    meaning: "public address",
    parse: plainUrl,
    fallback: () => null,
  },
  {
    name: "trustedProxies",
    key: "trusted_proxies",
    meaning: "addresses or ranges whose X-Forwarded-For is believed, separated by commas",
    parse: parseAddresses,
    fallback: () => [],
  },
  {
    name: "noticeNetworks",
    key: "notice_networks",
    meaning: "addresses or ranges of the local network that notices may be sent to, separated by commas",
    parse: parseAddresses,
    fallback: () => [],
  },
  {
    name: "secret",
    key: "secret",
    meaning: "at least 32 random bytes, from which every key is derived",
    secret: true,
    parse: parseSecret,
    fallback: () => null,
  },
  {
    name: "logFile",
    key: "log_file",
    meaning: "appended to, never truncated",
    parse: (value) => resolve(value),
    fallback: (dataDir) => join(dataDir, "qsolog.log"),
  },
  {
    name: "logLevel",
    key: "log_level",
    meaning: LOG_LEVELS.join(", "),
    parse: (value) => oneOf(value, LOG_LEVELS),
    fallback: () => "info",
  },
  ...SERVICES.map((service): Setting => ({
    name: `${service}Url`,
    key: `${service}_url`,
    meaning: `the address of ${SERVICE_ORIGINS[service].label}`,
    parse: serviceUrl,
    fallback: () => SERVICE_ORIGINS[service].url,
  })),
  {
    name: "registration",
    key: "registration",
    meaning: "closed, or open to let visitors create an account",
    parse: (value) => oneOf(value, ["closed", "open"] as const),
    fallback: () => "closed",
  },
  {
    name: "adminFactor",
    key: "admin_factor",
    meaning: "optional, or required to keep administrators without a second factor out of administration",
    parse: (value) => oneOf(value, ["optional", "required"] as const),
    fallback: () => "optional",
  },
  {
    name: "oidcIssuer",
    key: "oidc_issuer",
    meaning: "address of an OpenID Connect provider that people may sign in by",
    parse: issuerUrl,
    fallback: () => null,
  },
  {
    name: "oidcClientId",
    key: "oidc_client_id",
    meaning: "what this server is called there",
    parse: text,
    fallback: () => null,
  },
  {
    name: "oidcClientSecret",
    key: "oidc_client_secret",
    meaning: "its secret there; without one it is a public client",
    secret: true,
    parse: text,
    fallback: () => null,
  },
  {
    name: "oidcName",
    key: "oidc_name",
    meaning: "what people call the provider",
    parse: text,
    fallback: () => null,
  },
  {
    name: "oidcScopes",
    key: "oidc_scopes",
    meaning: "what is asked of the provider, separated by spaces",
    parse: text,
    fallback: () => "openid profile email",
  },
  {
    name: "oidcUsernameClaim",
    key: "oidc_username_claim",
    meaning: "claim whose value signs in as the user of that name",
    parse: text,
    fallback: () => null,
  },
  {
    name: "oidcCallsignClaim",
    key: "oidc_callsign_claim",
    meaning: "claim that holds the callsign of a new user",
    parse: text,
    fallback: () => null,
  },
  {
    name: "oidcRegistration",
    key: "oidc_registration",
    meaning: "closed, or open to let everybody the provider knows make an account",
    parse: (value) => oneOf(value, ["closed", "open"] as const),
    fallback: () => "closed",
  },
  {
    name: "oidcAdminGroup",
    key: "oidc_admin_group",
    meaning: "group at the provider whose members are administrators",
    parse: text,
    fallback: () => null,
  },
  {
    name: "proxyUserHeader",
    key: "proxy_user_header",
    meaning: "header in which a trusted proxy names who is signed in",
    parse: headerName,
    fallback: () => null,
  },
  {
    name: "proxyRegistration",
    key: "proxy_registration",
    meaning: "closed, or open to make an account for everybody that proxy names",
    parse: (value) => oneOf(value, ["closed", "open"] as const),
    fallback: () => "closed",
  },
  {
    name: "syncConcurrency",
    key: "sync_concurrency",
    meaning: "sync jobs run at once by one process",
    parse: (value) => wholeNumber(value, 1, 64),
    fallback: () => 4,
  },
  {
    name: "pace",
    key: "pace",
    meaning: "factor on every polite pause towards the services",
    parse: parsePace,
    fallback: () => 1,
  },
  {
    name: "user",
    key: "user",
    meaning: "user the command line speaks for",
    notInFile: true,
    parse: text,
    fallback: () => null,
  },
  {
    name: "password",
    key: "password",
    meaning: "password the command line uses",
    secret: true,
    notInFile: true,
    parse: text,
    fallback: () => null,
  },
  {
    name: "server",
    key: "server",
    meaning: "server the command line speaks to",
    notInFile: true,
    parse: plainUrl,
    fallback: () => null,
  },
  {
    name: "token",
    key: "token",
    meaning: "API token for that server",
    secret: true,
    notInFile: true,
    parse: text,
    fallback: () => null,
  },
];

export const environmentName = ({ key }: Setting): string => `QSOLOG_${key.toUpperCase()}`;
export const flagName = ({ key }: Setting): string => `--${key.replaceAll("_", "-")}`;

/** Reads flags, environment and file, in this order of strength, and reports every problem at once. */
export const readConfig = ({ env, flags = {} }: Sources): ConfigReading => {
  const problems: FieldProblem[] = [];
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
  problems.push(...missingBeside(config as unknown as Config));
  if (problems.length > 0) {
    const lines = problems.map(({ path, message }) => `${path}: ${message}`);
    throw new AppError("invalid", `The configuration is wrong. ${lines.join(" ")}`, { fields: problems });
  }
  return { config: config as unknown as Config, origins };
};

/** What a setting needs beside it. */
const NEEDS: readonly (readonly [name: SettingName, needed: SettingName, why: string])[] = [
  ["oidcIssuer", "oidcClientId", "the provider wants to know who asks."],
  ["oidcIssuer", "baseUrl", "the provider sends people back there."],
  ["proxyUserHeader", "trustedProxies", "the header is believed from nobody else."],
];

const missingBeside = (config: Config): FieldProblem[] => {
  const isThere = (name: SettingName) => config[name] != null && String(config[name]) !== "";
  const nameOf = (name: SettingName) => environmentName(SETTINGS.find((one) => one.name === name)!);
  return NEEDS.filter(([name, needed]) => isThere(name) && !isThere(needed)).map(([name, needed, why]) => ({
    path: nameOf(needed),
    message: `is needed with ${nameOf(name)}: ${why}`,
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
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES") throw error;
    if (code === "EACCES") problems.push({ path: "qsolog.toml", message: "cannot be read: check its permissions." });
    return {};
  }
  try {
    const values = Bun.TOML.parse(written) as Record<string, unknown>;
    for (const key of Object.keys(values)) {
      const setting = SETTINGS.find((known) => known.key === key);
      if (!setting) problems.push({ path: `qsolog.toml ${key}`, message: "there is no such setting." });
      else if (setting.notInFile) problems.push({ path: `qsolog.toml ${key}`, message: "cannot be set in the file." });
    }
    return values;
  } catch (error) {
    problems.push({ path: "qsolog.toml", message: `is not TOML: ${redactText((error as Error).message)}.` });
    return {};
  }
};

const nonEmpty = (value: string | undefined): string | undefined => (value?.trim() ? value.trim() : undefined);

const asText = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.join(",") : String(value);
};

const assertNoPassword = (flag: string): void => {
  if (URL.canParse(flag) && new URL(flag).password !== "") {
    throw new Error("must not carry a password where others can see it: use the environment or qsolog.toml.");
  }
};
