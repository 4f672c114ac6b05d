import type { ProviderDeps } from "../domain/jobs/provider.ts";
import { pause } from "./http.ts";

/** Spaces the requests of all downloads with the same name. Time spent between requests counts as part of the pause. */
export class Pace {
  readonly #deps: ProviderDeps;
  readonly #name: string;
  readonly #signal: AbortSignal;

  constructor(deps: ProviderDeps, name: string, signal: AbortSignal) {
    this.#deps = deps;
    this.#name = name;
    this.#signal = signal;
  }

  /** Starts the next pause now. */
  mark(): Promise<void> {
    return this.#deps.lastAsked.mark(this.#name);
  }

  async keep(ms: number): Promise<void> {
    const { lastAsked, pace } = this.#deps;
    await pause(this.#deps, await lastAsked.waitFor(this.#name, ms * pace), this.#signal);
  }

  /** Reserves the next slot; later callers come after it. */
  async take(ms: number): Promise<void> {
    const { lastAsked, pace } = this.#deps;
    await pause(this.#deps, await lastAsked.take(this.#name, ms * pace), this.#signal);
  }
}
