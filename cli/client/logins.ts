import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { AppError } from "../../src/kernel/errors.ts";
import { describeFileError } from "../../src/kernel/files.ts";

/** A stored login: one server and the token for it. */
export interface Login {
  server: string;
  username: string;
  token: string;
  /** The token's id if signing in created it; null for a token that was passed in. */
  tokenId: number | null;
  insecure: boolean;
}

type Env = Record<string, string | undefined>;

export const loginsFile = (env: Env): string =>
  join(env.XDG_CONFIG_HOME?.trim() || join(env.HOME?.trim() || homedir(), ".config"), "qsolog", "logins.json");

/** All stored logins, one per server. A file that others can read is refused, because it contains tokens. */
export const readLogins = (env: Env): Login[] => {
  const file = loginsFile(env);
  const text = textOf(file);
  if (text === null) return [];
  if ((statSync(file).mode & 0o077) !== 0) {
    throw new AppError("invalid", `Other users can read ${file}, which contains tokens. Run: chmod 600 ${file}`);
  }
  const { logins } = parsed(text);
  const isWhole = Array.isArray(logins) && logins.every(isLogin);
  if (!isWhole) throw new AppError("invalid", `${file} is damaged. Remove it and sign in again: qsolog login URL`);
  return logins;
};

export const keepLogin = (env: Env, login: Login): void =>
  write(env, [...readLogins(env).filter(({ server }) => server !== login.server), login]);

export const forgetLogin = (env: Env, server: string): void =>
  write(
    env,
    readLogins(env).filter((login) => login.server !== server),
  );

const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR"].includes(code)) return null;
    throw new AppError("unavailable", `${file} cannot be read: ${describeFileError(error)}.`);
  }
};

const parsed = (text: string): { logins?: unknown } => {
  try {
    return (JSON.parse(text) ?? {}) as { logins?: unknown };
  } catch {
    return {};
  }
};

const isLogin = (value: unknown): value is Login => {
  const { server, username, token } = (value ?? {}) as Partial<Login>;
  return [server, username, token].every((text) => typeof text === "string");
};

/** Writes a temporary file and renames it, so that the file is never incomplete or readable by others. */
const write = (env: Env, logins: readonly Login[]): void => {
  const file = loginsFile(env);
  const draft = `${file}.${process.pid}`;
  try {
    if (logins.length === 0) return rmSync(file, { force: true });
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify({ logins }, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    if (existsSync(draft)) rmSync(draft);
    throw new AppError("unavailable", `${file} cannot be written: ${(error as Error).message}.`, { cause: error });
  }
};
