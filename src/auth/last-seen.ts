import type { Cancel } from "../kernel/clock.ts";
import type { User } from "../domain/people/user.ts";
import * as apiTokens from "../storage/people/api-tokens.ts";
import * as sessions from "../storage/people/sessions.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";

const WRITTEN_AFTER_MS = 800;

type Deps = Pick<World, "db" | "clock" | "after" | "log">;

type Times<Id> = Map<Id, number>;

/** Records when users and tokens were last seen. Writes are delayed and never block or fail a request. */
export class LastSeen {
  readonly #deps: Deps;
  readonly #waiting: Times<number> = new Map();
  readonly #tokens: Times<number> = new Map();
  readonly #sessions: Times<string> = new Map();
  #callOff: Cancel | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  touch(userId: number, by: { sessionId?: string | null; tokenId?: number | null } = {}): void {
    const now = this.#deps.clock();
    this.#waiting.set(userId, now);
    if (by.tokenId != null) this.#tokens.set(by.tokenId, now);
    if (by.sessionId != null) this.#sessions.set(by.sessionId, now);
    this.#writeSoon();
  }

  #writeSoon(): void {
    this.#callOff ??= this.#deps.after(WRITTEN_AFTER_MS, () => void this.flush());
  }

  /** Adds times that are not written yet. */
  merge<T extends Pick<User, "id" | "lastSeen">>(user: T): T {
    const at = this.#waiting.get(user.id);
    return at === undefined || (user.lastSeen ?? 0) >= at ? user : { ...user, lastSeen: at };
  }

  flush(): Promise<void> {
    this.#callOff?.();
    this.#callOff = null;
    return (this.#writing = this.#writing.then(() => this.#write()));
  }

  /** Writes a last time. What cannot be written then is lost. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.flush();
  }

  async #write(): Promise<void> {
    const [seen, tokens, used] = [[...this.#waiting], [...this.#tokens], [...this.#sessions]];
    if (seen.length === 0) return;
    try {
      await this.#deps.db.write(function* () {
        yield* users.setLastSeen(seen);
        yield* apiTokens.setLastUsed(tokens);
        yield* sessions.setLastUsed(used);
      });
      forget(this.#waiting, seen);
      forget(this.#tokens, tokens);
      forget(this.#sessions, used);
    } catch (error) {
      this.#deps.log.warn("last_seen.write_failed", { error });
      if (!this.#isStopped) this.#writeSoon();
    }
  }
}

/** Keeps times that were recorded after the write began. */
const forget = <Id>(waiting: Times<Id>, written: readonly (readonly [Id, number])[]): void => {
  for (const [id, at] of written) if (waiting.get(id) === at) waiting.delete(id);
};
