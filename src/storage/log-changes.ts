import type { Qso } from "../domain/qso.ts";
import * as qsoChanges from "./qso-changes.ts";
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

/** Rules that are new, by which nobody says anything new; a log that is only looked at. */
type Nobody = "nobody";

/** What a job changes. */
export interface PreparedChange {
  added: readonly qsos.NewRow[];
  replaced: readonly qsos.ReplacedRow[];
  removed: readonly number[];
  /** The contacts in the order in which the job changed them, those it adds as -1, -2, and so on. */
  order?: readonly number[];
  broughtBack?: readonly Qso[];
}

/** Changes a log, and keeps what was there before. Gives the ids of what was added, in order. */
export const changeLog = (
  userId: number,
  { added = [], replaced = [], removed = [], broughtBack = [] }: LogChange,
  by: qsoChanges.Changer | Nobody,
): Unit<number[]> => {
  const prepared = {
    added: added.map((contact) => qsos.newRow(contact)),
    replaced: replaced.map(qsos.replacedRow),
    removed: removed.map(({ id }) => id),
    broughtBack,
  };
  return changeAsPrepared(userId, prepared, by, added[0]?.createdAt);
};

/** Whether the version of the log rises with it. */
export const isChange = ({ added, replaced, removed, broughtBack = [] }: PreparedChange): boolean =>
  added.length + replaced.length + removed.length + broughtBack.length > 0;

/**
 * The only way to change a log: its version is raised in the same transaction, so that no cache gives an outdated answer,
 * and what was there before is recorded.
 */
export function* changeAsPrepared(
  userId: number,
  change: PreparedChange,
  by: qsoChanges.Changer | Nobody,
  createdAt = 0,
): Unit<number[]> {
  if (!isChange(change)) return [];
  const { added, replaced, removed, broughtBack = [] } = change;
  const jobId = by !== "nobody" && "jobId" in by ? by.jobId : null;
  const now = by === "nobody" ? createdAt : by.now;
  const reuses = by !== "nobody" && "cause" in by && by.cause === "rollback";
  const known = by === "nobody" ? [] : [...removed, ...replaced.map(({ id }) => id)];
  const updatedAt = yield* qsos.updatesOf(userId, known);
  const gone = removed.length > 0 ? yield* qsos.remove(removed) : [];
  const changed = yield* qsos.replaceRows(userId, replaced, { jobId, now, reuses });
  const back = broughtBack.length > 0 ? yield* qsos.bringBack(userId, broughtBack, { jobId, now }) : [];
  const fresh = yield* qsos.addRows(userId, added, { jobId, now });
  if (by !== "nobody") {
    const kinds = { added: [...fresh, ...back], updated: changed, deleted: gone };
    const changes = (["added", "updated", "deleted"] as const).flatMap((kind) =>
      kinds[kind].map((one) => ({ ...one, kind, updatedBefore: updatedAt.get(one.qsoId) ?? null })),
    );
    const idOf = qsoChanges.idGiven(fresh.map(({ qsoId }) => qsoId));
    const places = new Map(change.order?.map((id, place) => [idOf(id), place]));
    const placeOf = ({ qsoId }: { qsoId: number }) => places.get(qsoId) ?? places.size;
    yield* qsoChanges.addMany(
      userId,
      by,
      changes.sort((a, b) => placeOf(a) - placeOf(b)),
    );
  }
  yield* users.raiseLogVersion(userId);
  return fresh.map(({ qsoId }) => qsoId);
}
