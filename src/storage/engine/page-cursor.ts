import { AppError } from "../../kernel/errors.ts";
import { MAX_LIMIT } from "../../domain/contact/qso-filter.ts";

/**
 * The place where a page ended, for the next one: the sort values of its last row, bound to the question it answers.
 * Programs pass it on and never look inside.
 */
export const writeCursor = (question: unknown, values: readonly (string | number | null)[]): string =>
  Buffer.from(JSON.stringify([markOf(question), ...values])).toString("base64url");

export const readCursor = (question: unknown, cursor: string, length?: number): (string | number | null)[] => {
  const [mark, ...values] = parsed(cursor);
  const fits = (length === undefined || values.length === length) && values.every(isPlain);
  if (mark !== markOf(question) || !fits) throw otherList();
  return values as (string | number | null)[];
};

/** The place of a page in a list ordered by numbers alone. */
export const readNumbers = (question: unknown, cursor: string, length: number): number[] => {
  const values = readCursor(question, cursor, length);
  if (!values.every(Number.isSafeInteger)) throw otherList();
  return values as number[];
};

export const otherList = (): AppError => {
  const message = "is not valid for this list";
  return new AppError("invalid", `cursor ${message}.`, { fields: [{ path: "cursor", message }] });
};

/** What a row may hold, on either engine. */
const isPlain = (value: unknown): boolean =>
  value === null || Number.isSafeInteger(value) || (typeof value === "string" && !value.includes("\0"));

const parsed = (cursor: string): unknown[] => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
};

const markOf = (question: unknown): string => Bun.hash(JSON.stringify(question)).toString(36);

/** How many rows a page of a list may have; refused where that makes no sense. */
export const limitOf = (limit: number | undefined, usual: number): number => {
  if (limit === undefined) return usual;
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  const message = `limit must be a whole number from 1 to ${MAX_LIMIT}.`;
  throw new AppError("invalid", message, { fields: [{ path: "limit", message }] });
};

/** The rows of a page, of which one more was read, and the cursor for the next. */
export const pageOf = <Row>(
  rows: readonly Row[],
  limit: number,
  question: unknown,
  placeOf: (row: Row) => readonly (string | number | null)[],
): { rows: Row[]; nextCursor: string | null } => {
  const page = rows.slice(0, limit);
  return { rows: page, nextCursor: rows.length > limit ? writeCursor(question, placeOf(page.at(-1)!)) : null };
};
