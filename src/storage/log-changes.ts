import type { Qso } from "../domain/qso.ts";
import * as qsos from "./qsos.ts";
import * as tallies from "./tallies.ts";
import type { Unit } from "./unit.ts";
import * as users from "./users.ts";

/** What happens to the contacts of one log at once. */
export interface LogChange {
  added?: readonly qsos.Snapshot[];
  replaced?: readonly Replacement[];
  removed?: readonly Qso[];
  /** Under the ids they had. */
  broughtBack?: readonly Qso[];
}

/** As the row is, and as it will be. */
export type Replacement = qsos.Replacement & { before: qsos.Snapshot };

/**
 * The one way to change a log: everything that is remembered of it is brought up to date, or out of date, with it. Gives
 * the ids of what was added, in order.
 */
export function* changeLog(
  userId: number,
  { added = [], replaced = [], removed = [], broughtBack = [] }: LogChange,
): Unit<number[]> {
  if (added.length + replaced.length + removed.length + broughtBack.length === 0) return [];
  const changes = [
    ...removed.map((before) => ({ before, after: null })),
    ...replaced,
    ...[...broughtBack, ...added].map((after) => ({ before: null, after })),
  ];
  const ids = yield* tallies.during(userId, changes, function* () {
    if (removed.length > 0) yield* qsos.remove(removed.map(({ id }) => id));
    yield* qsos.replaceMany(replaced);
    if (broughtBack.length > 0) yield* qsos.bringBack(userId, broughtBack);
    return yield* qsos.addMany(userId, added);
  });
  yield* users.raiseLogVersion(userId);
  return ids;
}
