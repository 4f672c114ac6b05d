import type { Config } from "../../config.ts";
import { SESSION_LIFETIME } from "../../auth/auth.ts";

type Placed = Pick<Config, "baseUrl">;

export const SESSION_COOKIE = "qsolog_session";
export const IMPERSONATION_COOKIE = "qsolog_impersonation";
/** Between the password and the second factor. */
export const CHALLENGE_COOKIE = "qsolog_challenge";
/** What was typed into a form, while its user proves to be the one. */
export const KEPT_FORM_COOKIE = "qsolog_form";

/**
 * What a cookie is called here. With https and the whole site, a browser sees to it that no sibling of the site made
 * it; below a path the browser would not take such a name.
 */
export const cookieName = ({ baseUrl }: Placed, name: string): string =>
  isHttps(baseUrl) && basePathOf(baseUrl) === "" ? `__Host-${name}` : name;

/** Every value under a name: who shares a part of the address can add one of its own. */
export const cookiesOf = (config: Placed, request: Request, name: string): string[] => {
  const sent = request.headers.get("cookie");
  if (sent === null) return [];
  const wanted = cookieName(config, name);
  return sent.split(";").flatMap((part) => {
    const at = part.indexOf("=");
    const value = part.slice(at + 1).trim();
    return part.slice(0, at).trim() === wanted && value !== "" ? [value] : [];
  });
};

/** A cookie scripts cannot read and other sites cannot send along with what they make a browser post. */
export const cookie = (config: Placed, name: string, value: string, lifetimeMs: number): string => {
  const secure = isHttps(config.baseUrl) ? "; Secure" : "";
  const path = basePathOf(config.baseUrl) || "/";
  const age = Math.floor(lifetimeMs / 1000);
  return `${cookieName(config, name)}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
};

/**
 * The cookie of an administrator acting as somebody else. It outlives its token, so that a browser goes on presenting
 * it: who comes back too late hears so, instead of being taken for the administrator.
 */
export const impersonationCookie = (config: Placed, token: string): string =>
  cookie(config, IMPERSONATION_COOKIE, token, SESSION_LIFETIME);

export const noCookie = (config: Placed, name: string): string => cookie(config, name, "", 0);

export const isHttps = (baseUrl: string | null): boolean => baseUrl?.startsWith("https:") ?? false;

export const basePathOf = (baseUrl: string | null): string =>
  baseUrl === null ? "" : new URL(baseUrl).pathname.replace(/(?<!\/)\/+$/, "");
