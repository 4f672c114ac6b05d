export interface Instant {
  /** Epoch milliseconds. */
  at: number;
  /** True if the source gave seconds. */
  exact: boolean;
}

/** ADIF allows no earlier dates. */
const MIN_YEAR = 1930;

/** No log has earlier contacts. */
export const EARLIEST = Date.UTC(MIN_YEAR, 0);

/**
 * The instant of an ADIF date and a time with four or six digits, both UTC. `12:00` and `930` are accepted too. Null if
 * either is missing or impossible.
 */
export function parseInstant(date: string | undefined, time: string | undefined): Instant | null {
  const midnight = parseDate(date);
  if (midnight === null || time === undefined) return null;
  const digits = parseDigits(time.trim());
  if (digits === null) return null;

  const exact = digits.length === 6;
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2, 4));
  const seconds = exact ? Number(digits.slice(4)) : 0;
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  return { at: midnight + ((hours * 60 + minutes) * 60 + seconds) * 1000, exact };
}

/** A time in ADIF form. */
export const ADIF_TIME = /^(\d{4}|\d{6})$/;

const parseDigits = (time: string): string | null => {
  if (ADIF_TIME.test(time)) return time;
  const [, hours, minutes, seconds = ""] = /^(\d\d?):(\d\d)(?::(\d\d))?$/.exec(time) ?? /^(\d)(\d\d)$/.exec(time) ?? [];
  return hours === undefined ? null : `${hours.padStart(2, "0")}${minutes}${seconds}`;
};

/** Contacts of a log share their days, so the last parsed ones are cached. */
const remembered = new Map<string, number | null>();
const DAYS_REMEMBERED = 512;

/** Midnight UTC of `YYYYMMDD` or `YYYY-MM-DD`. Null for placeholders such as `00000000` and impossible dates. */
export function parseDate(date: string | undefined): number | null {
  if (date === undefined) return null;
  const known = remembered.get(date);
  if (known !== undefined) return known;
  const at = readDate(date);
  if (remembered.size >= DAYS_REMEMBERED) remembered.clear();
  if (date.length <= "YYYY-MM-DD".length) remembered.set(date, at);
  return at;
}

function readDate(date: string): number | null {
  const at = parseDayOfAnyYear(date);
  return at === null || at < EARLIEST ? null : at;
}

/** As `parseDate`, also before 1930. `Date.parse` takes 30 February for 2 March. */
export function parseDayOfAnyYear(date: string): number | null {
  const parts = /^(\d{4})(-?)(\d\d)\2(\d\d)$/.exec(date.trim());
  if (parts === null) return null;
  const [year, month, day] = [Number(parts[1]), Number(parts[3]), Number(parts[4])];
  const at = Date.UTC(year, month - 1, day);
  const read = new Date(at);
  const isReal = read.getUTCFullYear() === year && read.getUTCMonth() === month - 1 && read.getUTCDate() === day;
  return isReal ? at : null;
}

/** Parses the services' timestamps (UTC): `2026-07-31 23:31:22`, `2026-07-31T23:31:22Z`. */
export function parseTimestamp(text: string | undefined): number | null {
  const parts = /^(\S{10})[ T](\d\d):(\d\d):(\d\d)Z?$/.exec(text?.trim() ?? "");
  if (parts === null) return null;
  return parseInstant(parts[1], `${parts[2]}${parts[3]}${parts[4]}`)?.at ?? null;
}

/** `2026-07-31`, UTC. */
export function formatIsoDate(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function formatAdifDate(at: number): string {
  return formatIsoDate(at).replaceAll("-", "");
}

export function formatAdifTime(at: number, withSeconds: boolean): string {
  return new Date(at)
    .toISOString()
    .slice(11, withSeconds ? 19 : 16)
    .replaceAll(":", "");
}
