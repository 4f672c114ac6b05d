import { FigureTally, type Partner } from "../domain/figure-tally.ts";
import type { Figures } from "../domain/log-figures.ts";
import type { QsoFilter } from "../domain/qso-filter.ts";
import { packContacts, unpackContacts, type FiguredContact } from "../domain/year-contacts.ts";
import { countYear } from "../domain/year-figures.ts";
import { defineBackgroundWork, type Database } from "./database.ts";
import { keepIfIdle } from "./kept.ts";
import { chosenBy } from "./qso-list.ts";
import { figuresOfLog, isLarge } from "./statistics.ts";
import * as tallies from "./tallies.ts";
import { columns, forUser, inList, insertMany, many, one, type Unit } from "./unit.ts";

interface Asked {
  userId: number;
  filter: QsoFilter;
}

/** The contacts of a year, packed. */
interface PackedYear {
  year: number;
  contacts: Uint8Array;
}

interface Read {
  version: number | null;
  /** What was read and packed, because nobody had kept it. */
  fresh: PackedYear[];
}

/** Figures of the contacts that are chosen, of one moment, without holding up the event loop. */
export const figuresOf = async (db: Database, asked: Asked): Promise<Figures> => {
  const isSmall = !(await db.read(() => isLarge(asked.userId)));
  const drawn = isSmall ? await db.read(() => draw(asked)) : await db.inBackground(figuresWork, asked);
  await keep(db, asked.userId, drawn);
  return drawn.figures;
};

/** Reads the years of a large log that have changed before anybody asks for their figures; a small one is soon read. */
export const readAhead = async (db: Database, userId: number): Promise<void> => {
  if (!(await db.read(() => isLarge(userId)))) return;
  const { version } = await figuresOfLog(db, userId);
  const read = await db.inBackground(readAheadWork, { userId });
  if (read.version === version) await keep(db, userId, read);
};

const keep = async (db: Database, userId: number, { version, fresh }: Read): Promise<void> => {
  if (version !== null && fresh.length > 0) await keepIfIdle(() => db.write(() => keepYears(userId, version, fresh)));
};

export const figuresWork = defineBackgroundWork("figures.draw", "read", draw);

export const readAheadWork = defineBackgroundWork("figures.readAhead", "read", ({ userId }: { userId: number }) =>
  readMissing(userId),
);

function* draw({ userId, filter }: Asked): Unit<Read & { figures: Figures }> {
  const version = yield* tallies.keptVersion(userId);
  const years = yield* yearsOf(userId, filter);
  const kept = version === null ? new Map<number, Uint8Array>() : yield* keptYears(userId, years);
  const chosen = isOfYears(filter) ? null : yield* idsOf(userId, filter);
  const tally = new FigureTally();
  const fresh: PackedYear[] = [];
  for (const year of years) {
    const known = kept.get(year);
    const contacts = known ?? (yield* readYear(userId, year));
    if (known === undefined) fresh.push({ year, contacts });
    tally.add(countYear(year, unpackContacts(contacts), chosen));
  }
  return { version, fresh, figures: tally.figures(yield* partnersOf(tally.furthestIds)) };
}

function* readMissing(userId: number): Unit<Read> {
  const version = yield* tallies.keptVersion(userId);
  const fresh: PackedYear[] = [];
  if (version === null) return { version, fresh };
  const years = yield* yearsOf(userId, {});
  const kept = new Set(
    (yield* many<{ year: number }>`SELECT year FROM log_years WHERE user_id = ${userId}`).map(({ year }) => year),
  );
  for (const year of years) if (!kept.has(year)) fresh.push({ year, contacts: yield* readYear(userId, year) });
  return { version, fresh };
}

const beginOf = (year: number): number => Date.UTC(year, 0, 1);

const isNewYear = (at: number): boolean => beginOf(new Date(at).getUTCFullYear()) === at;

/** Chooses every contact of some years, and no others. */
const isOfYears = ({ from, to, ...others }: QsoFilter): boolean =>
  Object.values(others).every((condition) => condition === undefined) &&
  [from, to].every((at) => at === undefined || isNewYear(at));

/** The years in which there may be such contacts. */
function* yearsOf(userId: number, { from, to }: QsoFilter): Unit<number[]> {
  const { oldest, newest } = yield* one<{ oldest: number | null; newest: number | null }>`
    SELECT (SELECT min(started_at) FROM qsos WHERE user_id = ${userId}) AS oldest,
           (SELECT max(started_at) FROM qsos WHERE user_id = ${userId}) AS newest`;
  if (oldest === null || newest === null) return [];
  const [first, last] = [Math.max(oldest, from ?? oldest), Math.min(newest, to === undefined ? newest : to - 1)].map(
    (at) => new Date(at).getUTCFullYear(),
  ) as [number, number];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

function* keptYears(userId: number, years: readonly number[]): Unit<Map<number, Uint8Array>> {
  if (years.length === 0) return new Map();
  const rows = yield* many<PackedYear>`
    SELECT year, contacts FROM log_years WHERE user_id = ${userId} AND year ${inList(years)}`;
  return new Map(rows.map(({ year, contacts }) => [year, contacts]));
}

function* idsOf(userId: number, filter: QsoFilter): Unit<Set<number>> {
  const rows = yield* many<{ id: number }>`SELECT id FROM qsos ${chosenBy(userId, filter)}`;
  return new Set(rows.map(({ id }) => id));
}

const READ = [
  "id",
  "started_at",
  "band",
  "mode",
  "submode",
  "mode_group",
  "dxcc",
  "gridsquare",
  "own_grid",
  "award_entity",
  "award_state",
  "award_zone",
  "award_grids",
] as const;

function* readYear(userId: number, year: number): Unit<Uint8Array> {
  const [from, to] = [beginOf(year), beginOf(year + 1)];
  const contacts = yield* many<FiguredContact>`
    SELECT ${columns(...READ)}, first_confirmed AS first, second_confirmed AS second, card_confirmed AS card,
           first_confirmed_at AS "firstAt", second_confirmed_at AS "secondAt"
    FROM qsos ${chosenBy(userId, { from, to })}`;
  return packContacts(contacts);
}

function* partnersOf(ids: readonly number[]): Unit<Map<number, Partner>> {
  const rows = yield* many<{ id: number } & Partner>`SELECT id, call, gridsquare FROM qsos WHERE id ${inList(ids)}`;
  return new Map(rows.map(({ id, ...partner }) => [id, partner]));
}

/** Keeps what was read, unless the log has changed since. */
function* keepYears(userId: number, version: number, fresh: readonly PackedYear[]): Unit<void> {
  yield* forUser(userId);
  if ((yield* tallies.keptVersion(userId)) !== version) return;
  yield* insertMany(
    "log_years",
    ["user_id", "year", "contacts"],
    fresh.map(({ year, contacts }) => [userId, year, contacts]),
    "ON CONFLICT (user_id, year) DO UPDATE SET contacts = excluded.contacts",
  );
}
