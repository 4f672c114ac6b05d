import { AppError, type ErrorCode } from "../../kernel/errors.ts";
import { SyncError } from "../../domain/jobs/provider.ts";
import type { Log } from "../../kernel/log.ts";
import { jsonResponse } from "./json-response.ts";

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

/** Turns any error into the JSON form of errors. Details of unexpected errors go only to the log. */
export const answerTo = ({ log }: { log: Log }, error: unknown, request: Record<string, string>): Response => {
  if (error instanceof AppError) return errorResponse(error);
  if (error instanceof SyncError) return errorResponse(new AppError("upstream", error.message, { rule: error.code }));
  log.error("request.failed", { ...request, error });
  return errorResponse(new AppError("internal", "Something went wrong. See the server's log for details."));
};

export const nothingHere = (): AppError => new AppError("not_found", "There is nothing at this address.");

const errorResponse = ({ code, message, rule, fields, jobId, retryAfterSeconds }: AppError): Response => {
  const wait = retryAfterSeconds ?? (code === "unavailable" ? 5 : undefined);
  const headers: Record<string, string> = wait === undefined ? {} : { "retry-after": String(wait) };
  return jsonResponse({ error: { code, message, rule, fields, jobId } }, HTTP_STATUS[code], headers);
};
