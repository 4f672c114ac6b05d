import { AppError } from "../../kernel/errors.ts";
import { createTurn } from "../../kernel/time.ts";

/** A shorter answer is sent before anybody could count it. */
const LONG_ANSWER_BYTES = 256_000;
/** What an answer that is made while it is sent holds in memory. */
const STREAM_BYTES = 2_000_000;
const MAX_UNSENT_BYTES = 32_000_000;
const PIECE_BYTES = 65_536;

/** Keeps the requests of one user from taking the time and memory of the others. */
export class FairShare {
  readonly #turn = createTurn();
  /** Resolves when the next request of a user can begin. */
  readonly #lastToBegin = new Map<number, Promise<void>>();
  readonly #unsent = new Map<number, number>();

  /** Requests of one user that come together begin one by one, and those of others in between. */
  async begin(userId: number): Promise<void> {
    const previous = this.#lastToBegin.get(userId);
    const next = (previous ?? Promise.resolve()).then(this.#turn);
    this.#lastToBegin.set(userId, next);
    void next.then(() => this.#lastToBegin.get(userId) === next && this.#lastToBegin.delete(userId));
    await previous;
    this.assertReads(userId);
  }

  /** Refuses a user who does not read the answers. */
  assertReads(userId: number): void {
    if ((this.#unsent.get(userId) ?? 0) < MAX_UNSENT_BYTES) return;
    const message = "Too many answers are still being sent to you. Read them, then try again.";
    throw new AppError("rate_limited", message, { rule: "too_many_requests", retryAfterSeconds: 5 });
  }

  /** Counts a long answer until it is sent, or until its reader is gone. */
  async send(userId: number, request: Request, response: Response): Promise<Response> {
    const { body, headers, status } = response;
    const bytes = Number(headers.get("content-length") ?? STREAM_BYTES);
    if (!body || request.method === "HEAD" || bytes < LONG_ANSWER_BYTES) return response;
    // Only here, because the signal is slow to create and most answers are short.
    const { signal } = request;
    if (signal.aborted) return response;
    this.#count(userId, bytes);
    let isCounted = true;
    const release = () => {
      if (isCounted) this.#count(userId, -bytes);
      isCounted = false;
    };
    signal.addEventListener("abort", release, { once: true });
    const parts = headers.has("content-length") ? cut(await response.bytes()) : body.getReader();
    const counted = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { value, done } = await parts.read();
          if (!done) return controller.enqueue(value);
          release();
          controller.close();
        } catch (error) {
          release();
          throw error;
        }
      },
      async cancel(reason) {
        release();
        await parts.cancel(reason);
      },
    });
    return new Response(counted, { status, headers });
  }

  #count(userId: number, bytes: number): void {
    const left = (this.#unsent.get(userId) ?? 0) + bytes;
    if (left > 0) this.#unsent.set(userId, left);
    else this.#unsent.delete(userId);
  }
}

/** Complete bytes, to be read in pieces. */
const cut = (bytes: Uint8Array) => {
  let at = 0;
  return {
    async read(): Promise<{ value: Uint8Array; done: false } | { value: undefined; done: true }> {
      if (at >= bytes.length) return { value: undefined, done: true };
      return { value: bytes.subarray(at, (at += PIECE_BYTES)), done: false };
    },
    async cancel(_: unknown): Promise<void> {},
  };
};
