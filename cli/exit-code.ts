import type { ErrorCode } from "../src/domain/errors.ts";

/** How a command ends that was refused or failed. */
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
