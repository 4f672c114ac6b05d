import { BY_ANYBODY } from "./origin-masks.ts";
import { inList, many, maybeValue, type Unit } from "../engine/unit.ts";

/** Contacts with a callsign on one band in one mode. */
export interface WorkedCall {
  call: string;
  band: string | null;
  mode: string | null;
  submode: string | null;
  contacts: number;
  lastAt: number;
  confirmed: number;
}

export function* listWorked(userId: number, calls: readonly string[]): Unit<WorkedCall[]> {
  if (calls.length === 0) return [];
  return yield* many<WorkedCall>`
    SELECT call, band, mode, submode, count(*) AS contacts, max(started_at) AS "lastAt",
           max(CASE WHEN ${BY_ANYBODY} THEN 1 ELSE 0 END) AS confirmed
    FROM qsos WHERE user_id = ${userId} AND call ${inList(calls)} GROUP BY call, band, mode, submode`;
}

/** Where a station was in the last contact with it, as far as the log says. */
export interface LastPlace {
  call: string;
  state: string | null;
  gridsquare: string | null;
}

/** For each callsign, the newest contact with a state or square. */
export function* findLastPlaces(userId: number, calls: readonly string[]): Unit<LastPlace[]> {
  if (calls.length === 0) return [];
  return yield* many<LastPlace>`
    SELECT call, state, gridsquare FROM
      (SELECT call, state, gridsquare, row_number() OVER (PARTITION BY call ORDER BY started_at DESC, id DESC) AS nth
       FROM qsos WHERE user_id = ${userId} AND call ${inList(calls)} AND (state IS NOT NULL OR gridsquare IS NOT NULL)) AS placed
    WHERE nth = 1`;
}

const LOOKED_AT = 200;

/** The square from which the last contact was made. */
export function* findLastOwnGrid(userId: number): Unit<string | null> {
  return yield* maybeValue<string>`
    SELECT own_grid FROM
      (SELECT own_grid, started_at FROM qsos WHERE user_id = ${userId} ORDER BY started_at DESC LIMIT ${LOOKED_AT}) AS last
    WHERE own_grid IS NOT NULL ORDER BY started_at DESC LIMIT 1`;
}
