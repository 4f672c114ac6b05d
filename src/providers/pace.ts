import type { ProviderDeps } from "../domain/provider.ts";
import { pause } from "./http.ts";

/** Keeps the requests of a download apart. What is done between them counts as part of the pause. */
export class Pace {
  readonly #deps: ProviderDeps;
  readonly #signal: AbortSignal;
  #last: number | null = null;

  constructor(deps: ProviderDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  /** From here on the next pause counts. */
  mark(): void {
    this.#last = this.#deps.clock();
  }

  async keep(ms: number): Promise<void> {
    if (this.#last === null) return;
    const passed = Math.max(0, this.#deps.clock() - this.#last);
    await pause(this.#deps, Math.max(0, ms - passed), this.#signal);
  }
}
