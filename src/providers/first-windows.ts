import { DAY } from "../kernel/clock.ts";
import { formatIsoDate } from "../kernel/instant.ts";

/** A range of contact dates as UTC midnights, both included. */
export interface Window {
  from: number;
  to: number;
  /** Sent without a lower bound: the window includes everything earlier. */
  isFirst: boolean;
  /** Sent without an upper bound, so that a contact dated tomorrow by a wrong clock is included. */
  isLast: boolean;
  /** A time right after amateurs were allowed on the air again, with no contacts. */
  isEmpty?: boolean;
}

const LOTW_BEGAN = 2003;
const MIN_WINDOW_DAYS = 30;

/**
 * First an empty window, which shows whether LoTW answers at all, then everything before LoTW existed, then one window
 * per year.
 */
export function createWindows(now: number): Window[] {
  const thisYear = new Date(now).getUTCFullYear();
  const years = Array.from({ length: Math.max(1, thisYear - LOTW_BEGAN + 1) }, (_, index) => LOTW_BEGAN + index);
  const windows = years.map((year) => ({ from: Date.UTC(year), to: Date.UTC(year, 11, 31) }));
  const empty = { from: Date.UTC(1945, 10, 15), to: Date.UTC(1945, 11, 31), isEmpty: true };
  const early = { from: Date.UTC(1946), to: Date.UTC(LOTW_BEGAN - 1, 11, 31) };
  return [empty, early, ...windows].map((window, index, all) => ({
    ...window,
    isFirst: index === 0,
    isLast: index === all.length - 1,
  }));
}

export function countDays({ from, to }: Window): number {
  return Math.round((to - from) / DAY) + 1;
}

/** Splits a window in two; null if the halves would be too short to be worth a request. */
export function splitWindow(window: Window): [Window, Window] | null {
  const days = countDays(window);
  if (days <= MIN_WINDOW_DAYS) return null;
  const middle = window.from + Math.max(MIN_WINDOW_DAYS, Math.ceil(days / 2)) * DAY;
  return [
    { ...window, to: middle - DAY, isLast: false },
    { ...window, from: middle, isFirst: false },
  ];
}

export function buildWindowParams({ from, to, isFirst, isLast }: Window): Record<string, string> {
  return {
    ...(isFirst ? {} : { qso_startdate: formatIsoDate(from) }),
    ...(isLast ? {} : { qso_enddate: formatIsoDate(to) }),
  };
}

export function formatWindow({ from, to, isFirst }: Window): string {
  if (isFirst) return `until ${formatIsoDate(to).replace(/-12-31$/, "")}`;
  const year = new Date(from).getUTCFullYear();
  return from === Date.UTC(year) && to === Date.UTC(year, 11, 31)
    ? String(year)
    : `${formatIsoDate(from)} to ${formatIsoDate(to)}`;
}
