import type { App } from "../../app.ts";
import { compressed } from "./compress.ts";
import { isHttps } from "./cookies.ts";
import { errorResponse, toAppError } from "./errors.ts";

/** Logged instead of the path of a request that matches no route. */
export const UNKNOWN_ROUTE = "(unknown)";

/**
 * Answers a request, counts and logs it, and adds its id to the response. The log has the route instead of the path,
 * because paths can contain passwords, keys and tokens.
 */
export const withRequestLog = async (
  app: App,
  request: Request,
  { id, route }: { id: string; route: string },
  answer: () => Promise<Response> | Response,
): Promise<Response> => {
  const { method } = request;
  const began = app.ticks();
  app.gauges.begin();
  const response = await answered(request, answer, (error) =>
    errorResponse(toAppError(app, error, { id, method, path: route })),
  );
  app.gauges.end();
  const milliseconds = app.ticks() - began;
  app.gauges.answer(method, response.status, milliseconds);
  const level = method !== "GET" || response.status >= 400 ? "info" : "debug";
  if (app.log.tells(level)) {
    const ms = Math.round(milliseconds * 10) / 10;
    app.log[level]("request", { id, method, path: route, status: response.status, ms });
  }
  if (response.status >= 400) response.headers.set("cache-control", "no-store");
  response.headers.set("x-request-id", id);
  response.headers.set("x-content-type-options", "nosniff");
  if (isHttps(app.config.baseUrl)) response.headers.set("strict-transport-security", "max-age=31536000");
  return response;
};

const answered = async (
  request: Request,
  answer: () => Promise<Response> | Response,
  onError: (error: unknown) => Response,
): Promise<Response> => {
  try {
    return await compressed(request, await answer());
  } catch (error) {
    return onError(error);
  }
};
