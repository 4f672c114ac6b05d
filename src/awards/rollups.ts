import type { Unit } from "../storage/engine/unit.ts";

/** What has been read of a log in one transaction: questions that are asked together read nothing twice. */
export class Rollups {
  readonly userId: number;
  readonly #known = new Map<string, unknown>();

  constructor(userId: number) {
    this.userId = userId;
  }

  *once<T>(name: readonly unknown[], read: () => Unit<T>): Unit<T> {
    const key = JSON.stringify(name);
    if (!this.#known.has(key)) this.#known.set(key, yield* read());
    return this.#known.get(key) as T;
  }
}
