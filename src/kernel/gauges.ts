import { MINUTE, type Cancel, type Time } from "./clock.ts";

const HEARTBEAT_MS = 20;
/** How far back the longest stall is looked for, in slots of a minute. */
const STALL_SLOTS = 5;
/** Other methods are counted as one. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** Upper limits of the histogram of request times, in seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 5, 30];

/** Counters of a running process. */
export class Gauges {
  /** By method and status class. */
  readonly #answered = new Map<string, number[]>();
  readonly #inBucket = BUCKETS.map(() => 0);
  readonly #time: Pick<Time, "ticks" | "every">;
  readonly #stalls: { slot: number; ms: number }[] = [];
  #endBeat: Cancel = () => {};
  #inHand = 0;
  seconds = 0;
  requests = 0;

  constructor(time: Pick<Time, "ticks" | "every">) {
    this.#time = time;
  }

  answer(method: string, status: number, milliseconds: number): void {
    const counts = this.#countsOf(METHODS.has(method) ? method : "other");
    counts[Math.floor(status / 100)]! += 1;
    const seconds = milliseconds / 1000;
    BUCKETS.forEach((limit, at) => (this.#inBucket[at]! += seconds <= limit ? 1 : 0));
    this.seconds += seconds;
    this.requests += 1;
  }

  answered(): [labels: string, count: number][] {
    return [...this.#answered].flatMap(([method, counts]) =>
      counts.flatMap((count, hundred): [string, number][] =>
        count === 0 ? [] : [[`method="${method}",status="${hundred}xx"`, count]],
      ),
    );
  }

  /** How many requests took at most so long. */
  buckets(): [labels: string, count: number][] {
    return [
      ...BUCKETS.map((limit, at): [string, number] => [`le="${limit}"`, this.#inBucket[at]!]),
      ['le="+Inf"', this.requests],
    ];
  }

  /** The longest time of the last five minutes that the event loop was blocked. */
  get longestStallMs(): number {
    const oldest = this.#slot() - STALL_SLOTS;
    return Math.max(0, ...this.#stalls.filter(({ slot }) => slot > oldest).map(({ ms }) => ms));
  }

  #slot(): number {
    return Math.floor(this.#time.ticks() / MINUTE);
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
      this.#noteStall(now - last - HEARTBEAT_MS);
      last = now;
    });
  }

  end(): void {
    if (--this.#inHand === 0) this.#endBeat();
  }

  #noteStall(ms: number): void {
    const slot = this.#slot();
    const newest = this.#stalls.at(-1);
    if (newest?.slot === slot) newest.ms = Math.max(newest.ms, ms);
    else if (this.#stalls.push({ slot, ms }) > STALL_SLOTS) this.#stalls.shift();
  }
}
