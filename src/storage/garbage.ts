import { edenGC, fullGC, heapSize } from "bun:jsc";
import type { DatabaseOptions } from "./database.ts";

/** So much is read and written between two collections: values of rows, a thousand of which leave some forty kilobytes. */
const VALUES_BETWEEN = 50_000;
/** Fewer are not worth a collection between two writes of a job, where at least so many count as a write's. */
const FEW_VALUES = 5_000;
const VALUES_OF_A_WRITE = 1_000;
/**
 * A collection looks only at what is new since the one before, in a few milliseconds. What was alive then and is not any
 * more stays until it has come to so much, and everything is looked at.
 */
const GROWTH = 8 * 1024 * 1024;
/** Where more is alive, looking at everything takes longer: it comes as much less often. */
const LITTLE_ALIVE = 32 * 1024 * 1024;
/** By the clock, and not by how long it took: on a busy machine that is long, and garbage would come to far more. */
const MS_BETWEEN = 50;
/** What a page of a list reads is soon gone by itself. */
const MANY_ROWS = 100;

/** What was alive when everything was looked at last. All databases that a thread has open share its heap. */
const HEAP = { alive: 0 };

/**
 * Left to itself, the garbage of large work comes to a hundred megabytes and more, so it is collected while little is
 * alive. In a second thread and in commands nobody waits for it; on a thread of requests it has a turn of its own.
 */
export class Garbage {
  readonly #time: DatabaseOptions["time"];
  /** Who has a second thread, or may have one, answers others. */
  readonly #isBesideRequests: boolean;
  readonly #heap: { alive: number };
  #values = 0;
  #againAt = 0;

  constructor({ time, backgroundThread }: Pick<DatabaseOptions, "time" | "backgroundThread">, heap = HEAP) {
    this.#time = time;
    this.#heap = heap;
    this.#isBesideRequests = backgroundThread !== undefined;
  }

  read(rows: readonly unknown[]): void {
    if (this.#isMuch(rows.length)) this.#add(rows.length * Object.keys((rows[0] ?? {}) as object).length);
  }

  wrote(rows: number, columns: number): void {
    if (this.#isMuch(rows)) this.#add(rows * columns);
  }

  made(values: number): void {
    this.#add(values);
  }

  /** Before more is read or written, when what was read last is done with. */
  collectInPlace(): void {
    if (!this.#isBesideRequests && this.#isDue) this.#collect();
  }

  /** When a large job is done: what it leaves goes back to the system while other work goes on. */
  afterMuch(): void {
    if (!this.#isBesideRequests) this.#collectAll();
  }

  /** Between two writes of a job: what that leaves behind is not all rows. */
  async betweenWrites(): Promise<void> {
    if (this.#isBesideRequests) await this.#collectInTurn();
    else if ((this.#values += VALUES_OF_A_WRITE) >= FEW_VALUES) this.#collect();
  }

  async #collectInTurn(): Promise<void> {
    if (this.#time.ticks() < this.#againAt) return;
    this.#againAt = Infinity;
    await this.#time.turn();
    const isMuchOld = this.#collectNew();
    await this.#time.turn();
    if (isMuchOld) this.#collectAll();
    this.#againAt = this.#time.ticks() + MS_BETWEEN;
    if (isMuchOld) await this.#time.turn();
  }

  #isMuch(rows: number): boolean {
    return !this.#isBesideRequests || rows >= MANY_ROWS;
  }

  #add(values: number): void {
    this.#values += values;
    if (this.#isBesideRequests && this.#isDue) void this.#collectInTurn();
  }

  get #isDue(): boolean {
    return this.#values >= VALUES_BETWEEN;
  }

  #collect(): void {
    if (this.#collectNew()) this.#collectAll();
  }

  /** Whether so much is left that everything must be looked at. */
  #collectNew(): boolean {
    this.#values = 0;
    const left = edenGC();
    const { alive } = this.#heap;
    return left - alive >= GROWTH * Math.max(1, alive / LITTLE_ALIVE);
  }

  /** To go through the heap and give back what is free takes as long again: whoever answers others does that by and by. */
  #collectAll(): void {
    if (this.#isBesideRequests) this.#heap.alive = fullGC();
    else {
      Bun.gc(true);
      this.#heap.alive = heapSize();
    }
  }
}
