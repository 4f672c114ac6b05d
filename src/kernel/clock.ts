/** The current time in epoch milliseconds. Handed in from outside, so that tests can turn it. */
export type Clock = () => number;

/** Ends what was to come. */
export type Cancel = () => void;

/** What measures time and what waits in it. Handed in from outside as the clock is. */
export interface Time {
  /** Milliseconds on a stopwatch that never goes back; its zero means nothing. */
  ticks(): number;
  /** Rejects with the signal's reason when it fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * For whoever works for long: lets whatever else waits have its turn. In each turn of the event loop one of all who work
   * for long goes on, in the order they came, so that nobody waits for more than one of them.
   */
  turn(): Promise<void>;
  /** Runs a task once. */
  after(ms: number, task: () => void): Cancel;
  /** Runs a task again and again, and keeps no process alive for it. */
  every(ms: number, task: () => void): Cancel;
  /** Fires when the time is up. */
  deadline(ms: number): AbortSignal;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const HOURS_A_DAY = 24;

/** Of the day (UTC). */
export const hourOf = (at: number): number => Math.floor((at - Math.floor(at / DAY) * DAY) / HOUR);

/** Whole minutes since the epoch. */
export const minuteOf = (at: number): number => Math.floor(at / MINUTE);

/** Rounded before it is split: no hour has sixty minutes. */
export const hoursAndMinutes = (ms: number): string => {
  const minutes = Math.round(ms / MINUTE);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
