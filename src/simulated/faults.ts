import type { ReceivedRequest } from "./request-log.ts";

/** What can go wrong on the way, whatever the answer is. */
export type DeliveryFault =
  /** An orderly end after so many bytes. */
  | { kind: "truncate"; at: number }
  /** The connection breaks after so many bytes, by default before the first. */
  | { kind: "reset"; at?: number }
  /** Silence after so many bytes, by default before the first, until the client gives up. */
  | { kind: "stall"; at?: number }
  /** A few bytes at a time, with a pause between them. */
  | { kind: "drip"; bytes: number; pause: number }
  | { kind: "status"; status: 500 | 502 | 503; retryAfter?: number }
  /** A page of HTML with status 200; a tempting one holds the words of a report. */
  | { kind: "maintenance"; tempting?: boolean }
  /** To plain http on another host name; who follows gets the ordinary answer there. */
  | { kind: "redirect"; to?: string }
  | { kind: "gzip" };

type AnswerFault =
  | { kind: "crlf" }
  /** All text in Latin-1, lengths included. */
  | { kind: "latin1" }
  /** The service's clock is ahead by so many milliseconds. */
  | { kind: "clockSkew"; by: number }
  /** From this request on the password, or the key, is another. */
  | { kind: "passwordChange"; to?: string };

export type LotwFault =
  | DeliveryFault
  | AnswerFault
  /** The account is in use elsewhere. */
  | { kind: "busy" }
  | { kind: "dropEof" }
  | { kind: "numrec"; by: number }
  /** How far the report reaches is said wrongly, or not at all. */
  | { kind: "lastQsl"; as: string | null }
  /** The date that was sent is ignored, as the header says. */
  | { kind: "systemDefault" };

export type QrzFault =
  | DeliveryFault
  | AnswerFault
  | { kind: "count"; by: number }
  /** The page before this one once more. */
  | { kind: "duplicatePage" }
  /** AFTERLOGID is ignored: always the first page. */
  | { kind: "ignoreCursor" };

export type Plan<Fault> = Fault & {
  /** How many requests it meets; one by default. */
  times?: number;
  /** Only the request of this number. */
  nth?: number;
  when?: (request: ReceivedRequest) => boolean;
  /** Further faults of the same request. */
  and?: Fault[];
};

/** The faults ahead of one service. A request meets the oldest plan that is meant for it. */
export class FaultPlans<Fault extends { kind: string }> {
  readonly #plans: { plan: Plan<Fault>; left: number }[] = [];

  /** Returns a function that calls the fault off. */
  add(plan: Plan<Fault>): () => void {
    const entry = { plan, left: plan.times ?? 1 };
    this.#plans.push(entry);
    return () => {
      entry.left = 0;
    };
  }

  take(request: ReceivedRequest): Fault[] {
    const met = this.#plans.find(({ plan, left }) => left > 0 && isMeantFor(plan, request));
    if (met === undefined) return [];
    met.left -= 1;
    const faults = [met.plan, ...(met.plan.and ?? [])];
    request.faults.push(...faults.map(({ kind }) => kind));
    return faults;
  }
}

function isMeantFor(plan: { nth?: number; when?: (request: ReceivedRequest) => boolean }, request: ReceivedRequest) {
  return (plan.nth === undefined || plan.nth === request.number) && (plan.when?.(request) ?? true);
}

/** The fault of a kind among those that a request meets. */
export function among<Fault extends { kind: string }, Kind extends Fault["kind"]>(
  faults: readonly Fault[],
  kind: Kind,
): Extract<Fault, { kind: Kind }> | undefined {
  return faults.find((fault): fault is Extract<Fault, { kind: Kind }> => fault.kind === kind);
}
