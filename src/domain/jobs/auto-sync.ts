import { DAY, HOUR, MINUTE } from "../../kernel/clock.ts";
import type { Service } from "./source.ts";

export const MIN_INTERVAL_HOURS = 1;
export const MAX_INTERVAL_HOURS = 720;
export const DEFAULT_INTERVAL_HOURS = 24;
export const TICK_SECONDS = 60;

export type Pause = "credentials" | "not_configured";

export interface ServiceSchedule {
  enabled: boolean;
  intervalHours: number;
  lastSyncAt: number | null;
  nextSyncAt: number | null;
  /** Why nothing is scheduled although the service is enabled. */
  paused: Pause | null;
}

export type AutoSyncSettings = Record<Service, ServiceSchedule>;

export const DEFAULT_SCHEDULE: ServiceSchedule = {
  enabled: false,
  intervalHours: DEFAULT_INTERVAL_HOURS,
  lastSyncAt: null,
  nextSyncAt: null,
  paused: null,
};

/** The wait after the first failure. It doubles with each further one. */
const MIN_RETRY_WAIT = 15 * MINUTE;
const MAX_DOUBLINGS = 10;
const SPREAD_SHARE = 0.05;
export const MAX_SPREAD = 10 * MINUTE;
/** The longest pause that a service can ask for. */
export const MAX_RETRY_AFTER = 1 * DAY;
/** The clocks of two machines can differ by this much without either being wrong. */
const CLOCKS_APART = 1 * HOUR;

/** The next sync after a service was enabled or its interval changed. */
export const nextAfterChange = (
  { lastSyncAt, intervalHours }: ServiceSchedule,
  spread: number,
  now: number,
): number => {
  // A last sync in the future was written by a wrong clock.
  if (lastSyncAt === null || lastSyncAt > now) return now;
  const due = lastSyncAt + intervalHours * HOUR;
  return due <= now ? now : due + computeDelay(intervalHours, spread);
};

export const nextAfterSuccess = (finishedAt: number, intervalHours: number, spread: number): number =>
  finishedAt + intervalHours * HOUR + computeDelay(intervalHours, spread);

export interface Failure {
  finishedAt: number;
  intervalHours: number;
  /** Including this failure. */
  failuresInARow: number;
  retryAfterSeconds: number | null;
}

export const nextAfterFailure = (
  { finishedAt, intervalHours, failuresInARow, retryAfterSeconds }: Failure,
  spread: number,
): number => {
  const doublings = Math.min(MAX_DOUBLINGS, Math.max(0, failuresInARow - 1));
  const wait = Math.min(MIN_RETRY_WAIT * 2 ** doublings, intervalHours * HOUR);
  const asked = Math.min(MAX_RETRY_AFTER, (retryAfterSeconds ?? 0) * 1000);
  return finishedAt + Math.max(wait, asked) + computeDelay(wait / HOUR, spread);
};

/** The latest time that a correct clock could have planned. */
const computeLatestNext = (intervalHours: number, now: number): number =>
  now + Math.max(intervalHours * HOUR, MAX_RETRY_AFTER) + MAX_SPREAD;

/** Explains why the times of a schedule are wrong, or returns null if they are plausible. */
export const describeDoubt = (
  { lastSyncAt, nextSyncAt, intervalHours }: Pick<ServiceSchedule, "lastSyncAt" | "nextSyncAt" | "intervalHours">,
  now: number,
): string | null => {
  const isAhead = (lastSyncAt ?? 0) > now + CLOCKS_APART;
  const isFar = (nextSyncAt ?? 0) > computeLatestNext(intervalHours, now) + CLOCKS_APART;
  if (!isAhead && !isFar) return null;
  return "The server's clock was or is wrong: these times are too far in the future and are ignored.";
};

export const getRetryTime = (now: number): number => now + MIN_RETRY_WAIT;

/**
 * Delays a sync by part of its interval, never makes it earlier, so that the users of a server do not all sync at the
 * same time.
 */
const computeDelay = (intervalHours: number, spread: number): number =>
  Math.floor(Math.min(MAX_SPREAD, intervalHours * HOUR * SPREAD_SHARE) * spread);

/** A number from 0 to 1, the same on every machine for one user, service and time. */
export const computeSpread = (userId: number, source: Service, at: number): number => {
  let hash = 2_166_136_261;
  for (const letter of `${userId} ${source} ${at}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619);
  return (hash >>> 0) / 2 ** 32;
};

export const AUTO_SYNC_OFF = "schedule is off";

export const PAUSE_WORDS: Record<NonNullable<ServiceSchedule["paused"]>, string> = {
  credentials: "paused: the service rejected your account",
  not_configured: "paused: not set up",
};
