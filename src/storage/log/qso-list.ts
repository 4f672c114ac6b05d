import { BAND_NAMES } from "../../domain/radio/band.ts";
import { FIELDS, listFieldsWith, type FieldFilters } from "../../domain/contact/fields.ts";
import { DAY, HOUR, HOURS_A_DAY } from "../../kernel/clock.ts";
import { ONLY_SO } from "../../domain/contact/field-texts.ts";
import { defineWork } from "../engine/database.ts";
import { otherList, readCursor, writeCursor } from "../engine/page-cursor.ts";
import type { ConfirmationWord, QsoFilter, QsoListing, QsoSort, SortKey } from "../../domain/contact/qso-filter.ts";
import { ONLY, type Qso } from "../../domain/contact/qso.ts";
import { SERVICES, byService, type Service } from "../../domain/jobs/source.ts";
import { BY_ANYBODY, isAtService, isConfirmedBy, isConfirmedByServices, BY_SEVERAL_SERVICES } from "./origin-masks.ts";
import { measureContacts, takeFitting } from "./page-bytes.ts";
import { listByIds as qsosOf } from "./qsos.ts";
import {
  byEngine,
  countRows,
  EMPTY,
  escapeLike,
  inList,
  join,
  many,
  manyValues,
  raw,
  snakeCase,
  sql,
  where,
  type Sql,
  type Unit,
} from "../engine/unit.ts";
import * as users from "../people/users.ts";

export interface QsoPage {
  qsos: Qso[];
  nextCursor: string | null;
  /** The end of the previous page. */
  previousCursor: string | null;
}

/** One page of a user's contacts, after its cursor or before it. */
export const list = (userId: number, listing: QsoListing): Unit<QsoPage> =>
  listWhere(buildConditions(userId, listing.filter), listing);

/** The same for contacts that are known to match. */
const listAmong = (ids: readonly number[], listing: QsoListing): Unit<QsoPage> =>
  listWhere([sql`id ${inList(ids)}`], listing);

/** Sorts ids only and reads complete contacts just for the page. */
function* listWhere(conditions: readonly (Sql | null)[], listing: QsoListing): Unit<QsoPage> {
  const { filter, sort, cursor, before, limit } = listing;
  const rows = yield* many<Place>`
    SELECT ${KEYS[sort.key].sql} AS "key", started_at AS at, id FROM qsos
    ${where([...conditions, buildPlaceCondition(listing)])} ORDER BY ${orderOf(listing)} LIMIT ${limit + 1}`;
  const sizes = yield* measureContacts(rows.map(({ id }) => id));
  const walked = takeFitting(rows.slice(0, limit), ({ id }) => sizes.get(id));
  const hasMore = rows.length > walked.length;
  const places = before === undefined ? walked : walked.toReversed();
  const found = new Map((yield* qsosOf(places.map(({ id }) => id))).map((qso) => [qso.id, qso]));
  const cursorAt = (place: Place | undefined, isThere: boolean) =>
    place && isThere ? writeCursor(getQuestion(sort, filter), [place.key, place.at, place.id]) : null;
  return {
    qsos: places.map(({ id }) => found.get(id)!),
    nextCursor: cursorAt(places.at(-1), hasMore || before !== undefined),
    previousCursor: cursorAt(places[0], before === undefined ? cursor !== undefined : hasMore),
  };
}

/** The number of contacts that match a filter in one version of the log. */
export interface VersionedTotal {
  version: number;
  total: number;
}

interface PageQuestion {
  userId: number;
  listing: QsoListing;
  /** The previous count, or null. */
  known: VersionedTotal | null;
}

/** A page of contacts and the total number, for every filter, order and log size. */
export function* page({ userId, listing, known }: PageQuestion): Unit<QsoPage & VersionedTotal> {
  const version = yield* users.logVersion(userId);
  const { filter } = listing;
  const counted = known?.version === version ? known.total : null;
  const mayBeFew = Object.keys(filter).length > 0 && (counted === null || counted <= FEW);
  const ids = mayBeFew ? yield* findFewIds(userId, filter) : null;
  if (ids) return { ...(yield* listAmong(ids, listing)), total: ids.length, version };
  return { ...(yield* list(userId, listing)), total: counted ?? (yield* count(userId, filter)), version };
}

export const pageWork = defineWork("qsos.page", "read", page);

/** Sorting this many contacts is faster than scanning the log a second time. */
const FEW = 1_000;

/** The matching contacts if there are few. Then one scan finds both the page and the total. */
function* findFewIds(userId: number, filter: QsoFilter): Unit<number[] | null> {
  const ids = yield* manyValues<number>`SELECT id FROM qsos ${buildWhere(userId, filter)} LIMIT ${FEW + 1}`;
  return ids.length > FEW ? null : ids;
}

/** Rejects a cursor of another list before the query runs. */
export const assertCursor = ({ sort, filter, cursor, before }: QsoListing): void => {
  const place = cursor ?? before;
  if (place !== undefined) placeOf(sort, filter, place);
};

/** The number of matching contacts. */
export const count = (userId: number, filter: QsoFilter): Unit<number> => countRows`qsos ${buildWhere(userId, filter)}`;

/** The condition for matching contacts, optionally only those whose record of a service was brought by certain jobs. */
export const buildWhere = (userId: number, filter: QsoFilter, broughtBy?: readonly number[]): Sql =>
  where([...buildConditions(userId, filter), broughtBy ? buildLastBy(broughtBy) : null]);

/** Contacts whose last change by this source, among jobs that were not rolled back, is by one of the jobs. */
const buildLastBy = (jobIds: readonly number[]): Sql => sql`id IN (
  SELECT c.qso_id FROM qso_changes c JOIN sync_jobs j ON j.id = c.job_id
  WHERE c.job_id ${inList(jobIds)} AND NOT EXISTS (
    SELECT 1 FROM qso_changes later JOIN sync_jobs other ON other.id = later.job_id
    WHERE later.qso_id = c.qso_id AND later.id > c.id AND other.source = j.source AND other.status <> 'cancelled'
      AND NOT (later.job_id ${inList(jobIds)})))`;

/** The next matching contacts after an id. */
export const nextIds = (
  { userId, filter, broughtBy }: { userId: number; filter: QsoFilter; broughtBy?: readonly number[] },
  after: number,
  most: number,
): Unit<number[]> =>
  manyValues`
    SELECT id FROM (SELECT id FROM qsos ${buildWhere(userId, filter, broughtBy)}) AS chosen
    WHERE id > ${after} ORDER BY id LIMIT ${most}`;

const SURVEYED = ["band", "mode", "modeGroup", "stationCallsign", "operator", "ownGrid", "txPower"] as const;

/** The band, place and operator columns that a survey lists. */
export type Surveyed = Pick<Qso, (typeof SURVEYED)[number]>;

/** The distinct values of these columns among the matching contacts. */
export function* survey(userId: number, filter: QsoFilter): Unit<Surveyed[]> {
  const columns = raw(SURVEYED.map((name) => `${snakeCase(name)} AS "${name}"`).join(", "));
  return yield* many<Surveyed>`SELECT DISTINCT ${columns} FROM qsos ${buildWhere(userId, filter)}`;
}

export const listWork = defineWork(
  "qsos.list",
  "read",
  ({ userId, listing }: { userId: number; listing: QsoListing }) => list(userId, listing),
);
export const surveyWork = defineWork(
  "qsos.survey",
  "read",
  ({ userId, filter }: { userId: number; filter: QsoFilter }) => survey(userId, filter),
);

const buildConditions = (userId: number, filter: QsoFilter): (Sql | null)[] => {
  const { from, to, hour, confirmation, at, notAt, q, id } = filter;
  return [
    sql`user_id = ${userId}`,
    ...FILTERED.map((condition) => condition(filter)),
    from === undefined ? null : sql`started_at >= ${from}`,
    to === undefined ? null : sql`started_at < ${to}`,
    hour ? sql`${BEGUN_IN} ${inList(hour)}` : null,
    confirmation ? joinWithOr(confirmation.map((word) => CONFIRMATION[word])) : null,
    at ? joinWithOr(at.map(isAtService)) : null,
    notAt ? sql`NOT ${joinWithOr(notAt.map(isAtService))}` : null,
    q === undefined ? null : holds(q),
    id ? sql`id ${inList(id)}` : null,
  ];
};

const joinWithOr = (conditions: readonly Sql[]): Sql => sql`(${join(conditions, " OR ")})`;

/** The columns that a text search reads. */
const SEARCHED = ["call", "name", "qth", "comment", "gridsquare"] as const;

/** Both ignore case for ASCII letters only; PostgreSQL does so because the columns have the collation "C". */
const LIKE: Sql = byEngine({ sqlite: raw("LIKE"), postgres: raw("ILIKE") });

const holds = (text: string): Sql => joinWithOr(SEARCHED.map((name) => buildLike(name, `%${escapeLike(text)}%`)));

const buildLike = (name: string, pattern: string): Sql => sql`${raw(name)} ${LIKE} ${pattern} ESCAPE '\\'`;

const containing =
  (name: string) =>
  (texts: readonly string[]): Sql =>
    joinWithOr(texts.map((text) => buildLike(name, `%${escapeLike(text)}%`)));

const buildCallConditions = (calls: readonly string[]): Sql[] => {
  const exact = calls.filter((call) => !call.includes("*"));
  const patterns = calls.filter((call) => call.includes("*")).map(buildWildcard);
  return exact.length > 0 ? [sql`call ${inList(exact)}`, ...patterns] : patterns;
};

/** Sorts after every text that begins with the preceding text. */
const MAX_CHARACTER = "\u{10FFFF}";

/** The text before the first star becomes a range, which can use an index. */
const buildWildcard = (pattern: string): Sql => {
  const start = pattern.slice(0, pattern.indexOf("*"));
  const like = sql`call LIKE ${escapeLike(pattern).replaceAll("*", "%")} ESCAPE '\\'`;
  return start === "" ? like : sql`(call >= ${start} AND call < ${start + MAX_CHARACTER} AND ${like})`;
};

/** Any of the values, which can include null. */
const buildAnyValue = (column: Sql, values: readonly (string | number | null)[]): Sql => {
  const known = values.filter((value) => value !== null) as readonly string[] | readonly number[];
  if (known.length === values.length) return sql`${column} ${inList(known)}`;
  return known.length === 0 ? sql`${column} IS NULL` : sql`(${column} ${inList(known)} OR ${column} IS NULL)`;
};

/** A four-character square contains its six-character squares. */
const buildOwnGridCondition = (squares: readonly (string | null)[]): Sql => {
  const large = squares.filter((square) => square?.length === 4) as string[];
  const within = sql`(length(own_grid) > 4 AND substr(own_grid, 1, 4) ${inList(large)})`;
  return joinWithOr([buildAnyValue(raw("own_grid"), squares), ...(large.length > 0 ? [within] : [])]);
};

const buildModeCondition = (modes: readonly string[]): Sql => {
  const [only, others] = [true, false].map((isOnly) => modes.filter((mode) => mode.startsWith(ONLY_SO) === isOnly));
  const alone = only!.map((mode) => mode.slice(ONLY_SO.length));
  return joinWithOr([
    ...(others!.length > 0 ? [sql`mode ${inList(others!)} OR submode ${inList(others!)}`] : []),
    ...(alone.length > 0 ? [sql`coalesce(submode, mode) ${inList(alone)}`] : []),
  ]);
};

/** Adds days so that the remainder is never negative for times before 1970. */
const BEGUN_IN = raw(`(started_at + ${100_000 * DAY}) / ${HOUR} % ${HOURS_A_DAY}`);

/** Fields for which a value matches more than itself. */
const OWN_CONDITIONS: { [Name in keyof FieldFilters]?: (values: NonNullable<FieldFilters[Name]>) => Sql } = {
  call: (calls) => joinWithOr(buildCallConditions(calls)),
  mode: buildModeCondition,
  ownGrid: buildOwnGridCondition,
  name: containing("name"),
  qth: containing("qth"),
  comment: containing("comment"),
  grid: (squares) => joinWithOr(squares.map((square) => buildLike("gridsquare", `${escapeLike(square)}%`))),
};

const FILTERED = listFieldsWith("filter").map((field) => {
  const { name } = FIELDS[field].filter;
  const column = raw(snakeCase(field));
  const conditionOf = (OWN_CONDITIONS[name] ?? ((values: readonly string[]) => buildAnyValue(column, values))) as (
    values: readonly unknown[],
  ) => Sql;
  return (filter: FieldFilters): Sql | null => {
    const values = filter[name];
    return values ? conditionOf(values) : null;
  };
});

const CONFIRMATION: Record<ConfirmationWord, Sql> = {
  none: sql`NOT ${BY_ANYBODY}`,
  ...(Object.fromEntries(SERVICES.map((service) => [ONLY[service], isConfirmedByServices([service])])) as Record<
    `${Service}Only`,
    Sql
  >),
  ...byService(isConfirmedBy),
  both: BY_SEVERAL_SERVICES,
  card: isConfirmedBy("card"),
  cardOnly: sql`(${isConfirmedBy("card")} AND ${isConfirmedByServices([])})`,
  any: BY_ANYBODY,
};

/** A sort key. Unknown values come last in both directions. */
interface Key {
  sql: Sql;
  holds: "string" | "number";
  isNullable: boolean;
  /** Many contacts have the same value; they are then sorted by time. */
  isShared: boolean;
}

const BAND_POSITION = raw(`CASE band ${BAND_NAMES.map((name, at) => `WHEN '${name}' THEN ${at}`).join(" ")} END`);

const KEYS: Record<SortKey, Key> = {
  startedAt: { sql: raw("started_at"), holds: "number", isNullable: false, isShared: false },
  updatedAt: { sql: raw("updated_at"), holds: "number", isNullable: false, isShared: false },
  call: { sql: raw("call"), holds: "string", isNullable: false, isShared: true },
  dxcc: { sql: raw("dxcc"), holds: "number", isNullable: true, isShared: true },
  band: { sql: BAND_POSITION, holds: "number", isNullable: true, isShared: true },
  mode: { sql: raw("coalesce(submode, mode)"), holds: "string", isNullable: true, isShared: true },
};

/** A page before a cursor is read backwards. */
const orderOf = ({ sort: { key, descending }, before }: QsoListing): Sql => {
  const { sql: column, isNullable, isShared } = KEYS[key];
  const isBack = before !== undefined;
  const direction = raw(descending === isBack ? "ASC" : "DESC");
  const nulls = raw(!isNullable ? "" : isBack ? "NULLS FIRST" : "NULLS LAST");
  const time = isShared ? sql`started_at ${direction},` : EMPTY;
  return sql`${column} ${direction} ${nulls}, ${time} id ${direction}`;
};

/** The position in a list: sort key, time and id. */
interface Place {
  key: string | number | null;
  at: number;
  id: number;
}

/** A cursor is valid only for the same list. */
const getQuestion = (sort: QsoSort, filter: QsoFilter) => [sort.key, sort.descending, Object.entries(filter).sort()];

const placeOf = (sort: QsoSort, filter: QsoFilter, cursor: string): Place => {
  const [key, at, id] = readCursor(getQuestion(sort, filter), cursor, 3);
  if (isKey(key, KEYS[sort.key]) && isInteger(at) && isInteger(id)) return { key, at, id };
  throw otherList();
};

const isKey = (value: unknown, { holds, isNullable }: Key): value is string | number | null => {
  if (value === null) return isNullable;
  return holds === "number" ? isInteger(value) : typeof value === "string";
};

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

/** The contacts after or before the cursor, even if others are added in between. */
const buildPlaceCondition = ({ sort, filter, cursor, before }: QsoListing): Sql | null => {
  const isBack = before !== undefined;
  const place = before ?? cursor;
  if (place === undefined) return null;
  const { key, at, id } = placeOf(sort, filter, place);
  const { sql: column, isNullable, isShared } = KEYS[sort.key];
  const beyond = raw(sort.descending === isBack ? ">" : "<");
  const [rest, from] = isShared ? [sql`started_at, id`, sql`${at}, ${id}`] : [sql`id`, sql`${id}`];
  if (key === null) {
    const alike = sql`(${column} IS NULL AND (${rest}) ${beyond} (${from}))`;
    return isBack ? sql`(${column} IS NOT NULL OR ${alike})` : alike;
  }
  const further = sql`(${column}, ${rest}) ${beyond} (${key}, ${from})`;
  // With OR, each half would use its own index and everything that follows would be sorted. Written like this, SQLite
  // walks one index until the page is full.
  return isNullable && !isBack ? sql`(${further} OR coalesce(${column}, NULL) IS NULL)` : further;
};
