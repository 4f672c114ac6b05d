import { BY_ANYBODY } from "./qsos.ts";
import { inList, many, maybe, type Unit } from "./unit.ts";

/** Contacts with a call, alike in band and mode. */
export interface WorkedCall {
  call: string;
  band: string | null;
  mode: string | null;
  submode: string | null;
  contacts: number;
  lastAt: number;
  gridsquare: string | null;
  confirmed: number;
}

export function* ofCalls(userId: number, calls: readonly string[]): Unit<WorkedCall[]> {
  if (calls.length === 0) return [];
  return yield* many<WorkedCall>`
    SELECT call, band, mode, submode, CAST(count(*) AS BIGINT) AS contacts, max(started_at) AS "lastAt",
           max(gridsquare) AS gridsquare, max(CASE WHEN ${BY_ANYBODY} THEN 1 ELSE 0 END) AS confirmed
    FROM qsos WHERE user_id = ${userId} AND call ${inList(calls)} GROUP BY call, band, mode, submode`;
}

const LOOKED_AT = 200;

/** The square that the last contacts were made from. */
export function* lastOwnGrid(userId: number): Unit<string | null> {
  const row = yield* maybe<{ grid: string }>`
    SELECT own_grid AS grid FROM
      (SELECT own_grid, started_at FROM qsos WHERE user_id = ${userId} ORDER BY started_at DESC LIMIT ${LOOKED_AT}) AS last
    WHERE own_grid IS NOT NULL ORDER BY started_at DESC LIMIT 1`;
  return row?.grid ?? null;
}
