import { DAY } from "../domain/clock.ts";
import { many, type Unit } from "./unit.ts";

export interface BandDay {
  band: string;
  /** Days since 1970. */
  day: number;
  contacts: number;
}

/** How many contacts were made each day on each band, since a moment. */
export function* byBandAndDay(userId: number, from: number): Unit<BandDay[]> {
  return yield* many<BandDay>`
    SELECT band, started_at / ${DAY} AS day, CAST(count(*) AS BIGINT) AS contacts FROM qsos
    WHERE user_id = ${userId} AND started_at >= ${from} AND band IS NOT NULL
    GROUP BY 1, 2`;
}
