import type { CallOff } from "../domain/clock.ts";
import { AppError } from "../domain/errors.ts";
import type { Notice } from "../storage/unit.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import type { Asker } from "./asker.ts";

type Deps = Pick<World, "db" | "every" | "after" | "log">;

interface Follower {
  userId: number;
  version: number;
  tell: (version: number) => void;
}

/** So often it is looked whether a log has changed, by whichever program, while anybody looks on. */
export const LOOKS_EVERY_MS = 400;
/** Where whoever changes a log says so: for what was not heard. */
const LOOKS_BEHIND_EVERY_MS = 5_000;
/** What changes at once is one reason to look. */
const LOOKS_SOON_MS = 50;
const MOST_OF_USER = 30;

/** Tells those who look at a log when it has changed, or a job has moved on. While nobody looks on it does nothing. */
export class Watch {
  readonly #deps: Deps;
  readonly #followers = new Set<Follower>();
  /** Those whose jobs have moved on, whatever their log is. */
  readonly #moved = new Set<number>();
  #rest: CallOff | null = null;
  #soon: CallOff | null = null;
  #listening: Promise<() => Promise<void>> | null = null;
  #looking: Promise<void> | null = null;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** From the version that is known on; what was missed since is told at once. */
  follow({ id: userId }: Asker, version: number, tell: (version: number) => void): CallOff {
    const own = [...this.#followers].filter((one) => one.userId === userId);
    if (own.length >= MOST_OF_USER) {
      throw new AppError("rate_limited", "Too many pages look on at once.", { retryAfterSeconds: 10 });
    }
    if (this.#isStopped) return () => {};
    const follower = { userId, version, tell };
    this.#followers.add(follower);
    this.#begin();
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0) void this.#end();
    };
  }

  get size(): number {
    return this.#followers.size;
  }

  /** Nobody is told anything any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#followers.clear();
    await this.#end();
    await this.#looking;
  }

  #begin(): void {
    if (this.#rest) return this.#lookSoon();
    const { db, every, log } = this.#deps;
    this.#rest = every(db.isShared ? LOOKS_BEHIND_EVERY_MS : LOOKS_EVERY_MS, () => void this.look());
    if (!db.isShared) return;
    this.#listening = db
      .onNotice((notice) => this.#hear(notice))
      .catch((error: unknown) => {
        log.warn("notices.not_heard", { error });
        return async () => {};
      });
  }

  async #end(): Promise<void> {
    this.#rest?.();
    this.#soon?.();
    const ended = this.#listening;
    this.#rest = this.#soon = this.#listening = null;
    await (
      await ended
    )?.();
  }

  #hear(notice: Notice | null): void {
    if (notice?.topic === "changed") {
      if (![...this.#followers].some(({ userId }) => userId === notice.userId)) return;
      this.#moved.add(notice.userId);
    } else if (notice !== null) return;
    this.#lookSoon();
  }

  #lookSoon(): void {
    if (!this.#deps.db.isShared || this.#rest === null) return;
    this.#soon ??= this.#deps.after(LOOKS_SOON_MS, () => {
      this.#soon = null;
      void this.look();
    });
  }

  /** What changes while it is looked is seen by the next look. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = null)));
  }

  async #look(): Promise<void> {
    const moved = new Set(this.#moved);
    this.#moved.clear();
    try {
      const ids = [...new Set([...this.#followers].map(({ userId }) => userId))];
      const versions = await this.#deps.db.read(() => users.logVersions(ids));
      for (const follower of this.#followers) {
        const version = versions.get(follower.userId) ?? follower.version;
        if (version === follower.version && !moved.has(follower.userId)) continue;
        follower.version = version;
        follower.tell(version);
      }
    } catch (error) {
      this.#deps.log.debug("watch.failed", { error });
    }
    if (this.#moved.size > 0) this.#lookSoon();
  }
}
