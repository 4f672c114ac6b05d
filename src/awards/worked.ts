import type { Derived } from "../domain/contact/qso.ts";
import { addPlaceFacts, addSlotFacts, addSquareFacts, type Facts } from "../domain/jobs/gains.ts";
import { places, squares } from "../storage/log/awards.ts";
import { defineWork } from "../storage/engine/database.ts";
import { readLog } from "../storage/log/large-log.ts";
import type { Unit } from "../storage/engine/unit.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import { tallyOf } from "./gains.ts";

/** What a log has worked, by name, at one version of the log. */
export interface Worked {
  version: number;
  facts: Facts;
}

const QUESTION = "worked";

/** Counting a whole log for each contact that a program adds would be slow, so it is counted once and then updated. */
export const workedIn = ({ db, cache }: Pick<World, "db" | "cache">, userId: number): Promise<Worked> =>
  cache.getOrCompute(userId, QUESTION, async () => {
    const { version, names } = await readLog(db, workedWork, { userId }, { isNeverRefused: true });
    return { version, facts: new Set(names) };
  });

/** Adds contacts that were just written, if nothing else was written since the count. */
export const addWorked = (
  { cache }: Pick<World, "cache">,
  userId: number,
  { facts }: Worked,
  fresh: readonly Facts[],
  version: number,
): void => {
  for (const names of fresh) for (const name of names) facts.add(name);
  cache.put(userId, QUESTION, version, { version, facts });
};

export const forgetWorked = ({ cache }: Pick<World, "cache">, userId: number): void => cache.forget(userId, QUESTION);

function* workedOf(userId: number): Unit<{ version: number; names: string[] }> {
  const facts: Facts = new Set();
  const counted = yield* places(userId, { flagsOnly: true });
  addPlaceFacts(facts, counted);
  addSlotFacts(facts, counted);
  addSquareFacts(facts, yield* squares(userId, { flagsOnly: true }));
  return { version: yield* users.logVersion(userId), names: [...facts] };
}

export const workedWork = defineWork("worked.ofLog", "read", ({ userId }: { userId: number }) => workedOf(userId));

export const factsOfContact = (qso: Derived): Facts => {
  const facts: Facts = new Set();
  const tallies = [tallyOf(qso)];
  addPlaceFacts(facts, tallies);
  addSlotFacts(facts, tallies);
  addSquareFacts(facts, tallies);
  return facts;
};
