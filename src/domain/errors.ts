export type ErrorCode =
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "too_large"
  | "rate_limited"
  | "upstream"
  | "unavailable"
  | "internal";

export interface FieldProblem {
  path: string;
  message: string;
}

interface Details {
  /** The name of the rule that refused, for programs. */
  rule?: string;
  fields?: FieldProblem[];
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A refusal or failure that a person should read. Everything else that is thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly rule?: string;
  readonly fields?: FieldProblem[];
  readonly retryAfterSeconds?: number;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.rule = details.rule;
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

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

export const EXIT_CODE: Record<ErrorCode, number> = {
  invalid: 2,
  unauthenticated: 4,
  forbidden: 4,
  not_found: 5,
  conflict: 3,
  too_large: 2,
  rate_limited: 1,
  upstream: 1,
  unavailable: 1,
  internal: 1,
};
