import type { Time } from "../../domain/clock.ts";

const MOST = 500;
const AT_FIRST = 24;
const AIM_MS = 16;

/**
 * Finds the batch size that keeps every part of a batch's work short, and lets others have their turn between two parts:
 * whoever waits for a synchronous connection waits for a whole part.
 */
export class BatchPacer {
  readonly most: number;
  readonly #time: Pick<Time, "ticks" | "turn">;
  #size: number;
  #longestMs = 0;

  constructor(time: Pick<Time, "ticks" | "turn">, most = MOST) {
    this.#time = time;
    this.most = Math.min(most, MOST);
    this.#size = Math.min(this.most, AT_FIRST);
  }

  get size(): number {
    return this.#size;
  }

  async part<T>(work: () => Promise<T>): Promise<T> {
    const began = this.#time.ticks();
    const result = await work();
    this.#longestMs = Math.max(this.#longestMs, this.#time.ticks() - began);
    await this.#time.turn();
    return result;
  }

  /** The next batch is as large as this one showed that it may be. */
  nextBatch(): void {
    const wanted = Math.round(this.#size * Math.min(2, Math.max(0.5, AIM_MS / Math.max(1, this.#longestMs))));
    this.#size = Math.min(this.most, Math.max(1, wanted));
    this.#longestMs = 0;
  }
}
