import { DAY } from "../domain/clock.ts";
import { adifDate, adifTime, parseInstant } from "../domain/instant.ts";

/** A time as ADIF writes it. */
export interface Moment {
  date: string;
  time: string;
}

const WRITTEN = /^(\d{4}-\d\d-\d\d)[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s?(?:Z|UTC)?$/i;
const CLOCKS_DIFFER_BY = 1 * DAY;

/** Reads epoch milliseconds or `YYYY-MM-DD HH:MM[:SS]`, which is UTC; gives what is wrong as text. */
export const readMoment = (value: unknown, now: number): Moment | string => {
  const moment = typeof value === "number" ? ofMilliseconds(value) : typeof value === "string" ? ofText(value) : null;
  const instant = moment && parseInstant(moment.date, moment.time);
  if (!moment || !instant) {
    return `${JSON.stringify(value)} is not a time; use YYYY-MM-DD HH:MM (UTC) or epoch milliseconds, from 1930 on.`;
  }
  return instant.at > now + CLOCKS_DIFFER_BY ? `${JSON.stringify(value)} is in the future.` : moment;
};

const LAST_MILLISECOND = Date.UTC(9999, 11, 31);
const FIRST_MILLISECOND = Date.UTC(1, 0);

/** Whole minutes are taken for times without seconds: most logs have none. */
const ofMilliseconds = (at: number): Moment | null => {
  if (!Number.isSafeInteger(at) || at > LAST_MILLISECOND || at < FIRST_MILLISECOND) return null;
  return { date: adifDate(at), time: adifTime(at, Math.floor(at / 1000) % 60 !== 0) };
};

const ofText = (text: string): Moment | null => {
  if (/^\d{9,15}$/.test(text.trim())) return ofMilliseconds(Number(text));
  const parts = WRITTEN.exec(text.trim());
  if (!parts) return null;
  const [, date, hours, minutes, seconds = ""] = parts;
  return { date: date!.replaceAll("-", ""), time: `${hours}${minutes}${seconds}` };
};
