import type { ModeGroup } from "../domain/mode.ts";
import { ID_COLUMN, type Qso } from "../domain/qso.ts";
import { SERVICES, type Service } from "../domain/source.ts";
import { packSnapshot } from "./qsos.ts";
import { columns, inList, insertMany, many, run, type Unit } from "./unit.ts";

/** A contact that a person deleted. */
export interface Tombstone extends Record<`${Service}Id`, string | null> {
  id: number;
  call: string;
  startedAt: number;
  band: string | null;
  modeGroup: ModeGroup | null;
  stationCallsign: string | null;
}

export function* add(qso: Qso, now: number): Unit<void> {
  yield* insertMany(
    "qso_tombstones",
    [
      "user_id",
      "deleted_at",
      "call",
      "started_at",
      "band",
      "mode_group",
      "station_callsign",
      "row_before",
      ...SERVICES.map((service) => `${service}_id`),
    ],
    [
      [
        qso.userId,
        now,
        qso.call,
        qso.startedAt,
        qso.band,
        qso.modeGroup,
        qso.stationCallsign,
        packSnapshot(qso),
        ...SERVICES.map((service) => qso[ID_COLUMN[service]]),
      ],
    ],
  );
}

/** The contact is in the log again. */
export function* remove({ userId, call, startedAt }: Qso): Unit<void> {
  yield* run`DELETE FROM qso_tombstones WHERE user_id = ${userId} AND call = ${call} AND started_at = ${startedAt}`;
}

/** Those that a batch of records could mean. */
export function* findAround(userId: number, calls: readonly string[], from: number, to: number): Unit<Tombstone[]> {
  return yield* many<Tombstone>`
    SELECT ${TOMBSTONE} FROM qso_tombstones
    WHERE user_id = ${userId} AND call ${inList(calls)} AND started_at BETWEEN ${from} AND ${to}`;
}

const TOMBSTONE = columns(
  "id",
  "call",
  "started_at",
  "band",
  "mode_group",
  "station_callsign",
  ...SERVICES.map((service) => `${service}_id`),
);
