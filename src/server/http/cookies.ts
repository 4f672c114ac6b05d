import type { Config } from "../../config.ts";
import { SESSION_LIFETIME, type SignIn } from "../../auth/auth.ts";
import { addDevice } from "../../auth/known-devices.ts";
import { DAY } from "../../kernel/clock.ts";
import type { App } from "../../app.ts";

type Placed = Pick<Config, "baseUrl">;

export const SESSION_COOKIE = "qsolog_session";
export const IMPERSONATION_COOKIE = "qsolog_impersonation";
/** What a browser shows that signed in before. */
export const DEVICE_COOKIE = "qsolog_device";
/** Between password and second factor. */
export const CHALLENGE_COOKIE = "qsolog_challenge";
/** The contents of a form while the user confirms their identity. */
export const KEPT_FORM_COOKIE = "qsolog_form";

/**
 * The name of a cookie. With https at the root of a site it has the prefix `__Host-`, which browsers accept from no
 * other site of the domain. Below a path browsers would refuse that prefix.
 */
export const cookieName = ({ baseUrl }: Placed, name: string): string =>
  isHttps(baseUrl) && basePathOf(baseUrl) === "" ? `__Host-${name}` : name;

/** Every value under a name, because other sites on the same domain can add their own. */
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

/** A cookie that scripts cannot read and that other sites' POST requests do not carry. */
export const cookie = (config: Placed, name: string, value: string, lifetimeMs: number): string => {
  const secure = isHttps(config.baseUrl) ? "; Secure" : "";
  const path = basePathOf(config.baseUrl) || "/";
  const age = Math.floor(lifetimeMs / 1000);
  return `${cookieName(config, name)}=${value}; Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${age}${secure}`;
};

/**
 * The cookie of an administrator who acts as a user. It outlives its token, so that a late request is told that acting
 * has ended, instead of being treated as the administrator's.
 */
export const impersonationCookie = (config: Placed, token: string): string =>
  cookie(config, IMPERSONATION_COOKIE, token, SESSION_LIFETIME);

/** Browsers keep no cookie longer. */
const DEVICE_LIFETIME = 400 * DAY;

/** The cookies of a browser that signed in. */
export const signInCookies = (
  app: Pick<App, "config" | "clock" | "vault" | "random">,
  request: Request,
  { token, expiresAt, user }: SignIn,
): string[] => {
  const { config, clock } = app;
  const device = addDevice(app, user.id, cookiesOf(config, request, DEVICE_COOKIE));
  return [
    cookie(config, SESSION_COOKIE, token, expiresAt - clock()),
    cookie(config, DEVICE_COOKIE, device, DEVICE_LIFETIME),
  ];
};

export const noCookie = (config: Placed, name: string): string => cookie(config, name, "", 0);

export const isHttps = (baseUrl: string | null): boolean => baseUrl?.startsWith("https:") ?? false;

export const basePathOf = (baseUrl: string | null): string =>
  baseUrl === null ? "" : new URL(baseUrl).pathname.replace(/(?<!\/)\/+$/, "");
