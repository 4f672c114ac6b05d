import { HOUR, type Clock } from "../domain/clock.ts";
import { AppError } from "../domain/errors.ts";

/** What one user may send within an hour. */
const MOST_BYTES_AN_HOUR = 4 * 1_073_741_824;

interface Sent {
  since: number;
  bytes: number;
}

/** A file on its way: how much of it is there, of how much where that is known. */
export interface Arriving {
  bytes: number;
  size: number | null;
}

/** The files that users are sending: one of each user at a time, and so much an hour. */
export class Uploads {
  readonly #clock: Clock;
  readonly #mostBytes: number;
  readonly #underWay = new Map<number, Arriving>();
  readonly #sent = new Map<number, Sent>();

  constructor(clock: Clock, mostBytes = MOST_BYTES_AN_HOUR) {
    this.#clock = clock;
    this.#mostBytes = mostBytes;
  }

  /** Refuses a second one before a byte of it is read; `receive` is told how to count what comes. */
  async one<T>(
    userId: number,
    receive: (count: (bytes: number) => void) => Promise<T>,
    size: number | null = null,
  ): Promise<T> {
    if (this.#underWay.has(userId)) {
      throw new AppError("conflict", "You are sending another file already: wait until it is there.", {
        rule: "upload_active",
      });
    }
    this.#assertRoom(this.#hourOf(userId));
    const arriving: Arriving = { bytes: 0, size };
    this.#underWay.set(userId, arriving);
    try {
      return await receive((bytes) => {
        arriving.bytes += bytes;
        const hour = this.#hourOf(userId);
        hour.bytes += bytes;
        this.#assertRoom(hour);
      });
    } finally {
      this.#underWay.delete(userId);
    }
  }

  /** What somebody is sending to this process just now. */
  arrivingFrom(userId: number): Arriving | null {
    return this.#underWay.get(userId) ?? null;
  }

  #hourOf(userId: number): Sent {
    const now = this.#clock();
    const known = this.#sent.get(userId);
    if (known && known.since + HOUR > now) return known;
    const begun = { since: now, bytes: 0 };
    this.#sent.set(userId, begun);
    return begun;
  }

  #assertRoom({ since, bytes }: Sent): void {
    if (bytes < this.#mostBytes) return;
    throw new AppError("rate_limited", "You sent a lot of files within this hour. Try again later.", {
      retryAfterSeconds: Math.ceil((since + HOUR - this.#clock()) / 1000),
    });
  }
}
