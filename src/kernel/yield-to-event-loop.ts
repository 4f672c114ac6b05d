import type { Time } from "./clock.ts";

/** The longest time that long work blocks the event loop. */
const MAX_BLOCKING_MS = 4;

/** Splits long work into short stretches and yields to the event loop in between. */
export class Yielder {
  readonly #time: Pick<Time, "ticks" | "turn">;
  #began: number;

  constructor(time: Pick<Time, "ticks" | "turn">) {
    this.#time = time;
    this.#began = time.ticks();
  }

  /** Yields if the current stretch was long enough. Call it between two steps. */
  async yieldIfDue(): Promise<void> {
    if (this.#time.ticks() - this.#began < MAX_BLOCKING_MS) return;
    await this.#time.turn();
    this.#began = this.#time.ticks();
  }

  /** Runs an iterator and yields after each step if due. */
  async runSteps(steps: Iterable<unknown>): Promise<void> {
    for (const _ of steps) await this.yieldIfDue();
    await this.yieldIfDue();
  }
}

/** Maps a list while yielding. */
export const mapYielding = async <One, Other>(
  time: Pick<Time, "ticks" | "turn">,
  many: readonly One[],
  become: (one: One, at: number) => Other,
): Promise<Other[]> => {
  const yielder = new Yielder(time);
  const found: Other[] = [];
  for (const [at, one] of many.entries()) {
    found.push(become(one, at));
    await yielder.yieldIfDue();
  }
  return found;
};
