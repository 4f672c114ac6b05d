import { compareBands } from "../radio/band.ts";
import { DAY } from "../../kernel/clock.ts";

export interface Activity {
  /** `YYYY-MM`, the latest last. */
  months: string[];
  /** Contacts of each band per month. */
  bands: { band: string; counts: number[] }[];
}

const MONTHS_SHOWN = 24;

/** The start of the first month shown. */
export const getActivityStart = (now: number): number => {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - MONTHS_SHOWN + 1, 1);
};

/** The number of contacts on a band on a day (days since 1970). */
export interface DayOnBand {
  band: string;
  day: number;
  contacts: number;
}

/** Contacts per month, ending with the current month. */
export const countActivity = (counted: readonly DayOnBand[], now: number): Activity => {
  const first = new Date(getActivityStart(now));
  const months = Array.from({ length: MONTHS_SHOWN }, (_, at) =>
    new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + at, 1)).toISOString().slice(0, 7),
  );
  const byBand = new Map<string, number[]>();
  for (const { band, day, contacts } of counted) {
    const at = months.indexOf(new Date(day * DAY).toISOString().slice(0, 7));
    if (at < 0) continue;
    const counts = byBand.get(band) ?? Array.from(months, () => 0);
    counts[at]! += contacts;
    byBand.set(band, counts);
  }
  const bands = [...byBand].map(([band, counts]) => ({ band, counts }));
  return { months, bands: bands.sort((a, b) => compareBands(a.band, b.band)) };
};
