import { Elysia } from "elysia";
import type { Entrance } from "../app.ts";
import { AddressRanges, neighbourhoodOf } from "../addresses.ts";
import type { CallOff } from "../domain/clock.ts";
import { AppError } from "../domain/errors.ts";
import { addressOf } from "./client-address.ts";
import { basePathOf } from "./cookies.ts";
import type { Endpoint } from "./endpoint.ts";
import { entranceEndpoints } from "./entrance.ts";
import { nothingHere } from "./errors.ts";
import { missingPage } from "./page-dispatch.tsx";
import type { PageRoute } from "./page-route.ts";
import { requestIds } from "./request-ids.ts";
import { Turns } from "./turns.ts";
import { watched } from "./watched.ts";

export interface Server {
  /** For tests: answers a request without a socket. */
  handle(request: Request): Promise<Response>;
  /** Gives the address that was taken. */
  listen(): Promise<string>;
  /** Loads the features, unless a request for one of them did, and resolves when they answer. */
  whole(): Promise<void>;
  stop(): Promise<void>;
}

const DRAIN_MS = 10_000;
/** Bun would refuse a long body without a word; each route has its own limit and says so. */
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER;
const IDLE_SECONDS = 120;
/** What takes long the first time, and little to keep, is made ready before somebody asks for it. */
const WARM_UP_AFTER_MS = 1_000;

interface Options {
  /** Beside those of the program. */
  morePages?: readonly PageRoute[];
}

export const createServer = (app: Entrance, { morePages = [] }: Options = {}): Server => {
  const { host, port } = app.config;
  const trusted = new AddressRanges(app.config.trustedProxies);
  const basePath = basePathOf(app.config.baseUrl);
  const nextId = requestIds(app.random);
  const turns = new Turns(app);
  let callOff: CallOff = () => {};
  let isWhole = false;
  const elysia = new Elysia({ serve: { maxRequestBodySize: MAX_BODY_BYTES, idleTimeout: IDLE_SECONDS } }).onError(
    { as: "global" },
    ({ code, error, request }) => {
      if (code === "NOT_FOUND" && !isWhole) return onceWhole(request);
      return watched(app, request, nextId(), () => {
        if (code === "NOT_FOUND" && isBrowser(request)) return missingPage(app, request);
        throw code === "NOT_FOUND" ? nothingHere() : error;
      });
    },
  );
  const add = ({ method, path, handle }: Endpoint) =>
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
  const addAll = (endpoints: readonly Endpoint[]) => {
    for (const endpoint of endpoints) {
      add({ ...endpoint, path: basePath + endpoint.path });
      if (endpoint.isEverywhere && basePath !== "") add(endpoint);
    }
  };
  addAll(entranceEndpoints(app));
  const features = Promise.withResolvers<readonly Endpoint[]>();
  elysia.use(
    features.promise.then((endpoints) => () => {
      addAll(endpoints);
      isWhole = true;
      return elysia;
    }),
  );
  const load = async () => {
    const [whole, { featureEndpoints }] = [await app.whole(), await import("./features.ts")];
    features.resolve(featureEndpoints(whole, morePages));
    await elysia.modules;
  };
  let loading: Promise<void> | null = null;
  const whole = () => (loading ??= load());
  /** Nobody is told that there is nothing where a feature is about to be. */
  const onceWhole = async (request: Request): Promise<Response> => {
    try {
      await whole();
    } catch {
      return watched(app, request, nextId(), () => {
        throw new AppError("unavailable", "The server could not start.");
      });
    }
    return elysia.handle(request);
  };
  return {
    handle: (request) => Promise.resolve(elysia.handle(request)),
    async listen() {
      try {
        elysia.listen({ hostname: host, port, reusePort: false });
      } catch (error) {
        throw new AppError("unavailable", `Cannot listen on ${host}:${port}: ${reasonOf(error)}.`, { cause: error });
      }
      callOff = app.after(WARM_UP_AFTER_MS, () => void warmUp());
      const { hostname, port: taken } = elysia.server!;
      return `http://${hostname!.includes(":") ? `[${hostname}]` : hostname}:${taken}`;
    },
    whole,
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

const warmUp = async () => (await import("../../views/charts/land.ts")).landOutline();

/** People get a page. */
const isBrowser = ({ method, headers }: Request): boolean =>
  method === "GET" && (headers.get("accept") ?? "").includes("text/html");

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return "another program uses this address";
  return code === "EACCES" ? "permission is denied" : message;
};
