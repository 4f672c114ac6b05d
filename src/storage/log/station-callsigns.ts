import { countRows, many, manyValues, type Unit } from "../engine/unit.ts";

export interface OwnStation {
  callsign: string;
  lastAt: number;
}

/** The own callsigns of a log, most recently used first. */
export const listOwnCalls = (userId: number): Unit<OwnStation[]> =>
  many`
    SELECT station_callsign AS callsign, max(started_at) AS "lastAt" FROM qsos
    WHERE user_id = ${userId} AND station_callsign IS NOT NULL GROUP BY station_callsign
    ORDER BY max(started_at) DESC, station_callsign`;

const LOOKED_AT = 500;

/** The squares of the last contacts under a callsign, most recently used first. */
export const listOwnGrids = (userId: number, callsign: string): Unit<string[]> =>
  manyValues`
    SELECT own_grid AS grid FROM
      (SELECT own_grid, started_at FROM qsos WHERE user_id = ${userId} AND station_callsign = ${callsign}
       ORDER BY started_at DESC LIMIT ${LOOKED_AT}) AS last
    WHERE own_grid IS NOT NULL GROUP BY own_grid ORDER BY max(started_at) DESC`;

/** The number of contacts since a time. */
export const countSince = (userId: number, since: number): Unit<number> =>
  countRows`qsos WHERE user_id = ${userId} AND started_at >= ${since}`;
