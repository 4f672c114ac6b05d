import { Elysia } from "elysia";
import type { App } from "../app.ts";
import { loadTokens } from "../auth/jwt.ts";
import { loadTotp } from "../auth/factors/totp.ts";
import { AddressRanges } from "../kernel/addresses.ts";
import type { Cancel } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { getDescriptorLimit, guardDescriptors, MIN_DESCRIPTORS } from "../kernel/descriptors.ts";
import { lazy } from "../kernel/lazy.ts";
import { loadCompiler } from "../kernel/schema.ts";
import { addressOf } from "./http/client-address.ts";
import { Connection } from "./http/connection.ts";
import { basePathOf } from "./http/cookies.ts";
import type { Endpoint } from "./http/route.ts";
import { endpointsOf } from "./endpoints.ts";
import { nothingHere } from "./http/errors.ts";
import { missingPage } from "./pages/page-dispatch.tsx";
import type { PageRoute } from "./pages/page-route.ts";
import { UNKNOWN_ROUTE, withRequestLog } from "./http/request-log.ts";

export interface Server {
  /** For tests: answers a request without a socket. */
  handle(request: Request): Promise<Response>;
  /** Returns the address it listens on. */
  listen(): Promise<string>;
  stop(): Promise<void>;
}

const DRAIN_MS = 10_000;
/** Bun would refuse a long body without a message. Each route has its own limit and reports it. */
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER;
const ID_BYTES = 3;
/** Requests that are read or answered at the same time. Browsers open six connections. */
const MAX_REQUESTS_OF_ADDRESS = 200;
/** How long a connection can be silent. */
const IDLE_SECONDS = 120;
/** When to load what is slow the first time, before somebody asks for it. */
const WARM_UP_AFTER_MS = 1_000;

interface Options {
  /** In addition to those of the program. */
  morePages?: readonly PageRoute[];
  idleSeconds?: number;
}

export const createServer = (app: App, { morePages = [], idleSeconds = IDLE_SECONDS }: Options = {}): Server => {
  const { host, port } = app.config;
  const trusted = new AddressRanges(app.config.trustedProxies);
  // Random once, then counted: ids are unique across restarts, and no request waits for random bytes.
  const start = Buffer.from(app.random(ID_BYTES)).toString("hex");
  let requests = 0;
  const nextId = () => start + (++requests).toString(16).padStart(6, "0");
  const inProgress = new Map<string, number>();
  let callOff: Cancel = () => {};
  let endGuard: Cancel = () => {};
  let listening: Bun.Server<undefined> | null = null;
  const open = (taken: number) =>
    Bun.serve({
      hostname: host,
      port: taken,
      maxRequestBodySize: MAX_BODY_BYTES,
      idleTimeout: idleSeconds,
      reusePort: false,
      development: false,
      fetch: elysia.fetch,
    });

  const answer = ({ path, handle }: Endpoint, request: Request, params: Record<string, string>) => {
    const connection = new Connection(listening, request, idleSeconds);
    const address = addressOf(request, connection, trusted, app.config.proxyUserHeader);
    return withRequestLog(app, request, { id: nextId(), route: path }, async () => {
      const visitor = address.visitor();
      const others = inProgress.get(visitor) ?? 0;
      if (others >= MAX_REQUESTS_OF_ADDRESS) throw tooManyRequests();
      inProgress.set(visitor, others + 1);
      try {
        return await handle(request, params, address);
      } finally {
        connection.release();
        const left = inProgress.get(visitor)! - 1;
        if (left > 0) inProgress.set(visitor, left);
        else inProgress.delete(visitor);
      }
    });
  };
  /** Answers a request without an endpoint, or one that Elysia could not read. */
  const refuse = (request: Request, error: unknown) =>
    withRequestLog(app, request, { id: nextId(), route: UNKNOWN_ROUTE }, () => {
      if (error === null && isBrowser(request)) return missingPage(app, request);
      throw error ?? nothingHere();
    });

  // Host names without a dot are common in home networks.
  const elysia = new Elysia({ handler: { standardHostname: false } }).onError(
    { as: "global" },
    ({ code, error, request }) => refuse(request, code === "NOT_FOUND" ? null : error),
  );
  for (const endpoint of below(basePathOf(app.config.baseUrl), endpointsOf(app, morePages))) {
    const { method, path } = endpoint;
    elysia.route(method, path, ({ request, params }) => answer(endpoint, request, params), { parse: "none" });
  }
  elysia.compile();
  const guardConnections = (taken: number, limit: number | null): Cancel => {
    if (limit === null) return () => {};
    if (limit < MIN_DESCRIPTORS) app.log.warn("server.few_descriptors", { limit, needed: MIN_DESCRIPTORS });
    return guardDescriptors(limit, app, {
      pause() {
        app.log.warn("server.connections_paused", { limit });
        void listening?.stop();
      },
      resume() {
        listening = open(taken);
        app.log.info("server.connections_resumed");
      },
    });
  };
  return {
    handle: async (request) => elysia.fetch(request),
    async listen() {
      const limit = getDescriptorLimit();
      if (limit !== null && limit < MIN_DESCRIPTORS) await loadCode(app);
      try {
        listening = open(port);
      } catch (error) {
        throw new AppError("unavailable", `Cannot listen on ${host}:${port}: ${reasonOf(error)}.`, { cause: error });
      }
      // Whatever needs code that could not be read reports it.
      callOff = app.after(WARM_UP_AFTER_MS, () => void loadCode(app).catch(() => {}));
      const { hostname, port: taken } = listening;
      endGuard = guardConnections(taken!, limit);
      return `http://${hostname!.includes(":") ? `[${hostname}]` : hostname}:${taken}`;
    },
    /** Waits a while for requests in progress. Idle connections end immediately. */
    async stop() {
      callOff();
      endGuard();
      const waitNoLonger = app.after(DRAIN_MS, () => void listening?.stop(true));
      await listening?.stop();
      waitNoLonger();
    },
  };
};

/** Paths below the base path, and without it for endpoints that ask for that. */
const below = (basePath: string, endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.flatMap((endpoint) => {
    const there = { ...endpoint, path: basePath + endpoint.path };
    return endpoint.isEverywhere && basePath !== "" ? [there, endpoint] : [there];
  });

/**
 * Loads what this thread otherwise loads at its first use. Sources are read from disk, and Bun never finds code again
 * that it could not read while descriptors had run out.
 */
const loadCode = async ({ config }: App): Promise<void> => {
  loadCompiler();
  loadTotp();
  await loadTokens();
  if (config.oidcIssuer !== null) await import("openid-client");
  if (config.smtpUrl !== null) await import("nodemailer");
  await loadMaps();
};

const loadMaps = lazy(async () => {
  const { loadInsetMap } = await import("../../views/charts/areas.ts");
  await loadInsetMap("europe");
  await loadInsetMap("caribbean");
  // Drawing them leaves 20 MB that nothing uses, and a server at rest collects none of it.
  Bun.gc(true);
});

const tooManyRequests = (): AppError =>
  new AppError("rate_limited", "Too many requests from this address are in progress. Try again in a moment.", {
    rule: "too_many_requests",
    retryAfterSeconds: 5,
  });

/** Browsers get an error page. */
const isBrowser = ({ method, headers }: Request): boolean =>
  method === "GET" && (headers.get("accept") ?? "").includes("text/html");

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return "another program already uses this address";
  return code === "EACCES" ? "permission denied" : message;
};
