import { Elysia } from "elysia";
import type { App } from "../app.ts";
import { AppError, HTTP_STATUS } from "../domain/errors.ts";

/** Turns whatever was thrown into the one error form. What was not meant for people stays in the log. */
export const errors = ({ log }: Pick<App, "log">) =>
  new Elysia({ name: "errors" }).onError({ as: "global" }, ({ code, error, request }) => {
    if (error instanceof AppError) return errorResponse(error);
    if (code === "NOT_FOUND") return errorResponse(new AppError("not_found", "There is nothing at this address."));
    if (code === "PARSE") return errorResponse(new AppError("invalid", "The body is not valid JSON."));
    log.error("request.failed", { method: request.method, path: new URL(request.url).pathname, error });
    return errorResponse(new AppError("internal", "Something went wrong. The log of the server says what."));
  });

export const errorResponse = ({ code, message, rule, fields, retryAfterSeconds }: AppError): Response =>
  Response.json(
    { error: { code, message, rule, fields } },
    {
      status: HTTP_STATUS[code],
      headers: retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) },
    },
  );
