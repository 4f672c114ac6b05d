import { figuresOf, type TallyRow } from "../domain/log-tally.ts";
import type { Statistics } from "../domain/statistics.ts";
import { defineBackgroundWork, type Database } from "./database.ts";
import { keepIfIdle } from "./kept.ts";
import * as tallies from "./tallies.ts";
import { inList, many, one, sql, EMPTY, type Unit } from "./unit.ts";

export interface StatisticsFilter {
  /** Only contacts made under one of these callsigns. */
  stations?: readonly string[] | null;
}

/** More contacts than this are counted in the second thread. */
const LARGE_LOG = 20_000;

/** The figures of a whole log, what they were made of, and the version of the log they are of. */
export interface LogFigures {
  version: number;
  statistics: Statistics;
  rows: readonly TallyRow[];
}

/** From what is kept up to date with the log, with its months since a moment. What was never counted is counted once. */
export const figuresOfLog = async (db: Database, userId: number, since = 0): Promise<LogFigures> => {
  const known = await db.read(() => keptFigures(userId, since));
  if (known) return known;
  const isSmall = !(await db.read(() => isLarge(userId)));
  const counted = isSmall ? await db.read(() => countedFigures(userId)) : await db.inBackground(countWork, { userId });
  await keep(db, userId, counted, isSmall);
  return counted;
};

const keep = (db: Database, userId: number, counted: LogFigures, isSmall: boolean): Promise<void> =>
  keepIfIdle(() =>
    isSmall ? db.write(() => tallies.keep(userId, counted)) : db.inBackground(keepWork, { userId, ...counted }),
  );

function* keptFigures(userId: number, since: number): Unit<LogFigures | null> {
  const kept = yield* tallies.find(userId, since);
  return kept && (yield* figuresFrom(userId, kept));
}

function* countedFigures(userId: number): Unit<LogFigures> {
  return yield* figuresFrom(userId, yield* tallies.count(userId));
}

function* figuresFrom(userId: number, { version, rows }: tallies.VersionedTally): Unit<LogFigures> {
  return { version, rows, statistics: figuresOf(rows, yield* ends(userId)) };
}

export const countWork = defineBackgroundWork("tallies.count", "read", ({ userId }: { userId: number }) =>
  countedFigures(userId),
);

export const keepWork = defineBackgroundWork(
  "tallies.keep",
  "write",
  ({ userId, version, rows }: { userId: number } & tallies.VersionedTally) => tallies.keep(userId, { version, rows }),
);

/** The statistics of the contacts made under some callsigns, without holding up the event loop. */
export const statisticsOf = async (
  db: Database,
  userId: number,
  { stations = null }: StatisticsFilter = {},
): Promise<Statistics> => {
  if (stations === null) return (await figuresOfLog(db, userId)).statistics;
  const small = await db.read(function* () {
    return (yield* isLarge(userId)) ? null : yield* ofUser(userId, { stations });
  });
  return small ?? db.inBackground(statisticsWork, { userId, stations });
};

export const statisticsWork = defineBackgroundWork(
  "statistics.ofUser",
  "read",
  ({ userId, stations }: StatisticsFilter & { userId: number }) => ofUser(userId, { stations }),
);

/** The statistics of a log, counted anew. Entities are few: each is the next behind the one before, in an index. */
export function* ofUser(userId: number, { stations = null }: StatisticsFilter = {}): Unit<Statistics> {
  const mine = sql`user_id = ${userId} ${madeUnder(stations)}`;
  const tally = yield* tallies.countContacts(mine);
  const worked = yield* many<{ dxcc: number }>`
    WITH RECURSIVE worked (dxcc) AS (
      SELECT (SELECT min(dxcc) FROM qsos WHERE ${mine})
      UNION ALL
      SELECT (SELECT min(qsos.dxcc) FROM qsos WHERE ${mine} AND qsos.dxcc > worked.dxcc) FROM worked
      WHERE worked.dxcc IS NOT NULL)
    SELECT dxcc FROM worked WHERE dxcc IS NOT NULL`;
  const { unknown } = yield* one<{ unknown: number }>`
    SELECT CAST(count(*) AS BIGINT) AS unknown FROM qsos WHERE ${mine} AND dxcc IS NULL`;
  for (const { dxcc } of worked) tally.add("entity", String(dxcc), 1);
  tally.add("entity", "", unknown);
  return figuresOf(tally.rows, yield* ends(userId, stations));
}

const madeUnder = (stations: readonly string[] | null) =>
  stations === null ? EMPTY : sql`AND station_callsign ${inList(stations)}`;

const ends = (
  userId: number,
  stations: readonly string[] | null = null,
): Unit<Pick<Statistics, "firstQsoAt" | "lastQsoAt">> => {
  const mine = sql`user_id = ${userId} ${madeUnder(stations)}`;
  return one`SELECT (SELECT min(started_at) FROM qsos WHERE ${mine}) AS "firstQsoAt",
                    (SELECT max(started_at) FROM qsos WHERE ${mine}) AS "lastQsoAt"`;
};

/** Too large to be counted between two requests, or larger than something else. */
export function* isLarge(userId: number, most = LARGE_LOG): Unit<boolean> {
  const kept = yield* tallies.total(userId);
  if (kept !== null) return kept > most;
  const { contacts } = yield* one<{ contacts: number }>`
    SELECT CAST(count(*) AS BIGINT) AS contacts
    FROM (SELECT 1 FROM qsos WHERE user_id = ${userId} LIMIT ${most + 1}) AS counted`;
  return contacts > most;
}

/** Those of these callsigns under which no contact was made. */
export function* silentStations(userId: number, stations: readonly string[]): Unit<string[]> {
  const heard = yield* many<{ station: string }>`
    SELECT DISTINCT station_callsign AS station FROM qsos
    WHERE user_id = ${userId} AND station_callsign ${inList(stations)}`;
  return stations.filter((one) => !heard.some(({ station }) => station === one));
}
