import { AppError } from "../domain/errors.ts";

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
  if (!values.every(Number.isFinite)) throw otherList();
  return values as number[];
};

const otherList = (): AppError => {
  const message = "is not a cursor of this list";
  return new AppError("invalid", `cursor ${message}.`, { fields: [{ path: "cursor", message }] });
};

const isPlain = (value: unknown): boolean => value === null || typeof value === "string" || typeof value === "number";

const parsed = (cursor: string): unknown[] => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
};

const markOf = (question: unknown): string => Bun.hash(JSON.stringify(question)).toString(36);
