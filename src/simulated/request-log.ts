import type { Clock } from "../kernel/clock.ts";

export interface ReceivedRequest {
  /** Counts from 1 for each service. */
  number: number;
  method: string;
  path: string;
  /** Exactly as sent, to check the encoding: the query of a GET, the body of a POST. */
  raw: string;
  params: URLSearchParams;
  headers: Record<string, string>;
  /** The login or key in the request. */
  account: string;
  startedAt: number;
  finishedAt: number | null;
  status: number | null;
  /** The client disconnected before the end. */
  aborted: boolean;
  /** Numbers of the requests that were active at the same time. */
  overlaps: number[];
  /** Kinds of the faults that it got. */
  faults: string[];
}

type Arrival = Pick<ReceivedRequest, "method" | "path" | "raw" | "params" | "headers" | "account">;

/** The requests to one service, in order of arrival. */
export class RequestLog {
  readonly requests: ReceivedRequest[] = [];
  readonly #clock: Clock;
  readonly #underWay = new Set<ReceivedRequest>();
  readonly #waiting: { holds: () => boolean; tell: () => void }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  receive(arrival: Arrival): ReceivedRequest {
    const request: ReceivedRequest = {
      ...arrival,
      number: this.requests.length + 1,
      startedAt: this.#clock(),
      finishedAt: null,
      status: null,
      aborted: false,
      overlaps: [...this.#underWay].map(({ number }) => number),
      faults: [],
    };
    for (const other of this.#underWay) other.overlaps.push(request.number);
    this.#underWay.add(request);
    this.requests.push(request);
    this.#tell();
    return request;
  }

  finish(request: ReceivedRequest, aborted: boolean): void {
    if (!this.#underWay.delete(request)) return;
    request.finishedAt = this.#clock();
    request.aborted = aborted;
    this.#tell();
  }

  /** Resolves when the request with this number has arrived. */
  waitForArrival(number: number): Promise<void> {
    return this.#until(() => this.requests.length >= number);
  }

  /** Resolves when the request with this number has ended. */
  waitForDeparture(number: number): Promise<void> {
    return this.#until(() => this.requests[number - 1]?.finishedAt != null);
  }

  #until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((tell) => this.#waiting.push({ holds, tell }));
  }

  #tell(): void {
    for (const { holds, tell } of this.#waiting) if (holds()) tell();
  }
}
