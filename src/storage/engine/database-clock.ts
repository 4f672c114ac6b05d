import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "./database.ts";
import { one, databaseNow } from "./unit.ts";

/** Clocks that are no further apart are taken for the same. */
const SAME_WITHIN_MS = 1_000;

/** The time of the database, which all programs on it share: the clock of one machine may be wrong. */
export class DatabaseClock {
  readonly now: Clock;
  readonly #own: Clock;
  readonly #db: Pick<Database, "read">;
  #aheadMs = 0;

  constructor(own: Clock, db: Pick<Database, "read">) {
    this.#own = own;
    this.#db = db;
    this.now = () => own() - this.#aheadMs;
  }

  async compare(): Promise<void> {
    this.#aheadMs = await aheadOf(this.#own, this.#db);
  }
}

/**
 * How far a clock is ahead of the database's; 0 where nobody could tell. The answer was given at some moment of the time
 * that it took.
 */
export const aheadOf = async (own: Clock, db: Pick<Database, "read">): Promise<number> => {
  const asked = own();
  const { there } = await db.read(() => one<{ there: number }>`SELECT ${databaseNow(asked)} AS there`);
  const took = own() - asked;
  const aheadMs = Math.round(asked + took / 2 - there);
  return Math.abs(aheadMs) <= SAME_WITHIN_MS + took ? 0 : aheadMs;
};
