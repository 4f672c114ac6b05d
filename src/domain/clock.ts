/** The current time in epoch milliseconds. Handed in from outside, so that tests can turn it. */
export type Clock = () => number;

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Whole minutes since the epoch. */
export const minuteOf = (at: number): number => Math.floor(at / MINUTE);
