import type { Cancel, Time } from "./clock.ts";

const HEARTBEAT_MS = 20;
/** Other methods are counted as one. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counters of a running process. */
export class Gauges {
  /** By method and status class. */
  readonly #answered = new Map<string, number[]>();
  readonly #time: Pick<Time, "ticks" | "every">;
  #endBeat: Cancel = () => {};
  #inHand = 0;
  seconds = 0;
  requests = 0;
  longestStallMs = 0;

  constructor(time: Pick<Time, "ticks" | "every">) {
    this.#time = time;
  }

  answer(method: string, status: number, milliseconds: number): void {
    const counts = this.#countsOf(METHODS.has(method) ? method : "other");
    counts[Math.floor(status / 100)]! += 1;
    this.seconds += milliseconds / 1000;
    this.requests += 1;
  }

  answered(): [labels: string, count: number][] {
    return [...this.#answered].flatMap(([method, counts]) =>
      counts.flatMap((count, hundred): [string, number][] =>
        count === 0 ? [] : [[`method="${method}",status="${hundred}xx"`, count]],
      ),
    );
  }

  #countsOf(method: string): number[] {
    const known = this.#answered.get(method);
    if (known) return known;
    const made = [0, 0, 0, 0, 0, 0];
    this.#answered.set(method, made);
    return made;
  }

  /** Measures how late a timer fires while a request or job is active: that is how long everything else waited. */
  begin(): void {
    if (++this.#inHand > 1) return;
    let last = this.#time.ticks();
    this.#endBeat = this.#time.every(HEARTBEAT_MS, () => {
      const now = this.#time.ticks();
      this.longestStallMs = Math.max(this.longestStallMs, now - last - HEARTBEAT_MS);
      last = now;
    });
  }

  end(): void {
    if (--this.#inHand === 0) this.#endBeat();
  }
}
