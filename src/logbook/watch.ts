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

/** How often the log's version is checked, whichever process changes it, while somebody watches. */
export const LOOKS_EVERY_MS = 400;
const MAX_WATCHERS_PER_USER = 30;

/** Notifies listeners of changes to a log. Does nothing while there are none. */
export class LogWatcher {
  readonly #deps: Deps;
  readonly #followers = new Set<Follower>();
  #rest: Cancel | null = null;
  #looking: Promise<void> | null = null;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Starts at the known version; a change since then is reported immediately. */
  follow({ owner: { id: userId } }: LogCaller, version: number, tell: (version: number) => void): Cancel {
    const own = [...this.#followers].filter((one) => one.userId === userId);
    if (own.length >= MAX_WATCHERS_PER_USER) {
      throw new AppError("rate_limited", "Too many open tabs. Close some.", { retryAfterSeconds: 10 });
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

  /** Nobody is notified any more. */
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

  /** A change during a check is seen by the next one. */
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
