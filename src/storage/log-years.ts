import { segmentOf, type Segment } from "../domain/column-page.ts";
import {
  COLUMN_FORMAT,
  COLUMN_NAMES,
  packColumn,
  rowFrom,
  unpackColumn,
  YearPacker,
  type ColumnName,
  type KeptContact,
  type PackedColumns,
  type YearColumns,
} from "../domain/year-contacts.ts";
import { isAtService } from "./qsos.ts";
import * as tallies from "./tallies.ts";
import {
  columns,
  EMPTY,
  forUser,
  inList,
  insertMany,
  made,
  many,
  run,
  sql,
  where,
  type Sql,
  type Unit,
} from "./unit.ts";

/**
 * The years of a log by columns. They are valid as long as the tallies are; of a year that has changed since, they are
 * what the contacts were, with a note of those that are so no longer.
 */

/** A contact, and when it was made as the columns of its year have it; null where they do not have it. */
type Changed = readonly (readonly [id: number, at: number | null])[];

export interface KeptYear {
  year: number;
  contacts: number;
  changed: Changed;
}

/** A year, read and packed. */
export interface FreshYear {
  year: number;
  contacts: number;
  columns: PackedColumns;
}

/** To read more changed contacts takes longer than to wait for. A year that has more is packed anew. */
const MOST_CHANGED = 250;
/** From so many on, a year is packed anew when there is time. */
const WORTH_PACKING = 100;
/** So many contacts may be read beside the columns. */
const MOST_UNPACKED = 2_000;

const beginOf = (year: number): number => Date.UTC(year, 0, 1);

interface Year {
  year: number;
  contacts: number;
  /** Null where it is not packed. */
  kept: KeptYear | null;
}

/** The years of a log; null where nothing is valid. */
function* yearsOf(userId: number): Unit<Year[] | null> {
  if ((yield* tallies.keptVersion(userId)) === null) return null;
  const rows = yield* many<{ year: number; contacts: number; changed: string | null }>`
    SELECT year, contacts, changed FROM log_years WHERE user_id = ${userId} AND format = ${COLUMN_FORMAT}`;
  const kept = new Map(
    rows.map(({ changed, ...of }) => [of.year, { ...of, changed: JSON.parse(changed ?? "[]") as Changed }]),
  );
  return (yield* tallies.years(userId)).map((of) => ({ ...of, kept: kept.get(of.year) ?? null }));
}

/** What lists and figures go through: what is packed, and what is read beside it because it is not. */
export interface LogYears {
  contacts: number;
  kept: KeptYear[];
  /** Contacts that have changed, and those of years that nobody has packed. */
  beside: Segment[];
  /** Whether some of it should be packed anew. */
  isWorn: boolean;
}

const isDue = ({ kept }: Year): boolean => kept === null || kept.changed.length >= WORTH_PACKING;

/** Null where too much would have to be read beside; then somebody should read ahead. */
export function* find(userId: number): Unit<LogYears | null> {
  const years = yield* yearsOf(userId);
  const unpacked = (years ?? []).reduce((sum, { contacts, kept }) => sum + (kept === null ? contacts : 0), 0);
  return years === null || unpacked > MOST_UNPACKED ? null : yield* read(userId, years);
}

/** However much has to be read beside. */
export function* findWhole(userId: number): Unit<LogYears> {
  return yield* read(userId, (yield* yearsOf(userId)) ?? (yield* countedYears(userId)));
}

function* countedYears(userId: number): Unit<Year[]> {
  const years = yield* many<{ year: number; contacts: number }>`
    SELECT year, CAST(count(*) AS BIGINT) AS contacts FROM qsos WHERE user_id = ${userId} GROUP BY year`;
  return years.map((of) => ({ ...of, kept: null }));
}

function* read(userId: number, years: readonly Year[]): Unit<LogYears> {
  const kept = years.flatMap((one) => one.kept ?? []);
  const isWorn = years.some(isDue);
  const contacts = years.reduce((sum, year) => sum + year.contacts, 0);
  const beside: Segment[] = [];
  for (const { year, kept } of years)
    if (kept === null) beside.push(segmentOf(year, yield* contactsOf(ofYear(userId, year))));
  const changed = new Map(kept.map((one) => [one.year, new Set(one.changed.map(([id]) => id))]));
  const ids = [...new Set([...changed.values()].flatMap((of) => [...of]))];
  if (ids.length === 0) return { contacts, kept, beside, isWorn };
  const found = yield* contactsOf([sql`id ${inList(ids)}`, sql`+user_id = ${userId}`]);
  for (const [year, some] of Map.groupBy(found, ({ startedAt }) => new Date(startedAt).getUTCFullYear())) {
    // One that came from another year may have been packed with this one.
    const meant = some.filter(({ id }) => changed.get(year)?.has(id));
    if (meant.length > 0) beside.push(segmentOf(year, meant));
  }
  return { contacts, kept, beside, isWorn };
}

const TIMES = ["id", "startedAt"] as const satisfies ColumnName[];

/** Columns of years that are kept; of years that have changed, or that are wanted in part, with the times. */
export function* segments(
  userId: number,
  years: readonly KeptYear[],
  names: readonly ColumnName[],
  inPart: ReadonlySet<number> = new Set(),
): Unit<Segment[]> {
  const timed = years.filter(({ year, changed }) => changed.length > 0 || inPart.has(year));
  const found = yield* columnsOf(userId, years, names);
  const times = yield* columnsOf(
    userId,
    timed,
    TIMES.filter((name) => !names.includes(name)),
  );
  return years.map(({ year, contacts, changed }) => {
    const columns: Partial<YearColumns> = { ...found.get(year), ...times.get(year) };
    return { year, contacts, columns, gone: goneRows(changed, columns) };
  });
}

/** Brings columns to segments that are without them yet. */
export function* addColumns(
  userId: number,
  some: readonly Segment[],
  names: readonly ColumnName[] = TIMES,
): Unit<void> {
  const without = some.filter(({ columns }) => names.some((name) => !columns[name]));
  const missing = names.filter((name) => without.some(({ columns }) => !columns[name]));
  const found = yield* columnsOf(userId, without, missing);
  for (const { year, columns } of without) Object.assign(columns, found.get(year));
}

const goneRows = (changed: Changed, columns: Partial<YearColumns>): number[] =>
  changed.flatMap(([id, at]) => (at === null ? [] : [rowFrom(columns as YearColumns, at, id)]));

/** Columns by the years they are of. */
function* columnsOf(
  userId: number,
  years: readonly { year: number }[],
  names: readonly ColumnName[],
): Unit<Map<number, Partial<YearColumns>>> {
  const found = new Map<number, Partial<YearColumns>>();
  if (years.length === 0 || names.length === 0) return found;
  const rows = yield* many<{ year: number; name: ColumnName; packed: Uint8Array }>`
    SELECT year, name, packed FROM log_columns
    WHERE user_id = ${userId} AND year ${inList(years.map(({ year }) => year))} AND name ${inList(names)}`;
  for (const { year, name, packed } of rows) {
    const columns = found.get(year) ?? {};
    Object.assign(columns, { [name]: unpackColumn(name, packed) });
    found.set(year, columns);
  }
  return found;
}

const READ = [
  "id",
  "started_at",
  "updated_at",
  "call",
  "band",
  "mode",
  "submode",
  "mode_group",
  "station_callsign",
  "dxcc",
  "state",
  "contest_id",
  "gridsquare",
  "name",
  "qth",
  "comment",
  "own_entity",
  "own_grid",
  "award_entity",
  "award_state",
  "award_zone",
  "award_grids",
] as const;

const bit = (condition: Sql): Sql => sql`CASE WHEN ${condition} THEN 1 ELSE 0 END`;

const contactsOf = (conditions: readonly Sql[], limit = EMPTY): Unit<KeptContact[]> =>
  many`
    SELECT ${columns(...READ)}, first_confirmed AS first, second_confirmed AS second, card_confirmed AS card,
           first_confirmed_at AS "firstAt", second_confirmed_at AS "secondAt",
           ${bit(isAtService("first"))} AS "atFirst", ${bit(isAtService("second"))} AS "atSecond"
    FROM qsos ${where(conditions)} ORDER BY started_at, id ${limit}`;

const ofYear = (userId: number, year: number): Sql[] => [
  sql`user_id = ${userId}`,
  sql`started_at >= ${beginOf(year)}`,
  sql`started_at < ${beginOf(year + 1)}`,
];

/** So many contacts are read together at least, where there are so many. */
const TOGETHER = 20_000;

/** Reads the next years that are not packed as they are, and the version that they are of; null where there are none. */
export function* readNext(userId: number): Unit<{ version: number; fresh: FreshYear[] } | null> {
  const version = yield* tallies.keptVersion(userId);
  const years = (yield* yearsOf(userId)) ?? [];
  const due = years.filter(isDue);
  if (version === null || due.length === 0) return null;
  const fresh: FreshYear[] = [];
  for (let room = TOGETHER; room > 0 && due.length > 0;) {
    const { year } = due.pop()!;
    const { contacts, columns } = yield* packYear(userId, year);
    fresh.push({ year, contacts, columns });
    room -= contacts;
  }
  return { version, fresh };
}

const ROWS_AT_ONCE = 2_000;

function* packYear(userId: number, year: number): Unit<{ contacts: number; columns: PackedColumns }> {
  const packer = new YearPacker();
  for (let behind: Sql[] = []; ;) {
    const contacts = yield* contactsOf([...ofYear(userId, year), ...behind], sql`LIMIT ${ROWS_AT_ONCE}`);
    packer.add(contacts);
    const last = contacts.at(-1);
    if (last === undefined || contacts.length < ROWS_AT_ONCE)
      return { contacts: packer.contacts, columns: yield* columnsFrom(packer) };
    behind = [sql`(started_at, id) > (${last.startedAt}, ${last.id})`];
  }
}

function* columnsFrom(packer: YearPacker): Unit<PackedColumns> {
  const columns: Partial<PackedColumns> = {};
  for (const [name, packed] of packer.packed()) {
    columns[name] = packed;
    yield* made(packer.contacts);
  }
  return columns as PackedColumns;
}

/** Keeps what was read, unless the log has changed since; whether it does. */
export function* keep(userId: number, version: number, fresh: readonly FreshYear[]): Unit<boolean> {
  yield* forUser(userId);
  if ((yield* tallies.keptVersion(userId)) !== version) return false;
  const years = fresh.map(({ year, contacts }) => [userId, year, contacts, null, COLUMN_FORMAT]);
  const packed = fresh.flatMap(({ year, columns }) =>
    Object.entries(columns).map(([name, bytes]) => [userId, year, name, bytes]),
  );
  yield* drop(
    userId,
    fresh.map(({ year }) => year),
  );
  yield* insertMany("log_years", ["user_id", "year", "contacts", "changed", "format"], years);
  yield* insertMany("log_columns", ["user_id", "year", "name", "packed"], packed);
  return true;
}

function* drop(userId: number, years: readonly number[]): Unit<void> {
  yield* run`DELETE FROM log_columns WHERE user_id = ${userId} AND year ${inList(years)}`;
  yield* run`DELETE FROM log_years WHERE user_id = ${userId} AND year ${inList(years)}`;
}

/** A contact as it was and as it is, of which each is null where there is none. */
export interface TimedChange {
  id: number;
  before: { startedAt: number } | null;
  after: { startedAt: number } | null;
}

/** Notes in the years of contacts that they are not what they were. */
export function* note(userId: number, changes: readonly TimedChange[]): Unit<void> {
  const noted = new Map<number, Map<number, number | null>>();
  const take = (year: number, id: number, at: number | null) => {
    const ofYear = noted.get(year) ?? new Map<number, number | null>();
    if (ofYear.get(id) === undefined || at !== null) ofYear.set(id, at);
    noted.set(year, ofYear);
  };
  for (const { id, before, after } of changes) {
    if (after) take(new Date(after.startedAt).getUTCFullYear(), id, null);
    if (before) take(new Date(before.startedAt).getUTCFullYear(), id, before.startedAt);
  }
  const rows = yield* many<{ year: number; changed: string | null }>`
    SELECT year, changed FROM log_years WHERE user_id = ${userId} AND year ${inList([...noted.keys()])}`;
  const full: number[] = [];
  for (const { year, changed } of rows) {
    const known = new Map(changed === null ? [] : (JSON.parse(changed) as Changed));
    for (const [id, at] of noted.get(year)!) if (!known.has(id)) known.set(id, at);
    if (known.size > MOST_CHANGED) full.push(year);
    else
      yield* run`
        UPDATE log_years SET changed = ${JSON.stringify([...known])} WHERE user_id = ${userId} AND year = ${year}`;
  }
  if (full.length > 0) yield* drop(userId, full);
}

/** Of each log the newest years are looked at, up to so many contacts. */
const LOOKED_AT = 20_000;

/** Users whose columns do not say what the contacts say. */
export function* listWrong(): Unit<{ username: string }[]> {
  const users = yield* many<{ id: number; username: string }>`
    SELECT id, username FROM users WHERE tallied_version = log_version ORDER BY id`;
  const wrong: { username: string }[] = [];
  for (const { id, username } of users) if (yield* isWrong(id)) wrong.push({ username });
  return wrong;
}

function* isWrong(userId: number): Unit<boolean> {
  const years = ((yield* yearsOf(userId)) ?? []).toSorted((a, b) => b.year - a.year);
  let room = LOOKED_AT;
  for (const { year, kept } of years) {
    if (kept === null || room <= 0) continue;
    const contacts = yield* contactsOf(ofYear(userId, year));
    if (!(yield* agrees(userId, kept, contacts))) return true;
    room -= contacts.length;
  }
  return false;
}

/** Of a year that has changed, only which contacts there are can be told from the columns. */
function* agrees(userId: number, kept: KeptYear, contacts: readonly KeptContact[]): Unit<boolean> {
  const rows = yield* many<{ name: ColumnName; packed: Uint8Array }>`
    SELECT name, packed FROM log_columns WHERE user_id = ${userId} AND year = ${kept.year}`;
  if (kept.changed.length === 0) {
    return (
      rows.length === COLUMN_NAMES.length &&
      rows.every(({ name, packed }) => isSame(packed, packColumn(name, contacts)))
    );
  }
  const [segment] = yield* segments(userId, [kept], TIMES);
  const changed = new Set(kept.changed.map(([id]) => id));
  const known = new Set(contacts.map(({ id }) => id).filter((id) => !changed.has(id)));
  const ids = Array.from({ length: kept.contacts }, (_, row) => segment!.columns.id!.at(row));
  const told = ids.filter((_, row) => !segment!.gone.includes(row));
  return told.length === known.size && told.every((id) => known.has(id));
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
