import { FigureTally, type Partner } from "../domain/figure-tally.ts";
import type { Figures } from "../domain/log-figures.ts";
import type { QsoFilter } from "../domain/qso-filter.ts";
import { unpackContacts, YearPacker, type FiguredContact } from "../domain/year-contacts.ts";
import { countYear } from "../domain/year-figures.ts";
import { defineBackgroundWork, type Database } from "./database.ts";
import { keepIfIdle } from "./kept.ts";
import { chosenBy } from "./qso-list.ts";
import { figuresOfLog, isLarge } from "./statistics.ts";
import * as tallies from "./tallies.ts";
import { columns, forUser, inList, many, maybe, one, run, type Unit } from "./unit.ts";

interface Asked {
  userId: number;
  filter: QsoFilter;
}

/** The contacts of a year, packed, and what the tallies of their log stood at. */
interface PackedYear {
  version: number | null;
  contacts: Uint8Array;
}

/** Figures of the contacts that are chosen, of one moment, without holding up the event loop. */
export const figuresOf = async (db: Database, asked: Asked): Promise<Figures> => {
  const isSmall = !(await db.read(() => isLarge(asked.userId)));
  await packMissing(db, asked, isSmall);
  return isSmall ? db.read(() => draw(asked)) : db.inBackground(figuresWork, asked);
};

/** Reads the years of a large log that have changed before anybody asks for their figures; a small one is soon read. */
export const readAhead = async (db: Database, userId: number): Promise<void> => {
  if (!(await db.read(() => isLarge(userId)))) return;
  await figuresOfLog(db, userId);
  await packMissing(db, { userId, filter: {} }, false);
};

/** Packs and keeps one year after the other, until somebody changes the log: then there is no use in it. */
const packMissing = async (db: Database, asked: Asked, isSmall: boolean): Promise<void> => {
  const { userId } = asked;
  for (const year of await db.read(() => missingYears(asked))) {
    const which = { userId, year };
    const packed = await (isSmall ? db.read(() => packYear(which)) : db.inBackground(packYearWork, which));
    let isKept = false;
    await keepIfIdle(async () => void (isKept = await db.write(() => keepYear(userId, year, packed))));
    if (!isKept) return;
  }
};

export const figuresWork = defineBackgroundWork("figures.draw", "read", draw);

export const packYearWork = defineBackgroundWork("figures.packYear", "read", packYear);

function* draw({ userId, filter }: Asked): Unit<Figures> {
  const isKept = (yield* tallies.keptVersion(userId)) !== null;
  const chosen = isOfYears(filter) ? null : yield* idsOf(userId, filter);
  const tally = new FigureTally();
  for (const year of yield* yearsOf(userId, filter)) {
    const contacts = (isKept && (yield* keptYear(userId, year))) || (yield* readYear(userId, year));
    tally.add(countYear(year, unpackContacts(contacts), chosen));
  }
  return tally.figures(yield* partnersOf(tally.furthestIds));
}

/** None, where nothing can be kept. */
function* missingYears({ userId, filter }: Asked): Unit<number[]> {
  if ((yield* tallies.keptVersion(userId)) === null) return [];
  const kept = new Set(
    (yield* many<{ year: number }>`SELECT year FROM log_years WHERE user_id = ${userId}`).map(({ year }) => year),
  );
  return (yield* yearsOf(userId, filter)).filter((year) => !kept.has(year));
}

function* packYear({ userId, year }: { userId: number; year: number }): Unit<PackedYear> {
  return { version: yield* tallies.keptVersion(userId), contacts: yield* readYear(userId, year) };
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

function* keptYear(userId: number, year: number): Unit<Uint8Array | null> {
  const row = yield* maybe<{ contacts: Uint8Array }>`
    SELECT contacts FROM log_years WHERE user_id = ${userId} AND year = ${year}`;
  return row && row.contacts;
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

const READ_AT_ONCE = 2_000;

function* readYear(userId: number, year: number): Unit<Uint8Array> {
  const packer = new YearPacker();
  let last = { startedAt: beginOf(year), id: 0 };
  for (;;) {
    const contacts = yield* many<FiguredContact>`
      SELECT ${columns(...READ)}, first_confirmed AS first, second_confirmed AS second, card_confirmed AS card,
             first_confirmed_at AS "firstAt", second_confirmed_at AS "secondAt"
      FROM qsos WHERE user_id = ${userId} AND started_at >= ${last.startedAt} AND started_at < ${beginOf(year + 1)}
                  AND (started_at, id) > (${last.startedAt}, ${last.id})
      ORDER BY started_at, id LIMIT ${READ_AT_ONCE}`;
    packer.add(contacts);
    if (contacts.length < READ_AT_ONCE) return packer.packed();
    last = contacts.at(-1)!;
  }
}

function* partnersOf(ids: readonly number[]): Unit<Map<number, Partner>> {
  const rows = yield* many<{ id: number } & Partner>`SELECT id, call, gridsquare FROM qsos WHERE id ${inList(ids)}`;
  return new Map(rows.map(({ id, ...partner }) => [id, partner]));
}

/** Keeps what was read, unless the log has changed since, and says whether it did. */
function* keepYear(userId: number, year: number, { version, contacts }: PackedYear): Unit<boolean> {
  yield* forUser(userId);
  if (version === null || (yield* tallies.keptVersion(userId)) !== version) return false;
  yield* run`INSERT INTO log_years (user_id, year, contacts) VALUES (${userId}, ${year}, ${contacts})
             ON CONFLICT (user_id, year) DO UPDATE SET contacts = excluded.contacts`;
  return true;
}
