import type { Config } from "../../config.ts";
import { AppError } from "../../kernel/errors.ts";
import { bearerOf } from "./bearer.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses requests that another site makes a browser send, because cookies go along. A browser says where a request
 * comes from; without that, only requests without a cookie are allowed. A request with a token of its own does not
 * come from another site.
 */
export const assertSameSite = (
  request: Request,
  hasCookie: () => boolean,
  { baseUrl }: Pick<Config, "baseUrl">,
): void => {
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
