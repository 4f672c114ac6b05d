import type { Clock } from "../kernel/clock.ts";
import type { Answer } from "./delivery.ts";
import { FaultPlans, type Plan } from "./faults.ts";
import { Gate } from "./hold.ts";
import { Journal, type ReceivedRequest } from "./request-log.ts";

/** What every simulated service has: it remembers its requests, fails as it is told, and can be held back. */
export abstract class SimulatedService<Fault extends { kind: string }> {
  abstract readonly path: string;
  readonly journal: Journal;
  protected readonly gate = new Gate();
  readonly #plans = new FaultPlans<Fault>();

  constructor({ clock }: { clock: Clock }) {
    this.journal = new Journal(clock);
  }

  abstract accountOf(params: URLSearchParams): string;

  abstract answer(request: ReceivedRequest, faults: Fault[], gone: AbortSignal): Promise<Answer>;

  /** Told when an answer is over, or when nobody waits for it any more. */
  ended(_request: ReceivedRequest, _aborted: boolean): void {}

  get requests(): readonly ReceivedRequest[] {
    return this.journal.requests;
  }

  fail(plan: Plan<Fault>): () => void {
    return this.#plans.add(plan);
  }

  /** Holds answers back before their first byte until the returned function is called. */
  hold(): () => void {
    return this.gate.close();
  }

  faultsFor(request: ReceivedRequest): Fault[] {
    return this.#plans.take(request);
  }
}
