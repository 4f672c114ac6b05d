import { DAY } from "../kernel/clock.ts";

export interface Cursor {
  /** UTC date of the start of the last successful download. */
  since: string;
  /** When the whole book was last gone through. */
  sweptAt: number;
}

/**
 * A full job brought what is as old as the book, and so may any other: it sweeps the book now and then, and finds what
 * no date of change would bring again. Only a job since a date never sweeps.
 */
export function rewind(before: unknown, { full, since }: { full: boolean; since: string | null }): Cursor | null {
  const cursor = readCursor(before, Number.POSITIVE_INFINITY);
  if (full || since === null || cursor === null) return null;
  return { ...cursor, since: since < cursor.since ? since : cursor.since };
}

/** One from the future was written by a wrong clock: nobody knows how far it reaches. */
export function readCursor(cursor: unknown, now: number): Cursor | null {
  const { since, sweptAt } = (cursor ?? {}) as Record<string, unknown>;
  const isDate = typeof since === "string" && /^\d{4}-\d\d-\d\d$/.test(since) && Date.parse(since) <= now + DAY;
  return isDate && typeof sweptAt === "number" && sweptAt <= now + DAY ? { since, sweptAt } : null;
}
