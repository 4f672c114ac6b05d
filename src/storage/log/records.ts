import {
  getFiledKey,
  getFormerName,
  isFiled,
  getKind,
  buildLayers,
  getSlot,
  setPlace,
} from "../../domain/contact/records.ts";
import {
  NO_LAYERS,
  type FilePart,
  type FileRecord,
  type Layers,
  type NamedRecord,
} from "../../domain/contact/layers.ts";
import { byService, SERVICES, type Service } from "../../domain/jobs/source.ts";
import { ORIGIN_IDS, ORIGIN_NAMES } from "../../domain/origins/bits.ts";
import { findIdleParts } from "../../domain/origins/owner.ts";
import type { RowOf } from "../engine/rows.ts";
import { columns, inList, insertForIds, insertMany, many, manyValues, run, sql, type Unit } from "../engine/unit.ts";

/** A record to insert. */
interface NewRecord extends Omit<NamedRecord, "record"> {
  filedAs: string | null;
  record: string;
}

export const toNewRecord = (named: NamedRecord): NewRecord => ({
  ...named,
  filedAs: isFiled(named) ? getFiledKey(named.record) : null,
  record: JSON.stringify(named.record),
});

/** The new records of a contact and those it loses. */
interface RecordUpdate {
  qsoId: number;
  added: readonly NamedRecord[];
  /** Slots without a record; "rest" for all that `added` does not contain. */
  removed: readonly string[] | "rest";
}

/** The ids of a contact's current records before and after a change. */
export interface RecordIds {
  qsoId: number;
  before: readonly number[];
  after: readonly number[];
}

export interface ReceivedBy {
  /** Null for the user. */
  jobId: number | null;
  now: number;
  /** Makes an outdated record with the same content current again instead of inserting a copy. */
  reuses?: boolean;
  /** Whether the contacts are being added. */
  isNew?: boolean;
}

type Known = RowOf<"records", "id" | "qsoId" | "origin" | "recordKey" | "placedAs">;

const KNOWN = columns("id", "qso_id", "origin", "record_key", "placed_as");

const nameIn = ({ origin, recordKey, placedAs }: Known): Omit<NamedRecord, "record"> => ({
  origin: ORIGIN_NAMES.get(origin)!,
  key: recordKey,
  isLinked: placedAs === null,
});

/** Inserts new records and marks the replaced ones as outdated. A record is never changed. */
export function* write(userId: number, by: ReceivedBy, changes: readonly RecordUpdate[]): Unit<RecordIds[]> {
  // A new contact has no records yet.
  const current = yield* findCurrent(by.isNew ? [] : changes.map(({ qsoId }) => qsoId));
  const older = by.reuses ? yield* findOutdated(changes.map(({ qsoId }) => qsoId)) : new Map<string, number>();
  const outdated: number[] = [];
  const reused: number[] = [];
  const fresh: { qsoId: number; record: NewRecord }[] = [];
  const kept = changes.map(({ qsoId, added, removed }) => {
    const known = current.get(qsoId) ?? new Map<string, number>();
    const left = new Map(known);
    const replaced = new Set(added.map(getSlot));
    for (const [slot, id] of known) {
      if (!replaced.has(slot) && (removed === "rest" || removed.includes(slot))) replaced.add(slot);
      if (!replaced.has(slot)) continue;
      outdated.push(id);
      left.delete(slot);
    }
    const ids = [...left.values()];
    for (const record of added.map(toNewRecord)) {
      const back = older.get(nameOf(qsoId, record));
      if (back === undefined) fresh.push({ qsoId, record });
      else ids.push(back) && reused.push(back);
    }
    return { qsoId, before: [...known.values()], ids };
  });
  if (outdated.length > 0) yield* run`UPDATE records SET outdated = 1 WHERE id ${inList(outdated)}`;
  if (reused.length > 0) yield* run`UPDATE records SET outdated = 0 WHERE id ${inList(reused)}`;
  const added = yield* insertForIds(
    "records",
    fresh.map(({ qsoId, record: { origin, key, isLinked, filedAs, record } }) => ({
      userId,
      qsoId,
      placedAs: isLinked ? null : qsoId,
      origin: ORIGIN_IDS[origin],
      recordKey: key,
      filedAs,
      jobId: by.jobId,
      receivedAt: by.now,
      outdated: 0,
      record,
    })),
  );
  const given = Map.groupBy(
    fresh.map(({ qsoId }, at) => ({ qsoId, id: added[at]! })),
    ({ qsoId }) => qsoId,
  );
  return kept.map(({ qsoId, before, ids }) => {
    const after = [...ids, ...(given.get(qsoId) ?? []).map(({ id }) => id)];
    return { qsoId, before: before.sort(compareIds), after: after.sort(compareIds) };
  });
}

const compareIds = (a: number, b: number): number => a - b;

const nameOf = (qsoId: number, record: Omit<NewRecord, "filedAs">): string =>
  `${qsoId} ${getSlot(record)} ${record.record}`;

/** The current record in each slot of these contacts. */
function* findCurrent(qsoIds: readonly number[]): Unit<Map<number, Map<string, number>>> {
  const found = new Map<number, Map<string, number>>();
  if (qsoIds.length === 0) return found;
  const rows = yield* many<Known>`SELECT ${KNOWN} FROM records WHERE qso_id ${inList(qsoIds)} AND outdated = 0`;
  for (const row of rows) {
    const slots = found.get(row.qsoId) ?? new Map<string, number>();
    found.set(row.qsoId, slots.set(getSlot(nameIn(row)), row.id));
  }
  return found;
}

/** Outdated records of these contacts by content; the newest of equal ones. */
function* findOutdated(qsoIds: readonly number[]): Unit<Map<string, number>> {
  const rows = yield* many<Known & { record: string }>`
    SELECT ${KNOWN}, record FROM records WHERE qso_id ${inList(qsoIds)} AND outdated = 1 ORDER BY id`;
  return new Map(rows.map((row) => [nameOf(row.qsoId, { ...nameIn(row), record: row.record }), row.id]));
}

/** The contacts that have these file records, by key, without rolled back jobs. */
export function* listKnown(userId: number, keys: readonly string[]): Unit<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = yield* many<RowOf<"records", "recordKey" | "qsoId">>`
    SELECT r.record_key AS "recordKey", r.qso_id AS "qsoId" FROM records r LEFT JOIN sync_jobs j ON j.id = r.job_id
    WHERE r.user_id = ${userId} AND r.origin = ${ORIGIN_IDS.file} AND r.record_key ${inList(keys)}
      AND (j.id IS NULL OR j.status <> 'cancelled') ORDER BY r.id`;
  return new Map(rows.map(({ recordKey, qsoId }) => [recordKey, qsoId]));
}

export interface GivenRecord {
  id: number;
  qsoId: number;
  slot: string;
}

/** The records that a file or program gave these contacts in a job, including outdated ones. */
export function* listGivenBy(jobId: number, qsoIds: readonly number[]): Unit<GivenRecord[]> {
  const rows = yield* many<Known>`
    SELECT ${KNOWN} FROM records
    WHERE qso_id ${inList(qsoIds)} AND job_id + 0 = ${jobId} AND origin = ${ORIGIN_IDS.file} ORDER BY id`;
  return rows.map((row) => ({ id: row.id, qsoId: row.qsoId, slot: getSlot(nameIn(row)) }));
}

/** Attributes records to another job that gave them too. */
export const handOver = (userId: number, toJobId: number, ids: readonly number[]): Unit<void> =>
  run`UPDATE records SET job_id = ${toJobId} WHERE user_id = ${userId} AND id ${inList(ids)}`;

/** The keys of the records that a program gave a contact. */
export function* listKeysOf(qsoId: number, client: string | null): Unit<Set<string>> {
  return new Set(
    yield* manyValues<string>`
      SELECT r.record_key FROM records r JOIN sync_jobs j ON j.id = r.job_id
      WHERE r.qso_id = ${qsoId} AND r.origin = ${ORIGIN_IDS.file} AND r.outdated = 0
        AND j.source = 'feed' AND j.client = ${client}`,
  );
}

/** The names of current and former records of these contacts, without rolled back jobs. */
export function* listFormer(qsoIds: readonly number[]): Unit<Map<number, Set<string>>> {
  if (qsoIds.length === 0) return new Map();
  const rows = yield* many<Row>`
    SELECT ${ROW} FROM records WHERE qso_id ${inList(qsoIds)}
      AND NOT EXISTS (SELECT 1 FROM sync_jobs j WHERE j.id = records.job_id AND j.status = 'cancelled')`;
  const former = new Map(qsoIds.map((id) => [id, new Set<string>()]));
  for (const row of rows) former.get(row.qsoId)!.add(getFormerName(toNamedRecord(row)));
  return former;
}

export type RecordsOfDeleted = Pick<RecordUpdate, "qsoId" | "added">;

/**
 * Stores records of services for deleted contacts, unless the newest one is the same. A failed job's record does not
 * count, because it is removed when that job is rolled back.
 */
export function* keepForDeleted(
  userId: number,
  { jobId, now }: Omit<ReceivedBy, "reuses">,
  received: readonly RecordsOfDeleted[],
): Unit<void> {
  if (received.length === 0) return;
  const rows = yield* many<Known & { record: string }>`
    SELECT ${KNOWN}, record FROM records
    WHERE qso_id ${inList(received.map(({ qsoId }) => qsoId))}
      AND (job_id IS NULL OR job_id = ${jobId} OR job_id IN (SELECT id FROM sync_jobs WHERE status = 'completed'))
    ORDER BY id`;
  const newest = new Map(rows.map((row) => [`${row.qsoId} ${row.origin} ${row.recordKey}`, row.record]));
  const fresh = received.flatMap(({ qsoId, added }) =>
    added
      .map(toNewRecord)
      .filter(({ origin, key, record }) => newest.get(`${qsoId} ${ORIGIN_IDS[origin]} ${key}`) !== record)
      .map(({ origin, key, record }) => ({ qsoId, origin: ORIGIN_IDS[origin], recordKey: key, record })),
  );
  yield* insertMany(
    "records",
    fresh.map((record) => ({ ...record, userId, placedAs: record.qsoId, jobId, receivedAt: now, outdated: 1 })),
  );
}

/** All versions of these records of deleted contacts, including later ones, oldest first. */
export function* listVersions(recordIds: ReadonlyMap<number, readonly number[]>): Unit<Map<number, number[]>> {
  const rows =
    yield* many<Known>`SELECT ${KNOWN} FROM records WHERE qso_id ${inList([...recordIds.keys()])} ORDER BY id`;
  const versions = new Map<number, number[]>();
  for (const [qsoId, known] of Map.groupBy(rows, (row) => row.qsoId)) {
    const ids = recordIds.get(qsoId)!;
    const last = Math.max(0, ...ids);
    const slots = new Set(known.flatMap((row) => (ids.includes(row.id) || row.id > last ? getSlot(nameIn(row)) : [])));
    versions.set(
      qsoId,
      known.flatMap((row) => (slots.has(getSlot(nameIn(row))) ? row.id : [])),
    );
  }
  return versions;
}

/** The records of services among these, from completed jobs, that no contact of the log has. */
export function* listStanding(ids: readonly number[]): Unit<number[]> {
  const services = SERVICES.map((service) => ORIGIN_IDS[service]);
  return yield* manyValues<number>`
    SELECT r.id FROM records r LEFT JOIN sync_jobs j ON j.id = r.job_id
    WHERE r.id ${inList(ids)} AND r.origin ${inList(services)} AND (j.id IS NULL OR j.status = 'completed')
      AND NOT EXISTS (SELECT 1 FROM records other WHERE other.user_id = r.user_id AND other.origin = r.origin
                      AND other.record_key = r.record_key AND other.outdated = 0)`;
}

/** Marks all records of these contacts as outdated. They are kept for undo and for the log as of a past day. */
export function* markOutdated(qsoIds: readonly number[]): Unit<RecordIds[]> {
  const current = yield* findCurrent(qsoIds);
  yield* run`UPDATE records SET outdated = 1 WHERE qso_id ${inList(qsoIds)} AND outdated = 0`;
  return qsoIds.map((qsoId) => ({
    qsoId,
    before: [...(current.get(qsoId)?.values() ?? [])].sort(compareIds),
    after: [],
  }));
}

type Row = Known & RowOf<"records", "receivedAt" | "record">;

const ROW = sql`${KNOWN}, ${columns("received_at")}, record`;

const toNamedRecord = (row: Row): NamedRecord =>
  setPlace({ ...nameIn(row), record: JSON.parse(row.record) as FileRecord }, row.id);

/** The layers of these contacts. */
export function* loadLayers(qsoIds: readonly number[]): Unit<(qsoId: number) => Layers> {
  if (qsoIds.length === 0) return () => NO_LAYERS;
  const rows = yield* many<Row>`
    SELECT ${ROW} FROM records WHERE qso_id ${inList(qsoIds)} AND outdated = 0 ORDER BY id`;
  const known = Map.groupBy(rows, ({ qsoId }) => qsoId);
  return (qsoId) => buildLayers((known.get(qsoId) ?? []).map(toNamedRecord));
}

/** The layers of a contact at some time, from the records that were current then. */
export interface LayersThen extends Layers {
  /** The id of each service's newest record; 0 if there is none. */
  newest: Record<Service, number>;
  createdAt: number;
  updatedAt: number;
}

/** Returns a function that builds layers from these records, including outdated ones. */
export function* createReader(
  ids: readonly number[],
): Unit<(qsoId: number, ids: readonly number[], updatedAt?: number | null) => LayersThen> {
  const rows = yield* many<Row>`SELECT ${ROW} FROM records WHERE id ${inList(ids)}`;
  const known = new Map(rows.map((row) => [row.id, row]));
  const first = yield* many<{ qsoId: number; at: number }>`
    SELECT qso_id AS "qsoId", min(received_at) AS at FROM records
    WHERE qso_id ${inList([...new Set(rows.map(({ qsoId }) => qsoId))])} GROUP BY qso_id`;
  const created = new Map(first.map(({ qsoId, at }) => [qsoId, at]));
  return (qsoId, ids, updatedAt = null) => {
    const then = ids.map((id) => known.get(id)!);
    const ofService = (service: Service) => then.filter(({ origin }) => origin === ORIGIN_IDS[service]);
    return {
      newest: byService((service) => Math.max(0, ...ofService(service).map(({ id }) => id))),
      createdAt: created.get(qsoId)!,
      updatedAt: updatedAt ?? Math.max(...then.map(({ receivedAt }) => receivedAt)),
      ...buildLayers(then.map(toNamedRecord)),
    };
  };
}

/**
 * Marks file records as outdated that add nothing to others, for example from a program that writes the export date
 * into each record. Only the oldest ones from jobs that can no longer be undone, so that they would never be needed.
 */
export function* markIdle(qsoIds: readonly number[]): Unit<void> {
  const rows = yield* many<Row & RowOf<"sync_jobs", "prunedAt"> & RowOf<"records", "jobId">>`
    SELECT ${ROW}, job_id AS "jobId",
      (SELECT pruned_at FROM sync_jobs WHERE sync_jobs.id = records.job_id) AS "prunedAt"
    FROM records WHERE qso_id ${inList(qsoIds)} AND origin = ${ORIGIN_IDS.file} AND outdated = 0 ORDER BY id`;
  const ofFiles = rows.map((row) => ({ ...row, named: toNamedRecord(row) })).filter(({ named }) => isFiled(named));
  const idle = [...Map.groupBy(ofFiles, ({ qsoId, recordKey }) => `${qsoId} ${getKind(recordKey)}`).values()].flatMap(
    (ofKind) => {
      const young = ofKind.findIndex(({ jobId, prunedAt }) => jobId !== null && prunedAt === null);
      const ids = new Map(
        ofKind.slice(0, young < 0 ? ofKind.length : young).map(({ id, named }) => [named as FilePart, id] as const),
      );
      return findIdleParts([...ids.keys()]).map((part) => ids.get(part)!);
    },
  );
  if (idle.length > 0) yield* run`UPDATE records SET outdated = 1 WHERE id ${inList(idle)}`;
}

/**
 * Removes outdated records that no change refers to, and returns their size. File records keep their keys, so that
 * importing an old file again changes nothing.
 */
export function* forget(qsoIds: readonly number[], named: ReadonlySet<number>): Unit<number> {
  const rows = yield* many<{ id: number; bytes: number }>`
    SELECT id, length(record) AS bytes FROM records WHERE qso_id ${inList(qsoIds)} AND outdated = 1`;
  const left = rows.filter(({ id }) => !named.has(id));
  const ids = left.map(({ id }) => id);
  if (ids.length > 0) {
    yield* run`DELETE FROM records WHERE id ${inList(ids)} AND origin <> ${ORIGIN_IDS.file}`;
    yield* run`UPDATE records SET record = '{}' WHERE id ${inList(ids)}`;
  }
  return left.reduce((sum, { bytes }) => sum + bytes, 0);
}
