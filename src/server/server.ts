import { Elysia } from "elysia";
import type { App } from "../app.ts";
import { AddressRanges, neighbourhoodOf } from "../addresses.ts";
import type { CallOff } from "../domain/clock.ts";
import { AppError } from "../domain/errors.ts";
import { landOutline } from "../../views/charts/land.ts";
import { assetEndpoints } from "./assets.ts";
import { addressOf, type Address } from "./client-address.ts";
import { basePathOf, cookieName, SESSION_COOKIE } from "./cookies.ts";
import { dispatch } from "./dispatch.ts";
import { nothingHere } from "./errors.ts";
import { openApiOf } from "./openapi.ts";
import { dispatchPage, missingPage } from "./page-dispatch.tsx";
import type { PageRoute } from "./page-route.ts";
import { PAGE_ROUTES } from "./page-routes.ts";
import { requestIds } from "./request-ids.ts";
import { healthEndpoints } from "./health/routes.ts";
import { API_ROUTES } from "./api-routes.ts";
import { Turns } from "./turns.ts";
import { liveEndpoints } from "./live/events.ts";
import { wavelogEndpoints } from "./wavelog/endpoints.ts";
import { watched } from "./watched.ts";
import { json } from "./whole.ts";

export interface Server {
  /** For tests: answers a request without a socket. */
  handle(request: Request): Promise<Response>;
  /** Gives the address that was taken. */
  listen(): Promise<string>;
  stop(): Promise<void>;
}

const DRAIN_MS = 10_000;
/** Bun would refuse a long body without a word; each route has its own limit and says so. */
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER;
const IDLE_SECONDS = 120;
/** What takes long the first time, and little to keep, is made ready before somebody asks for it. */
const WARM_UP_AFTER_MS = 1_000;

interface Endpoint {
  method: string;
  path: string;
  handle(request: Request, params: Record<string, string>, address: Address): Promise<Response> | Response;
}

/** Everything that answers, below the base path; health answers without it too. */
const endpoints = (app: App, basePath: string, pages: readonly PageRoute[]): Endpoint[] => {
  let document: ReturnType<typeof openApiOf> | undefined;
  const documented = () => (document ??= openApiOf(API_ROUTES, basePath, cookieName(app.config, SESSION_COOKIE)));
  const below = (path: string) => basePath + path;
  const health = healthEndpoints(app);
  return [
    ...health,
    ...(basePath === "" ? [] : health.map((one) => ({ ...one, path: below(one.path) }))),
    { method: "GET", path: below("/openapi/json"), handle: () => json(documented()) },
    ...assetEndpoints().map((one) => ({ ...one, path: below(one.path) })),
    ...pages.map((one) => ({
      method: one.spec.method,
      path: below(one.spec.path),
      handle: (request: Request, params: Record<string, string>, address: Address) =>
        dispatchPage(app, one, request, params, address),
    })),
    ...liveEndpoints(app).map((one) => ({ ...one, path: below(one.path) })),
    ...wavelogEndpoints(app).map((one) => ({ ...one, path: below(one.path) })),
    ...API_ROUTES.map((one) => ({
      method: one.spec.method,
      path: below(one.spec.path),
      handle: (request: Request, params: Record<string, string>, address: Address) =>
        dispatch(app, one, request, params, address),
    })),
  ];
};

interface Options {
  /** Beside those of the program. */
  morePages?: readonly PageRoute[];
}

export const createServer = (app: App, { morePages = [] }: Options = {}): Server => {
  const { host, port } = app.config;
  const trusted = new AddressRanges(app.config.trustedProxies);
  const basePath = basePathOf(app.config.baseUrl);
  const nextId = requestIds(app.random);
  const turns = new Turns(app);
  let callOff: CallOff = () => {};
  const elysia = new Elysia({ serve: { maxRequestBodySize: MAX_BODY_BYTES, idleTimeout: IDLE_SECONDS } }).onError(
    { as: "global" },
    ({ code, error, request }) =>
      watched(app, request, nextId(), () => {
        if (code === "NOT_FOUND" && isBrowser(request)) return missingPage(app, request);
        throw code === "NOT_FOUND" ? nothingHere() : error;
      }),
  );
  for (const { method, path, handle } of endpoints(app, basePath, [...PAGE_ROUTES, ...morePages])) {
    elysia.route(
      method,
      path,
      ({ request, params, server }) => {
        const socket = () => server?.requestIP(request)?.address ?? "127.0.0.1";
        const address = addressOf(request, socket, trusted, app.config.proxyUserHeader);
        const answer = () => handle(request, params as Record<string, string>, address);
        const others = turns.wait(() => neighbourhoodOf(address.visitor()));
        return watched(app, request, nextId(), others === null ? answer : () => others.then(answer));
      },
      { parse: "none" },
    );
  }
  return {
    handle: (request) => Promise.resolve(elysia.handle(request)),
    async listen() {
      try {
        elysia.listen({ hostname: host, port, reusePort: false });
      } catch (error) {
        throw new AppError("unavailable", `Cannot listen on ${host}:${port}: ${reasonOf(error)}.`, { cause: error });
      }
      callOff = app.after(WARM_UP_AFTER_MS, () => void landOutline());
      const { hostname, port: taken } = elysia.server!;
      return `http://${hostname!.includes(":") ? `[${hostname}]` : hostname}:${taken}`;
    },
    /** Requests under way are answered, for a while; idle connections end at once. */
    async stop() {
      callOff();
      const { server } = elysia;
      const waitNoLonger = app.after(DRAIN_MS, () => void server?.stop(true));
      await server?.stop();
      waitNoLonger();
    },
  };
};

/** People get a page. */
const isBrowser = ({ method, headers }: Request): boolean =>
  method === "GET" && (headers.get("accept") ?? "").includes("text/html");

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return "another program uses this address";
  return code === "EACCES" ? "permission is denied" : message;
};
