import type { Time } from "../domain/clock.ts";
import type { BatchSize } from "./database.ts";

/**
 * Finds the batch size that keeps every part of a batch's work as short as the engine wants it, and lets others have
 * their turn between two parts: whoever waits for a synchronous connection waits for a whole part.
 */
export class BatchPacer {
  readonly most: number;
  readonly #time: Pick<Time, "ticks" | "turn">;
  readonly #aimMs: number;
  #size: number;
  #longestMs = 0;

  constructor(time: Pick<Time, "ticks" | "turn">, batch: BatchSize, most = batch.most) {
    this.#time = time;
    this.#aimMs = batch.aimMs;
    this.most = Math.min(most, batch.most);
    this.#size = Math.min(this.most, batch.first);
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
    const wanted = Math.round(this.#size * Math.min(2, Math.max(0.5, this.#aimMs / Math.max(1, this.#longestMs))));
    this.#size = Math.min(this.most, Math.max(1, wanted));
    this.#longestMs = 0;
  }
}
