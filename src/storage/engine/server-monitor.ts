import type { Cancel, Time } from "../../kernel/clock.ts";

/** What waits for the server on one connection. */
export interface Attended {
  /** What the server calls the connection; null until it has said so. */
  pid: number | null;
  /** Since when it waits, in ticks; null while it does something else. */
  since: number | null;
  /** Breaks the connection, so that whoever waits is told. */
  hangUp(): void;
}

interface Server {
  /** Which of its processes are at work; rejects where it cannot be reached. */
  working(pids: readonly number[]): Promise<ReadonlySet<number>>;
  /** It is away: every connection to it is worth nothing. */
  onAway(): void;
}

/** Who waits is looked at several times before it counts as long. */
const LOOKS = 4;
const LOOKS_FOR_RETURN_EVERY_MS = 500;

/**
 * Knows whether the server of a database is there. One that works for long is told from one that has fallen silent by
 * asking it over a connection of its own. While it is away nobody waits for it.
 */
export class ServerMonitor {
  readonly #server: Server;
  readonly #time: Pick<Time, "ticks" | "sleep" | "every">;
  readonly #silentAfterMs: number;
  readonly #open = new Set<Attended>();
  /** Those whose question the server did not know of when it was last asked. */
  readonly #missed = new WeakMap<Attended, number>();
  readonly #ended = new AbortController();
  #endLooks: Cancel | null = null;
  #isAsking = false;
  #isAway = false;

  constructor(server: Server, time: Pick<Time, "ticks" | "sleep" | "every">, silentAfterMs: number) {
    this.#server = server;
    this.#time = time;
    this.#silentAfterMs = silentAfterMs;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  attend(hangUp: () => void): Attended {
    const attended = { pid: null, since: null, hangUp };
    this.#open.add(attended);
    this.#endLooks ??= this.#time.every(this.#silentAfterMs / LOOKS, () => void this.#look());
    return attended;
  }

  leave(attended: Attended): void {
    this.#open.delete(attended);
  }

  /** Somebody has lost a connection: is it the server that is gone? */
  suspect(): void {
    void this.#ask([]);
  }

  end(): void {
    this.#ended.abort();
    this.#restUntilAttended();
  }

  #restUntilAttended(): void {
    this.#endLooks?.();
    this.#endLooks = null;
  }

  async #look(): Promise<void> {
    if (this.#open.size === 0) return this.#restUntilAttended();
    const longAgo = this.#time.ticks() - this.#silentAfterMs;
    const overdue = [...this.#open].filter(({ since }) => since !== null && since <= longAgo);
    if (overdue.length > 0) await this.#ask(overdue);
  }

  async #ask(overdue: readonly Attended[]): Promise<void> {
    if (this.#isAsking || this.#isAway || this.#ended.signal.aborted) return;
    this.#isAsking = true;
    try {
      const asked = overdue.map((one) => ({ one, since: one.since! }));
      const working = await this.#inTime(this.#server.working(overdue.flatMap(({ pid }) => pid ?? [])));
      for (const { one, since } of asked) {
        if (one.since === since && !(one.pid !== null && working.has(one.pid))) this.#missedAgain(one, since);
      }
    } catch {
      if (!this.#ended.signal.aborted) this.#goAway();
    } finally {
      this.#isAsking = false;
    }
  }

  /** The answer may have been under way when it was first missed. */
  #missedAgain(one: Attended, since: number): void {
    if (this.#missed.get(one) === since) one.hangUp();
    else this.#missed.set(one, since);
  }

  #goAway(): void {
    this.#isAway = true;
    for (const one of this.#open) if (one.since !== null) one.hangUp();
    this.#server.onAway();
    void this.#untilReturn().catch(() => {});
  }

  async #untilReturn(): Promise<void> {
    for (;;) {
      await this.#time.sleep(LOOKS_FOR_RETURN_EVERY_MS, this.#ended.signal);
      const isBack = await this.#inTime(this.#server.working([])).then(
        () => true,
        () => false,
      );
      if (isBack) break;
    }
    this.#isAway = false;
  }

  async #inTime<T>(answer: Promise<T>): Promise<T> {
    const answered = new AbortController();
    answer.catch(() => {});
    const late = this.#time
      .sleep(this.#silentAfterMs, AbortSignal.any([answered.signal, this.#ended.signal]))
      .then(() => Promise.reject(new Error("The server says nothing.")));
    try {
      return await Promise.race([answer, late]);
    } finally {
      late.catch(() => {});
      answered.abort();
    }
  }
}
