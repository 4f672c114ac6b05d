import type { Time } from "./clock.ts";

/** So long others wait at most while somebody works for long. */
const STRETCH_MS = 4;

/** Long work where everybody else is served too: a stretch at a time, with a turn for others in between. */
export class Yielder {
  readonly #time: Pick<Time, "ticks" | "turn">;
  #began: number;

  constructor(time: Pick<Time, "ticks" | "turn">) {
    this.#time = time;
    this.#began = time.ticks();
  }

  /** Between two steps: others have their turn where this stretch was long enough. */
  async yieldIfDue(): Promise<void> {
    if (this.#time.ticks() - this.#began < STRETCH_MS) return;
    await this.#time.turn();
    this.#began = this.#time.ticks();
  }

  /** Does what comes in steps, and pauses behind each. */
  async through(steps: Iterable<unknown>): Promise<void> {
    for (const _ of steps) await this.yieldIfDue();
    await this.yieldIfDue();
  }
}

/** What becomes of each of many, in the same order. */
export const mapYielding = async <One, Other>(
  time: Pick<Time, "ticks" | "turn">,
  many: readonly One[],
  become: (one: One, at: number) => Other,
): Promise<Other[]> => {
  const stretches = new Yielder(time);
  const found: Other[] = [];
  for (const [at, one] of many.entries()) {
    found.push(become(one, at));
    await stretches.yieldIfDue();
  }
  return found;
};
