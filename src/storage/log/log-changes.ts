import type { Qso } from "../../domain/contact/qso.ts";
import { differInPartsOnly } from "../../domain/contact/layers.ts";
import * as qsoChanges from "./qso-changes.ts";
import * as qsos from "./qsos.ts";
import type { Unit } from "../engine/unit.ts";
import * as users from "../people/users.ts";

/** Changes of the contacts of one log that are written together. */
export interface LogChange {
  added?: readonly qsos.Snapshot[];
  replaced?: readonly qsos.Replacement[];
  removed?: readonly Qso[];
  /** Restored contacts keep their ids. */
  broughtBack?: readonly Qso[];
  /** The contacts in the order of the changes; added ones as -1, -2 and so on. */
  order?: readonly number[];
}

/** For changes of the derivation rules, where no origin says anything new, and for logs that are only read. */
type Nobody = "nobody";

/**
 * The only way to change a log. It raises the log's version in the same transaction, so that no cache returns an
 * outdated answer, and records the previous state. Returns the ids of the added contacts, in order.
 */
export function* changeLog(
  userId: number,
  { added = [], replaced = [], removed = [], broughtBack = [], order = [] }: LogChange,
  by: qsoChanges.Changer | Nobody,
): Unit<number[]> {
  if (added.length + replaced.length + removed.length + broughtBack.length === 0) return [];
  const jobId = by !== "nobody" && "jobId" in by ? by.jobId : null;
  const now = by === "nobody" ? (added[0]?.createdAt ?? 0) : by.now;
  const reuses = by !== "nobody" && "cause" in by && by.cause === "rollback";
  const gone = removed.length > 0 ? yield* qsos.remove(removed.map(({ id }) => id)) : [];
  const changed = yield* qsos.replaceRows(userId, replaced, { jobId, now, reuses });
  const back = broughtBack.length > 0 ? yield* qsos.restoreMany(userId, broughtBack, { jobId, now }) : [];
  const fresh = yield* qsos.addRows(userId, added, { jobId, now });
  const ids = fresh.map(({ qsoId }) => qsoId);
  if (by !== "nobody") {
    const updatedBefore = new Map([
      ...replaced.map(({ id, before }) => [id, before.updatedAt] as const),
      ...removed.map(({ id, updatedAt }) => [id, updatedAt] as const),
    ]);
    const asBefore = new Set(replaced.filter(isInvisible).map(({ id }) => id));
    const kinds = Object.entries({
      added: [...fresh, ...back],
      updated: changed.filter(({ qsoId }) => !asBefore.has(qsoId)),
      unchanged: changed.filter(({ qsoId }) => asBefore.has(qsoId)),
      deleted: gone,
    }) as [qsoChanges.RecordedKind, typeof changed][];
    const changes = kinds.flatMap(([kind, some]) =>
      some.map((one) => ({ ...one, kind, updatedBefore: updatedBefore.get(one.qsoId) ?? null })),
    );
    const places = new Map(order.map(qsoChanges.idGiven(ids)).map((id, place) => [id, place]));
    const placeOf = ({ qsoId }: { qsoId: number }) => places.get(qsoId) ?? places.size;
    yield* qsoChanges.addMany(
      userId,
      by,
      changes.sort((a, b) => placeOf(a) - placeOf(b)),
    );
  }
  yield* users.raiseLogVersion(userId);
  return ids;
}

/** Whether the change only adds or removes file records without effect. */
const isInvisible = ({ before, after }: qsos.Replacement): boolean =>
  differInPartsOnly(qsos.getLayers(before), qsos.getLayers(after));
