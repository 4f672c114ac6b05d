import { DAY } from "./clock.ts";
import { type FieldProblem, invalidField } from "./errors.ts";
import { parseDayOfAnyYear } from "./instant.ts";

const DAY_WRITTEN = /^\d{4}-\d{2}-\d{2}$/;
const YEAR_10000 = Date.UTC(10_000, 0);

/**
 * Parses a date: `YYYY-MM-DD` in UTC, or epoch milliseconds. With `end` the result is the first moment after the day.
 */
export const parseDay = (text: string, name: string, end = false): number => {
  if (/^\d{9,15}$/.test(text) && Number(text) < YEAR_10000) return Number(text) + (end ? 1 : 0);
  const at = DAY_WRITTEN.test(text) ? parseDayOfAnyYear(text) : null;
  if (at !== null) return end ? at + DAY : at;
  throw invalidField(name, `${JSON.stringify(text)} is not a date; use YYYY-MM-DD (UTC).`);
};

/** Reports a range whose end is before its start; null if it is fine. */
export const checkOrder = (from: string | undefined, to: string | undefined): FieldProblem | null =>
  from !== undefined && to !== undefined && DAY_WRITTEN.test(from) && DAY_WRITTEN.test(to) && from > to
    ? { path: "to", message: `The end date ${to} is before the start date ${from}.` }
    : null;
