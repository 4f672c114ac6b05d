import type { App } from "../app.ts";
import { answerTo } from "./errors.ts";

const ID_BYTES = 6;

/** Answers a request, whatever happens, and leaves a trace of it: counted, logged, and named in the answer. */
export const watched = async (
  app: App,
  request: Request,
  answer: () => Promise<Response> | Response,
): Promise<Response> => {
  const id = Buffer.from(app.random(ID_BYTES)).toString("hex");
  const { method } = request;
  const path = new URL(request.url).pathname;
  const began = performance.now();
  const response = await Promise.try(answer).catch((error: unknown) => answerTo(app, error, { id, method, path }));
  const milliseconds = performance.now() - began;
  app.gauges.answer(method, response.status, milliseconds);
  const isWorthALine = method !== "GET" || response.status >= 400;
  app.log[isWorthALine ? "info" : "debug"]("request", {
    id,
    method,
    path,
    status: response.status,
    ms: Math.round(milliseconds * 10) / 10,
  });
  response.headers.set("x-request-id", id);
  response.headers.set("x-content-type-options", "nosniff");
  return response;
};
