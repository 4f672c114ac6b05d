import type { Clock } from "../domain/clock.ts";

const MOST_REMEMBERED = 10_000;

/** How often something was tried under a name, within the last while. */
export class Attempts {
  readonly #clock: Clock;
  readonly #window: number;
  readonly #most: number;
  readonly #times = new Map<string, number[]>();

  constructor(clock: Clock, window: number, most: number) {
    this.#clock = clock;
    this.#window = window;
    this.#most = most;
  }

  note(name: string): void {
    const times = [...this.#recent(name), this.#clock()].slice(-this.#most);
    // The names stand in the order of their last attempt: what has been quiet for longest is forgotten first.
    this.#times.delete(name);
    this.#times.set(name, times);
    while (this.#times.size > MOST_REMEMBERED) this.#times.delete(this.#times.keys().next().value!);
  }

  forget(name: string): void {
    this.#times.delete(name);
  }

  /** How many milliseconds are left until there may be another one. */
  waitFor(name: string): number {
    const recent = this.#recent(name);
    return recent.length < this.#most ? 0 : recent[recent.length - this.#most]! + this.#window - this.#clock();
  }

  #recent(name: string): number[] {
    const since = this.#clock() - this.#window;
    return (this.#times.get(name) ?? []).filter((at) => at > since);
  }
}
