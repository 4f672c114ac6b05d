import { untilAborted } from "../../kernel/until-aborted.ts";

/** A lock for each name within this process. Waiting callers get it in the order they came. */
export class KeyedLock {
  readonly #ends = new Map<string, Promise<unknown>>();

  isLocked(name: string): boolean {
    return this.#ends.has(name);
  }

  /**
   * Resolves with a function that releases the lock. A caller whose signal aborts gives up its place without blocking
   * the others.
   */
  async acquire(name: string, signal: AbortSignal): Promise<() => void> {
    const before = this.#ends.get(name);
    const turn = Promise.withResolvers<void>();
    const end: Promise<unknown> = Promise.all([before, turn.promise]).then(() => {
      if (this.#ends.get(name) === end) this.#ends.delete(name);
    });
    this.#ends.set(name, end);
    try {
      await untilAborted(Promise.resolve(before), signal);
    } catch (error) {
      turn.resolve();
      throw error;
    }
    return turn.resolve;
  }
}
