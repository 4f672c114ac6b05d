import type { ProviderDeps } from "../domain/jobs/provider.ts";
import { rest } from "./http.ts";

/** Keeps the requests of all downloads of one name apart. What is done between them counts as part of the pause. */
export class Pace {
  readonly #deps: ProviderDeps;
  readonly #name: string;
  readonly #signal: AbortSignal;

  constructor(deps: ProviderDeps, name: string, signal: AbortSignal) {
    this.#deps = deps;
    this.#name = name;
    this.#signal = signal;
  }

  /** From here on the next pause counts. */
  mark(): Promise<void> {
    return this.#deps.lastAsked.mark(this.#name);
  }

  async keep(ms: number): Promise<void> {
    const { lastAsked, pace } = this.#deps;
    await rest(this.#deps, await lastAsked.waitFor(this.#name, ms * pace), this.#signal);
  }

  /** Takes the next place in line: whoever else asks meanwhile comes behind it. */
  async take(ms: number): Promise<void> {
    const { lastAsked, pace } = this.#deps;
    await rest(this.#deps, await lastAsked.take(this.#name, ms * pace), this.#signal);
  }
}
