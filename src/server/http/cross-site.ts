import type { Config } from "../../config.ts";
import { AppError } from "../../kernel/errors.ts";
import { bearerOf } from "./bearer.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses what another site makes a browser send: cookies go along with it. A browser says where a request comes from;
 * whoever says nothing is no browser and is let in only without a cookie. A request that counts by its own token is
 * not sent by a browser on somebody's behalf.
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
