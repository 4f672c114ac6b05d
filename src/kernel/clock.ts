/** The current time in epoch milliseconds. It is passed in, so that tests can set it. */
export type Clock = () => number;

/** Cancels a timer. */
export type Cancel = () => void;

/** Timers and a monotonic clock. Passed in like the clock. */
export interface Time {
  /** Milliseconds of a monotonic clock with an arbitrary zero. */
  ticks(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Yields to the event loop during long work. In each turn of the event loop only one of all waiting callers
   * continues, in order, so that nobody waits for more than one of them.
   */
  turn(): Promise<void>;
  /** Runs a task once. */
  after(ms: number, task: () => void): Cancel;
  /** Runs a task repeatedly, without keeping the process alive. */
  every(ms: number, task: () => void): Cancel;
  /** Aborts after this time. */
  deadline(ms: number): AbortSignal;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const HOURS_A_DAY = 24;

/** The hour of the day (UTC). */
export const getHour = (at: number): number => Math.floor((at - Math.floor(at / DAY) * DAY) / HOUR);

/** Whole minutes since the epoch. */
export const getMinute = (at: number): number => Math.floor(at / MINUTE);

/** Rounds before splitting, so that it never shows 60 minutes. */
export const formatHoursAndMinutes = (ms: number): string => {
  const minutes = Math.round(ms / MINUTE);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
