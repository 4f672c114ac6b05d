import type { ModeGroup } from "../domain/mode.ts";
import type { Qso } from "../domain/qso.ts";
import { packSnapshot } from "./qsos.ts";
import { inList, many, run, sql, type Sql, type Unit } from "./unit.ts";

/** A contact that a person deleted. */
export interface Tombstone {
  id: number;
  call: string;
  startedAt: number;
  band: string | null;
  modeGroup: ModeGroup | null;
  stationCallsign: string | null;
  firstId: string | null;
  secondId: string | null;
}

export function* add(qso: Qso, now: number): Unit<void> {
  yield* run`
    INSERT INTO qso_tombstones
      (user_id, deleted_at, call, started_at, band, mode_group, station_callsign, first_id, second_id, row_before)
    VALUES (${qso.userId}, ${now}, ${qso.call}, ${qso.startedAt}, ${qso.band}, ${qso.modeGroup}, ${qso.stationCallsign},
            ${qso.firstId}, ${qso.secondId}, ${packSnapshot(qso)})`;
}

/** Those that a batch of records could mean. */
export function* findAround(userId: number, calls: readonly string[], from: number, to: number): Unit<Tombstone[]> {
  return yield* many<Tombstone>`
    SELECT ${TOMBSTONE} FROM qso_tombstones
    WHERE user_id = ${userId} AND call ${inList(calls)} AND started_at BETWEEN ${from} AND ${to}`;
}

const TOMBSTONE: Sql = sql`id, call, started_at AS "startedAt", band, mode_group AS "modeGroup",
  station_callsign AS "stationCallsign", first_id AS "firstId", second_id AS "secondId"`;
