import type { Clock } from "../../kernel/clock.ts";
import type { Vault } from "../../kernel/vault.ts";
import type { LastAsked } from "../../domain/jobs/provider.ts";
import type { Database } from "../engine/database.ts";
import { databaseNow, maybeValue, one, raw, run, sql, standalone, type Sql, type Unit } from "../engine/unit.ts";

/** When any process on this database last asked each service, by the database's clock. */
export class LastAskedTable implements LastAsked {
  readonly #db: Pick<Database, "read" | "write">;
  readonly #clock: Clock;
  readonly #vault: Pick<Vault, "fingerprint">;

  constructor(db: Pick<Database, "read" | "write">, clock: Clock, vault: Pick<Vault, "fingerprint">) {
    this.#db = db;
    this.#clock = clock;
    this.#vault = vault;
  }

  mark(name: string): Promise<void> {
    const now = this.#clock();
    const key = this.#keyOf(name);
    return this.#db.write(() => standalone(mark(key, now)));
  }

  waitFor(name: string, ms: number): Promise<number> {
    const now = this.#clock();
    const key = this.#keyOf(name);
    return this.#db.read(() => waitFor(key, Math.round(ms), now));
  }

  take(name: string, ms: number): Promise<number> {
    const now = this.#clock();
    const key = this.#keyOf(name);
    return this.#db.write(() => standalone(take(key, Math.round(ms), now)));
  }

  /** Names contain logins, so they are stored as fingerprints. */
  #keyOf(name: string): string {
    return this.#vault.fingerprint("pace", name);
  }
}

/** Records a request at the current time. */
const mark = (name: string, now: number): Unit<void> =>
  run`INSERT INTO paces (name, last_at) VALUES (${name}, ${databaseNow(now)})
             ON CONFLICT (name) DO UPDATE SET last_at = ${databaseNow(now)}`;

/** A time further ahead was written while a clock was wrong. */
const MAX_CLOCK_ERROR_MS = 3_600_000;

const isSane = (now: number): Sql => sql`paces.last_at <= ${databaseNow(now)} + ${raw(String(MAX_CLOCK_ERROR_MS))}`;

/** The milliseconds until `ms` have passed since the last request. */
function* waitFor(name: string, ms: number, now: number): Unit<number> {
  const wait = yield* maybeValue<number>`
    SELECT last_at + CAST(${ms} AS BIGINT) - ${databaseNow(now)} FROM paces WHERE name = ${name} AND ${isSane(now)}`;
  return Math.max(0, wait ?? 0);
}

/** Reserves the next free time for a request and returns how long to wait for it. */
function* take(name: string, ms: number, now: number): Unit<number> {
  const { wait } = yield* one<{ wait: number }>`
    INSERT INTO paces (name, last_at) VALUES (${name}, ${databaseNow(now)})
    ON CONFLICT (name) DO UPDATE
      SET last_at = CASE WHEN paces.last_at + CAST(${ms} AS BIGINT) > ${databaseNow(now)}
                         AND ${isSane(now)}
                         THEN paces.last_at + CAST(${ms} AS BIGINT) ELSE ${databaseNow(now)} END
    RETURNING last_at - ${databaseNow(now)} AS wait`;
  return Math.max(0, wait);
}

/** Removes entries that are too old to delay a request. */
export const removeAskedBefore = (ageMs: number, now: number): Unit<void> =>
  run`DELETE FROM paces WHERE last_at < ${databaseNow(now)} - CAST(${ageMs} AS BIGINT)`;
