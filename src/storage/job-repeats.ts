import type { RowOf } from "./rows.ts";
import { insertMany, many, one, type Unit } from "./unit.ts";

/** Contacts of which a job told again what the log knew. */
export interface Repeats {
  /** Everything that files had said of them, in the same words. */
  whole: readonly number[];
  /** A part of it. */
  part: readonly number[];
}

/** The job that told of a contact too, and whether it told everything. */
export interface Repeat {
  jobId: number;
  isWhole: boolean;
}

export function* add({ id: jobId, userId }: { id: number; userId: number }, { whole, part }: Repeats): Unit<void> {
  if (whole.length + part.length === 0) return;
  const { last } = yield* one<{ last: number | null }>`
    SELECT max(id) AS last FROM qso_changes WHERE user_id = ${userId}`;
  const rows = [
    { isWhole: 1, ids: whole },
    { isWhole: 0, ids: part },
  ].filter(({ ids }) => ids.length > 0);
  yield* insertMany(
    "job_repeats",
    ["user_id", "job_id", "is_whole", "after_change", "from_qso_id", "to_qso_id", "qsos"],
    rows.map(({ isWhole, ids }) => {
      const inOrder = [...new Set(ids)].sort((a, b) => a - b);
      return [userId, jobId, isWhole, last ?? 0, inOrder[0]!, inOrder.at(-1)!, JSON.stringify(inOrder)];
    }),
  );
}

/**
 * Which of these contacts other jobs, save those taken back, told of again behind a change: the first job of each, best
 * one that told all. `wanted` names the change of each contact.
 */
export function* find(
  userId: number,
  exceptJobId: number,
  wanted: ReadonlyMap<number, number>,
): Unit<Map<number, Repeat>> {
  const found = new Map<number, Repeat>();
  if (wanted.size === 0) return found;
  const qsoIds = [...wanted.keys()];
  const [first, last] = [qsoIds.reduce((a, b) => Math.min(a, b)), qsoIds.reduce((a, b) => Math.max(a, b))];
  const rows = yield* many<RowOf<"job_repeats", "jobId" | "isWhole" | "afterChange" | "qsos">>`
    SELECT r.job_id AS "jobId", r.is_whole AS "isWhole", r.after_change AS "afterChange", r.qsos
    FROM job_repeats r JOIN sync_jobs j ON j.id = r.job_id
    WHERE r.user_id = ${userId} AND j.id <> ${exceptJobId} AND j.status <> 'cancelled'
      AND r.from_qso_id <= ${last} AND r.to_qso_id >= ${first}
    ORDER BY r.is_whole DESC, r.job_id, r.id`;
  for (const { jobId, isWhole, afterChange, qsos } of rows) {
    for (const id of JSON.parse(qsos) as number[]) {
      const change = wanted.get(id);
      if (change !== undefined && afterChange >= change && !found.has(id))
        found.set(id, { jobId, isWhole: isWhole === 1 });
    }
  }
  return found;
}
