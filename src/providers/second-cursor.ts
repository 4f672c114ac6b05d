import { DAY } from "../kernel/clock.ts";
import { parseDate } from "../kernel/instant.ts";

export interface Cursor {
  /** UTC date of the start of the last successful download. */
  since: string;
  /** When the whole logbook was last downloaded. */
  sweptAt: number;
}

/**
 * A full job brought contacts as old as the logbook, and so may any other job, because from time to time it downloads
 * everything to find what a change date does not bring. Only a job since a date never does.
 */
export function rewind(before: unknown, { full, since }: { full: boolean; since: string | null }): Cursor | null {
  const cursor = readCursor(before, Number.POSITIVE_INFINITY);
  if (full || since === null || cursor === null) return null;
  return { ...cursor, since: since < cursor.since ? since : cursor.since };
}

/** A cursor from the future was written by a wrong clock, so nobody knows how far it reaches. */
export function readCursor(cursor: unknown, now: number): Cursor | null {
  const { since, sweptAt } = (cursor ?? {}) as Record<string, unknown>;
  const at = typeof since === "string" && /^\d{4}-\d\d-\d\d$/.test(since) ? parseDate(since) : null;
  return typeof since === "string" &&
    at !== null &&
    at <= now + DAY &&
    typeof sweptAt === "number" &&
    sweptAt <= now + DAY
    ? { since, sweptAt }
    : null;
}
