import type { Credentials, ProviderDeps } from "../domain/jobs/provider.ts";
import { ask, buildAgent, pause, type Question } from "./http.ts";
import { fillSpool, type Spool } from "./spool.ts";

/** What all requests of one download or test share. */
export interface Session {
  deps: ProviderDeps;
  /** The base URL of the service, without a trailing slash. */
  base: string;
  credentials: Credentials;
  callsign: string | undefined;
  signal: AbortSignal;
  pace: Pace;
}

/** Sessions with the same pace name share the pauses between requests. */
export const openSession = (
  deps: ProviderDeps,
  pace: string,
  credentials: Credentials,
  callsign: string | undefined,
  signal: AbortSignal,
): Session => ({
  deps,
  base: deps.baseUrl.replace(/(?<!\/)\/+$/, ""),
  credentials,
  callsign,
  signal,
  pace: new Pace(deps, pace, signal),
});

/** How patient a request is. */
export type Circumstances = Partial<Pick<Question, "patience">> & Pick<Question, "retries">;

/** An answer on disk, with what was found in it. */
export interface Fetched<T> {
  spool: Spool;
  filled: T;
}

/** Sends a request and stores its answer. */
export const fetchInto = <T>(
  { deps, callsign, signal }: Session,
  question: Omit<Question, "agent">,
  fill: (bytes: AsyncGenerator<Uint8Array>, spool: Spool) => Promise<T>,
): Promise<Fetched<T>> => {
  const patience = { ...question.patience, ...deps.patience };
  const whole = { ...question, patience, agent: buildAgent(deps.version, callsign) };
  return ask(deps, whole, signal, (bytes) => fillSpool(deps, (spool) => fill(bytes, spool)));
};

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
