import { Elysia } from "elysia";
import type { Endpoint } from "./endpoint.ts";

export type Route = (request: Request) => Response | Promise<Response>;

export type Answer = (endpoint: Endpoint, request: Request, params: Record<string, string>) => Promise<Response>;

/** Answers what is meant for no endpoint: for null there is nothing at the address. */
export type Lost = (request: Request, error: unknown) => Promise<Response>;

/** Brings each request to the endpoint that it is meant for. */
export const routeOf = (endpoints: readonly Endpoint[], answer: Answer, lost: Lost): Route => {
  // A machine of a network at home may be called by one letter.
  const elysia = new Elysia({ handler: { standardHostname: false } }).onError(
    { as: "global" },
    ({ code, error, request }) => lost(request, code === "NOT_FOUND" ? null : error),
  );
  for (const endpoint of endpoints) {
    const { method, path } = endpoint;
    elysia.route(method, path, ({ request, params }) => answer(endpoint, request, params), { parse: "none" });
  }
  elysia.compile();
  return elysia.fetch;
};
