import type { Clock } from "../../kernel/clock.ts";
import type { LastAsked } from "../../domain/jobs/provider.ts";
import type { Database } from "../engine/database.ts";
import * as paces from "./paces.ts";
import { standalone } from "../engine/unit.ts";

/** When any program on the database asked each service last, by the time of the database. */
export class LastAskedTable implements LastAsked {
  readonly #db: Pick<Database, "read" | "write">;
  readonly #clock: Clock;

  constructor(db: Pick<Database, "read" | "write">, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  mark(name: string): Promise<void> {
    const now = this.#clock();
    return this.#db.write(() => standalone(paces.mark(name, now)));
  }

  waitFor(name: string, ms: number): Promise<number> {
    const now = this.#clock();
    return this.#db.read(() => paces.waitFor(name, Math.round(ms), now));
  }

  take(name: string, ms: number): Promise<number> {
    const now = this.#clock();
    return this.#db.write(() => standalone(paces.take(name, Math.round(ms), now)));
  }
}
