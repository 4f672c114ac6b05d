import type { Clock } from "../domain/clock.ts";

export interface ReceivedRequest {
  /** Counts from 1 for each service. */
  number: number;
  method: string;
  path: string;
  /** Exactly as sent, to look at the encoding: the query of a GET, the body of a POST. */
  raw: string;
  params: URLSearchParams;
  headers: Record<string, string>;
  /** The login or the key that it names. */
  account: string;
  startedAt: number;
  finishedAt: number | null;
  status: number | null;
  /** The client went away before the end. */
  aborted: boolean;
  /** Numbers of the requests that were under way at the same time. */
  overlaps: number[];
  /** Kinds of the faults that it met. */
  faults: string[];
}

type Arrival = Pick<ReceivedRequest, "method" | "path" | "raw" | "params" | "headers" | "account">;

/** What one service was asked, in the order of arrival. */
export class Journal {
  readonly requests: ReceivedRequest[] = [];
  readonly #clock: Clock;
  readonly #underWay = new Set<ReceivedRequest>();
  readonly #waiting: { number: number; tell: (request: ReceivedRequest) => void }[] = [];

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
    for (const { number, tell } of this.#waiting) if (number === request.number) tell(request);
    return request;
  }

  finish(request: ReceivedRequest, aborted: boolean): void {
    if (!this.#underWay.delete(request)) return;
    request.finishedAt = this.#clock();
    request.aborted = aborted;
  }

  /** Resolves when the request of that number has arrived, at once if it has. */
  arrival(number: number): Promise<ReceivedRequest> {
    const known = this.requests[number - 1];
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((tell) => this.#waiting.push({ number, tell }));
  }
}
