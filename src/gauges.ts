const HEARTBEAT_MS = 20;
/** Whatever else a client calls its request is one method. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** What a running process counts of itself. */
export class Gauges {
  /** By method and hundred of the status. */
  readonly #answered = new Map<string, number[]>();
  #heart: ReturnType<typeof setInterval> | null = null;
  seconds = 0;
  requests = 0;
  longestStallMs = 0;

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

  /** A beat that comes late tells how long everything else waited. */
  start(): void {
    let last = performance.now();
    this.#heart = setInterval(() => {
      const now = performance.now();
      this.longestStallMs = Math.max(this.longestStallMs, now - last - HEARTBEAT_MS);
      last = now;
    }, HEARTBEAT_MS);
    this.#heart.unref();
  }

  stop(): void {
    if (this.#heart) clearInterval(this.#heart);
  }
}
