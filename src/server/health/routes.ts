import type { App } from "../../app.ts";
import { AppError } from "../../kernel/errors.ts";
import { MINUTE } from "../../kernel/clock.ts";
import { hasDiskSpace } from "../../people/disk.ts";
import { takesWrites } from "../../people/installation.ts";
import { isLoopback } from "../../kernel/addresses.ts";
import { admit, bearerOf, type Door } from "../http/admit.ts";
import type { Address } from "../http/client-address.ts";
import type { Endpoint } from "../http/route.ts";
import { jsonResponse } from "../http/response.ts";
import { metricsOf } from "./metrics.ts";

const TICK_IS_LATE_AFTER = 3 * MINUTE;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** For monitoring: whether the server works, and its metrics. */
export const healthEndpoints = (app: App): readonly Endpoint[] => [
  { method: "GET", path: "/readyz", isEverywhere: true, handle: () => readiness(app) },
  {
    method: "GET",
    path: "/metrics",
    isEverywhere: true,
    async handle(request, _params, address) {
      await assertMayMeasure(app, request, address);
      return new Response(await metricsOf(app), { headers: { "content-type": "text/plain; version=0.0.4" } });
    },
  },
];

const readiness = async (app: App): Promise<Response> => {
  const { clock, scheduler, startedAt } = app;
  const database = await takesWrites(app);
  const tick = clock() - (scheduler.lastTickAt ?? startedAt) <= TICK_IS_LATE_AFTER;
  const disk = hasDiskSpace(app);
  const ready = database && tick && disk;
  return jsonResponse({ ready, checks: { database, tick, disk } }, ready ? 200 : 503);
};

/** Headers that proxies and networks add to a request. */
const FORWARDED =
  /^(x-forwarded-.*|forwarded|via|x-real-ip|true-client-ip|cf-.*|(x-)?(cluster-)?client-ip|fastly-.*|cdn-loop|x-original-.*)$/;

/** Whether neither the request nor the public address shows a proxy in front of the server. */
const isLocal = ({ config: { baseUrl } }: App, request: Request): boolean => {
  const isOwn = (url: string) => url.startsWith("http:") && isLoopback(new URL(url).hostname);
  return (
    isOwn(baseUrl ?? request.url) &&
    isOwn(request.url) &&
    ![...request.headers.keys()].some((name) => FORWARDED.test(name))
  );
};

const FOR_ADMINISTRATORS: Door = { method: "GET", access: "administrator", notWhileImpersonating: true };

/** Allows requests from this machine, and tokens of administrators. */
const assertMayMeasure = async (app: App, request: Request, address: Address): Promise<void> => {
  if (LOOPBACK.test(address.visitor()) && isLocal(app, request)) return;
  if (bearerOf(request) === null) throw new AppError("unauthenticated", "Sign in first.");
  await admit(app, request, FOR_ADMINISTRATORS, { caller: null, address, headers: new Headers() }, () => undefined);
};
