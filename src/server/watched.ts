import type { Entrance } from "../app.ts";
import { compressed } from "./compress.ts";
import { isHttps } from "./cookies.ts";
import { answerTo } from "./errors.ts";
import { pathOf } from "./request-path.ts";

/** Answers a request, whatever happens, and leaves a trace of it: counted, logged, and named in the answer. */
export const watched = async (
  app: Entrance,
  request: Request,
  id: string,
  answer: () => Promise<Response> | Response,
): Promise<Response> => {
  const { method } = request;
  const began = app.ticks();
  const response = await answered(request, answer, (error) =>
    answerTo(app, error, { id, method, path: toldPath(request) }),
  );
  const milliseconds = app.ticks() - began;
  app.gauges.answer(method, response.status, milliseconds);
  const level = method !== "GET" || response.status >= 400 ? "info" : "debug";
  if (app.log.tells(level)) {
    const ms = Math.round(milliseconds * 10) / 10;
    app.log[level]("request", { id, method, path: toldPath(request), status: response.status, ms });
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

/** Every path of the program is far shorter. */
const LONGEST_PATH = 200;

const clipped = (path: string): string => (path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path);

/** Some programs put their key into the path. */
const masked = (path: string): string =>
  path.replace(
    /(\/api\/(?:station_info|auth|check_auth|statistics)\/)(?!(?:login|logout|register|confirm|password|impersonation)(?:\/|$))[^/]+/,
    "$1…",
  );

/** As the log has it. */
const toldPath = (request: Request): string => clipped(masked(pathOf(request)));
