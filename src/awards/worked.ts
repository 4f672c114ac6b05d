import type { Derived } from "../domain/qso.ts";
import { factsOfPlaces, factsOfSlots, factsOfSquares, type Facts } from "../domain/gains.ts";
import { places, squares } from "../storage/awards.ts";
import { defineBackgroundWork } from "../storage/database.ts";
import { isLarge } from "../storage/statistics.ts";
import type { Unit } from "../storage/unit.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import { tallyOf } from "./gains.ts";

/** What a log counts for, name by name, as it was at one of its versions. */
export interface Worked {
  version: number;
  facts: Facts;
}

const MOST_KEPT = 200;

/** What logs count for, kept while contacts come in one by one: to count a whole log for each would take too long. */
export class WorkedBook {
  readonly #db: World["db"];
  readonly #kept = new Map<number, Worked>();

  constructor({ db }: Pick<World, "db">) {
    this.#db = db;
  }

  /** As it is now; another process may change it before one writes. */
  async of(userId: number): Promise<Worked> {
    const version = await this.#db.read(() => users.logVersion(userId));
    const known = this.#kept.get(userId);
    if (known?.version === version) return known;
    const counted =
      (await this.#db.read(function* () {
        return (yield* isLarge(userId)) ? null : yield* workedOf(userId);
      })) ?? (await this.#db.inBackground(workedWork, { userId }));
    const worked = { version: counted.version, facts: new Set(counted.names) };
    this.#kept.delete(userId);
    if (this.#kept.size >= MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(userId, worked);
    return worked;
  }

  /** What was just written into the log, and nothing else since `worked` was true. */
  learn(worked: Worked, fresh: Facts, version: number): void {
    for (const name of fresh) worked.facts.add(name);
    worked.version = version;
  }

  forget(userId: number): void {
    this.#kept.delete(userId);
  }
}

function* workedOf(userId: number): Unit<{ version: number; names: string[] }> {
  const facts: Facts = new Set();
  const counted = yield* places(userId, { flagsOnly: true });
  factsOfPlaces(facts, counted);
  factsOfSlots(facts, counted);
  factsOfSquares(facts, yield* squares(userId, { flagsOnly: true }));
  return { version: yield* users.logVersion(userId), names: [...facts] };
}

export const workedWork = defineBackgroundWork("worked.ofLog", "read", ({ userId }: { userId: number }) =>
  workedOf(userId),
);

/** What a contact counts for. */
export const factsOfContact = (qso: Derived): Facts => {
  const facts: Facts = new Set();
  const tallies = [tallyOf(qso)];
  factsOfPlaces(facts, tallies);
  factsOfSlots(facts, tallies);
  factsOfSquares(facts, tallies);
  return facts;
};
