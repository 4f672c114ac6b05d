import type { Clock } from "../../kernel/clock.ts";
import type { Vault } from "../../kernel/vault.ts";
import type { LastAsked } from "../../domain/jobs/provider.ts";
import type { Database } from "../engine/database.ts";
import * as paces from "./paces.ts";
import { standalone } from "../engine/unit.ts";

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
    return this.#db.write(() => standalone(paces.mark(key, now)));
  }

  waitFor(name: string, ms: number): Promise<number> {
    const now = this.#clock();
    const key = this.#keyOf(name);
    return this.#db.read(() => paces.waitFor(key, Math.round(ms), now));
  }

  take(name: string, ms: number): Promise<number> {
    const now = this.#clock();
    const key = this.#keyOf(name);
    return this.#db.write(() => standalone(paces.take(key, Math.round(ms), now)));
  }

  /** Names contain logins, so they are stored as fingerprints. */
  #keyOf(name: string): string {
    return this.#vault.fingerprint("pace", name);
  }
}
