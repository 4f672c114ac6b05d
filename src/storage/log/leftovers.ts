import type { FileRecord, Part } from "../../domain/contact/layers.ts";
import { SERVICES, type Source } from "../../domain/jobs/source.ts";
import type { Resolution } from "../../domain/jobs/sync-job.ts";
import type { RowOf } from "../engine/rows.ts";
import { measureLeftovers, takeFitting } from "./page-bytes.ts";
import {
  columns,
  countChanged,
  countRows,
  EMPTY,
  exists,
  hasEffect,
  inList,
  insertMany,
  many,
  manyValues,
  run,
  sql,
  where,
  type Sql,
  type Unit,
} from "../engine/unit.ts";

type Row = Omit<RowOf<"sync_leftovers">, "userId" | "externalId" | "createdAt" | "resolvedByJob"> & {
  /** How it was settled: matched, replaced by a newer version, dismissed, or only a dry run. */
  resolution: Resolution | null;
};

/** A record that could not be matched or read. It is kept until it can be matched or the user dismisses it. */
export interface Leftover extends Omit<Row, "record" | "candidates"> {
  record: FileRecord;
  candidates: number[];
}

export interface NewLeftover {
  kind: Leftover["kind"];
  reason: string;
  part: Part;
  externalId: string | null;
  record: FileRecord;
  candidates: readonly number[];
}

/**
 * Leftovers of a dry run count as settled from the start. A record that came again with other values was stored again
 * by the later job.
 */
const RESOLUTION: Sql = sql`CASE
  WHEN resolved_at IS NULL THEN NULL
  WHEN resolved_by_job IS NULL AND EXISTS
    (SELECT 1 FROM sync_jobs j WHERE j.id = sync_leftovers.job_id AND j.dry_run = 1) THEN 'dry_run'
  WHEN resolved_by_job IS NULL THEN 'dismissed'
  WHEN EXISTS (SELECT 1 FROM sync_jobs j WHERE j.id = sync_leftovers.resolved_by_job AND j.source = 'repair')
    THEN 'repaired'
  WHEN EXISTS (SELECT 1 FROM sync_leftovers n WHERE n.job_id = sync_leftovers.resolved_by_job
                 AND n.part = sync_leftovers.part AND n.external_id = sync_leftovers.external_id) THEN 'replaced'
  ELSE 'matched' END AS resolution`;
const LEFTOVER = sql`${columns("id", "job_id", "source", "kind", "reason", "part", "record", "candidates", "resolved_at")}, ${RESOLUTION}`;

const toLeftover = (row: Row): Leftover => ({
  ...row,
  record: JSON.parse(row.record) as FileRecord,
  candidates: JSON.parse(row.candidates) as number[],
});

/** Settled by the user, not by a job or dry run. */
const DISMISSED: Sql = sql`(resolved_by_job IS NULL AND NOT EXISTS
  (SELECT 1 FROM sync_jobs j WHERE j.id = sync_leftovers.job_id AND j.dry_run = 1))`;

/**
 * Stores records for later. A record that is already stored with the same values, or was dismissed, is skipped; one
 * with other values replaces the old one. Records of a dry run are only for display.
 */
export function* addMany(
  job: { id: number; userId: number; source: Source; dryRun: boolean },
  leftovers: readonly NewLeftover[],
  now: number,
): Unit<void> {
  const given = leftovers.map((leftover) => ({ ...leftover, record: JSON.stringify(leftover.record) }));
  const known = Map.groupBy(yield* findKnown(job, given), nameOf);
  const before = (leftover: Named) => known.get(nameOf(leftover)) ?? [];
  const isNew = given.filter(
    (leftover) => !before(leftover).some(({ isOpen, record }) => !isOpen || record === leftover.record),
  );
  const outdated = isNew.flatMap((leftover) => before(leftover).map(({ id }) => id));
  if (!job.dryRun && outdated.length > 0) yield* resolve(outdated, job.id, now);
  yield* insertMany(
    "sync_leftovers",
    isNew.map(({ kind, reason, part, externalId, record, candidates }) => ({
      userId: job.userId,
      jobId: job.id,
      source: job.source,
      kind,
      reason,
      part,
      externalId,
      record,
      candidates: JSON.stringify(candidates),
      createdAt: now,
      resolvedAt: job.dryRun ? now : null,
    })),
  );
}

type Named = Pick<NewLeftover, "part" | "externalId">;

interface Known extends Named {
  id: number;
  record: string;
  isOpen: boolean;
}

/** Identifies a record when it comes again. */
export const nameOf = ({ part, externalId }: Named): string => `${part} ${externalId}`;

/** Stored versions of the same records that are open or dismissed. */
function* findKnown(
  { userId, source }: { userId: number; source: Source },
  named: readonly Pick<NewLeftover, "externalId">[],
): Unit<Known[]> {
  const ids = named.flatMap(({ externalId }) => (externalId === null ? [] : [externalId]));
  if (ids.length === 0) return [];
  const rows = yield* many<Known & { resolvedAt: number | null }>`
    SELECT ${columns("id", "external_id", "part", "record", "resolved_at")} FROM sync_leftovers
    WHERE user_id = ${userId} AND source = ${source} AND external_id ${inList(ids)}
      AND (resolved_at IS NULL OR ${DISMISSED})`;
  return rows.map((row) => ({ ...row, isOpen: row.resolvedAt === null }));
}

/** Open leftovers of these records by name. */
export function* findWaiting(
  userId: number,
  source: Source,
  externalIds: readonly string[],
): Unit<Map<string, number[]>> {
  if (externalIds.length === 0) return new Map();
  const rows = yield* many<Pick<Known, "id" | "part" | "externalId">>`
    SELECT ${columns("id", "part", "external_id")} FROM sync_leftovers
    WHERE user_id = ${userId} AND source = ${source} AND resolved_at IS NULL AND external_id ${inList(externalIds)}`;
  return new Map([...Map.groupBy(rows, nameOf)].map(([name, known]) => [name, known.map(({ id }) => id)]));
}

/** Leftovers by id. Large ones make a page shorter than the limit. */
export interface LeftoverPage {
  rows: Leftover[];
  hasMore: boolean;
}

/** A page is built on the main thread. */
const MAX_LIST_BYTES = 1_000_000;

function* listWhere(conditions: readonly (Sql | null)[], limit: number): Unit<LeftoverPage> {
  const found = yield* manyValues<number>`
    SELECT id FROM sync_leftovers ${where(conditions)} ORDER BY id LIMIT ${limit + 1}`;
  const ids = found.slice(0, limit);
  const sizes = yield* measureLeftovers(ids);
  const fitting = takeFitting(ids, (id) => sizes.get(id), MAX_LIST_BYTES);
  const rows = yield* many<Row>`SELECT ${LEFTOVER} FROM sync_leftovers WHERE id ${inList(fitting)} ORDER BY id`;
  return { rows: rows.map(toLeftover), hasMore: found.length > fitting.length };
}

/** The leftovers of a job, oldest first. */
export const list = (
  jobId: number,
  { kind, afterId = 0, limit }: { kind?: Leftover["kind"]; afterId?: number; limit: number },
): Unit<LeftoverPage> =>
  listWhere([sql`job_id = ${jobId}`, sql`id > ${afterId}`, kind ? sql`kind = ${kind}` : null], limit);

/** Whether any record of a source is unmatched. */
export const hasOpen = (userId: number, source: Source): Unit<boolean> =>
  exists`sync_leftovers WHERE user_id = ${userId} AND source = ${source} AND resolved_at IS NULL`;

/** The unmatched records of a source. */
export function* listOpen(userId: number, source: Source, afterId: number, limit: number): Unit<Leftover[]> {
  const conditions = [
    sql`user_id = ${userId}`,
    sql`source = ${source}`,
    sql`resolved_at IS NULL`,
    sql`id > ${afterId}`,
  ];
  return (yield* listWhere(conditions, limit)).rows;
}

/** Those of these that are still open. */
export function* listWaiting(userId: number, ids: readonly number[]): Unit<Leftover[]> {
  const rows = yield* many<Row>`
    SELECT ${LEFTOVER} FROM sync_leftovers WHERE user_id = ${userId} AND id ${inList(ids)} AND resolved_at IS NULL`;
  return rows.map(toLeftover);
}

/** All open leftovers of services, oldest first. */
export const listOfServices = (userId: number, afterId: number, limit: number): Unit<LeftoverPage> =>
  listWhere(
    [sql`user_id = ${userId}`, sql`source ${inList(SERVICES)}`, sql`resolved_at IS NULL`, sql`id > ${afterId}`],
    limit,
  );

export const countOfServices = (userId: number): Unit<number> =>
  countRows`sync_leftovers WHERE user_id = ${userId} AND source ${inList(SERVICES)} AND resolved_at IS NULL`;

export const resolve = (ids: readonly number[], jobId: number, now: number): Unit<void> =>
  run`UPDATE sync_leftovers SET resolved_at = ${now}, resolved_by_job = ${jobId} WHERE id ${inList(ids)}`;

/** Settles all open leftovers of a source for a bulk edit. */
export const resolveAllOf = (
  userId: number,
  source: Source,
  jobId: number,
  now: number,
  keptBy?: readonly number[],
): Unit<void> =>
  run`UPDATE sync_leftovers SET resolved_at = ${now}, resolved_by_job = ${jobId}
             WHERE user_id = ${userId} AND source = ${source} AND resolved_at IS NULL
               ${keptBy ? sql`AND job_id ${inList(keptBy)}` : EMPTY}`;

/** Reopens a slice of the leftovers that a job resolved, when it is rolled back. */
export const reopen = (jobId: number, most: number): Unit<number> =>
  countChanged`
    UPDATE sync_leftovers SET resolved_at = NULL, resolved_by_job = NULL
    WHERE id IN (SELECT id FROM sync_leftovers WHERE resolved_by_job = ${jobId} LIMIT ${most})`;

/** Reopens leftovers that had been matched with contacts that are now removed. */
export function* reopenKnownAs(userId: number, externalIds: readonly string[]): Unit<void> {
  if (externalIds.length === 0) return;
  yield* run`UPDATE sync_leftovers SET resolved_at = NULL, resolved_by_job = NULL
             WHERE user_id = ${userId} AND resolved_by_job IS NOT NULL AND external_id ${inList(externalIds)}`;
}

/** Whether a job stored a leftover or matched one of an earlier job. */
export function* isTouchedBy(jobId: number): Unit<boolean> {
  return (
    (yield* exists`sync_leftovers WHERE job_id = ${jobId}`) ||
    (yield* exists`sync_leftovers WHERE resolved_by_job = ${jobId}`)
  );
}

/** Removes a slice of the leftovers that a job stored. */
export const removeOf = (jobId: number, most: number): Unit<number> =>
  countChanged`
    DELETE FROM sync_leftovers WHERE id IN (SELECT id FROM sync_leftovers WHERE job_id = ${jobId} LIMIT ${most})`;

/** Dismisses a leftover. Returns false if the user has none with this id. */
export const dismiss = (userId: number, id: number, now: number): Unit<boolean> =>
  hasEffect`
    UPDATE sync_leftovers SET resolved_at = ${now} WHERE id = ${id} AND user_id = ${userId} AND resolved_at IS NULL`;
