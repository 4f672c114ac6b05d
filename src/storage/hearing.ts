import type { SQL } from "bun";
import type { CallOff, Time } from "../domain/clock.ts";
import type { Notice } from "./unit.ts";

type Hear = (notice: Notice | null) => void;

interface Server {
  /** A connection of its own. */
  connect(): SQL;
  /** Tells whoever hears that channel. */
  call(channel: string): Promise<unknown>;
}

/** So many times longer than a server may say nothing it is not asked whether its notices still come. */
const RESTS = 5;

/**
 * Hears what other programs tell. A connection on which nothing is asked does not show that it is lost, so this program
 * calls now and then, and listens anew where it hears neither itself nor others who do. Whoever hears is told each time
 * that something may have been missed.
 */
export class Hearing {
  readonly #channel: string;
  readonly #calls: string;
  readonly #server: Server;
  readonly #time: Pick<Time, "sleep" | "every">;
  readonly #silentAfterMs: number;
  readonly #hearers = new Set<Hear>();
  readonly #ended = new AbortController();
  #subscription: SQL | null = null;
  /** What was begun last of listening and its end, each after the one before. */
  #turn: Promise<void> = Promise.resolve();
  #endCalls: CallOff | null = null;
  #heard = 0;
  #isCalling = false;

  constructor(channel: string, server: Server, time: Pick<Time, "sleep" | "every">, silentAfterMs: number) {
    this.#channel = channel;
    this.#calls = `${channel}_calls`;
    this.#server = server;
    this.#time = time;
    this.#silentAfterMs = silentAfterMs;
  }

  get #restMs(): number {
    return RESTS * this.#silentAfterMs;
  }

  /** Where nothing can be heard now, it is as soon as that is possible. */
  async add(hear: Hear): Promise<() => Promise<void>> {
    this.#hearers.add(hear);
    this.#endCalls ??= this.#time.every(this.#restMs, () => void this.#call());
    if (this.#hearers.size === 1) await this.again();
    else hear(null);
    return async () => {
      this.#hearers.delete(hear);
      if (this.#hearers.size === 0) await this.#rest();
    };
  }

  /** What was heard until now may have ended. */
  again(): Promise<void> {
    return (this.#turn = this.#turn.then(async () => {
      await this.#unlisten();
      if (this.#hearers.size > 0 && !this.#ended.signal.aborted) await this.#inTime(this.#listen()).catch(() => {});
    }));
  }

  end(): Promise<void> {
    this.#ended.abort();
    this.#hearers.clear();
    return this.#rest();
  }

  #rest(): Promise<void> {
    this.#endCalls?.();
    this.#endCalls = null;
    return this.again();
  }

  async #listen(): Promise<void> {
    const sql = (this.#subscription = this.#server.connect());
    await sql.listen(this.#calls, () => void (this.#heard += 1));
    await sql.listen(
      this.#channel,
      (text) => this.#tell(JSON.parse(text) as Notice),
      () => this.#tell(null),
    );
  }

  /** One that never answers keeps nobody from trying again. */
  async #inTime(listening: Promise<void>): Promise<void> {
    const answered = new AbortController();
    const rested = this.#time.sleep(this.#restMs, AbortSignal.any([answered.signal, this.#ended.signal]));
    rested.catch(() => {});
    await Promise.race([listening, rested]).finally(() => answered.abort());
  }

  async #unlisten(): Promise<void> {
    const ended = this.#subscription;
    this.#subscription = null;
    await ended?.close({ timeout: 0 }).catch(() => {});
  }

  #tell(notice: Notice | null): void {
    for (const hear of this.#hearers) hear(notice);
  }

  async #call(): Promise<void> {
    if (this.#isCalling) return;
    this.#isCalling = true;
    const before = this.#heard;
    try {
      await this.#server.call(this.#calls);
      await this.#time.sleep(this.#silentAfterMs, this.#ended.signal);
      if (this.#heard === before) await this.again();
    } catch {
      // Nobody can say whether it is heard: when the server is back it is listened anew.
    } finally {
      this.#isCalling = false;
    }
  }
}
