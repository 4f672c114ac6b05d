import type { CallOff } from "../domain/clock.ts";
import { AppError } from "../domain/errors.ts";
import type { World } from "../world.ts";

const LOOK_MS = 2_000;
/** So long others may write between two steps. */
const PAUSE_MS = 5;

/** Takes into the index of texts, behind a running server, what came into the logs. */
export class TextIndexer {
  readonly #world: Pick<World, "db" | "every" | "sleep" | "log">;
  #endLooks: CallOff = () => {};
  #isAtWork = false;
  #isStopped = false;

  constructor(world: Pick<World, "db" | "every" | "sleep" | "log">) {
    this.#world = world;
  }

  start(): void {
    this.#endLooks = this.#world.every(LOOK_MS, () => void this.look());
  }

  /** A step that is under way ends with the database. */
  stop(): void {
    this.#isStopped = true;
    this.#endLooks();
  }

  async look(): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    const { db, sleep } = this.#world;
    try {
      let next = await db.indexTexts();
      while (next === "now" && !this.#isStopped) {
        await sleep(PAUSE_MS);
        next = await db.indexTexts();
      }
      if (next === "never") this.#endLooks();
    } catch (error) {
      this.#failed(error);
    }
    this.#isAtWork = false;
  }

  /** Searches go through all contacts of a log then. */
  #failed(error: unknown): void {
    if (this.#isStopped || (error instanceof AppError && error.code === "unavailable")) return;
    this.#endLooks();
    this.#world.log.warn("texts.not_indexed", { error });
  }
}
