import { AppError, type ErrorCode } from "../../kernel/errors.ts";
import { SyncError } from "../../domain/jobs/provider.ts";
import type { Log } from "../../kernel/log.ts";
import { jsonResponse } from "./response.ts";

export const HTTP_STATUS: Record<ErrorCode, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  upstream: 502,
  unavailable: 503,
  internal: 500,
};

/** Any error as one for the client. Details of unexpected errors go only to the log. */
export const toAppError = ({ log }: { log: Log }, error: unknown, request: Record<string, string>): AppError => {
  if (error instanceof AppError) return error;
  if (error instanceof SyncError) return new AppError("upstream", error.message, { rule: error.code });
  log.error("request.failed", { ...request, error });
  return new AppError("internal", "Something went wrong. See the server's log for details.");
};

/** When to try again. */
export const retryHeaders = ({ code, retryAfterSeconds }: AppError): Record<string, string> => {
  const wait = retryAfterSeconds ?? (code === "unavailable" ? 5 : undefined);
  return wait === undefined ? {} : { "retry-after": String(wait) };
};

/** The JSON form of an error. */
export const errorResponse = (error: AppError): Response => {
  const { code, message, rule, fields, jobId } = error;
  return jsonResponse({ error: { code, message, rule, fields, jobId } }, HTTP_STATUS[code], retryHeaders(error));
};

export const nothingHere = (): AppError => new AppError("not_found", "There is nothing at this address.");
