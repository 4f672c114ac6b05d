import { BAND_NAMES } from "../domain/band.ts";
import { hintFor, textsToSearch } from "../domain/column-filter.ts";
import { ColumnPage, type Place } from "../domain/column-page.ts";
import { FIELDS, fieldsThat, type FieldFilters } from "../domain/fields.ts";
import { DAY, HOUR, HOURS_A_DAY } from "../domain/clock.ts";
import { ONLY_SO } from "../domain/field-texts.ts";
import { effectiveMode } from "../domain/mode.ts";
import { defineBackgroundWork } from "./database.ts";
import * as logYears from "./log-years.ts";
import { otherList, readCursor, writeCursor } from "./page-cursor.ts";
import type { ConfirmationWord, QsoFilter, QsoListing, QsoSort, SortKey } from "../domain/qso-filter.ts";
import type { Qso } from "../domain/qso.ts";
import { compareKeys, LAST_LETTER } from "../domain/text-order.ts";
import { foldCase, SEARCHED } from "../domain/year-contacts.ts";
import * as tallies from "./tallies.ts";
import { BY_ANYBODY, isAtService, listByIds as qsosOf, QSO, qsoOf, type QsoRow } from "./qsos.ts";
import {
  byEngine,
  EMPTY,
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
export function* list(userId: number, listing: QsoListing): Unit<QsoPage> {
  const conditions = [...conditionsOf(userId, listing.filter), placeIn(listing)];
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

/** A page of a large log. */
interface LargePage extends QsoPage, VersionedTotal {
  /** Whether the columns of the log should be read anew before they are behind. */
  isWorn: boolean;
}

interface AskedAgain extends Asked {
  /** What was counted before; null where nothing was. */
  known: VersionedTotal | null;
}

/** Where at least one of so many contacts fits, a page of them is met soon on the way back through the log. */
const ROWS_FOR_ONE = 100;

function* isMetSoon(userId: number, { sort }: QsoListing, total: number): Unit<boolean> {
  return sort.key === "startedAt" && total * ROWS_FOR_ONE >= (yield* count(userId, {}));
}

/**
 * The same of a large log: contacts are only read for the page. What an index has in the order of the list is read
 * there; everything else is found by the columns of the log, or, where they are behind, counted in an index that knows all
 * that is asked about. Null where there is none.
 */
export function* pageByIndex({ userId, listing, known }: AskedAgain): Unit<LargePage | null> {
  const { filter, sort } = listing;
  const version = yield* users.logVersion(userId);
  const among = filter.id ?? (filter.call && (yield* idsWithCalls(userId, filter.call)));
  if (among) {
    const total = yield* count(userId, filter, { among });
    return { ...(yield* listByIds(userId, listing, { among })), total, version, isWorn: false };
  }
  const byIndex = Object.keys(filter).length === 0 && (sort.key === "startedAt" || sort.key === "call");
  const found = byIndex ? null : yield* pageByColumns(userId, listing);
  if (found) return { ...found, version };
  const index = indexFor(listing);
  if (index === null) return null;
  const total = known?.version === version ? known.total : yield* count(userId, filter, { index });
  const walks = !isByTime(index) && (yield* isMetSoon(userId, listing, total));
  const page = yield* listByIds(userId, listing, { index: walks ? "qsos_newest" : index });
  return { ...page, total, version, isWorn: !byIndex };
}

/** So many contacts are gone through at a time, fewer of those whose texts are; on PostgreSQL others have their turn between. */
const CONTACTS_A_STEP = 200_000;
const TEXTS_A_STEP = 50_000;
/** So few are put in order by themselves. */
const FEW = 2_000;
/** So few are searched by themselves, which takes as long as the texts of a hundred times as many. */
const FEW_TO_SEARCH = 5_000;

/** Null where the columns are behind. */
export function* pageByColumns(
  userId: number,
  listing: QsoListing,
  { few = FEW, fewToSearch = FEW_TO_SEARCH } = {},
): Unit<Omit<LargePage, "version"> | null> {
  const years = yield* logYears.find(userId);
  if (years === null) return null;
  const { filter, sort, cursor, before = cursor } = listing;
  const page = new ColumnPage(listing, before === undefined ? null : placeOf(sort, filter, before));
  for (const segment of page.yearsOf(years.beside)) page.sift(segment);
  for (const some of inSteps(page.yearsOf(years.kept), CONTACTS_A_STEP))
    for (const segment of yield* logYears.segments(userId, some, page.columns, page.yearsInPart)) page.sift(segment);
  if (filter.q !== undefined) {
    const isFew = page.total <= fewToSearch && hintFor(filter.q) !== "letters";
    if (isFew) return yield* searchAmong(userId, listing, page, years);
    yield* searchTexts(userId, page, filter.q);
  }
  const counted = { total: page.total, isWorn: years.isWorn };
  if (page.total <= few && sort.key !== "startedAt") {
    yield* logYears.addColumns(userId, page.segments, ["id"]);
    return { ...(yield* listByIds(userId, listing, { among: page.fitting })), ...counted };
  }
  const isDense = page.total * ROWS_FOR_ONE_MET >= years.contacts;
  const walked = sort.key === "call" && isDense ? yield* pageAmongCalls(userId, listing) : null;
  if (walked) return { ...walked, ...counted };
  for (const some of inSteps(page.segments, CONTACTS_A_STEP)) {
    yield* logYears.addColumns(userId, some, page.columnsOfOrder);
    for (const segment of some) page.take(segment);
  }
  const among = sort.key === "call" ? yield* idsWithCalls(userId, page.calls) : null;
  if (among) return { ...(yield* listByIds(userId, listing, { among })), ...counted };
  yield* logYears.addColumns(userId, page.left);
  const rows = page.ids.map((id) => ({ id }));
  return { ...(yield* pageOfIds(listing, rows)), ...counted };
}

/** Only columns of texts that may hold what is looked for are read. */
function* searchTexts(userId: number, page: ColumnPage, text: string): Unit<void> {
  yield* logYears.addColumns(userId, page.segments, [hintFor(text)]);
  const alike = Map.groupBy(page.segments, ({ columns }) => textsToSearch(columns, text).join());
  for (const segments of alike.values()) {
    const names = textsToSearch(segments[0]!.columns, text);
    const most = (TEXTS_A_STEP * SEARCHED.length) / Math.max(names.length, 1);
    for (const some of inSteps(segments, most)) {
      yield* logYears.addColumns(userId, some, names);
      page.search(some);
    }
  }
}

/** Where everything else leaves few, those are read, and not the texts of the log. */
function* searchAmong(
  userId: number,
  listing: QsoListing,
  page: ColumnPage,
  { isWorn }: logYears.LogYears,
): Unit<Omit<LargePage, "version">> {
  yield* logYears.addColumns(userId, page.segments, ["id"]);
  const among = page.fitting;
  const total = yield* count(userId, listing.filter, { among });
  return { ...(yield* listByIds(userId, listing, { among })), total, isWorn };
}

/** So many contacts are looked into before the columns are asked, where one of so many fits. */
const LOOKED_INTO = 1_500;
const ROWS_FOR_ONE_MET = 15;

/** A page that is met soon on the way through the calls, or is all there is up to their end; null where it is not. */
function* pageAmongCalls(userId: number, listing: QsoListing): Unit<QsoPage | null> {
  const way = where([sql`user_id = ${userId}`, placeIn(listing)]);
  const met = yield* many<{ id: number }>`
    SELECT id FROM qsos ${by("qsos_call")} ${way} ORDER BY ${orderOf(listing)} LIMIT ${LOOKED_INTO}`;
  const page = yield* listByIds(userId, listing, { among: met.map(({ id }) => id) });
  const further = listing.before === undefined ? page.nextCursor : page.previousCursor;
  return further === null && met.length === LOOKED_INTO ? null : page;
}

/** The contacts with these calls, where they are few and an index leads to each of them; else null. */
function* idsWithCalls(userId: number, calls: readonly string[]): Unit<number[] | null> {
  if (calls.some((call) => call.startsWith("*"))) return null;
  const ids = new Set<number>();
  for (const condition of callConditions(calls)) {
    const rows = yield* many<{ id: number }>`
      SELECT id FROM qsos ${by("qsos_call")} WHERE user_id = ${userId} AND ${condition} LIMIT ${FEW + 1}`;
    for (const { id } of rows) ids.add(id);
    if (ids.size > FEW) return null;
  }
  return [...ids];
}

const inSteps = <Of extends { contacts: number }>(years: readonly Of[], most: number): Of[][] => {
  const steps: Of[][] = [];
  let room = 0;
  for (const year of years) {
    if (room <= 0) {
      steps.push([]);
      room = most;
    }
    steps.at(-1)!.push(year);
    room -= year.contacts;
  }
  return steps;
};

export const pageByIndexWork = defineBackgroundWork("qsos.pageByIndex", "read", pageByIndex);

/** Whole contacts are read only for the page, and not to put many in order. */
function* listByIds(userId: number, listing: QsoListing, { among, index }: Way): Unit<QsoPage> {
  const conditions = [...conditionsOf(userId, listing.filter, among), placeIn(listing)];
  const rows = yield* many<{ id: number }>`
    SELECT id FROM qsos ${index ? by(index) : EMPTY} ${where(conditions)}
    ORDER BY ${orderOf(listing)} LIMIT ${listing.limit + 1}`;
  return yield* pageOfIds(listing, rows);
}

function* pageOfIds(listing: QsoListing, rows: readonly { id: number }[]): Unit<QsoPage> {
  const found = new Map((yield* qsosOf(rows.map(({ id }) => id))).map((qso) => [qso.id, qso]));
  return pageOf(
    listing,
    rows.map(({ id }) => found.get(id)!),
  );
}

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
    index: "qsos_rollup",
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

/** Contacts of a log made within a stretch of time: from the first moment up to the second, which is not meant. */
interface Stretch extends Asked {
  from: number;
  to: number;
  /** How many rows are wanted at most. */
  wanted: number;
}

/** Moments that part a log into stretches of so many contacts, newest first. */
function* bordersOf({ userId, rows }: { userId: number; rows: number }): Unit<number[]> {
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
  const order = (a: string | number, b: string | number) => direction * compareKeys(a, b);
  return (a: Qso, b: Qso): number => {
    const [one, other] = [of(a), of(b)];
    if (one !== other && (one === null || other === null)) return one === null ? 1 : -1;
    const byKey = one === null || other === null ? 0 : order(one, other);
    return byKey || (isShared ? order(a.startedAt, b.startedAt) : 0) || order(a.id, b.id);
  };
};

/** How to get at contacts: they are among some that are known, or found by an index. */
interface Way {
  among?: readonly number[];
  index?: string;
}

/** How many there are on all pages together. */
export function* count(userId: number, filter: QsoFilter, { among, index }: Way = {}): Unit<number> {
  const kept = Object.keys(filter).length === 0 ? yield* tallies.total(userId) : null;
  if (kept !== null) return kept;
  const { n } = yield* one<{ n: number }>`
    SELECT CAST(count(*) AS BIGINT) AS n FROM qsos ${index ? by(index) : EMPTY} ${where(conditionsOf(userId, filter, among))}`;
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

/** The next contacts that fit, behind one. */
export function* nextIds(
  { userId, filter, broughtBy }: { userId: number; filter: QsoFilter; broughtBy?: readonly number[] },
  after: number,
  most: number,
): Unit<number[]> {
  const rows = yield* many<{ id: number }>`
    SELECT id FROM (SELECT id FROM qsos ${chosenBy(userId, filter, broughtBy)}) AS chosen
    WHERE id > ${after} ORDER BY id LIMIT ${most}`;
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

/** Where it is known which contacts there can be, they are all that is looked at. */
const conditionsOf = (userId: number, filter: QsoFilter, among?: readonly number[]): (Sql | null)[] => {
  const { from, to, hour, confirmation, at, notAt, q, id } = filter;
  return [
    among ? sql`+user_id = ${userId} AND id ${inList(among)}` : sql`user_id = ${userId}`,
    ...FILTERED.map((condition) => condition(filter)),
    from === undefined ? null : sql`started_at >= ${from}`,
    to === undefined ? null : sql`started_at < ${to}`,
    hour ? sql`${BEGUN_IN} ${inList(hour)}` : null,
    confirmation ? anyOf(confirmation.map((word) => CONFIRMATION[word])) : null,
    at ? anyOf(at.map(isAtService)) : null,
    notAt ? sql`NOT ${anyOf(notAt.map(isAtService))}` : null,
    q === undefined ? null : holds(q),
    id ? sql`id ${inList(id)}` : null,
  ];
};

const anyOf = (conditions: readonly Sql[]): Sql => sql`(${join(conditions, " OR ")})`;

/** That some column a search looks into holds a text, whatever the case of its letters. */
const holds = (text: string): Sql => {
  const pattern = `%${escapeLike(foldCase(text))}%`;
  return anyOf(SEARCHED.map((name) => sql`lower(${raw(name)}) LIKE ${pattern} ESCAPE '\\'`));
};

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

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

const modeCondition = (modes: readonly string[]): Sql => {
  const [only, others] = [true, false].map((isOnly) => modes.filter((mode) => mode.startsWith(ONLY_SO) === isOnly));
  const alone = only!.map((mode) => mode.slice(ONLY_SO.length));
  return anyOf([
    ...(others!.length > 0 ? [sql`mode ${inList(others!)} OR submode ${inList(others!)}`] : []),
    ...(alone.length > 0 ? [sql`coalesce(submode, mode) ${inList(alone)}`] : []),
  ]);
};

/** Counted from long before anything began: what is left of a moment before 1970 would be less than nothing. */
const BEGUN_IN = raw(`(started_at + ${100_000 * DAY}) / ${HOUR} % ${HOURS_A_DAY}`);

/** Fields of which a value means more than itself. */
const OWN_CONDITIONS: { [Name in keyof FieldFilters]?: (values: NonNullable<FieldFilters[Name]>) => Sql } = {
  call: (calls) => anyOf(callConditions(calls)),
  mode: modeCondition,
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
