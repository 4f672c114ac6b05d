import { AppError, invalidField } from "../../kernel/errors.ts";
import { MAX_LIMIT } from "../../domain/contact/qso-filter.ts";

/**
 * The position after a page: the sort values of its last row, tied to the question that it answers. Programs pass it
 * on unread.
 */
export const writeCursor = (question: unknown, values: readonly (string | number | null)[]): string =>
  Buffer.from(JSON.stringify([markOf(question), ...values])).toString("base64url");

export const readCursor = (question: unknown, cursor: string, length?: number): (string | number | null)[] => {
  const [mark, ...values] = parsed(cursor);
  const fits = (length === undefined || values.length === length) && values.every(isPlain);
  if (mark !== markOf(question) || !fits) throw otherList();
  return values as (string | number | null)[];
};

/** The position in a list that is ordered by numbers only. */
export const readNumbers = (question: unknown, cursor: string, length: number): number[] => {
  const values = readCursor(question, cursor, length);
  if (!values.every(Number.isSafeInteger)) throw otherList();
  return values as number[];
};

export const otherList = (): AppError => {
  const message = "is not valid for this list";
  return new AppError("invalid", `cursor ${message}.`, { fields: [{ path: "cursor", message }] });
};

/** The values that a row can have, on either engine. */
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

/** The number of rows of a page. Refuses an invalid one. */
export const limitOf = (limit: number | undefined, usual: number): number => {
  if (limit === undefined) return usual;
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw invalidField("limit", `limit must be a whole number from 1 to ${MAX_LIMIT}.`);
};

/** The rows of a page, from one row more than that, and the cursor of the next page. */
export const pageOf = <Row>(
  rows: readonly Row[],
  limit: number,
  question: unknown,
  placeOf: (row: Row) => readonly (string | number | null)[],
): { rows: Row[]; nextCursor: string | null } => {
  const page = rows.slice(0, limit);
  return { rows: page, nextCursor: rows.length > limit ? writeCursor(question, placeOf(page.at(-1)!)) : null };
};
