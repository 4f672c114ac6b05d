import type { DayOnBand } from "../../domain/statistics/activity.ts";
import { DAY } from "../../kernel/clock.ts";
import { computeStatistics, type ContactGroup, type Statistics } from "../../domain/statistics/statistics.ts";
import { SERVICES } from "../../domain/jobs/source.ts";
import { defineWork, type Database } from "../engine/database.ts";
import { readLog } from "./large-log.ts";
import type { Waiting } from "../engine/reader-threads.ts";
import { BY_ANYBODY, byWitness, isConfirmedBy, isConfirmedByServices } from "./origin-masks.ts";
import { countRows, EMPTY, inList, many, one, raw, sql, type Sql, type Unit } from "../engine/unit.ts";

export interface StatisticsFilter {
  /** Only contacts made under one of these own callsigns. */
  stations?: readonly string[] | null;
}

/** The statistics of a log, or of contacts under some own callsigns. */
export const getStatistics = (
  db: Database,
  userId: number,
  { stations = null }: StatisticsFilter = {},
  waiting?: Waiting,
): Promise<Statistics> => readLog(db, statisticsWork, { userId, stations }, waiting);

export const statisticsWork = defineWork(
  "statistics.ofUser",
  "read",
  ({ userId, stations }: StatisticsFilter & { userId: number }) => computeForUser(userId, { stations }),
);

/**
 * Each count reads a covering index in its own order. One statement with several DISTINCT counts would sort the whole
 * log.
 */
export function* computeForUser(userId: number, { stations = null }: StatisticsFilter = {}): Unit<Statistics> {
  const mine = sql`user_id = ${userId} ${buildStationCondition(stations)}`;
  const groups = yield* many<ContactGroup>`
    SELECT mode, submode, mode_group AS "modeGroup", band, year, count(*) AS contacts,
           ${byWitness((witness) => sql`${countOf(isConfirmedBy(witness))} AS ${raw(witness)}`)},
           ${countOf(isConfirmedByServices(SERVICES))} AS both, ${countOf(BY_ANYBODY)} AS any
    FROM qsos WHERE ${mine} GROUP BY mode, submode, mode_group, band, year`;
  const callsigns = yield* countRows`(SELECT DISTINCT call FROM qsos WHERE ${mine}) AS calls`;
  const entities = yield* countRows`(SELECT DISTINCT dxcc FROM qsos WHERE ${mine} AND dxcc IS NOT NULL) AS entities`;
  const unknownEntity = yield* countRows`qsos WHERE ${mine} AND dxcc IS NULL`;
  return computeStatistics({ groups, callsigns, entities, unknownEntity, ...(yield* findEnds(mine)) });
}

const countOf = (condition: Sql): Sql => sql`count(*) FILTER (WHERE ${condition})`;

const buildStationCondition = (stations: readonly string[] | null): Sql =>
  stations === null ? EMPTY : sql`AND station_callsign ${inList(stations)}`;

const findEnds = (mine: Sql): Unit<Pick<Statistics, "firstQsoAt" | "lastQsoAt">> =>
  one`SELECT (SELECT min(started_at) FROM qsos WHERE ${mine}) AS "firstQsoAt",
             (SELECT max(started_at) FROM qsos WHERE ${mine}) AS "lastQsoAt"`;

/** The number of contacts per day and band since a time. */
export const activityWork = defineWork(
  "statistics.activity",
  "read",
  function* ({ userId, since }: { userId: number; since: number }): Unit<DayOnBand[]> {
    return yield* many<DayOnBand>`
      SELECT band, started_at / ${DAY} AS day, count(*) AS contacts FROM qsos
      WHERE user_id = ${userId} AND band IS NOT NULL AND started_at >= ${since} GROUP BY 1, 2`;
  },
);

/** The own callsigns without any contact. */
export function* listSilentStations(userId: number, stations: readonly string[]): Unit<string[]> {
  const heard = yield* many<{ station: string }>`
    SELECT DISTINCT station_callsign AS station FROM qsos
    WHERE user_id = ${userId} AND station_callsign ${inList(stations)}`;
  return stations.filter((one) => !heard.some(({ station }) => station === one));
}
