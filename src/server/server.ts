import { Elysia } from "elysia";
import type { App } from "../app.ts";
import { AppError } from "../domain/errors.ts";
import { errors } from "./errors.ts";
import { health } from "./routes/health.ts";
import { welcome } from "./routes/welcome.tsx";

export interface Server {
  /** For tests: answers a request without a socket. */
  handle(request: Request): Promise<Response>;
  /** Gives the address that was taken. */
  listen(): Promise<string>;
  stop(): Promise<void>;
}

const DRAIN_MS = 10_000;
const MAX_BODY_BYTES = 1_048_576;

export const createServer = (app: App): Server => {
  const { host, port } = app.config;
  const basePath = pathOf(app.config.baseUrl);
  const elysia = new Elysia({ serve: { maxRequestBodySize: MAX_BODY_BYTES } })
    .use(errors(app))
    .use(health(app))
    .use(new Elysia({ prefix: basePath }).use(basePath === "" ? new Elysia() : health(app)).use(welcome(app)));
  return {
    handle: (request) => Promise.resolve(elysia.handle(request)),
    async listen() {
      try {
        elysia.listen({ hostname: host, port, reusePort: false });
      } catch (error) {
        throw new AppError("unavailable", `Cannot listen on ${host}:${port}: ${reasonOf(error)}.`, { cause: error });
      }
      const { hostname, port: taken } = elysia.server!;
      return `http://${hostname!.includes(":") ? `[${hostname}]` : hostname}:${taken}`;
    },
    /** Requests under way are answered, for a while; idle connections end at once. */
    async stop() {
      const { server } = elysia;
      const impatience = setTimeout(() => void server?.stop(true), DRAIN_MS);
      await server?.stop();
      clearTimeout(impatience);
    },
  };
};

const pathOf = (baseUrl: string | null): string =>
  baseUrl === null ? "" : new URL(baseUrl).pathname.replace(/\/+$/, "");

const reasonOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return "another program uses this address";
  return code === "EACCES" ? "permission is denied" : message;
};
