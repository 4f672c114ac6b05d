import { DAY } from "../kernel/clock.ts";
import { isoDate } from "../kernel/instant.ts";

/** A stretch of contact dates, in UTC midnights, both included. */
export interface Window {
  from: number;
  to: number;
  /** Without a lower bound for the service: the stretch holds everything earlier too. */
  isFirst: boolean;
  /** Without an upper bound: a contact of tomorrow, by a wrong clock, must not get lost. */
  isLast: boolean;
  /** From a time when radio amateurs were only just on the air again: there is nothing in it. */
  isEmpty?: boolean;
}

const LOTW_BEGAN = 2003;
const MIN_WINDOW_DAYS = 30;

/** An empty stretch, which shows whether the service answers at all; everything before it existed, then year by year. */
export function yearly(now: number): Window[] {
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

export function daysOf({ from, to }: Window): number {
  return Math.round((to - from) / DAY) + 1;
}

/** Two halves of a window, each as long as is worth a request; null for one that is too short for it. */
export function halves(window: Window): [Window, Window] | null {
  const days = daysOf(window);
  if (days <= MIN_WINDOW_DAYS) return null;
  const middle = window.from + Math.max(MIN_WINDOW_DAYS, Math.ceil(days / 2)) * DAY;
  return [
    { ...window, to: middle - DAY, isLast: false },
    { ...window, from: middle, isFirst: false },
  ];
}

export function windowParams({ from, to, isFirst, isLast }: Window): Record<string, string> {
  return {
    ...(isFirst ? {} : { qso_startdate: isoDate(from) }),
    ...(isLast ? {} : { qso_enddate: isoDate(to) }),
  };
}

export function windowLabel({ from, to, isFirst }: Window): string {
  if (isFirst) return `until ${isoDate(to).replace(/-12-31$/, "")}`;
  const year = new Date(from).getUTCFullYear();
  return from === Date.UTC(year) && to === Date.UTC(year, 11, 31) ? String(year) : `${isoDate(from)} to ${isoDate(to)}`;
}
