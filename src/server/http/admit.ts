import type { App } from "../../app.ts";
import { assertConfirmed, getFactorAt, isOld, type Caller } from "../../auth/caller.ts";
import { AppError } from "../../kernel/errors.ts";
import { redactText } from "../../kernel/redact.ts";
import { recordReadAs, recordWriteAs } from "../../people/impersonation.ts";
import type { Address } from "./client-address.ts";
import { CHALLENGE_COOKIE, cookie, cookiesOf, IMPERSONATION_COOKIE, SESSION_COOKIE } from "./cookies.ts";
import type { Config } from "../../config.ts";

/** Who can use a route, page or form. */
export interface Door {
  method: string;
  access: "anyone" | "user" | "administrator";
  /** For browsers: API tokens are refused. */
  isPage?: boolean;
  /** API tokens are refused, because it concerns the account itself. */
  sessionOnly?: boolean;
  /** Refused while an administrator acts as the user. */
  notWhileImpersonating?: boolean;
  /**
   * Needs a recent sign-in or confirmation. Changes to second factors need one with a second factor, if there is one.
   */
  confirmed?: boolean | "with factor";
  /**
   * The scope of a program's key that can use it. All other routes refuse such keys. A lookup key can use only
   * `lookup`.
   */
  feedKeys?: "feed" | "lookup";
  /** The key, if it is neither a bearer token nor a cookie, and the address of the request. */
  key?: { text: string; address: string };
  /** Only reads, although it is a POST, because the question is too long for a URL. */
  isReading?: boolean;
  /**
   * The body is neither JSON nor a form, or the handler must know the caller before reading it: the handler reads it.
   */
  rawBody?: boolean;
  /** Signing in and out. It does not count as a write to the account. */
  isSigning?: boolean;
}

/** What is known about a request so far, even if it is refused. */
export interface Visit {
  caller: Caller | null;
  address: Address;
  /** Headers of the response. */
  headers: Headers;
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The only place that decides whether a request is admitted: caller, site, permissions, and whether to record it. The
 * body is read in between, because only valid writes are recorded.
 */
export const admit = async <Words>(
  app: App,
  request: Request,
  door: Door,
  visit: Visit,
  read: () => Words | Promise<Words>,
): Promise<Words> => {
  const caller = await callerOf(app, request, door, visit.address);
  visit.caller = caller;
  assertSameSite(request, () => caller?.byCookie ?? hasCookie(app, request), app.config);
  if (caller) noticed(app, caller, visit.headers);
  assertAllowed(door, caller, app);
  if (caller) await app.fairShare.begin(caller.user.id);
  const words = await read();
  if (!door.rawBody) visit.address.hasAsked();
  if (caller?.impersonatedBy && !door.isSigning) {
    const path = redactText(new URL(request.url).pathname);
    if (SAFE.has(door.method) || door.isReading) await recordReadAs(app, caller, path);
    else await recordWriteAs(app, caller, { method: door.method, path });
  }
  return words;
};

/** A route for anyone ignores an expired session. */
const callerOf = async (
  app: App,
  request: Request,
  { access, key }: Door,
  address: Address,
): Promise<Caller | null> => {
  if (key) return app.auth.findCallerOfKey(key.text, key.address);
  const presented = {
    bearer: bearerOf(request),
    address: address.visitor(),
    sessionCookies: cookiesOf(app.config, request, SESSION_COOKIE),
    impersonationCookies: cookiesOf(app.config, request, IMPERSONATION_COOKIE),
    namedByProxy: address.namedByProxy(),
  };
  try {
    return await app.auth.findCaller(presented);
  } catch (error) {
    const isRefused = error instanceof AppError && ["unauthenticated", "rate_limited"].includes(error.code);
    if (access === "anyone" && isRefused) return null;
    throw error;
  }
};

const hasCookie = ({ config }: App, request: Request): boolean =>
  [SESSION_COOKIE, IMPERSONATION_COOKIE, CHALLENGE_COOKIE].some((name) => cookiesOf(config, request, name).length > 0);

const assertAllowed = (door: Door, caller: Caller | null, { config, clock }: App): void => {
  const refuse = (rule: string, message: string) => new AppError("forbidden", message, { rule });
  if (door.isPage && caller?.tokenId != null)
    throw refuse("session_required", "Web pages cannot be opened with an API token.");
  if (door.access === "anyone") return;
  if (!caller) throw new AppError("unauthenticated", "Sign in first.");
  const isKey = caller.scope === "feed" || caller.scope === "lookup";
  if (isKey && door.feedKeys !== "lookup" && (door.feedKeys === undefined || caller.scope === "lookup")) {
    throw refuse(
      "feed_key",
      `This key can only ${caller.scope === "feed" ? "log contacts and " : ""}look up callsigns.`,
    );
  }
  if (door.notWhileImpersonating && caller.impersonatedBy) {
    throw refuse("impersonating", "You cannot do this while acting as another user.");
  }
  if (caller.scope === "read" && !SAFE.has(door.method) && !door.isSigning && !door.isReading) {
    throw refuse("read_only_token", "This token is read-only.");
  }
  if (door.sessionOnly && caller.scope !== "full")
    throw refuse("session_required", "You cannot do this with an API token. Sign in instead.");
  if (door.access === "administrator" && !caller.user.isAdmin) {
    throw refuse("not_admin_caller", "Only administrators can do this.");
  }
  const isShut =
    door.access === "administrator" && config.adminFactor === "required" && getFactorAt(caller, clock()) === null;
  if (isShut || (door.confirmed === "with factor" && caller.hasFactor && isOld(caller.factorAt, clock()))) {
    const words = caller.hasFactor ? "Confirm with your second factor first." : "Administrators need a second factor.";
    throw refuse("factor_required", words);
  }
  if (door.confirmed) assertConfirmed(caller, clock());
};

/** While acting as a user, the administrator was active. */
const noticed = (app: App, caller: Caller, headers: Headers): void => {
  const { user, impersonatedBy, renewed } = caller;
  app.lastSeen.touch(impersonatedBy?.id ?? user.id, caller);
  if (renewed) {
    headers.append("set-cookie", cookie(app.config, SESSION_COOKIE, renewed.token, renewed.expiresAt - app.clock()));
  }
};

/** The token that a program sends. Browsers never add it to requests that other sites cause. */
export const bearerOf = (request: Request): string | null =>
  request.headers.get("authorization")?.match(/^Bearer\s+(\S+)\s*$/i)?.[1] ?? null;

/**
 * Refuses requests that another site makes a browser send, because cookies go along. A browser says where a request
 * comes from; without that, only requests without a cookie are allowed. A request with a token of its own does not
 * come from another site.
 */
const assertSameSite = (request: Request, hasCookie: () => boolean, { baseUrl }: Pick<Config, "baseUrl">): void => {
  if (SAFE.has(request.method) || bearerOf(request) !== null) return;
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = request.headers.get("origin");
  const isKnown = site === null && origin !== null && hostsOf(request, baseUrl).includes(hostOf(origin));
  const isBrowser = site !== null || origin !== null;
  if (isKnown || (!isBrowser && !hasCookie())) return;
  throw new AppError("forbidden", "This request came from another site.", { rule: "cross_site" });
};

export const hostsOf = (request: Request, baseUrl: string | null): string[] => [
  request.headers.get("host") ?? "",
  ...(baseUrl === null ? [] : [new URL(baseUrl).host]),
];

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).host : "none");
