import type { Cancel } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";

type Deps = Pick<World, "db" | "every" | "log">;

interface Follower {
  userId: number;
  version: number;
  tell: (version: number) => void;
}

/** So often it is looked whether a log has changed, by whichever program, while anybody looks on. */
export const LOOKS_EVERY_MS = 400;
const MAX_WATCHERS_PER_USER = 30;

/** Tells those who look at a log when it has changed. While nobody looks on it does nothing. */
export class LogWatcher {
  readonly #deps: Deps;
  readonly #followers = new Set<Follower>();
  #rest: Cancel | null = null;
  #looking: Promise<void> | null = null;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** From the version that is known on; what was missed since is told at once. */
  follow({ id: userId }: LogCaller, version: number, tell: (version: number) => void): Cancel {
    const own = [...this.#followers].filter((one) => one.userId === userId);
    if (own.length >= MAX_WATCHERS_PER_USER) {
      throw new AppError("rate_limited", "Too many pages look on at once.", { retryAfterSeconds: 10 });
    }
    if (this.#isStopped) return () => {};
    const follower = { userId, version, tell };
    this.#followers.add(follower);
    this.#begin();
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.#end();
    };
  }

  get size(): number {
    return this.#followers.size;
  }

  /** Nobody is told anything any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#followers.clear();
    this.#end();
    await this.#looking;
  }

  #begin(): void {
    this.#rest ??= this.#deps.every(LOOKS_EVERY_MS, () => void this.look());
  }

  #end(): void {
    this.#rest?.();
    this.#rest = null;
  }

  /** What changes while it is looked is seen by the next look. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = null)));
  }

  async #look(): Promise<void> {
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
    }
  }
}
