import type { ProviderDeps } from "../domain/provider.ts";
import { rest } from "./http.ts";

const MOST_REMEMBERED = 1_000;

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
  mark(): void {
    this.#remember(this.#deps.ticks());
  }

  async keep(ms: number): Promise<void> {
    const now = this.#deps.ticks();
    await rest(this.#deps, this.#nextAfter(ms, now) - now, this.#signal);
  }

  /** Takes the next place in line: whoever else asks meanwhile comes behind it. */
  async take(ms: number): Promise<void> {
    const now = this.#deps.ticks();
    const next = this.#nextAfter(ms, now);
    this.#remember(next);
    await rest(this.#deps, next - now, this.#signal);
  }

  #nextAfter(ms: number, now: number): number {
    const { lastAsked, pace } = this.#deps;
    const last = lastAsked.get(this.#name);
    return last === undefined ? now : Math.max(now, last + ms * pace);
  }

  /** What was not asked for longest is forgotten where there is too much. */
  #remember(at: number): void {
    const { lastAsked } = this.#deps;
    lastAsked.delete(this.#name);
    lastAsked.set(this.#name, at);
    const [oldest] = lastAsked.keys();
    if (lastAsked.size > MOST_REMEMBERED) lastAsked.delete(oldest!);
  }
}
