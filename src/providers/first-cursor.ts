import { DAY } from "../kernel/clock.ts";
import type { Credentials } from "../domain/jobs/provider.ts";

/** When the newest own contact and the newest confirmation reached the service, in its own words. */
export interface Cursor {
  qso: string | null;
  qsl: string | null;
}

export const OVERLAP = 1 * DAY;

/** The service identifies an account by it, in letters of any size. */
export const loginOf = ({ username = "" }: Credentials): string => username.toLowerCase();

/**
 * What a full job brought is as old as the log, so only another full run is sure to bring it back; what a job since a
 * date brought may be older than the cursor. Any other job asked from the cursor it began at.
 */
export function rewind(before: unknown, { full, since }: { full: boolean; since: string | null }): Cursor | null {
  if (full || before === null) return null;
  const cursor = readCursor(before, Number.POSITIVE_INFINITY);
  if (since === null) return cursor;
  return { qso: earlier(cursor.qso, since), qsl: earlier(cursor.qsl, since) };
}

/** Words that are no date, or one of the future, count as none, and everything is asked for again. */
export function readCursor(cursor: unknown, now: number): Cursor {
  const { qso, qsl } = (cursor ?? {}) as Record<string, unknown>;
  return { qso: readStamp(qso, now), qsl: readStamp(qsl, now) };
}

function readStamp(text: unknown, now: number): string | null {
  const isStamp = typeof text === "string" && /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/.test(text);
  return isStamp && Date.parse(`${text.slice(0, 10)}T00:00:00Z`) <= now + OVERLAP ? text : null;
}

function earlier(stamp: string | null, date: string): string | null {
  return stamp === null || stamp < date ? stamp : date;
}
