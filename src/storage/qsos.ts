import { AppError } from "../domain/errors.ts";
import { FIELD_NAMES } from "../domain/fields.ts";
import type { FirstLayer, Layers, OwnLayer, SecondLayer } from "../domain/layers.ts";
import { CONFIRMED_FIELDS, confirmedBy, recordedBy } from "../domain/origins/bits.ts";
import type { Qso } from "../domain/qso.ts";
import { byService, SERVICES, type Service } from "../domain/source.ts";
import { defineBackgroundWork } from "./database.ts";
import { bundle, packerOf, packLayer, unbundle, unpack, unpackLayer } from "./packed.ts";
import type { RowOf } from "./rows.ts";
import {
  byEngine,
  columns,
  EMPTY,
  inList,
  insertMany,
  many,
  maybe,
  one,
  raw,
  run,
  snakeCase,
  sql,
  tableOf,
  updateMany,
  type ChangedRow,
  type Sql,
  type Unit,
  type Value,
} from "./unit.ts";

const CONFIRMED_BITS = new Map<string, number>(CONFIRMED_FIELDS.map(({ name, bit }) => [name, bit]));
const OF_THE_ROW = ["createdAt", "updatedAt", "rulesVersion", "first", "second"] as const;
/** Fields that have a column of their own. */
const WITH_COLUMN = FIELD_NAMES.filter((name) => !CONFIRMED_BITS.has(name));
const COLUMN_NAMES = [...OF_THE_ROW, "recordedBy", "confirmedBy", ...WITH_COLUMN] as const;
const LAYERS = ["own", ...SERVICES] as const;
type Layer = (typeof LAYERS)[number];
const COLUMNS = COLUMN_NAMES.map(snakeCase);

const COLUMN_PLACES = COLUMNS.map((_, place) => place);

/**
 * What each origin says is in a table of its own: lists scan rows of `qsos`, which would be twice as long with it, and a
 * row that grows when a service speaks makes SQLite split its page. Old contacts have what services said in their row
 * until it changes.
 */
const LAYERS_OF: Record<Layer, string> = { own: "own_layers", ...byService((service) => `${service}_layers`) };

/** Everything but the id and the owner: what a change keeps of a contact. */
export type Snapshot = Omit<Qso, "id" | "userId">;

const layerIn = (layer: Layer): string => {
  const apart = `(SELECT layer FROM ${LAYERS_OF[layer]} WHERE qso_id = qsos.id)`;
  return layer === "own" ? apart : `coalesce(qsos.${layer}, ${apart})`;
};

/** What an origin says of the contact in a row of `qsos`. */
export const layerColumn = (layer: Layer): Sql => raw(layerIn(layer));

export const QSO: Sql = raw(
  ["id", "userId", "own", ...OF_THE_ROW, ...FIELD_NAMES]
    .map((name) => {
      const layer = LAYERS.find((one) => one === name);
      if (layer) return `${layerIn(layer)} AS ${layer}`;
      const bit = CONFIRMED_BITS.get(name);
      return `${bit === undefined ? snakeCase(name) : `(confirmed_by & ${bit}) <> 0`} AS "${name}"`;
    })
    .join(", "),
);

export type QsoRow = Record<string, unknown> & {
  own: Uint8Array | null;
  first: Uint8Array | null;
  second: Uint8Array | null;
};

export const qsoOf = (row: QsoRow): Qso => {
  const qso = row as unknown as Qso;
  qso.own = unpackLayer<OwnLayer>(row.own);
  qso.first = unpackLayer<FirstLayer>(row.first);
  qso.second = unpackLayer<SecondLayer>(row.second);
  // Each by name: going through the entries makes reading a row a tenth slower.
  qso.firstConfirmed = Boolean(qso.firstConfirmed);
  qso.secondConfirmed = Boolean(qso.secondConfirmed);
  qso.cardConfirmed = Boolean(qso.cardConfirmed);
  if (qso.twoWay !== null) qso.twoWay = Boolean(qso.twoWay);
  return qso;
};

const valuesOf = (qso: Snapshot): Value[] => {
  const values: Value[] = [
    qso.createdAt,
    qso.updatedAt,
    qso.rulesVersion,
    // In tables of their own.
    null,
    null,
    recordedBy(qso),
    confirmedBy(qso),
  ];
  for (const name of WITH_COLUMN) {
    const value = qso[name];
    values.push(typeof value === "boolean" ? Number(value) : value);
  }
  return values;
};

/** A contact as it is written, in values that can be handed to another thread. */
export interface NewRow {
  values: readonly Value[];
  layers: Record<Layer, Uint8Array | null>;
}

export const newRow = (contact: Snapshot): NewRow => ({
  values: valuesOf(contact),
  layers: { own: packLayer(contact.own), ...byService((service) => packLayer(contact[service])) },
});

/** Adds contacts and gives their ids, in order. */
export const addMany = (userId: number, contacts: readonly Snapshot[]): Unit<number[]> =>
  addRows(userId, contacts.map(newRow));

export function* addRows(userId: number, rows: readonly NewRow[]): Unit<number[]> {
  const added = yield* insertMany<{ id: number }>(
    "qsos",
    ["user_id", ...COLUMNS],
    rows.map(({ values }) => [userId, ...values]),
    "RETURNING id",
  );
  const ids = added.map(({ id }) => id);
  yield* addLayers(rows.map(({ layers }, at) => ({ id: ids[at]!, layers })));
  return ids;
}

interface NewLayers {
  id: number;
  /** Of those origins that have changed what they say; null where one says nothing any more. */
  layers: Partial<Record<Layer, Uint8Array | null>>;
}

function* addLayers(given: readonly NewLayers[], tail = ""): Unit<void> {
  for (const layer of LAYERS) {
    const rows = given.flatMap(({ id, layers }) => (layers[layer] ? [[id, layers[layer]]] : []));
    yield* insertMany(LAYERS_OF[layer], ["qso_id", "layer"], rows, tail);
  }
}

/** Brings contacts back under the ids they had. */
export function* bringBack(userId: number, contacts: readonly (Snapshot & { id: number })[]): Unit<void> {
  const rows = contacts.map((contact) => ({ id: contact.id, ...newRow(contact) }));
  yield* insertMany(
    "qsos",
    ["id", "user_id", ...COLUMNS],
    rows.map(({ id, values }) => [id, userId, ...values]),
  );
  yield* addLayers(rows);
}

export interface Replacement {
  id: number;
  after: Snapshot;
  /** As the row is; null where nobody knows. */
  before: Snapshot | null;
}

/** What of a row becomes something else. */
export interface ReplacedRow extends ChangedRow, NewLayers {}

export const replacedRow = ({ id, after, before }: Replacement): ReplacedRow => {
  const { values, layers } = newRow(after);
  const told = LAYERS.filter((layer) => !before || packLayer(before[layer]) !== layers[layer]);
  return {
    id,
    values,
    changed: before ? changedBetween(valuesOf(before), values, told) : COLUMN_PLACES,
    layers: Object.fromEntries(told.map((layer) => [layer, layers[layer]])),
  };
};

const changedBetween = (before: readonly Value[], after: readonly Value[], told: readonly string[]): number[] =>
  COLUMN_PLACES.filter((place) => before[place] !== after[place] || told.includes(COLUMN_NAMES[place]!));

/** Writes what the rows of contacts have become. */
export const replaceMany = (replacements: readonly Replacement[]): Unit<void> =>
  replaceRows(replacements.map(replacedRow));

export function* replaceRows(rows: readonly ReplacedRow[]): Unit<void> {
  yield* updateMany("qsos", COLUMNS, rows);
  for (const layer of LAYERS) {
    const gone = rows.flatMap(({ id, layers }) => (layers[layer] === null ? id : []));
    if (gone.length > 0) yield* run`DELETE FROM ${raw(LAYERS_OF[layer])} WHERE qso_id ${inList(gone)}`;
  }
  yield* addLayers(rows, "ON CONFLICT (qso_id) DO UPDATE SET layer = excluded.layer");
}

export function* remove(ids: readonly number[]): Unit<number> {
  return yield* run`DELETE FROM qsos WHERE id ${inList(ids)}`;
}

export function* find(userId: number, id: number): Unit<Qso | null> {
  const row = yield* maybe<QsoRow>`SELECT ${QSO} FROM qsos WHERE id = ${id} AND user_id = ${userId}`;
  return row && qsoOf(row);
}

/** Contacts of everybody or of one user, from after an id. */
export function* listOfAll(afterId: number, limit: number, userId?: number): Unit<Qso[]> {
  const whose = userId === undefined ? EMPTY : sql`AND user_id = ${userId}`;
  const rows = yield* many<QsoRow>`SELECT ${QSO} FROM qsos WHERE id > ${afterId} ${whose} ORDER BY id LIMIT ${limit}`;
  return rows.map(qsoOf);
}

/** Contacts made under an own callsign, or all, in the order in which they came into the log, from after an id. */
export function* listAfter(userId: number, afterId: number, station: string | null, limit: number): Unit<Qso[]> {
  const made = station === null ? EMPTY : sql`AND station_callsign = ${station}`;
  const rows = yield* many<QsoRow>`
    SELECT ${QSO} FROM qsos WHERE user_id = ${userId} AND id > ${afterId} ${made} ORDER BY id LIMIT ${limit}`;
  return rows.map(qsoOf);
}

/** How many there are after one: in a large log that takes a while. */
export const countAfterWork = defineBackgroundWork(
  "qsos.countAfter",
  "read",
  function* (asked: { userId: number; afterId: number; station: string | null }): Unit<number> {
    const { userId, afterId, station } = asked;
    const made = station === null ? EMPTY : sql`AND station_callsign = ${station}`;
    const { n } = yield* one<{ n: number }>`
    SELECT CAST(count(*) AS BIGINT) AS n FROM qsos WHERE user_id = ${userId} AND id > ${afterId} ${made}`;
    return n;
  },
);

export function* listByIds(ids: readonly number[]): Unit<Qso[]> {
  return (yield* many<QsoRow>`SELECT ${QSO} FROM qsos WHERE id ${inList(ids)} ORDER BY id`).map(qsoOf);
}

const ROUGH = [
  ...(["id", "call", "startedAt", "endedAt", "band", "freqHz", "mode", "submode", "modeGroup"] as const),
  ...(["stationCallsign", "propMode", "satName"] as const),
] as const;

/** A contact without its layers. */
export type Rough = Pick<Qso, (typeof ROUGH)[number]>;

export type Place = Pick<Qso, "call" | "startedAt" | "id">;

/** Contacts by callsign and time, from after a place. */
export function* listRough(userId: number, after: Place | null, limit: number): Unit<Rough[]> {
  const rest = after ? sql`AND (call, started_at, id) > (${after.call}, ${after.startedAt}, ${after.id})` : EMPTY;
  return yield* many<Rough>`
    SELECT ${columns(...ROUGH.map(snakeCase))} FROM qsos WHERE user_id = ${userId} ${rest}
    ORDER BY call, started_at, id LIMIT ${limit}`;
}

/** The contacts within a range of ids that other rules derived. */
export function* listOutdated(rulesVersion: number, afterId: number, upToId: number): Unit<number[]> {
  const rows = yield* many<RowOf<"qsos", "id">>`
    SELECT id FROM qsos WHERE id > ${afterId} AND id <= ${upToId} AND rules_version <> ${rulesVersion} ORDER BY id`;
  return rows.map(({ id }) => id);
}

export function* countOutdated(rulesVersion: number): Unit<number> {
  return (yield* one<{ n: number }>`
    SELECT CAST(count(*) AS BIGINT) AS n FROM qsos WHERE rules_version <> ${rulesVersion}`).n;
}

export function* lastId(): Unit<number> {
  return (yield* one<{ last: number | null }>`SELECT max(id) AS last FROM qsos`).last ?? 0;
}

export function* isAny(userId: number): Unit<boolean> {
  return (yield* maybe`SELECT 1 AS one FROM qsos WHERE user_id = ${userId} LIMIT 1`) !== null;
}

export function* count(userId?: number): Unit<number> {
  const whose = userId === undefined ? EMPTY : sql`WHERE user_id = ${userId}`;
  return (yield* one<{ n: number }>`SELECT CAST(count(*) AS BIGINT) AS n FROM qsos ${whose}`).n;
}

/** A contact of this user; anybody else's does not exist. */
export function* get(userId: number, id: number): Unit<Qso> {
  const qso = yield* find(userId, id);
  if (!qso) throw new AppError("not_found", "There is no such QSO.");
  return qso;
}

export interface Candidates {
  ids: Record<Service, readonly string[]>;
  stretches: readonly Stretch[];
}

const ID = byService((service) => raw(`${service}_id`));

/** One callsign between two times, both included. */
export interface Stretch {
  call: string;
  from: number;
  to: number;
}

/** Every contact that a batch of records could mean: the same external id, or the same call around the time. */
export function* findCandidates(userId: number, { ids, stretches }: Candidates): Unit<Qso[]> {
  const found = new Map<number, Qso>();
  const keep = (rows: (QsoRow & { id: number })[]) => {
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, qsoOf(row));
  };
  for (const service of SERVICES.filter((service) => ids[service].length > 0)) {
    keep(yield* called(userId, service, ids[service]));
  }
  if (stretches.length > 0) keep(yield* around(userId, stretches));
  return [...found.values()].sort((a, b) => a.id - b.id);
}

/**
 * In PostgreSQL each name is looked up by itself. Of a list of names the planner thinks that nobody has one until a service
 * has been synced for the first time, and reads every name of the user for each batch of that sync.
 */
const called = (userId: number, service: Service, ids: readonly string[]): Unit<(QsoRow & { id: number })[]> => {
  const mine = sql`user_id = ${userId} AND ${ID[service]} IS NOT NULL AND ${ID[service]}`;
  return many`
    SELECT ${QSO} FROM ${byEngine({
      sqlite: sql`qsos WHERE ${mine} ${inList(ids)}`,
      postgres: sql`${tableOf({ wanted_id: ids })} AS wanted
        CROSS JOIN LATERAL (SELECT * FROM qsos WHERE ${mine} = wanted_id OFFSET 0) AS qsos`,
    })}`;
};

const around = (userId: number, stretches: readonly Stretch[]): Unit<(QsoRow & { id: number })[]> => {
  const mine = sql`user_id = ${userId} AND call = wanted_call AND started_at BETWEEN earliest AND latest`;
  return many`
    SELECT ${QSO} FROM ${tableOf({
      wanted_call: stretches.map(({ call }) => call),
      earliest: stretches.map(({ from }) => from),
      latest: stretches.map(({ to }) => to),
    })} AS wanted CROSS JOIN ${byEngine({
      sqlite: sql`qsos WHERE ${mine}`,
      // The OFFSET keeps the planner from turning it round.
      postgres: sql`LATERAL (SELECT * FROM qsos WHERE ${mine} OFFSET 0) AS qsos`,
    })}`;
};

export const snapshotOf = (qso: Qso): Snapshot => {
  const { id: _, userId: __, ...snapshot } = qso;
  return snapshot;
};

export const SNAPSHOT_COLUMNS = ["createdAt", "updatedAt", "rulesVersion", ...FIELD_NAMES] as const;

/** A snapshot with its layers as they are packed: most who read one look at its columns only. */
export interface State extends Record<"own" | "first" | "second", Uint8Array | null> {
  columns: Record<string, unknown>;
}

export const stateOf = (snapshot: Snapshot): State => ({
  own: packLayer(snapshot.own),
  first: packLayer(snapshot.first),
  second: packLayer(snapshot.second),
  columns: snapshot as unknown as State["columns"],
});

export const snapshotOfState = ({ own, first, second, columns }: State): Snapshot => {
  const layers = {
    own: unpackLayer<OwnLayer>(own),
    first: unpackLayer<FirstLayer>(first),
    second: unpackLayer<SecondLayer>(second),
  };
  const { createdAt, updatedAt, rulesVersion } = columns;
  return Object.assign(layers, inOrder(columns), { createdAt, updatedAt, rulesVersion }) as unknown as Snapshot;
};

const inOrder = (columns: State["columns"]): State["columns"] => {
  const known: State["columns"] = {};
  for (const name of FIELD_NAMES) known[name] = columns[name] ?? null;
  return known;
};

/** A contact as it is, and whose it is. */
export interface StoredContact {
  userId: number;
  state: State;
}

/** The contacts as they are, each by its id. */
export function* listStored(ids: readonly number[]): Unit<Map<number, StoredContact>> {
  const rows = yield* many<QsoRow & { id: number }>`SELECT ${QSO} FROM qsos WHERE id ${inList(ids)}`;
  return new Map(
    rows.map(({ own, first, second, ...row }) => {
      const { id, userId, ...columns } = row as Record<string, unknown> & { id: number; userId: number };
      for (const name of TRUTHS) if (columns[name] !== null) columns[name] = Boolean(columns[name]);
      return [id, { userId, state: { own, first, second, columns } }];
    }),
  );
}

const TRUTHS = ["firstConfirmed", "secondConfirmed", "cardConfirmed", "twoWay"] as const;

/** A snapshot as it is kept: what is null goes without saying. */
export const packSnapshot = (snapshot: Snapshot): Uint8Array => packState(stateOf(snapshot));

export const packState = ({ own, first, second, columns }: State): Uint8Array =>
  bundle([own, first, second, packColumns(columns as Record<(typeof SNAPSHOT_COLUMNS)[number], unknown>)]);

const packColumns = packerOf(SNAPSHOT_COLUMNS);

export const unpackSnapshot = (bytes: Uint8Array): Snapshot => snapshotOfState(unpackState(bytes));

export const unpackState = (bytes: Uint8Array): State => {
  // The columns come last, behind as many layers as there were when the snapshot was made.
  const pieces = unbundle(bytes);
  const [own = null, first = null, second = null] = pieces.slice(0, -1);
  return { own, first, second, columns: columnsIn(pieces.at(-1)!) };
};

/** A snapshot without its layers, which are long and not always asked for. */
export type Columns = Omit<Snapshot, "own" | "first" | "second">;

export const snapshotColumns = (bytes: Uint8Array): Columns => columnsOf(unpackState(bytes));

export const columnsOf = ({ columns }: State): Columns => columns as unknown as Columns;

const columnsIn = (piece: Uint8Array): State["columns"] => Object.assign(inOrder({}), unpack<object>(piece));

export const layersOf = ({ own, first, second }: Layers): Layers => ({ own, first, second });
