import type { Qso } from "../domain/qso.ts";
import { settleAsTheyAre } from "./change-story.ts";
import * as logYears from "./log-years.ts";
import * as qsoChanges from "./qso-changes.ts";
import * as qsoPasts from "./qso-pasts.ts";
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

/** Who changes a log, so that it can be told later what was when. */
export type Changer =
  /** A job, with what it did to each contact; those that it adds have ids only when they are written. */
  | { jobId: number; now: number; changes: (added: readonly number[]) => readonly qsoChanges.NewChange[] }
  | { cause: qsoPasts.Cause; now: number }
  /** Rules that are new, by which nobody says anything new; a log that is only looked at. */
  | "nobody";

/**
 * The one way to change a log: everything that is remembered of it is brought up to date, or out of date, with it, and
 * what was there before is kept. Gives the ids of what was added, in order.
 */
export function* changeLog(userId: number, change: LogChange, by: Changer): Unit<number[]> {
  const { added = [], replaced = [], removed = [], broughtBack = [] } = change;
  if (added.length + replaced.length + removed.length + broughtBack.length === 0) return [];
  const changes = [
    ...removed.map((before) => ({ before, after: null })),
    ...replaced,
    ...[...broughtBack, ...added].map((after) => ({ before: null, after })),
  ];
  if (by === "nobody") yield* settleAsTheyAre(replaced.map(({ id }) => id));
  const ids = yield* tallies.during(userId, changes, function* () {
    if (removed.length > 0) yield* qsos.remove(removed.map(({ id }) => id));
    yield* qsos.replaceMany(replaced);
    if (broughtBack.length > 0) yield* qsos.bringBack(userId, broughtBack);
    return yield* qsos.addMany(userId, added);
  });
  yield* logYears.note(userId, [
    ...replaced,
    ...removed.map((before) => ({ id: before.id, before, after: null })),
    ...broughtBack.map((after) => ({ id: after.id, before: null, after })),
    ...added.map((after, at) => ({ id: ids[at]!, before: null, after })),
  ]);
  if (by !== "nobody") yield* record(userId, change, ids, by);
  yield* users.raiseLogVersion(userId);
  return ids;
}

function* record(
  userId: number,
  { replaced = [], removed = [], broughtBack = [] }: LogChange,
  added: readonly number[],
  by: Exclude<Changer, "nobody">,
): Unit<void> {
  if ("jobId" in by) return yield* qsoChanges.addMany(by.jobId, by.changes(added), by.now);
  const fresh = [...added, ...broughtBack.map(({ id }) => id)];
  const pasts = [
    ...fresh.map((qsoId) => ({ qsoId, before: null, went: false })),
    ...replaced.map(({ id, before }) => ({ qsoId: id, before, went: false })),
    ...removed.map((qso) => ({ qsoId: qso.id, before: qso, went: true })),
  ];
  yield* qsoPasts.addMany(userId, by.cause, pasts, by.now);
}
