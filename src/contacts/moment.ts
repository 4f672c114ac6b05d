import { DAY, MINUTE } from "../kernel/clock.ts";
import { formatAdifDate, formatAdifTime, parseInstant } from "../kernel/instant.ts";

/** A time in ADIF form, without a date if only the time was typed. */
export interface Moment {
  date: string | null;
  time: string;
}

/** An optional day and a time of day. */
const WRITTEN =
  /^(?:(\d{4}-\d\d-\d\d|\d{8})(?:\s*T\s*|\s+))?(\d?\d:\d\d(?::\d\d(?:\.\d+)?)?|\d{4}(?:\d\d)?)\s*(?:Z|UTC)?$/i;
const CLOCKS_DIFFER_BY = 1 * DAY;
/** Tolerates a clock that is a few minutes slow: a contact made now is not from yesterday. */
const GRACE = 5 * MINUTE;
const ANY_DATE = "20000101";

/** Reads epoch milliseconds or typed text (UTC). Returns the problem as text. */
export const readMoment = (value: unknown, now: number): Moment | string => {
  const moment =
    typeof value === "number" ? parseMilliseconds(value) : typeof value === "string" ? parseText(value) : null;
  const instant = moment && parseInstant(moment.date ?? ANY_DATE, moment.time);
  if (!moment || !instant) return `${JSON.stringify(value)} is not a time; use HH:MM or YYYY-MM-DD HH:MM (UTC).`;
  if (moment.date === null) return moment;
  return instant.at > now + CLOCKS_DIFFER_BY ? `${JSON.stringify(value)} is in the future.` : moment;
};

/** The last day on which it was this time: today, or yesterday if the time is still to come. */
export const findLastDate = (time: string, now: number): string => {
  const today = parseInstant(formatAdifDate(now), time);
  return formatAdifDate(today !== null && today.at > now + GRACE ? now - DAY : now);
};

const MAX_DATE = Date.UTC(9999, 11, 31);
const MIN_DATE = Date.UTC(1, 0);

/** Whole minutes are written without seconds, because most logs have none. */
const parseMilliseconds = (at: number): Moment | null => {
  if (!Number.isSafeInteger(at) || at > MAX_DATE || at < MIN_DATE) return null;
  return { date: formatAdifDate(at), time: formatAdifTime(at, Math.floor(at / 1000) % 60 !== 0) };
};

const parseText = (text: string): Moment | null => {
  if (/^\d{9,15}$/.test(text.trim())) return parseMilliseconds(Number(text));
  const [, date = null, time] = WRITTEN.exec(text.trim()) ?? [];
  if (time === undefined) return null;
  const digits = time
    .replace(/\..*/, "")
    .replace(/^(?=\d:)/, "0")
    .replaceAll(":", "");
  return { date: date && date.replaceAll("-", ""), time: digits };
};
