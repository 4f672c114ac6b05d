import { tally, type AlikeContacts, type Statistics } from "../domain/statistics.ts";
import { defineBackgroundWork, type Database } from "./database.ts";
import { BY_ANYBODY } from "./qsos.ts";
import { EMPTY, inList, many, one, sql, type Unit } from "./unit.ts";

export interface StatisticsFilter {
  /** Only contacts made under one of these callsigns. */
  stations?: readonly string[] | null;
}

/** More contacts than this are counted in the second thread. */
const LARGE_LOG = 20_000;

/** The statistics of a log, whatever its size, without holding up the event loop. */
export const statisticsOf = async (
  db: Database,
  userId: number,
  filter: StatisticsFilter = {},
): Promise<Statistics> => {
  const small = await db.read(function* () {
    return (yield* isLarge(userId)) ? null : yield* ofUser(userId, filter);
  });
  return small ?? db.inBackground(statisticsWork, { userId, ...filter });
};

export const statisticsWork = defineBackgroundWork(
  "statistics.ofUser",
  "read",
  ({ userId, stations }: StatisticsFilter & { userId: number }) => ofUser(userId, { stations }),
);

/**
 * Everything is counted in covering indexes: the groups stream out of one in its own order, and each distinct count
 * has a subquery of its own, because several in one SELECT would sort the log. Entities are few: each is the next one
 * behind the one before, in the index that begins with them.
 */
export function* ofUser(userId: number, { stations = null }: StatisticsFilter = {}): Unit<Statistics> {
  const mine = sql`user_id = ${userId} ${stations === null ? EMPTY : sql`AND station_callsign ${inList(stations)}`}`;
  const groups = yield* many<AlikeContacts>`
    SELECT mode, submode, mode_group AS "modeGroup", band, year, first_confirmed AS "firstConfirmed",
           CAST(count(*) AS BIGINT) AS contacts, CAST(sum(second_confirmed) AS BIGINT) AS "secondConfirmed",
           CAST(sum(card_confirmed) AS BIGINT) AS "cardConfirmed",
           CAST(sum(CASE WHEN ${BY_ANYBODY} THEN 1 ELSE 0 END) AS BIGINT) AS confirmed
    FROM qsos WHERE ${mine}
    GROUP BY mode, submode, mode_group, band, year, first_confirmed`;
  const counts = yield* one<Pick<Statistics, "callsigns" | "entities" | "unknownEntity" | "firstQsoAt" | "lastQsoAt">>`
    WITH RECURSIVE worked (dxcc) AS (
      SELECT (SELECT min(dxcc) FROM qsos WHERE ${mine})
      UNION ALL
      SELECT (SELECT min(qsos.dxcc) FROM qsos WHERE ${mine} AND qsos.dxcc > worked.dxcc) FROM worked
      WHERE worked.dxcc IS NOT NULL)
    SELECT (SELECT CAST(count(*) AS BIGINT) FROM (SELECT DISTINCT call FROM qsos WHERE ${mine}) AS calls) AS callsigns,
           (SELECT CAST(count(worked.dxcc) AS BIGINT) FROM worked) AS entities,
           (SELECT CAST(count(*) AS BIGINT) FROM qsos WHERE ${mine} AND dxcc IS NULL) AS "unknownEntity",
           (SELECT min(started_at) FROM qsos WHERE ${mine}) AS "firstQsoAt",
           (SELECT max(started_at) FROM qsos WHERE ${mine}) AS "lastQsoAt"`;
  const { total, bands, modes, ...parts } = tally(groups);
  const { callsigns, entities, unknownEntity, firstQsoAt, lastQsoAt } = counts;
  return { total, entities, unknownEntity, bands, modes, callsigns, ...parts, firstQsoAt, lastQsoAt };
}

/** Too large to be counted between two requests. */
export function* isLarge(userId: number): Unit<boolean> {
  const { contacts } = yield* one<{ contacts: number }>`
    SELECT CAST(count(*) AS BIGINT) AS contacts
    FROM (SELECT 1 FROM qsos WHERE user_id = ${userId} LIMIT ${LARGE_LOG + 1}) AS counted`;
  return contacts > LARGE_LOG;
}

/** Those of these callsigns under which no contact was made. */
export function* silentStations(userId: number, stations: readonly string[]): Unit<string[]> {
  const heard = yield* many<{ station: string }>`
    SELECT DISTINCT station_callsign AS station FROM qsos
    WHERE user_id = ${userId} AND station_callsign ${inList(stations)}`;
  return stations.filter((one) => !heard.some(({ station }) => station === one));
}
