import { HOUR, SECOND, type Clock } from "./clock.ts";
import { AppError } from "./errors.ts";

/** How often a user can do each of these in an hour. The contract states the same numbers. */
export const HOURLY = {
  preview: { most: 300, what: "previews" },
  export: { most: 300, what: "exports" },
  job: { most: 600, what: "jobs" },
  invitation: { most: 100, what: "invitations and password links" },
  notice: { most: 60, what: "new notification targets and test messages" },
} as const;

export type Limited = keyof typeof HOURLY;

/** Limits what costs the server or other people much. Counts in memory, for each user of this process. */
export class HourlyLimits {
  readonly #clock: Clock;
  readonly #times = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one, or throws when the user has done it too often. */
  count(what: Limited, userId: number | null): void {
    const now = this.#clock();
    const name = `${what} ${userId}`;
    const times = (this.#times.get(name) ?? []).filter((at) => at > now - HOUR && at <= now);
    const { most, what: words } = HOURLY[what];
    if (times.length >= most) {
      throw new AppError("rate_limited", `You can start ${most} ${words} an hour. Try again later.`, {
        rule: "hourly_limit",
        retryAfterSeconds: Math.ceil((times[0]! + HOUR - now) / SECOND),
      });
    }
    this.#times.set(name, [...times, now]);
  }
}
