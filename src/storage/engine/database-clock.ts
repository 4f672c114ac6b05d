import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "./database.ts";
import { one, databaseNow } from "./unit.ts";

/** Smaller differences between clocks are ignored. */
const SAME_WITHIN_MS = 1_000;

/** The time of the database, which all its programs share, because the clock of one machine can be wrong. */
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
 * By how much a clock is ahead of the database's; 0 if unknown. The database answered at some point within the
 * measured time.
 */
export const aheadOf = async (own: Clock, db: Pick<Database, "read">): Promise<number> => {
  const asked = own();
  const { there } = await db.read(() => one<{ there: number }>`SELECT ${databaseNow(asked)} AS there`);
  const took = own() - asked;
  const aheadMs = Math.round(asked + took / 2 - there);
  return Math.abs(aheadMs) <= SAME_WITHIN_MS + took ? 0 : aheadMs;
};
