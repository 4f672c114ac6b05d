import type { Qso } from "../../domain/contact/qso.ts";
import { byService, type Service } from "../../domain/jobs/source.ts";
import type { RowOf } from "../engine/rows.ts";
import * as serviceIds from "./service-ids.ts";
import { columns, countRows, inList, insertMany, many, run, sql, type Unit } from "../engine/unit.ts";

type Row = Omit<RowOf<"qso_tombstones">, "userId" | "jobId" | "deletedAt">;

/** A deleted contact with its service ids at that time. */
export type Tombstone = Row & serviceIds.IdFields;

export interface NewTombstone {
  qso: Qso;
  /** The bulk edit that deleted it. */
  jobId?: number;
  mergedInto?: number;
}

/** Must run before the contacts are removed, so that their service ids are kept. */
export function* add(burials: readonly NewTombstone[], now: number): Unit<void> {
  yield* insertMany(
    "qso_tombstones",
    burials.map(({ qso, jobId = null, mergedInto = null }) => ({
      userId: qso.userId,
      qsoId: qso.id,
      jobId,
      mergedInto,
      deletedAt: now,
      call: qso.call,
      startedAt: qso.startedAt,
      band: qso.band,
      modeGroup: qso.modeGroup,
      stationCallsign: qso.stationCallsign,
    })),
  );
}

export interface Wanted {
  calls: readonly string[];
  from: number;
  to: number;
  /** The services' ids of the contacts. */
  ids?: Record<Service, readonly string[]>;
}

/** The tombstones that a batch of records could mean. */
export function* findMeant(userId: number, { calls, from, to, ids = byService(() => []) }: Wanted): Unit<Tombstone[]> {
  const found = yield* many<Row>`
    SELECT ${TOMBSTONE} FROM qso_tombstones
    WHERE user_id = ${userId} AND call ${inList(calls)} AND started_at BETWEEN ${from} AND ${to}`;
  const called = yield* serviceIds.findContacts(userId, ids);
  if (called.length > 0) {
    found.push(
      ...(yield* many<Row>`
        SELECT ${TOMBSTONE} FROM qso_tombstones WHERE user_id = ${userId} AND qso_id ${inList(called)}`),
    );
  }
  const tombstones = [...new Map(found.map((tombstone) => [tombstone.id, tombstone])).values()];
  return yield* loadIds(tombstones.sort((a, b) => a.id - b.id));
}

function* loadIds(tombstones: readonly Row[]): Unit<Tombstone[]> {
  const idsOf = yield* serviceIds.loadFields(tombstones.flatMap(({ qsoId }) => qsoId ?? []));
  return tombstones.map((tombstone) => ({ ...tombstone, ...idsOf(tombstone.qsoId ?? 0) }));
}

const MAX_MERGES = 20;

/** Where merged contacts are now, following further merges. */
export function* findMergeTargets(userId: number, qsoIds: readonly number[]): Unit<Map<number, number>> {
  const now = new Map(qsoIds.map((id) => [id, id]));
  for (let step = 0; step < MAX_MERGES && now.size > 0; step++) {
    const next = yield* many<{ qsoId: number; mergedInto: number }>`
      SELECT ${columns("qso_id", "merged_into")} FROM qso_tombstones
      WHERE user_id = ${userId} AND qso_id ${inList([...new Set(now.values())])} AND merged_into IS NOT NULL`;
    if (next.length === 0) break;
    const into = new Map(next.map(({ qsoId, mergedInto }) => [qsoId, mergedInto]));
    for (const [id, at] of now) now.set(id, into.get(at) ?? at);
  }
  return now;
}

/** Deleted contacts that a service still has, oldest first. */
export function* listThere(userId: number, afterId: number, limit: number): Unit<Tombstone[]> {
  const tombstones = yield* many<Row>`
    SELECT ${TOMBSTONE} FROM qso_tombstones WHERE user_id = ${userId} AND id > ${afterId} AND ${IS_THERE}
    ORDER BY id LIMIT ${limit}`;
  return yield* loadIds(tombstones);
}

export const countThere = (userId: number): Unit<number> =>
  countRows`qso_tombstones WHERE user_id = ${userId} AND ${IS_THERE}`;

const IS_THERE = sql`merged_into IS NULL AND EXISTS (
  SELECT 1 FROM qso_service_ids n WHERE n.user_id = qso_tombstones.user_id AND n.qso_id = qso_tombstones.qso_id)`;

/** The contacts that were merged into these, oldest merge first. */
export const listMergedInto = (userId: number, qsoIds: readonly number[]): Unit<{ qsoId: number; into: number }[]> =>
  many`
    SELECT qso_id AS "qsoId", merged_into AS "into" FROM qso_tombstones
    WHERE user_id = ${userId} AND merged_into ${inList(qsoIds)} AND qso_id IS NOT NULL ORDER BY id`;

/** The contacts that a bulk edit merged these into. */
export const listMerged = (jobId: number, qsoIds: readonly number[]): Unit<{ qsoId: number; mergedInto: number }[]> =>
  many`
    SELECT ${columns("qso_id", "merged_into")} FROM qso_tombstones
    WHERE job_id = ${jobId} AND qso_id ${inList(qsoIds)} AND merged_into IS NOT NULL`;

/** Removes the tombstones of restored contacts, so that services can update them again. */
export const removeOf = (jobId: number, qsoIds: readonly number[]): Unit<void> =>
  run`DELETE FROM qso_tombstones WHERE job_id = ${jobId} AND qso_id ${inList(qsoIds)}`;

const TOMBSTONE = columns(
  "id",
  "qso_id",
  "call",
  "started_at",
  "band",
  "mode_group",
  "station_callsign",
  "merged_into",
);
