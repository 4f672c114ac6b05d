import { ORIGIN_IDS } from "../../domain/origins/bits.ts";
import type { RowOf } from "../engine/rows.ts";
import { columns, inList, many, run, type Unit } from "../engine/unit.ts";

/** A record that a file or program gave again. */
export interface Repeat {
  qsoId: number;
  key: string;
}

/** Stores which records of the log a job gave again. */
export function* add({ id: jobId, userId }: { id: number; userId: number }, repeats: readonly Repeat[]): Unit<void> {
  if (repeats.length === 0) return;
  const wanted = new Set(repeats.map(nameOf));
  const rows = yield* many<RowOf<"records", "id" | "qsoId" | "recordKey">>`
    SELECT ${columns("id", "qso_id", "record_key")} FROM records
    WHERE qso_id ${inList(repeats.map(({ qsoId }) => qsoId))} AND origin = ${ORIGIN_IDS.file} AND outdated = 0 ORDER BY id`;
  const ids = rows.flatMap(({ id, qsoId, recordKey }) => (wanted.has(nameOf({ qsoId, key: recordKey })) ? id : []));
  if (ids.length === 0) return;
  yield* run`
    INSERT INTO job_repeats (user_id, job_id, from_id, to_id, records)
    VALUES (${userId}, ${jobId}, ${ids[0]!}, ${ids.at(-1)!}, ${JSON.stringify(ids)})`;
}

const nameOf = ({ qsoId, key }: Repeat): string => `${qsoId} ${key}`;

/** A job that gave a record again. */
export type OtherJob = RowOf<"sync_jobs", "id" | "source">;

/** For each record the first other job, unless rolled back, that gave it again. */
export function* find(userId: number, exceptJobId: number, recordIds: readonly number[]): Unit<Map<number, OtherJob>> {
  const found = new Map<number, OtherJob>();
  if (recordIds.length === 0) return found;
  const wanted = new Set(recordIds);
  const [first, last] = [recordIds.reduce((a, b) => Math.min(a, b)), recordIds.reduce((a, b) => Math.max(a, b))];
  const rows = yield* many<OtherJob & RowOf<"job_repeats", "records">>`
    SELECT j.id, j.source, r.records FROM job_repeats r JOIN sync_jobs j ON j.id = r.job_id
    WHERE r.user_id = ${userId} AND j.id <> ${exceptJobId} AND j.status <> 'cancelled'
      AND r.from_id <= ${last} AND r.to_id >= ${first}
    ORDER BY r.job_id, r.id`;
  for (const { records, ...heir } of rows) {
    for (const id of JSON.parse(records) as number[]) if (wanted.has(id) && !found.has(id)) found.set(id, heir);
  }
  return found;
}
