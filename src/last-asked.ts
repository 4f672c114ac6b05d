import type { Clock, Time } from "./domain/clock.ts";
import type { LastAsked } from "./domain/provider.ts";
import type { Database } from "./storage/database.ts";
import * as paces from "./storage/paces.ts";
import { alone } from "./storage/unit.ts";

const MOST_REMEMBERED = 1_000;

/** When this program asked each of them, in ticks. */
export class AskedHere extends Map<string, number> implements LastAsked {
  readonly #ticks: Time["ticks"];

  constructor(ticks: Time["ticks"]) {
    super();
    this.#ticks = ticks;
  }

  async mark(name: string): Promise<void> {
    this.#remember(name, this.#ticks());
  }

  async waitFor(name: string, ms: number): Promise<number> {
    return this.#nextAfter(name, ms) - this.#ticks();
  }

  async take(name: string, ms: number): Promise<number> {
    const next = this.#nextAfter(name, ms);
    this.#remember(name, next);
    return next - this.#ticks();
  }

  #nextAfter(name: string, ms: number): number {
    const last = this.get(name);
    return last === undefined ? this.#ticks() : Math.max(this.#ticks(), last + ms);
  }

  /** What was not asked for longest is forgotten where there is too much. */
  #remember(name: string, at: number): void {
    this.delete(name);
    this.set(name, at);
    const [oldest] = this.keys();
    if (this.size > MOST_REMEMBERED) this.delete(oldest!);
  }
}

/** When any program on the database asked each of them, by the time of the database. */
export class AskedAnywhere implements LastAsked {
  readonly #db: Pick<Database, "read" | "write">;
  readonly #clock: Clock;

  constructor(db: Pick<Database, "read" | "write">, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  mark(name: string): Promise<void> {
    const now = this.#clock();
    return this.#db.write(() => alone(paces.mark(name, now)));
  }

  waitFor(name: string, ms: number): Promise<number> {
    const now = this.#clock();
    return this.#db.read(() => paces.waitFor(name, Math.round(ms), now));
  }

  take(name: string, ms: number): Promise<number> {
    const now = this.#clock();
    return this.#db.write(() => alone(paces.take(name, Math.round(ms), now)));
  }
}
