import type { ConfigReading } from "../src/config.ts";
import { AppError } from "../src/kernel/errors.ts";
import type { ServerAccess } from "./client/server-link.ts";
import type { Flags, Shell } from "./shell.ts";

/**
 * The server to use, or null for the log on this machine. A flag decides, then QSOLOG_SERVER. Without both and without
 * a local log, a stored login is used.
 */
export const chooseServer = async (shell: Shell, flags: Flags): Promise<ServerAccess | null> => {
  const reading = shell.readConfig(flags);
  const isHere = reading.origins.dataDir === "flag" || reading.origins.databaseUrl === "flag";
  const { origins } = reading;
  if (origins.server === "flag" && isHere) {
    throw new AppError("invalid", "Use either --server, or --data-dir and --database-url.");
  }
  if (isHere) return null;
  if (reading.config.server !== null) return getAccess(shell, reading, flags);
  return findStoredAccess(shell, reading, flags);
};

const getAccess = async (shell: Shell, reading: ConfigReading, flags: Flags): Promise<ServerAccess> => {
  const { serverAddress } = await import("./client/server-address.ts");
  const { readLogins } = await import("./client/logins.ts");
  const server = serverAddress(reading.config.server!);
  const token = findToken(shell, server, reading);
  if (token !== null) return { server, token, insecure: Boolean(flags.insecure) };
  const login = readLogins(shell.env).find((known) => known.server === server);
  if (!login) {
    const words = `No token for ${server}. Sign in with qsolog login ${server}, or set QSOLOG_TOKEN.`;
    throw new AppError("unauthenticated", words);
  }
  return { server, token: login.token, insecure: login.insecure || Boolean(flags.insecure) };
};

/** QSOLOG_TOKEN is only sent to QSOLOG_SERVER. */
const findToken = (shell: Shell, server: string, { config, origins }: ConfigReading): string | null => {
  const named = shell.env.QSOLOG_SERVER?.trim();
  const isMeant = !named || origins.server === "environment" || trimSlash(named) === server;
  return isMeant ? config.token : null;
};

const trimSlash = (address: string): string =>
  URL.canParse(address) ? new URL(address).toString().replace(/(?<!\/)\/+$/, "") : address;

const findStoredAccess = async (
  shell: Shell,
  { config, origins }: ConfigReading,
  flags: Flags,
): Promise<ServerAccess | null> => {
  if (origins.dataDir !== "default" || origins.databaseUrl !== "default") return null;
  const { existsSync } = await import("node:fs");
  if (existsSync(config.databaseUrl)) return null;
  const { readLogins } = await import("./client/logins.ts");
  const [login, ...more] = readLogins(shell.env);
  if (!login) return null;
  if (more.length > 0) {
    const servers = [login, ...more].map(({ server }) => server).join(", ");
    throw new AppError(
      "invalid",
      `This machine has no log, and you are signed in to several servers. Choose one with --server: ${servers}.`,
    );
  }
  const { server, token, insecure } = login;
  return { server, token, insecure: insecure || Boolean(flags.insecure) };
};
