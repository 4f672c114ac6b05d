import type { ReceivedRequest } from "./request-log.ts";

/** Faults of delivery, independent of the content. */
export type DeliveryFault =
  /** Ends the body regularly after this many bytes. */
  | { kind: "truncate"; at: number }
  /** Breaks the connection after this many bytes, by default before the first. */
  | { kind: "reset"; at?: number }
  /** Goes silent after this many bytes, by default before the first, until the client gives up. */
  | { kind: "stall"; at?: number }
  /** A few bytes at a time with a pause in between. */
  | { kind: "drip"; bytes: number; pause: number }
  | { kind: "status"; status: 500 | 502 | 503; retryAfter?: number }
  /** An HTML page with status 200; a tempting one contains words of a report. */
  | { kind: "maintenance"; tempting?: boolean }
  /** To plain HTTP on another host name, where a client that follows gets the ordinary response. */
  | { kind: "redirect"; to?: string }
  | { kind: "gzip" };

type AnswerFault =
  | { kind: "crlf" }
  /** All text in Latin-1, including lengths. */
  | { kind: "latin1" }
  /** The service's clock is ahead by this many milliseconds. */
  | { kind: "clockSkew"; by: number }
  /** From this request on, the password or key is different. */
  | { kind: "passwordChange"; to?: string };

export type LotwFault =
  | DeliveryFault
  | AnswerFault
  /** The account is in use elsewhere. */
  | { kind: "busy" }
  | { kind: "dropEof" }
  | { kind: "numrec"; by: number }
  /** The header field for the newest record is wrong or missing. */
  | { kind: "lastQsl"; as: string | null }
  /** The requested date is ignored, as the header says. */
  | { kind: "systemDefault" };

export type QrzFault =
  | DeliveryFault
  | AnswerFault
  | { kind: "count"; by: number }
  /** Repeats the previous page. */
  | { kind: "duplicatePage" }
  /** Ignores AFTERLOGID and always sends the first page. */
  | { kind: "ignoreCursor" };

export type Plan<Fault> = Fault & {
  /** How many requests it affects; one by default. */
  times?: number;
  /** Only the request with this number. */
  nth?: number;
  when?: (request: ReceivedRequest) => boolean;
  /** Further faults of the same request. */
  and?: Fault[];
};

/** The planned faults of a service. A request gets the oldest plan that applies to it. */
export class FaultPlans<Fault extends { kind: string }> {
  readonly #plans: { plan: Plan<Fault>; left: number }[] = [];

  /** Returns a function that cancels the fault. */
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

/** The fault of this kind, if the request has one. */
export function findFault<Fault extends { kind: string }, Kind extends Fault["kind"]>(
  faults: readonly Fault[],
  kind: Kind,
): Extract<Fault, { kind: Kind }> | undefined {
  return faults.find((fault): fault is Extract<Fault, { kind: Kind }> => fault.kind === kind);
}
