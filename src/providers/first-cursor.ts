import { DAY } from "../kernel/clock.ts";
import { parseTimestamp } from "../kernel/instant.ts";
import type { Credentials } from "../domain/jobs/provider.ts";

/** When the newest own contact and the newest confirmation reached LoTW, as LoTW wrote it. */
export interface Cursor {
  qso: string | null;
  qsl: string | null;
}

export const OVERLAP = 1 * DAY;

/** LoTW identifies an account by its username, ignoring case. */
export const getLogin = ({ username = "" }: Credentials): string => username.toLowerCase();

/**
 * What a full job brought is as old as the log, so only another full download brings it back. What a job since a date
 * brought may be older than the cursor. Any other job asked from the cursor it started with.
 */
export function rewind(before: unknown, { full, since }: { full: boolean; since: string | null }): Cursor | null {
  if (full || before === null) return null;
  const cursor = readCursor(before, Number.POSITIVE_INFINITY);
  if (since === null) return cursor;
  return { qso: pickEarlier(cursor.qso, since), qsl: pickEarlier(cursor.qsl, since) };
}

/** Invalid or future dates are ignored, so that everything is downloaded again. */
export function readCursor(cursor: unknown, now: number): Cursor {
  const { qso, qsl } = (cursor ?? {}) as Record<string, unknown>;
  return { qso: readStamp(qso, now), qsl: readStamp(qsl, now) };
}

function readStamp(text: unknown, now: number): string | null {
  if (typeof text !== "string" || !/^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/.test(text)) return null;
  const at = parseTimestamp(text.padEnd("YYYY-MM-DD HH:MM:SS".length, " 00:00:00"));
  return at !== null && at - (at % DAY) <= now + OVERLAP ? text : null;
}

function pickEarlier(stamp: string | null, date: string): string | null {
  return stamp === null || stamp < date ? stamp : date;
}
