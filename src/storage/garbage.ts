import { heapSize } from "bun:jsc";
import type { DatabaseOptions } from "./database.ts";

/** So much is read and written between two collections: values of rows, a thousand of which leave some forty kilobytes. */
const VALUES_BETWEEN = 100_000;
/** Where more is alive, collecting takes longer: it comes as much less often. */
const LITTLE_ALIVE = 32 * 1024 * 1024;
/** What a job leaves behind is not all rows. Batches of 500 records are so much beside what is read and written for them. */
const WRITES_BETWEEN = 3;
/** By the clock, and not by how long it took: on a busy machine that is long, and garbage would come to far more. */
const MS_BETWEEN = 250;
/** What most requests read is soon gone by itself. */
const MANY_ROWS = 20;

/**
 * Left to itself, the garbage of large work comes to a hundred megabytes and more, so it is collected while little is
 * alive. In a second thread and in commands nobody waits for it; on a thread of requests it has a turn of its own.
 */
export class Garbage {
  readonly #time: DatabaseOptions["time"];
  /** Who has a second thread, or may have one, answers others. */
  readonly #isBesideRequests: boolean;
  #values = 0;
  #writes = 0;
  /** How much more than little is alive. */
  #scale = 1;
  #againAt = 0;

  constructor({ time, backgroundThread }: Pick<DatabaseOptions, "time" | "backgroundThread">) {
    this.#time = time;
    this.#isBesideRequests = backgroundThread !== undefined;
  }

  read(rows: readonly unknown[]): void {
    if (this.#isMuch(rows.length)) this.#add(rows.length * Object.keys((rows[0] ?? {}) as object).length);
  }

  wrote(rows: number, columns: number): void {
    if (this.#isMuch(rows)) this.#add(rows * columns);
  }

  /** Before more is read or written, when what was read last is done with. */
  collectInPlace(): void {
    if (!this.#isBesideRequests && this.#isDue) this.#collect();
  }

  /** When a large job is done: what it leaves goes back to the system while other work goes on. */
  afterMuch(): void {
    if (!this.#isBesideRequests) this.#collect();
  }

  /** Between two writes of a job. */
  async betweenWrites(): Promise<void> {
    this.#writes += 1;
    if (this.#writes >= WRITES_BETWEEN) await this.#collectInTurn();
  }

  async #collectInTurn(): Promise<void> {
    if (!this.#isBesideRequests || this.#time.ticks() < this.#againAt) return;
    this.#againAt = Infinity;
    await this.#time.turn();
    this.#collect();
    this.#againAt = this.#time.ticks() + MS_BETWEEN * this.#scale;
    await this.#time.turn();
  }

  #isMuch(rows: number): boolean {
    return !this.#isBesideRequests || rows >= MANY_ROWS;
  }

  #add(values: number): void {
    this.#values += values;
    if (this.#isBesideRequests && this.#isDue) void this.#collectInTurn();
  }

  get #isDue(): boolean {
    return this.#values >= VALUES_BETWEEN * this.#scale;
  }

  #collect(): void {
    this.#values = 0;
    this.#writes = 0;
    Bun.gc(true);
    this.#scale = Math.max(1, heapSize() / LITTLE_ALIVE);
  }
}
