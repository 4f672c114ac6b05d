import type { Clock } from "../kernel/clock.ts";
import type { Answer } from "./delivery.ts";
import { FaultPlans, type Plan } from "./faults.ts";
import { Hold } from "./hold.ts";
import { RequestLog, type ReceivedRequest } from "./request-log.ts";

/** What the simulated services share: a request log, planned faults, and a way to hold responses. */
export abstract class SimulatedService<Fault extends { kind: string }> {
  abstract readonly path: string;
  readonly journal: RequestLog;
  protected readonly gate = new Hold();
  readonly #plans = new FaultPlans<Fault>();

  constructor({ clock }: { clock: Clock }) {
    this.journal = new RequestLog(clock);
  }

  abstract accountOf(params: URLSearchParams): string;

  abstract answer(request: ReceivedRequest, faults: Fault[], gone: AbortSignal): Promise<Answer>;

  /** Called when a response has ended or the client has disconnected. */
  ended(_request: ReceivedRequest, _aborted: boolean): void {}

  get requests(): readonly ReceivedRequest[] {
    return this.journal.requests;
  }

  fail(plan: Plan<Fault>): () => void {
    return this.#plans.add(plan);
  }

  /** Holds responses before their first byte until the returned function is called. */
  hold(): () => void {
    return this.gate.close();
  }

  faultsFor(request: ReceivedRequest): Fault[] {
    return this.#plans.take(request);
  }
}
