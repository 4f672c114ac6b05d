import type { LastAsked } from "../../src/domain/jobs/provider.ts";

/** Request times in memory, for tests of providers without a database. */
export class LastAskedInMemory extends Map<string, number> implements LastAsked {
  readonly #ticks: () => number;

  constructor(ticks: () => number) {
    super();
    this.#ticks = ticks;
  }

  async mark(name: string): Promise<void> {
    this.set(name, this.#ticks());
  }

  async waitFor(name: string, ms: number): Promise<number> {
    return this.#nextAfter(name, ms) - this.#ticks();
  }

  async take(name: string, ms: number): Promise<number> {
    const next = this.#nextAfter(name, ms);
    this.set(name, next);
    return next - this.#ticks();
  }

  #nextAfter(name: string, ms: number): number {
    const last = this.get(name);
    return last === undefined ? this.#ticks() : Math.max(this.#ticks(), last + ms);
  }
}
