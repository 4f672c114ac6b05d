import type { QsoFilter } from "../../domain/contact/qso-filter.ts";
import { buildWhere } from "../log/qso-list.ts";
import { columns, countChanged, inList, insertMany, many, run, type Unit } from "../engine/unit.ts";

/** An item of a bulk edit: a contact, and the other contact or unmatched record that belongs to it. */
export interface Target {
  id: number;
  qsoId: number | null;
  otherId: number | null;
}

/** Stores the contacts that match now; later ones are not included. Returns their number. */
export const choose = (jobId: number, userId: number, filter: QsoFilter, broughtBy?: readonly number[]): Unit<number> =>
  countChanged`
    INSERT INTO repair_targets (user_id, job_id, qso_id)
    SELECT user_id, CAST(${jobId} AS BIGINT), id FROM qsos ${buildWhere(userId, filter, broughtBy)}`;

export function* add(jobId: number, userId: number, targets: readonly Omit<Target, "id">[]): Unit<void> {
  yield* insertMany(
    "repair_targets",
    targets.map(({ qsoId, otherId }) => ({ userId, jobId, qsoId, otherId })),
  );
}

export const next = (jobId: number, most: number): Unit<Target[]> =>
  many`
    SELECT ${columns("id", "qso_id", "other_id")} FROM repair_targets WHERE job_id = ${jobId} ORDER BY id LIMIT ${most}`;

export const remove = (ids: readonly number[]): Unit<void> => run`DELETE FROM repair_targets WHERE id ${inList(ids)}`;

/** Removes the targets of a job that ended early. */
export const removeOf = (jobId: number, most: number): Unit<number> =>
  countChanged`
    DELETE FROM repair_targets WHERE id IN (SELECT id FROM repair_targets WHERE job_id = ${jobId} LIMIT ${most})`;
