import type { User } from "../domain/user.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";

const WRITTEN_AFTER_MS = 800;

/** When users were last seen, written behind the requests: it never delays or fails one. */
export class LastSeen {
  readonly #deps: Pick<World, "db" | "clock" | "log">;
  #waiting = new Map<number, number>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(deps: Pick<World, "db" | "clock" | "log">) {
    this.#deps = deps;
  }

  touch(userId: number): void {
    this.#waiting.set(userId, this.#deps.clock());
    this.#writeSoon();
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.flush(), WRITTEN_AFTER_MS);
  }

  /** What is not written yet counts already for whoever reads it here. */
  merge<T extends Pick<User, "id" | "lastSeen">>(user: T): T {
    const at = this.#waiting.get(user.id);
    return at === undefined || (user.lastSeen ?? 0) >= at ? user : { ...user, lastSeen: at };
  }

  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    return (this.#writing = this.#writing.then(() => this.#write()));
  }

  /** The last writing: what cannot be written then is lost. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.flush();
  }

  async #write(): Promise<void> {
    const seen = [...this.#waiting];
    if (seen.length === 0) return;
    try {
      await this.#deps.db.write(() => users.setLastSeen(seen));
      for (const [id, at] of seen) if (this.#waiting.get(id) === at) this.#waiting.delete(id);
    } catch (error) {
      this.#deps.log.warn("last_seen.not_written", { error });
      if (!this.#isStopped) this.#writeSoon();
    }
  }
}
