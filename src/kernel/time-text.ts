import { DAY, HOUR, formatHoursAndMinutes, MINUTE, SECOND } from "./clock.ts";
import { formatCount } from "./number-text.ts";

/** A time without "UTC", for use where the text around it says so. */
export const formatUtc = (at: number | null): string =>
  at === null ? "never" : new Date(at).toISOString().slice(0, 16).replace("T", " ");

/** A time with "UTC". */
export const formatMoment = (at: number): string => `${formatUtc(at)} UTC`;

/** With seconds if there are any, because services distinguish records by them. */
export const formatExactMoment = (at: number): string => {
  const seconds = new Date(at).toISOString().slice(16, 19);
  return `${formatUtc(at)}${seconds === ":00" ? "" : seconds} UTC`;
};

/** For a past state of the log: the time, and since when changes are recorded. */
export interface AsOf {
  at: number;
  recordedSince: number;
}

export const describePast = ({ at, recordedSince }: AsOf): string => {
  const isDay = (at + 1) % DAY === 0;
  const then = isDay ? `at the end of ${formatUtc(at).slice(0, 10)} (UTC)` : `at ${formatExactMoment(at)}`;
  return `Your log as it was ${then}. Earlier states are available since ${formatMoment(recordedSince)}.`;
};

/** A duration in words. */
export const formatDuration = (ms: number): string => {
  if (ms < 100) return "< 0.1 s";
  if (ms < 10 * SECOND) return `${(ms / SECOND).toFixed(1)} s`;
  if (ms < 100 * SECOND) return `${Math.round(ms / SECOND)} s`;
  if (ms < 100 * MINUTE) return `${Math.round(ms / MINUTE)} min`;
  return formatHoursAndMinutes(ms);
};

/** A rough duration. */
const formatSpan = (ms: number): string => {
  if (ms < 2 * HOUR) return formatCount(Math.round(ms / MINUTE), "minute");
  if (ms < 2 * DAY) return formatCount(Math.round(ms / HOUR), "hour");
  return formatCount(Math.round(ms / DAY), "day");
};

export const formatFromNow = (at: number, now: number): string => {
  if (Math.abs(at - now) < MINUTE) return at > now ? "in a moment" : "just now";
  return at > now ? `in ${formatSpan(at - now)}` : `${formatSpan(now - at)} ago`;
};

/** When something planned will happen. */
export const formatUntil = (at: number, now: number): string => (at <= now ? "due now" : formatFromNow(at, now));

/** A time as typed, with seconds if there are any. */
export const formatTypedMoment = (at: number): string =>
  new Date(at)
    .toISOString()
    .slice(0, at % 60_000 === 0 ? 16 : 19)
    .replace("T", " ");
