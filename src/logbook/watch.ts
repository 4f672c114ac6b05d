import type { CallOff } from "../domain/clock.ts";
import { AppError } from "../domain/errors.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import type { Asker } from "./asker.ts";

type Deps = Pick<World, "db" | "every" | "log">;

interface Follower {
  userId: number;
  version: number;
  tell: (version: number) => void;
}

/** So often it is looked whether a log has changed, by whichever program, while anybody looks on. */
export const LOOKS_EVERY_MS = 400;
const MOST_OF_USER = 30;

/** Tells those who look at a log when it has changed. While nobody looks on it does nothing. */
export class Watch {
  readonly #deps: Deps;
  readonly #followers = new Set<Follower>();
  #rest: CallOff | null = null;
  #isLooking = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** From the version that is known on; what was missed since is told at once. */
  follow({ id: userId }: Asker, version: number, tell: (version: number) => void): CallOff {
    const own = [...this.#followers].filter((one) => one.userId === userId);
    if (own.length >= MOST_OF_USER) {
      throw new AppError("rate_limited", "Too many pages look on at once.", { retryAfterSeconds: 10 });
    }
    const follower = { userId, version, tell };
    this.#followers.add(follower);
    this.#rest ??= this.#deps.every(LOOKS_EVERY_MS, () => void this.look());
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.stop();
    };
  }

  stop(): void {
    this.#followers.clear();
    this.#rest?.();
    this.#rest = null;
  }

  get size(): number {
    return this.#followers.size;
  }

  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const ids = [...new Set([...this.#followers].map(({ userId }) => userId))];
      const versions = await this.#deps.db.read(() => users.logVersions(ids));
      for (const follower of this.#followers) {
        const version = versions.get(follower.userId) ?? follower.version;
        if (version === follower.version) continue;
        follower.version = version;
        follower.tell(version);
      }
    } catch (error) {
      this.#deps.log.debug("watch.failed", { error });
    } finally {
      this.#isLooking = false;
    }
  }
}
