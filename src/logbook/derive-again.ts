import type { CallFacts } from "../domain/call-facts.ts";
import { derive, RULES_VERSION } from "../domain/derive.ts";
import type { Derived, Qso } from "../domain/qso.ts";
import * as qsos from "../storage/qsos.ts";
import type { Unit } from "../storage/unit.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";

export interface Rederived {
  checked: number;
  changed: number;
}

const ROWS_AT_ONCE = 500;
/** So long others may write between two slices. */
const PAUSE_MS = 2;

/**
 * Derives every contact anew from what each origin said of it, where rules or country file have changed since. What was
 * said stays as it is, and so does the time of the last change: nobody said anything new.
 */
export const deriveAgain = async (
  { db, sleep }: Pick<World, "db" | "sleep">,
  facts: CallFacts,
  onProgress: (done: Rederived) => void = () => {},
): Promise<Rederived> => {
  const done: Rederived = { checked: 0, changed: 0 };
  for (let after = 0; ;) {
    const slice = await db.write(() => deriveSlice(after, facts));
    if (slice.last === null) return done;
    after = slice.last;
    done.checked += slice.checked;
    done.changed += slice.changed;
    onProgress(done);
    await sleep(PAUSE_MS);
  }
};

function* deriveSlice(after: number, facts: CallFacts): Unit<Rederived & { last: number | null }> {
  const found = yield* qsos.listOfAll(after, ROWS_AT_ONCE);
  const owners = new Set<number>();
  let changed = 0;
  for (const qso of found) {
    const derived = derive(qsos.layersOf(qso), facts);
    if (derived === null || isSame(qso, derived)) continue;
    const before = qsos.snapshotOf(qso);
    yield* qsos.replace(qso.id, { ...before, ...derived, rulesVersion: RULES_VERSION }, before);
    owners.add(qso.userId);
    changed += 1;
  }
  for (const owner of owners) yield* users.raiseLogVersion(owner);
  return { checked: found.length, changed, last: found.at(-1)?.id ?? null };
}

const isSame = (qso: Qso, derived: Derived): boolean =>
  qso.rulesVersion === RULES_VERSION &&
  (Object.keys(derived) as (keyof Derived)[]).every((name) => Object.is(qso[name] ?? null, derived[name] ?? null));
