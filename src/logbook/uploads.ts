import { HOUR } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import * as attempts from "../storage/people/attempts.ts";
import type { World } from "../world.ts";

/** The upload limit of a user per hour, 4 GB, counted in portions. */
const MAX_PER_HOUR = { portions: 64, bytes: 64 * 1_048_576 };

/** An upload in progress: bytes received, and the total if known. */
interface Arriving {
  bytes: number;
  size: number | null;
}

/** The uploads of users: one per user at a time in each process, and a limit per hour in all of them. */
export class Uploads {
  readonly #deps: Pick<World, "db" | "clock">;
  readonly #most: typeof MAX_PER_HOUR;
  readonly #underWay = new Map<number, Arriving>();
  /** Bytes that do not fill a portion yet. */
  readonly #rest = new Map<number, number>();

  constructor(deps: Pick<World, "db" | "clock">, most = MAX_PER_HOUR) {
    this.#deps = deps;
    this.#most = most;
  }

  /** Throws for a second upload before reading it. `receive` gets a function to count the bytes. */
  async one<T>(
    userId: number,
    receive: (count: (bytes: number) => void) => Promise<T>,
    size: number | null = null,
  ): Promise<T> {
    if (this.#underWay.has(userId)) {
      throw new AppError("conflict", "Another upload is already in progress. Wait for it to finish.", {
        rule: "upload_active",
      });
    }
    const arriving: Arriving = { bytes: 0, size };
    this.#underWay.set(userId, arriving);
    try {
      const room = await this.#roomOf(userId);
      return await receive((bytes) => {
        arriving.bytes += bytes;
        if (arriving.bytes >= room) throw createTooMuchError(HOUR);
      });
    } finally {
      await this.#count(userId, arriving.bytes).finally(() => this.#underWay.delete(userId));
    }
  }

  /** The user's upload to this process, if there is one. */
  getArriving(userId: number): Arriving | null {
    return this.#underWay.get(userId) ?? null;
  }

  async #roomOf(userId: number): Promise<number> {
    const { db, clock } = this.#deps;
    const [name, most, now] = [nameOf(userId), this.#most.portions, clock()];
    const portions = await db.read(function* () {
      const wait = yield* attempts.waitFor({ name, windowMs: HOUR, most }, now);
      if (wait > 0) throw createTooMuchError(wait);
      return yield* attempts.count(name, now - HOUR);
    });
    return (most - portions) * this.#most.bytes - (this.#rest.get(userId) ?? 0);
  }

  async #count(userId: number, bytes: number): Promise<void> {
    const { db, clock } = this.#deps;
    const sent = (this.#rest.get(userId) ?? 0) + bytes;
    this.#rest.set(userId, sent % this.#most.bytes);
    const portions = Math.floor(sent / this.#most.bytes);
    if (portions === 0) return;
    const now = clock();
    await db.write(function* () {
      for (let n = 0; n < portions; n++) yield* attempts.add(nameOf(userId), now);
    });
  }
}

const nameOf = (userId: number): string => `upload\n${userId}`;

const createTooMuchError = (waitMs: number): AppError =>
  new AppError("rate_limited", "You have uploaded many files in the past hour. Try again later.", {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  });
