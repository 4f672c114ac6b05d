import type { Qso } from "../domain/qso.ts";
import { settleAsTheyAre } from "./change-story.ts";
import * as qsoChanges from "./qso-changes.ts";
import * as qsoPasts from "./qso-pasts.ts";
import * as qsos from "./qsos.ts";
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
  /** A job, with what it did to each contact. */
  | { jobId: number; now: number; changes: readonly qsoChanges.NewChange[] }
  | { cause: qsoPasts.Cause; now: number }
  /** Rules that are new, by which nobody says anything new; a log that is only looked at. */
  | "nobody";

/** What a job changes, in values that can be handed to another thread: all that can be worked out is. */
export interface PreparedChange {
  added: readonly qsos.NewRow[];
  replaced: readonly qsos.ReplacedRow[];
  removed: readonly number[];
  changes: readonly qsoChanges.NewChange[];
}

/** `rows` are those of what is added and replaced, where somebody has made them already. */
export const prepareChange = (
  change: LogChange,
  changes: readonly qsoChanges.NewChange[],
  rows: Pick<PreparedChange, "added" | "replaced"> = {
    added: (change.added ?? []).map(qsos.newRow),
    replaced: (change.replaced ?? []).map(qsos.replacedRow),
  },
): PreparedChange => ({
  ...rows,
  removed: (change.removed ?? []).map(({ id }) => id),
  changes,
});

/** Changes a log, and keeps what was there before. Gives the ids of what was added, in order. */
export const changeLog = (userId: number, change: LogChange, by: Changer): Unit<number[]> => {
  const { broughtBack } = change;
  const prepared = prepareChange(change, by !== "nobody" && "jobId" in by ? by.changes : []);
  const keep = function* (added: readonly number[]): Unit<void> {
    if (by === "nobody") return;
    if ("jobId" in by) yield* qsoChanges.addMany(by.jobId, by.changes, added, by.now);
    else yield* keepPasts(userId, change, added, by);
  };
  return write(userId, prepared, keep, { broughtBack, byNobody: by === "nobody" });
};

/** The same for what a job has prepared. */
export const changeAsPrepared = (
  userId: number,
  change: PreparedChange,
  { jobId, now }: { jobId: number; now: number },
): Unit<number[]> => write(userId, change, (ids) => qsoChanges.addMany(jobId, change.changes, ids, now));

/** Whether the version of the log rises with it. */
export const isChange = ({ added, replaced, removed }: PreparedChange): boolean =>
  added.length + replaced.length + removed.length > 0;

/**
 * The only way to change a log: its version is raised in the same transaction, so that no cache gives an outdated answer,
 * and `keep` notes what was there before.
 */
function* write(
  userId: number,
  change: PreparedChange,
  keep: (added: readonly number[]) => Unit<void>,
  { broughtBack = [], byNobody = false }: { broughtBack?: readonly Qso[]; byNobody?: boolean } = {},
): Unit<number[]> {
  if (!isChange(change) && broughtBack.length === 0) return [];
  const { added, replaced, removed } = change;
  if (byNobody) yield* settleAsTheyAre(replaced.map(({ id }) => id));
  if (removed.length > 0) yield* qsos.remove(removed);
  yield* qsos.replaceRows(replaced);
  if (broughtBack.length > 0) yield* qsos.bringBack(userId, broughtBack);
  const ids = yield* qsos.addRows(userId, added);
  yield* keep(ids);
  yield* users.raiseLogVersion(userId);
  return ids;
}

function* keepPasts(
  userId: number,
  { replaced = [], removed = [], broughtBack = [] }: LogChange,
  added: readonly number[],
  { cause, now }: { cause: qsoPasts.Cause; now: number },
): Unit<void> {
  const fresh = [...added, ...broughtBack.map(({ id }) => id)];
  const pasts = [
    ...fresh.map((qsoId) => ({ qsoId, before: null, went: false })),
    ...replaced.map(({ id, before }) => ({ qsoId: id, before, went: false })),
    ...removed.map((qso) => ({ qsoId: qso.id, before: qso, went: true })),
  ];
  yield* qsoPasts.addMany(userId, cause, pasts, now);
}
