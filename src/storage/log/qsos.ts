import { AppError } from "../../kernel/errors.ts";
import { FIELD_NAMES, type FieldName } from "../../domain/contact/fields.ts";
import { NO_LAYERS, ORIGINS, type Layers } from "../../domain/contact/layers.ts";
import {
  encodeConfirmedAs,
  encodeConfirmedTimes,
  FIELDS_OF_CONFIRMATIONS,
  setConfirmations,
  type ConfirmationColumns,
} from "../../domain/contact/confirmed.ts";
import { computeConfirmedBy, computeRecordedBy } from "../../domain/origins/bits.ts";
import { ID_COLUMN, type Derived, type Qso } from "../../domain/contact/qso.ts";
import { recordChange, listRecords } from "../../domain/contact/records.ts";
import type { Service } from "../../domain/jobs/source.ts";
import { measureContacts, takeFitting } from "./page-bytes.ts";
import * as records from "./records.ts";
import * as serviceIds from "./service-ids.ts";
import {
  byEngine,
  columns,
  countRows,
  EMPTY,
  inList,
  insertForIds,
  insertMany,
  many,
  manyValues,
  maybe,
  one,
  run,
  snakeCase,
  sql,
  tableOf,
  updateMany,
  type ChangedRow,
  type RowValues,
  type Sql,
  type Unit,
  type Value,
} from "../engine/unit.ts";

const OF_THE_ROW = ["createdAt", "updatedAt", "rulesVersion"] as const;
const OF_CONFIRMATIONS = ["confirmedBy", "confirmedTimes", "confirmedAs"] as const;
/** Fields with a column of their own. */
const NAMES: readonly FieldName[] = Object.values(ID_COLUMN);
const WITH_COLUMN = FIELD_NAMES.filter((name) => !FIELDS_OF_CONFIRMATIONS.has(name) && !NAMES.includes(name));

/** Everything except id and owner. */
export type Snapshot = Omit<Qso, "id" | "userId">;

const QSO: Sql = columns(
  ...["id", "userId", ...OF_THE_ROW, ...OF_CONFIRMATIONS, ...WITH_COLUMN].map((name) => snakeCase(name)),
);

type QsoRow = Omit<Derived, keyof ConfirmationColumns> & ConfirmationColumns & { id: number };

/** Adds records and service ids to rows. */
function* loadRecords(rows: readonly QsoRow[]): Unit<Qso[]> {
  const ids = rows.map(({ id }) => id);
  const layersOf = yield* records.loadLayers(ids);
  const namesOf = yield* serviceIds.loadFields(ids);
  return rows.map((row) => toQso(row, layersOf(row.id), namesOf(row.id)));
}

/** Object keys in field order, so that differences between two contacts are listed in that order. */
const IN_ORDER = Object.fromEntries(
  ["id", "userId", ...OF_THE_ROW, ...FIELD_NAMES].map((name) => [name, null]),
) as unknown as Qso;

const toQso = (row: QsoRow, layers: Layers, names: serviceIds.IdFields): Qso => {
  const { confirmedBy, confirmedTimes, confirmedAs, ...columns } = row;
  const qso: Qso = { ...IN_ORDER, ...columns, ...names, ...getLayers(layers) };
  setConfirmations(qso, { confirmedBy, confirmedTimes, confirmedAs });
  if (qso.twoWay !== null) qso.twoWay = Boolean(qso.twoWay);
  return qso;
};

const toValues = (qso: Snapshot): RowValues => {
  const values: Record<string, Value> = {
    createdAt: qso.createdAt,
    updatedAt: qso.updatedAt,
    rulesVersion: qso.rulesVersion,
    recordedBy: computeRecordedBy(qso),
    confirmedBy: computeConfirmedBy(qso),
    confirmedTimes: encodeConfirmedTimes(qso),
    confirmedAs: encodeConfirmedAs(qso),
  };
  for (const name of WITH_COLUMN) {
    const value = qso[name];
    values[name] = typeof value === "boolean" ? Number(value) : value;
  }
  return values;
};

/** Adds contacts and returns their ids in order. */
export function* addMany(userId: number, contacts: readonly Snapshot[]): Unit<number[]> {
  const added: number[] = [];
  for (const [now, ofTime] of Map.groupBy(contacts, ({ createdAt }) => createdAt)) {
    const ids = yield* addRows(userId, ofTime, { jobId: null, now });
    added.push(...ids.map(({ qsoId }) => qsoId));
  }
  return added;
}

export function* addRows(
  userId: number,
  contacts: readonly Snapshot[],
  by: records.ReceivedBy,
): Unit<records.RecordIds[]> {
  const ids = yield* insertForIds(
    "qsos",
    contacts.map((contact) => ({ userId, ...toValues(contact) })),
  );
  const added = contacts.map((contact, at) => ({ qsoId: ids[at]!, contact }));
  yield* serviceIds.add(userId, added);
  const updates = added.map(({ qsoId, contact }) => ({ qsoId, added: listRecords(contact), removed: [] }));
  return yield* records.write(userId, { ...by, isNew: true }, updates);
}

/** Restores contacts with their former ids. */
export function* restoreMany(
  userId: number,
  contacts: readonly (Snapshot & { id: number })[],
  by: Omit<records.ReceivedBy, "reuses">,
): Unit<records.RecordIds[]> {
  yield* insertMany(
    "qsos",
    contacts.map((contact) => ({ id: contact.id, userId, ...toValues(contact) })),
  );
  const restored = contacts.map((contact) => ({ qsoId: contact.id, contact }));
  yield* serviceIds.replace(userId, restored);
  const updates = restored.map(({ qsoId, contact }) => ({
    qsoId,
    added: listRecords(contact),
    removed: "rest" as const,
  }));
  return yield* records.write(userId, { ...by, reuses: true }, updates);
}

/** The row of a contact before and after a change. */
export interface Replacement {
  id: number;
  before: Snapshot;
  after: Snapshot;
}

/** Writes what has changed. */
export function* replaceRows(
  userId: number,
  replaced: readonly Replacement[],
  by: records.ReceivedBy,
): Unit<records.RecordIds[]> {
  yield* updateMany("qsos", replaced.map(toChangedRow));
  const renamed = replaced.filter(({ before, after }) => NAMES.some((name) => before[name] !== after[name]));
  yield* serviceIds.replace(
    userId,
    renamed.map(({ id, after }) => ({ qsoId: id, contact: after })),
  );
  const updates = replaced.map(({ id, before, after }) => ({ qsoId: id, ...recordChange(before, after) }));
  return yield* records.write(userId, by, updates);
}

const toChangedRow = ({ id, before, after }: Replacement): ChangedRow => {
  const [known, values] = [toValues(before), toValues(after)];
  return { id, values, changed: Object.keys(values).filter((name) => known[name] !== values[name]) };
};

/** Removes contacts from the log. Their records stay. */
export function* remove(ids: readonly number[]): Unit<records.RecordIds[]> {
  yield* run`DELETE FROM qsos WHERE id ${inList(ids)}`;
  yield* serviceIds.remove(ids);
  return yield* records.markOutdated(ids);
}

export function* find(userId: number, id: number): Unit<Qso | null> {
  const row = yield* maybe<QsoRow>`SELECT ${QSO} FROM qsos WHERE id = ${id} AND user_id = ${userId}`;
  return row && (yield* loadRecords([row]))[0]!;
}

/** Contacts of all users or of one, after an id: none after the last one, fewer than the limit if they are large. */
export function* listOfAll(afterId: number, limit: number, userId?: number): Unit<Qso[]> {
  const whose = userId === undefined ? EMPTY : sql`AND user_id = ${userId}`;
  const rows = yield* many<QsoRow>`SELECT ${QSO} FROM qsos WHERE id > ${afterId} ${whose} ORDER BY id LIMIT ${limit}`;
  const sizes = yield* measureContacts(rows.map(({ id }) => id));
  return yield* loadRecords(takeFitting(rows, ({ id }) => sizes.get(id)));
}

/**
 * Contacts of a log, optionally of one own callsign, in order of arrival, after an id. Large contacts make a page
 * shorter than the limit.
 */
export function* listAfter(userId: number, afterId: number, station: string | null, limit: number): Unit<Qso[]> {
  const made = station === null ? EMPTY : sql`AND station_callsign = ${station}`;
  const rows = yield* many<QsoRow>`
    SELECT ${QSO} FROM qsos WHERE user_id = ${userId} AND id > ${afterId} ${made} ORDER BY id LIMIT ${limit}`;
  const sizes = yield* measureContacts(rows.map(({ id }) => id));
  return yield* loadRecords(takeFitting(rows, ({ id }) => sizes.get(id)));
}

export function* listByIds(ids: readonly number[]): Unit<Qso[]> {
  return yield* loadRecords(yield* many<QsoRow>`SELECT ${QSO} FROM qsos WHERE id ${inList(ids)} ORDER BY id`);
}

/** The same without the records of the contacts. */
export function* listColumnsByIds(ids: readonly number[]): Unit<Qso[]> {
  const rows = yield* many<QsoRow>`SELECT ${QSO} FROM qsos WHERE id ${inList(ids)} ORDER BY id`;
  const namesOf = yield* serviceIds.loadFields(ids);
  return rows.map((row) => toQso(row, NO_LAYERS, namesOf(row.id)));
}

const ROUGH = [
  ...(["id", "call", "startedAt", "endedAt", "band", "freqHz", "mode", "submode", "modeGroup"] as const),
  ...(["stationCallsign", "propMode", "satName"] as const),
] as const;

/** A contact without its layers. */
export type Rough = Pick<Qso, (typeof ROUGH)[number]>;

export type Place = Pick<Qso, "call" | "startedAt" | "id">;

/** The places of contacts by callsign and time, after a position. Reads only an index. */
export function* listPlaces(userId: number, after: Place | null, limit: number): Unit<Place[]> {
  const rest = after ? sql`AND (call, started_at, id) > (${after.call}, ${after.startedAt}, ${after.id})` : EMPTY;
  return yield* many<Place>`
    SELECT id, ${columns("call", "started_at")} FROM qsos WHERE user_id = ${userId} ${rest}
    ORDER BY call, started_at, id LIMIT ${limit}`;
}

/** These contacts by callsign and time, without their layers. */
export const listRough = (ids: readonly number[]): Unit<Rough[]> =>
  many`
    SELECT ${columns(...ROUGH.map(snakeCase))} FROM qsos WHERE id ${inList(ids)} ORDER BY call, started_at, id`;

/** Notes that these rows are up to date with the rules. */
export function* markDerived(ids: readonly number[], rulesVersion: number): Unit<void> {
  if (ids.length > 0) yield* run`UPDATE qsos SET rules_version = ${rulesVersion} WHERE id ${inList(ids)}`;
}

/** Contacts within a range of ids that were derived with other rules. */
export const listOutdated = (rulesVersion: number, afterId: number, upToId: number): Unit<number[]> =>
  manyValues`
    SELECT id FROM qsos WHERE id > ${afterId} AND id <= ${upToId} AND rules_version <> ${rulesVersion} ORDER BY id`;

export const countOutdated = (rulesVersion: number): Unit<number> =>
  countRows`qsos WHERE rules_version <> ${rulesVersion}`;

export function* getLastId(): Unit<number> {
  return (yield* one<{ last: number | null }>`SELECT max(id) AS last FROM qsos`).last ?? 0;
}

export const count = (userId?: number): Unit<number> =>
  countRows`qsos ${userId === undefined ? EMPTY : sql`WHERE user_id = ${userId}`}`;

/** A contact of this user. Throws for contacts of others as if they did not exist. */
export function* get(userId: number, id: number): Unit<Qso> {
  const qso = yield* find(userId, id);
  if (!qso) throw new AppError("not_found", "There is no such QSO.");
  return qso;
}

export interface Candidates {
  ids: Record<Service, readonly string[]>;
  /** Callsign and minute as written in files. */
  filedAs?: readonly string[];
  timeRanges: readonly TimeRange[];
}

/** A callsign in a time range, both ends included. */
export interface TimeRange {
  call: string;
  from: number;
  to: number;
}

/**
 * Every contact that a batch of records could mean: same external id, same callsign near that time, or same callsign
 * and minute in a file, even if corrected since.
 */
export function* findCandidates(userId: number, { ids, filedAs = [], timeRanges }: Candidates): Unit<Qso[]> {
  const found = new Map<number, QsoRow>();
  const keep = (rows: QsoRow[]) => {
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, row);
  };
  const called = yield* serviceIds.findContacts(userId, ids);
  if (called.length > 0) {
    keep(yield* many<QsoRow>`SELECT ${QSO} FROM qsos WHERE user_id = ${userId} AND id ${inList(called)}`);
  }
  if (timeRanges.length > 0) keep(yield* findAround(userId, timeRanges));
  if (filedAs.length > 0) {
    keep(
      yield* many<QsoRow>`
      SELECT ${QSO} FROM qsos WHERE user_id = ${userId} AND id IN (
        SELECT qso_id FROM records
        WHERE user_id = ${userId} AND filed_as IS NOT NULL AND outdated = 0 AND filed_as ${inList(filedAs)})`,
    );
  }
  return yield* loadRecords([...found.values()].sort((a, b) => a.id - b.id));
}

const findAround = (userId: number, timeRanges: readonly TimeRange[]): Unit<QsoRow[]> => {
  const mine = sql`user_id = ${userId} AND call = wanted_call AND started_at BETWEEN earliest AND latest`;
  return many`
    SELECT ${QSO} FROM ${tableOf({
      wanted_call: timeRanges.map(({ call }) => call),
      earliest: timeRanges.map(({ from }) => from),
      latest: timeRanges.map(({ to }) => to),
    })} AS wanted CROSS JOIN ${byEngine({
      sqlite: sql`qsos WHERE ${mine}`,
      // OFFSET 0 prevents the planner from flattening the subquery.
      postgres: sql`LATERAL (SELECT * FROM qsos WHERE ${mine} OFFSET 0) AS qsos`,
    })}`;
};

export const toSnapshot = (qso: Qso): Snapshot => {
  const { id: _, userId: __, ...snapshot } = qso;
  return snapshot;
};

export const getLayers = (contact: Layers): Layers => {
  const layers: Record<string, unknown> = {};
  for (const origin of ORIGINS) layers[origin] = contact[origin];
  return layers as unknown as Layers;
};
