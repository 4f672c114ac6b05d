import { AppError } from "../../kernel/errors.ts";
import type { World } from "../../world.ts";
import { OutcomeUnknown, type Work, type Database, type WorkRequester } from "../../storage/engine/database.ts";
import type { Unit } from "../../storage/engine/unit.ts";

const MIN_WAIT_MS = 250;
const MAX_WAIT_MS = 5_000;
const PATIENCE_MS = 10 * 60_000;

type Deps = Pick<World, "ticks" | "sleep" | "log">;

/** What background work needs of a database. */
export type WorkDatabase = Pick<Database, "read" | "write" | "inWorker" | "sliceSize">;

/** A database for background work: it retries while the database is locked or unreachable. */
export class RetryingDatabase implements WorkDatabase {
  readonly sliceSize: number;
  readonly #db: WorkDatabase;
  readonly #deps: Deps;
  readonly #signal: AbortSignal;

  constructor(db: WorkDatabase, deps: Deps, signal: AbortSignal) {
    this.sliceSize = db.sliceSize;
    this.#db = db;
    this.#deps = deps;
    this.#signal = signal;
  }

  read<T>(unit: () => Unit<T>): Promise<T> {
    return this.#asked(() => this.#db.read(unit));
  }

  write<T>(unit: () => Unit<T>): Promise<T> {
    return this.#asked(() => this.#db.write(unit));
  }

  inWorker<Args, Result, Tools>(
    work: Work<Args, Result, Tools>,
    args: Args,
    requester: WorkRequester,
  ): Promise<Result> {
    return this.#asked(() => this.#db.inWorker(work, args, requester));
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    const { ticks, sleep, log } = this.#deps;
    const began = ticks();
    /** Finds out whether the last attempt was committed, if the connection broke during the commit. */
    let settle: OutcomeUnknown["settle"] | null = null;
    for (let wait = MIN_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      try {
        const settled = await settle?.();
        settle = null;
        const answer = settled ? (settled.value as T) : await ask();
        if (wait > MIN_WAIT_MS) log.warn("database.waited", { ms: Math.round(ticks() - began) });
        return answer;
      } catch (error) {
        if (error instanceof OutcomeUnknown) settle = error.settle;
        if (!isFinal(error) || this.#signal.aborted || ticks() - began > PATIENCE_MS) throw error;
      }
      await sleep(wait, this.#signal);
    }
  }
}

/** Errors that a retry cannot fix, such as a full or damaged disk. A busy database has already said when to retry. */
const isFinal = (error: unknown): boolean =>
  error instanceof OutcomeUnknown ||
  (error instanceof AppError && error.code === "unavailable" && error.retryAfterSeconds !== undefined);
