import { MINUTE, type Clock } from "../domain/clock.ts";
import { AppError } from "../domain/errors.ts";

const WINDOW = 15 * MINUTE;
const FAILURES_OF_ACCOUNT_AND_ADDRESS = 5;
const FAILURES_OF_ADDRESS = 20;
const MOST_REMEMBERED = 10_000;

/**
 * Slows down who guesses passwords. Failures count per account and address together, so that a stranger elsewhere
 * cannot lock anybody out.
 */
export class Throttle {
  readonly #clock: Clock;
  readonly #failures = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  assertAllowed(username: string, address: string): void {
    const wait = Math.max(
      this.#waitFor(pairOf(username, address), FAILURES_OF_ACCOUNT_AND_ADDRESS),
      this.#waitFor(address, FAILURES_OF_ADDRESS),
    );
    if (wait > 0) {
      throw new AppError("rate_limited", "Too many failed attempts. Try again later.", {
        retryAfterSeconds: Math.ceil(wait / 1000),
      });
    }
  }

  failed(username: string, address: string): void {
    for (const name of [pairOf(username, address), address]) {
      const failures = [...this.#recent(name), this.#clock()].slice(-FAILURES_OF_ADDRESS);
      // The names stand in the order of their last failure: what has been quiet for longest is forgotten first.
      this.#failures.delete(name);
      this.#failures.set(name, failures);
    }
    while (this.#failures.size > MOST_REMEMBERED) this.#failures.delete(this.#failures.keys().next().value!);
  }

  succeeded(username: string, address: string): void {
    this.#failures.delete(pairOf(username, address));
  }

  #waitFor(name: string, most: number): number {
    const recent = this.#recent(name);
    return recent.length < most ? 0 : recent[recent.length - most]! + WINDOW - this.#clock();
  }

  #recent(name: string): number[] {
    const since = this.#clock() - WINDOW;
    return (this.#failures.get(name) ?? []).filter((at) => at > since);
  }
}

const pairOf = (username: string, address: string): string => `${username}\n${address}`;
