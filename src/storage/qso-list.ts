import { asksOnlyWhatIsAlike, startOf, takesWholeYears, type AlikeContacts } from "../domain/alike.ts";
import { BAND_NAMES } from "../domain/band.ts";
import { FIELDS, fieldsThat, type FieldFilters } from "../domain/fields.ts";
import { effectiveMode } from "../domain/mode.ts";
import { defineBackgroundWork } from "./database.ts";
import { otherList, readCursor, writeCursor } from "./page-cursor.ts";
import type { ConfirmationWord, QsoFilter, QsoListing, QsoSort, SortKey } from "../domain/qso-filter.ts";
import { CONFIRMED_COLUMN, ID_COLUMN, type Qso } from "../domain/qso.ts";
import type { Service } from "../domain/source.ts";
import { IN_STRETCHES, partOrder, partsOf, stretchesOf, takeParts, type Part, type PartKey } from "./qso-parts.ts";
import { escapeLike, findHolding, holds } from "./qso-texts.ts";
import * as tallies from "./tallies.ts";
import { BY_ANYBODY, listByIds as qsosOf, QSO, qsoOf, type QsoRow } from "./qsos.ts";
import {
  byEngine,
  EMPTY,
  engineAtHand,
  inList,
  join,
  many,
  maybe,
  one,
  raw,
  snakeCase,
  sql,
  where,
  type Sql,
  type Unit,
} from "./unit.ts";
import * as users from "./users.ts";

export interface QsoPage {
  qsos: Qso[];
  nextCursor: string | null;
  /** The page before this one ends before it. */
  previousCursor: string | null;
}

/** One page of a user's contacts, from after its cursor or up to before it. */
export function* list(userId: number, listing: QsoListing, holding?: readonly number[]): Unit<QsoPage> {
  const conditions = [...conditionsOf(userId, listing.filter, holding), placeIn(listing)];
  const rows = yield* many<QsoRow>`
    SELECT ${QSO} FROM qsos ${where(conditions)} ORDER BY ${orderOf(listing)} LIMIT ${listing.limit + 1}`;
  return pageOf(listing, rows.map(qsoOf));
}

/** The page that the first rows make, in the order in which they were looked for. */
const pageOf = ({ filter, sort, limit, cursor, before }: QsoListing, found: readonly Qso[]): QsoPage => {
  const walked = found.slice(0, limit);
  const qsos = before === undefined ? walked : walked.toReversed();
  const hasMore = found.length > limit;
  const placeOf = (qso: Qso | undefined, isThere: boolean) => (qso && isThere ? cursorOf(sort, filter, qso) : null);
  return {
    qsos,
    nextCursor: placeOf(qsos.at(-1), hasMore || before !== undefined),
    previousCursor: placeOf(qsos[0], before === undefined ? cursor !== undefined : hasMore),
  };
};

export interface Asked {
  userId: number;
  listing: QsoListing;
}

/** A page and how many there are on all pages together. */
export function* pageWithTotal({ userId, listing }: Asked): Unit<QsoPage & { total: number }> {
  return { ...(yield* list(userId, listing)), total: yield* count(userId, listing.filter) };
}

/** How many fit, in the log as it was at a version. */
export interface VersionedTotal {
  version: number;
  total: number;
}

interface AskedAgain extends Asked {
  /** What was counted before; null where nothing was. */
  known: VersionedTotal | null;
}

/** Where at least one of so many contacts fits, a page of them is met soon on the way back through the log. */
const ROWS_FOR_ONE = 100;
/** The same where there is no other way but through all of them. */
const LOOKED_INTO_FOR_ONE = 500;

function* isMetSoon(userId: number, { sort }: QsoListing, total: number, rows = ROWS_FOR_ONE): Unit<boolean> {
  return sort.key === "startedAt" && (yield* isDense(userId, total, rows));
}

function* isDense(userId: number, contacts: number, rows = ROWS_FOR_ONE): Unit<boolean> {
  return contacts * rows >= (yield* count(userId, {}));
}

/**
 * The same of a large log, for which one index knows all that is asked about: contacts are only read for the page. Null
 * where there is no such index, unless it is known that the page is met soon. It is named, because the planner rather takes one that leads to fewer rows and then
 * reads each of them.
 */
export function* pageByIndex({ userId, listing, known }: AskedAgain): Unit<(QsoPage & VersionedTotal) | null> {
  const { filter } = listing;
  const index = indexFor(listing);
  const version = yield* users.logVersion(userId);
  const isCounted = known?.version === version;
  if (index === null) return isCounted ? yield* pageOnTheWay(userId, listing, known) : null;
  const total = isCounted ? known.total : yield* countBy(index, userId, filter);
  const walks = !isByTime(index) && (yield* isMetSoon(userId, listing, total));
  const page = walks
    ? null
    : ((yield* pageByParts(userId, listing, index)) ?? (yield* pageByEntities(userId, listing)));
  return { ...(page ?? (yield* listByIds(userId, listing, walks ? "qsos_newest" : index))), total, version };
}

/** Of what no index knows, once it is counted: found soon on the way back through the log, or not there at all. */
function* pageOnTheWay(
  userId: number,
  listing: QsoListing,
  known: VersionedTotal,
): Unit<(QsoPage & VersionedTotal) | null> {
  if (known.total === 0) return { ...pageOf(listing, []), ...known };
  const isMet = yield* isMetSoon(userId, listing, known.total, LOOKED_INTO_FOR_ONE);
  return isMet ? { ...(yield* listByIds(userId, listing, "qsos_newest")), ...known } : null;
}

export const pageByIndexWork = defineBackgroundWork("qsos.pageByIndex", "read", pageByIndex);

/** Counts in an index, or only the days of it that begin or end within a year, where whole years are known. */
function* countBy(index: string, userId: number, filter: QsoFilter): Unit<number> {
  const names = Object.keys(filter);
  const isKnown = names.length > 0 && asksOnlyWhatIsAlike(filter) && (index === ROLLUP || takesWholeYears(filter));
  const alike = isKnown ? yield* tallies.alike(userId, filter) : null;
  if (alike === null) return yield* count(userId, filter, { index });
  const { from = -Infinity, to = Infinity } = filter;
  let total = 0;
  const years = new Set<number>();
  for (const { year, contacts } of alike) {
    if (startOf(year) >= from && startOf(year + 1) <= to) total += contacts;
    else years.add(year);
  }
  for (const year of years) {
    const days = { from: Math.max(from, startOf(year)), to: Math.min(to, startOf(year + 1)) };
    total += yield* count(userId, { ...filter, ...days }, { index: "qsos_newest" });
  }
  return total;
}

function* listByIds(userId: number, listing: QsoListing, index: string): Unit<QsoPage> {
  return yield* pageOfIds(listing, yield* idsBy(index, userId, listing, listing.limit + 1));
}

function* idsBy(
  index: string,
  userId: number,
  listing: QsoListing,
  limit: number,
  more: Sql | null = null,
): Unit<{ id: number }[]> {
  const conditions = [...conditionsOf(userId, listing.filter), more, placeIn(listing)];
  return yield* many<{ id: number }>`
    SELECT id FROM qsos ${by(index)} ${where(conditions)} ORDER BY ${orderOf(listing)} LIMIT ${limit}`;
}

function* pageOfIds(listing: QsoListing, rows: readonly { id: number }[]): Unit<QsoPage> {
  const found = new Map((yield* qsosOf(rows.map(({ id }) => id))).map((qso) => [qso.id, qso]));
  return pageOf(
    listing,
    rows.map(({ id }) => found.get(id)!),
  );
}

/** A list in parts; null where the index would not find them, or it is not known which there are. */
function* partsFor(userId: number, listing: QsoListing, index: string): Unit<Part[] | null> {
  const { filter, sort, cursor, before = cursor } = listing;
  const keyOf = PART_KEYS[sort.key];
  if (index !== ROLLUP || !keyOf || (yield* engineAtHand()) !== "sqlite") return null;
  const alike = yield* tallies.alike(userId, filter);
  if (alike === null) return null;
  const place = before === undefined ? null : placeOf(sort, filter, before);
  const from = place && { key: keyOf === BY_YEAR ? null : place.key, year: new Date(place.at).getUTCFullYear() };
  return partsOf(listing, alike, keyOf, from);
}

const BY_YEAR = (): PartKey => null;

/** Of a list that is found in parts, what it is sorted by before the year. */
const PART_KEYS: Partial<Record<SortKey, (contacts: AlikeContacts) => PartKey>> = {
  startedAt: BY_YEAR,
  band: ({ band }) => positionOf(band),
  mode: ({ mode, submode }) => submode ?? mode,
};

/** Reads as many parts as it takes. */
function* pageByParts(userId: number, listing: QsoListing, index: string): Unit<QsoPage | null> {
  const parts = yield* partsFor(userId, listing, index);
  if (parts === null) return null;
  const wanted = listing.limit + 1;
  const conditions = [...conditionsOf(userId, listing.filter), IN_STRETCHES, placeIn(listing)];
  const rows: { id: number }[] = [];
  while (rows.length < wanted && parts.length > 0) {
    const stretches = stretchesOf(takeParts(parts, wanted - rows.length));
    const found = yield* many<{ id: number }>`
      SELECT id FROM ${stretches} CROSS JOIN qsos ${by(ROLLUP)} ${where(conditions)}
      ORDER BY ${orderOf(listing)} LIMIT ${wanted - rows.length}`;
    rows.push(...found);
  }
  return yield* pageOfIds(listing, rows);
}

/** One entity after the other, by an index of each; of one that is met soon, by time. */
function* pageByEntities(userId: number, listing: QsoListing): Unit<QsoPage | null> {
  const { filter, sort, cursor, before = cursor } = listing;
  if (sort.key !== "dxcc") return null;
  const known = yield* tallies.entities(userId);
  if (known === null) return null;
  const order = partOrder(listing);
  const from = before === undefined ? null : { key: placeOf(sort, filter, before).key, year: 0 };
  const parts = known
    .filter(({ dxcc }) => !filter.dxcc || filter.dxcc.includes(dxcc))
    .map(({ dxcc, contacts }) => ({ key: dxcc, year: 0, contacts }))
    .filter((part) => from === null || order(part, from) >= 0)
    .sort(order);
  const wanted = listing.limit + 1;
  const rows: { id: number }[] = [];
  for (const { key, contacts } of parts) {
    if (rows.length === wanted) break;
    const index = (yield* isDense(userId, contacts)) ? "qsos_newest" : "qsos_entity";
    const ofOne = key === null ? sql`dxcc IS NULL` : sql`dxcc = ${key}`;
    rows.push(...(yield* idsBy(index, userId, listing, wanted - rows.length, ofOne)));
  }
  return yield* pageOfIds(listing, rows);
}

const ROLLUP = "qsos_rollup";

interface Knowing {
  index: string;
  sorts: readonly SortKey[];
  filters: readonly (keyof QsoFilter)[];
}

const DAYS = ["from", "to"] as const;

/** What each index knows of a contact, narrowest first. */
const KNOWING: readonly Knowing[] = [
  { index: "qsos_newest", sorts: ["startedAt"], filters: DAYS },
  { index: "qsos_band", sorts: ["startedAt"], filters: ["band", ...DAYS] },
  { index: "qsos_station", sorts: ["startedAt"], filters: ["station", ...DAYS] },
  { index: "qsos_call", sorts: ["startedAt", "call"], filters: ["call", "station", ...DAYS] },
  {
    index: ROLLUP,
    sorts: ["startedAt", "band", "mode"],
    filters: ["band", "mode", "group", "confirmation", "station", ...DAYS],
  },
  {
    index: "qsos_entity",
    sorts: ["startedAt", "dxcc", "band"],
    filters: ["dxcc", "band", "group", "confirmation", "station", ...DAYS],
  },
];

const indexFor = ({ filter, sort }: QsoListing): string | null => {
  const names = Object.keys(filter) as (keyof QsoFilter)[];
  const knowing = KNOWING.find(
    ({ sorts, filters }) => sorts.includes(sort.key) && names.every((name) => filters.includes(name)),
  );
  return knowing?.index ?? null;
};

/** Behind one value, such an index is in the order of time. */
const isByTime = (index: string): boolean => ["qsos_newest", "qsos_band", "qsos_station"].includes(index);

/** PostgreSQL has no such words, and needs none: it counts what its planner knows of the values. */
const by = (index: string): Sql => byEngine({ sqlite: raw(`INDEXED BY ${index}`), postgres: EMPTY });

/** The same for a search whose text an index leads to; null where none does. */
export function* pageByText({ userId, listing, known }: AskedAgain): Unit<(QsoPage & VersionedTotal) | null> {
  const { filter } = listing;
  if (filter.q === undefined) return null;
  const version = yield* users.logVersion(userId);
  const counted = known?.version === version ? known.total : null;
  const isMet = counted !== null && (yield* isMetSoon(userId, listing, counted));
  const holding = isMet ? null : yield* findHolding(userId, filter.q);
  if (!isMet && holding === null) return null;
  const total = counted ?? (yield* count(userId, filter, { holding: holding! }));
  const walks = isMet || (yield* isMetSoon(userId, listing, total));
  const page = yield* walks ? listByIds(userId, listing, "qsos_newest") : list(userId, listing, holding!);
  return { ...page, total, version };
}

export const pageByTextWork = defineBackgroundWork("qsos.pageByText", "read", pageByText);

/** Contacts of a log made within a stretch of time: from the first moment up to the second, which is not meant. */
interface Stretch extends Asked {
  from: number;
  to: number;
  /** How many rows are wanted at most. */
  wanted: number;
}

/** Moments that part a log into stretches of so many contacts, newest first. */
export function* bordersOf({ userId, rows }: { userId: number; rows: number }): Unit<number[]> {
  const borders: number[] = [];
  for (let before = LATER_THAN_ANY; ;) {
    const row = yield* maybe<{ at: number }>`
      SELECT started_at AS at FROM qsos WHERE user_id = ${userId} AND started_at < ${before}
      ORDER BY started_at DESC LIMIT 1 OFFSET ${rows}`;
    if (!row) return borders;
    borders.push(row.at);
    before = row.at;
  }
}

export const LATER_THAN_ANY = Number.MAX_SAFE_INTEGER;

/** Of one stretch: the first rows in the order of the list, from after the cursor, and how many there are at all. */
export function* stretch({ userId, listing, from, to, wanted }: Stretch): Unit<{ qsos: Qso[]; total: number }> {
  const within = [...conditionsOf(userId, listing.filter), sql`started_at >= ${from}`, sql`started_at < ${to}`];
  const { n } = yield* one<{ n: number }>`SELECT CAST(count(*) AS BIGINT) AS n FROM qsos ${where(within)}`;
  if (n === 0 || wanted === 0) return { qsos: [], total: n };
  const conditions = [...within, placeIn(listing)];
  const rows = yield* many<QsoRow>`
    SELECT ${QSO} FROM qsos ${where(conditions)} ORDER BY ${orderOf(listing)} LIMIT ${wanted}`;
  return { qsos: rows.map(qsoOf), total: n };
}

/** Refuses a cursor of another list, before anything is looked for. */
export const assertCursor = ({ sort, filter, cursor, before }: QsoListing): void => {
  const place = cursor ?? before;
  if (place !== undefined) placeOf(sort, filter, place);
};

export const bordersWork = defineBackgroundWork("qsos.borders", "read", bordersOf);
export const stretchWork = defineBackgroundWork("qsos.stretch", "read", stretch);

/** The page that several stretches make together. */
export const pageOfStretches = (listing: QsoListing, found: readonly Qso[]): QsoPage => {
  const order = comparing(listing.sort);
  return pageOf(listing, found.toSorted(listing.before === undefined ? order : (a, b) => order(b, a)));
};

/** As the database puts them in order. */
const comparing = ({ key, descending }: QsoSort) => {
  const { of, isShared } = KEYS[key];
  const direction = descending ? -1 : 1;
  const order = (a: string | number, b: string | number) => (a < b ? -direction : a > b ? direction : 0);
  return (a: Qso, b: Qso): number => {
    const [one, other] = [of(a), of(b)];
    if (one !== other && (one === null || other === null)) return one === null ? 1 : -1;
    const byKey = one === null || other === null ? 0 : order(one, other);
    return byKey || (isShared ? order(a.startedAt, b.startedAt) : 0) || order(a.id, b.id);
  };
};

/** How to get at contacts: those that are known to hold a text, or by an index. */
interface Way {
  holding?: readonly number[];
  index?: string;
}

/** How many there are on all pages together. */
export function* count(userId: number, filter: QsoFilter, { holding, index }: Way = {}): Unit<number> {
  const names = Object.keys(filter);
  const kept = names.length === 0 ? yield* tallies.total(userId) : null;
  if (kept !== null) return kept;
  if (holding && names.length === 1) return holding.length;
  const { n } = yield* one<{ n: number }>`
    SELECT CAST(count(*) AS BIGINT) AS n FROM qsos ${index ? by(index) : EMPTY} ${where(conditionsOf(userId, filter, holding))}`;
  return n;
}

/** The contacts that fit, as a condition; of them perhaps only those of which certain jobs brought what a service says. */
export const chosenBy = (userId: number, filter: QsoFilter, broughtBy?: readonly number[]): Sql =>
  where([...conditionsOf(userId, filter), broughtBy ? lastOf(broughtBy) : null]);

/** What one of the jobs changed last, of all jobs of the same source that stand. */
const lastOf = (jobIds: readonly number[]): Sql => sql`id IN (
  SELECT c.qso_id FROM qso_changes c JOIN sync_jobs j ON j.id = c.job_id
  WHERE c.job_id ${inList(jobIds)} AND NOT EXISTS (
    SELECT 1 FROM qso_changes later JOIN sync_jobs other ON other.id = later.job_id
    WHERE later.qso_id = c.qso_id AND later.id > c.id AND other.source = j.source AND other.status <> 'cancelled'
      AND NOT (later.job_id ${inList(jobIds)})))`;

export function* listIds(userId: number, filter: QsoFilter, broughtBy?: readonly number[]): Unit<number[]> {
  const rows = yield* many<{ id: number }>`SELECT id FROM qsos ${chosenBy(userId, filter, broughtBy)} ORDER BY id`;
  return rows.map(({ id }) => id);
}

const SURVEYED = ["band", "mode", "modeGroup", "stationCallsign", "operator", "ownGrid", "txPower"] as const;

/** On what, from where and by whom contacts were made. */
export type Surveyed = Pick<Qso, (typeof SURVEYED)[number]>;

/** What there is of it among the contacts that fit, each once. */
export function* survey(userId: number, filter: QsoFilter): Unit<Surveyed[]> {
  const columns = raw(SURVEYED.map((name) => `${snakeCase(name)} AS "${name}"`).join(", "));
  return yield* many<Surveyed>`SELECT DISTINCT ${columns} FROM qsos ${chosenBy(userId, filter)}`;
}

export const listWork = defineBackgroundWork("qsos.list", "read", ({ userId, listing }: Asked) =>
  list(userId, listing),
);
export const surveyWork = defineBackgroundWork(
  "qsos.survey",
  "read",
  ({ userId, filter }: { userId: number; filter: QsoFilter }) => survey(userId, filter),
);

/** Where it is known which contacts hold the text that is looked for, they are all that is looked at. */
const conditionsOf = (userId: number, filter: QsoFilter, holding?: readonly number[]): (Sql | null)[] => {
  const { from, to, confirmation, at, notAt, q, id } = filter;
  return [
    holding ? sql`+user_id = ${userId} AND id ${inList(holding)}` : sql`user_id = ${userId}`,
    ...FILTERED.map((condition) => condition(filter)),
    from === undefined ? null : sql`started_at >= ${from}`,
    to === undefined ? null : sql`started_at < ${to}`,
    confirmation ? anyOf(confirmation.map((word) => CONFIRMATION[word])) : null,
    at ? anyOf(at.map(isAt)) : null,
    notAt ? sql`NOT ${anyOf(notAt.map(isAt))}` : null,
    q === undefined || holding ? null : holds(q),
    id ? sql`id ${inList(id)}` : null,
  ];
};

const anyOf = (conditions: readonly Sql[]): Sql => sql`(${join(conditions, " OR ")})`;

const callConditions = (calls: readonly string[]): Sql[] => {
  const exact = calls.filter((call) => !call.includes("*"));
  const patterns = calls.filter((call) => call.includes("*")).map(wildcard);
  return exact.length > 0 ? [sql`call ${inList(exact)}`, ...patterns] : patterns;
};

/** The letters before the first star make a range, which an index answers. */
const wildcard = (pattern: string): Sql => {
  const start = pattern.slice(0, pattern.indexOf("*"));
  const like = sql`call LIKE ${escapeLike(pattern).replaceAll("*", "%")} ESCAPE '\\'`;
  return start === "" ? like : sql`(call >= ${start} AND call < ${start + LAST_LETTER} AND ${like})`;
};

const LAST_LETTER = "\u{10FFFF}";

/** Any of the values, among which null may be. */
const anyValue = (column: Sql, values: readonly (string | number | null)[]): Sql => {
  const known = values.filter((value) => value !== null) as readonly string[] | readonly number[];
  if (known.length === values.length) return sql`${column} ${inList(known)}`;
  return known.length === 0 ? sql`${column} IS NULL` : sql`(${column} ${inList(known)} OR ${column} IS NULL)`;
};

/** A square of four characters holds those of six. */
const ownGridCondition = (squares: readonly (string | null)[]): Sql => {
  const large = squares.filter((square) => square?.length === 4) as string[];
  const within = sql`(length(own_grid) > 4 AND substr(own_grid, 1, 4) ${inList(large)})`;
  return anyOf([anyValue(raw("own_grid"), squares), ...(large.length > 0 ? [within] : [])]);
};

/** Fields of which a value means more than itself. */
const OWN_CONDITIONS: { [Name in keyof FieldFilters]?: (values: NonNullable<FieldFilters[Name]>) => Sql } = {
  call: (calls) => anyOf(callConditions(calls)),
  mode: (modes) => sql`(mode ${inList(modes)} OR submode ${inList(modes)})`,
  ownGrid: ownGridCondition,
};

const FILTERED = fieldsThat("filter").map((field) => {
  const { name } = FIELDS[field].filter;
  const column = raw(snakeCase(field));
  const conditionOf = (OWN_CONDITIONS[name] ?? ((values: readonly string[]) => anyValue(column, values))) as (
    values: readonly unknown[],
  ) => Sql;
  return (filter: FieldFilters): Sql | null => {
    const values = filter[name];
    return values ? conditionOf(values) : null;
  };
});

const CONFIRMATION: Record<ConfirmationWord, Sql> = {
  none: sql`NOT ${BY_ANYBODY}`,
  firstOnly: sql`(first_confirmed = 1 AND second_confirmed = 0)`,
  secondOnly: sql`(first_confirmed = 0 AND second_confirmed = 1)`,
  both: sql`(first_confirmed = 1 AND second_confirmed = 1)`,
  first: sql`first_confirmed = 1`,
  second: sql`second_confirmed = 1`,
  card: sql`card_confirmed = 1`,
  cardOnly: sql`(card_confirmed = 1 AND first_confirmed = 0 AND second_confirmed = 0)`,
  any: BY_ANYBODY,
};

/** What `isAt` says of a contact. */
const isAt = (service: Service): Sql => {
  const [said, id, confirmed] = [service, ID_COLUMN[service], CONFIRMED_COLUMN[service]].map(snakeCase).map(raw);
  return sql`(${said!} IS NOT NULL OR ${id!} IS NOT NULL OR ${confirmed!} = 1)`;
};

/** What a list is sorted by. What is unknown comes last, whichever way. */
interface Key {
  sql: Sql;
  holds: "string" | "number";
  isNullable: boolean;
  /** Many contacts share it, and are sorted by time. */
  isShared: boolean;
  of: (qso: Qso) => string | number | null;
}

const BAND_POSITION = raw(`CASE band ${BAND_NAMES.map((name, at) => `WHEN '${name}' THEN ${at}`).join(" ")} END`);

const positionOf = (band: string | null): number | null => (band === null ? null : BAND_NAMES.indexOf(band));

const KEYS: Record<SortKey, Key> = {
  startedAt: {
    sql: raw("started_at"),
    holds: "number",
    isNullable: false,
    isShared: false,
    of: (qso) => qso.startedAt,
  },
  updatedAt: {
    sql: raw("updated_at"),
    holds: "number",
    isNullable: false,
    isShared: false,
    of: (qso) => qso.updatedAt,
  },
  call: { sql: raw("call"), holds: "string", isNullable: false, isShared: true, of: (qso) => qso.call },
  dxcc: { sql: raw("dxcc"), holds: "number", isNullable: true, isShared: true, of: (qso) => qso.dxcc },
  band: {
    sql: BAND_POSITION,
    holds: "number",
    isNullable: true,
    isShared: true,
    of: ({ band }) => positionOf(band),
  },
  mode: {
    sql: raw("coalesce(submode, mode)"),
    holds: "string",
    isNullable: true,
    isShared: true,
    of: ({ mode, submode, modeGroup }) =>
      mode === null ? submode : effectiveMode({ mode, submode, group: modeGroup ?? "digital" }),
  },
};

/** Up to a place one goes backwards. */
const orderOf = ({ sort: { key, descending }, before }: QsoListing): Sql => {
  const { sql: column, isNullable, isShared } = KEYS[key];
  const isBack = before !== undefined;
  const direction = raw(descending === isBack ? "ASC" : "DESC");
  const nulls = raw(!isNullable ? "" : isBack ? "NULLS FIRST" : "NULLS LAST");
  const time = isShared ? sql`started_at ${direction},` : EMPTY;
  return sql`${column} ${direction} ${nulls}, ${time} id ${direction}`;
};

/** A place in one list means nothing in another. */
const questionOf = (sort: QsoSort, filter: QsoFilter) => [sort.key, sort.descending, Object.entries(filter).sort()];

const cursorOf = (sort: QsoSort, filter: QsoFilter, last: Qso): string =>
  writeCursor(questionOf(sort, filter), [KEYS[sort.key].of(last), last.startedAt, last.id]);

interface Place {
  key: string | number | null;
  at: number;
  id: number;
}

const placeOf = (sort: QsoSort, filter: QsoFilter, cursor: string): Place => {
  const [key, at, id] = readCursor(questionOf(sort, filter), cursor, 3);
  if (isKey(key, KEYS[sort.key]) && isInteger(at) && isInteger(id)) return { key, at, id };
  throw otherList();
};

const isKey = (value: unknown, { holds, isNullable }: Key): value is string | number | null => {
  if (value === null) return isNullable;
  return holds === "number" ? isInteger(value) : typeof value === "string";
};

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

/** The contacts that come after the cursor's or before it, wherever others are added meanwhile. */
const placeIn = ({ sort, filter, cursor, before }: QsoListing): Sql | null => {
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
  return isNullable && !isBack ? sql`(${further} OR ${column} IS NULL)` : further;
};
