import { momentOf } from "../src/domain/moments.ts";

/** A contact as it is told from others. */
export interface NamedContact {
  id: number;
  call: string;
  startedAt: number;
  band: string | null;
  mode: string | null;
  submode: string | null;
  stationCallsign: string | null;
}

/** What tells it from others of the same callsign. */
export const contactInWords = ({ startedAt, band, mode, submode, stationCallsign }: NamedContact): string =>
  [momentOf(startedAt), band, submode ?? mode, stationCallsign].filter(Boolean).join(" · ");
