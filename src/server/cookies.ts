import type { Config } from "../config.ts";
import { SESSION_LIFETIME } from "../auth/auth.ts";

export const SESSION_COOKIE = "qsolog_session";
export const IMPERSONATION_COOKIE = "qsolog_impersonation";

export const cookieOf = (request: Request, name: string): string | null => {
  for (const part of (request.headers.get("cookie") ?? "").split(";")) {
    const at = part.indexOf("=");
    if (part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null;
  }
  return null;
};

/** A cookie scripts cannot read and other sites cannot send along with what they make a browser post. */
export const cookie = (
  { baseUrl }: Pick<Config, "baseUrl">,
  name: string,
  value: string,
  lifetimeMs: number,
): string => {
  const secure = baseUrl?.startsWith("https:") ? "; Secure" : "";
  const path = basePathOf(baseUrl) || "/";
  return `${name}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${Math.floor(lifetimeMs / 1000)}${secure}`;
};

/**
 * The cookie of an administrator acting as somebody else. It outlives its token, so that a browser goes on presenting
 * it: who comes back too late hears so, instead of being taken for the administrator.
 */
export const impersonationCookie = (config: Pick<Config, "baseUrl">, token: string): string =>
  cookie(config, IMPERSONATION_COOKIE, token, SESSION_LIFETIME);

export const noCookie = (config: Pick<Config, "baseUrl">, name: string): string => cookie(config, name, "", 0);

export const basePathOf = (baseUrl: string | null): string =>
  baseUrl === null ? "" : new URL(baseUrl).pathname.replace(/(?<!\/)\/+$/, "");
