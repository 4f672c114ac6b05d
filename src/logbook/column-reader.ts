import { readAhead } from "../storage/log-figures.ts";
import type { World } from "../world.ts";

/** Packs, behind a server, the years of a log that somebody found unpacked: lists are slow without. */
export class ColumnReader {
  readonly #world: Pick<World, "db" | "log">;
  /** Users whose logs are being read. */
  readonly #reading = new Set<number>();

  constructor({ db, log }: Pick<World, "db" | "log">) {
    this.#world = { db, log };
  }

  /** Nobody waits for it, and it ends with the database. */
  readSoon(userId: number): void {
    if (this.#reading.has(userId)) return;
    this.#reading.add(userId);
    const { db, log } = this.#world;
    void readAhead(db, userId)
      .catch((error: unknown) => log.debug("columns.not_read", { error }))
      .finally(() => this.#reading.delete(userId));
  }
}
