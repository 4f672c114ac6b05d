import { AppError } from "./errors.ts";

/**
 * The place where a page ended, for the next one: the sort values of its last row, bound to the question it answers.
 * Programs pass it on and never look inside.
 */
export const writeCursor = (question: unknown, values: readonly (string | number | null)[]): string =>
  Buffer.from(JSON.stringify([markOf(question), ...values])).toString("base64url");

export const readCursor = (question: unknown, cursor: string): (string | number | null)[] => {
  const [mark, ...values] = parsed(cursor);
  if (mark !== markOf(question)) {
    const message = "is not a cursor of this list";
    throw new AppError("invalid", `cursor ${message}.`, { fields: [{ path: "cursor", message }] });
  }
  return values as (string | number | null)[];
};

const parsed = (cursor: string): unknown[] => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
};

const markOf = (question: unknown): string => Bun.hash(JSON.stringify(question)).toString(36);
