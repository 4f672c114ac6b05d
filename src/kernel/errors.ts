import { redactText } from "./redact.ts";

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
  /** The name of the violated rule, for programs. */
  rule?: string;
  fields?: FieldProblem[];
  retryAfterSeconds?: number;
  /** The job that prevents the action. */
  jobId?: number;
  cause?: unknown;
}

/**
 * An expected error with a message for the user. Anything else that is thrown is a bug. Messages quote what was typed or
 * what a service answered, so secrets are removed: an error is logged, stored with a job, sent as a notice and shown.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly rule?: string;
  readonly fields?: FieldProblem[];
  readonly retryAfterSeconds?: number;
  readonly jobId?: number;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(redactText(message), details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.rule = details.rule;
    this.fields = details.fields?.map(({ path, message: problem }) => ({
      path: redactText(path),
      message: redactText(problem),
    }));
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.jobId = details.jobId;
  }
}

/** An error about one field of the input. */
export const invalidField = (path: string, message: string): AppError => invalidFields([{ path, message }]);

/** One error about everything that is wrong with the input. */
export const invalidFields = (fields: FieldProblem[]): AppError =>
  new AppError("invalid", fields.map(({ message }) => message).join(" "), { fields });

/** The given word, if it is one of those that the field accepts. */
export const parseWord = <Word extends string>(
  path: string,
  what: string,
  words: readonly Word[],
  given: string,
): Word => {
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  throw invalidField(path, `${JSON.stringify(given)} is not a ${what}; use ${words.join(", ")}.`);
};
