import { findFault, type DeliveryFault } from "./faults.ts";
import { renderMaintenancePage, renderStatusPage } from "./lotw-pages.ts";

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Generated as fast as the client reads. */
  body: Iterable<Uint8Array>;
}

export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

interface Journey {
  /** Aborts when the client disconnects or the services stop. */
  gone: AbortSignal;
  sleep: Sleep;
  /** Called once, before the client can see the last byte. */
  onEnd: (aborted: boolean) => void;
}

/** How the body ends. */
type End = "close" | "reset" | "stall";

export function createTextAnswer(status: number, text: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { "content-type": "text/html; charset=ISO-8859-1", ...headers },
    body: [Buffer.from(text)],
  };
}

/** The response that a fault sends instead of the service's own. */
export function createSubstitute(faults: readonly { kind: string }[], plainUrl: URL): Answer | null {
  const delivery = faults as readonly DeliveryFault[];
  const status = findFault(delivery, "status");
  if (status !== undefined) {
    const retry: Record<string, string> =
      status.retryAfter === undefined ? {} : { "retry-after": String(status.retryAfter) };
    return createTextAnswer(status.status, renderStatusPage(status.status), retry);
  }
  const maintenance = findFault(delivery, "maintenance");
  if (maintenance !== undefined) return createTextAnswer(200, renderMaintenancePage(maintenance.tempting ?? false));
  const redirect = findFault(delivery, "redirect");
  if (redirect !== undefined) return createTextAnswer(302, "", { location: redirect.to ?? plainUrl.href });
  return null;
}

/** Sends a response with its delivery faults. */
export async function deliver(
  answer: Answer,
  faults: readonly { kind: string }[],
  journey: Journey,
): Promise<Response> {
  const delivery = faults as readonly DeliveryFault[];
  const { status, headers } = answer;
  let { body } = answer;
  if (findFault(delivery, "gzip") !== undefined) {
    headers["content-encoding"] = "gzip";
    body = [Bun.gzipSync(Buffer.concat([...body]))];
  }
  const drip = findFault(delivery, "drip");
  if (drip !== undefined) body = splitDrops(body, drip.bytes);

  const { at, end } = findBreak(delivery);
  if (end === "stall" && at === 0) await untilGone(journey.gone);
  if (at !== null) body = takeBytes(body, at);
  return new Response(streamOf(body, end, drip?.pause ?? 0, journey), { status, headers });
}

function findBreak(faults: readonly DeliveryFault[]): { at: number | null; end: End } {
  const truncate = findFault(faults, "truncate");
  if (truncate !== undefined) return { at: truncate.at, end: "close" };
  const reset = findFault(faults, "reset");
  if (reset !== undefined) return { at: reset.at ?? 0, end: "reset" };
  const stall = findFault(faults, "stall");
  if (stall !== undefined) return { at: stall.at ?? 0, end: "stall" };
  return { at: null, end: "close" };
}

function streamOf(body: Iterable<Uint8Array>, end: End, pause: number, { gone, sleep, onEnd }: Journey) {
  const pieces = body[Symbol.iterator]();
  let next = pieces.next();
  let sent = 0;
  let ended = false;
  const finish = (aborted: boolean) => {
    if (!ended) onEnd(aborted);
    ended = true;
  };
  if (gone.aborted) finish(true);
  gone.addEventListener("abort", () => finish(true), { once: true });

  return new ReadableStream<Uint8Array>({
    // One chunk per call, because chunks only leave after the call returns.
    async pull(controller) {
      if (gone.aborted) return controller.error();
      if (!next.done) {
        if (sent > 0 && pause > 0) await sleep(pause, gone);
        const piece = next.value;
        next = pieces.next();
        sent += piece.length;
        if (next.done && end === "close") finish(false);
        controller.enqueue(piece);
        if (!next.done || end !== "close") return;
      }
      if (end === "stall") await untilGone(gone);
      finish(end === "stall");
      // An error without a value breaks the connection without a message on the console.
      return end === "close" ? controller.close() : controller.error();
    },
    cancel() {
      finish(true);
    },
  });
}

function untilGone(gone: AbortSignal): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve) => gone.addEventListener("abort", () => resolve(), { once: true }));
}

function* takeBytes(body: Iterable<Uint8Array>, at: number): Generator<Uint8Array> {
  let left = at;
  for (const piece of body) {
    if (left <= 0) return;
    yield piece.subarray(0, left);
    left -= piece.length;
  }
}

function* splitDrops(body: Iterable<Uint8Array>, bytes: number): Generator<Uint8Array> {
  for (const piece of body) {
    for (let start = 0; start < piece.length; start += bytes) yield piece.subarray(start, start + bytes);
  }
}
