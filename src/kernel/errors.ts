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
  /** The job that is in the way. */
  jobId?: number;
  cause?: unknown;
}

/** A refusal or failure that a person should read. Everything else that is thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly rule?: string;
  readonly fields?: FieldProblem[];
  readonly retryAfterSeconds?: number;
  readonly jobId?: number;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.rule = details.rule;
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.jobId = details.jobId;
  }
}
