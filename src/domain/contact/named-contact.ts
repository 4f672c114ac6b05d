import { momentOf } from "../../kernel/time-text.ts";
import type { Qso } from "./qso.ts";

/** A contact as it is told from others. */
export type NamedContact = Pick<Qso, "id" | "call" | "startedAt" | "band" | "mode" | "submode" | "stationCallsign">;

export const namedContact = ({
  id,
  call,
  startedAt,
  band,
  mode,
  submode,
  stationCallsign,
}: NamedContact): NamedContact => ({ id, call, startedAt, band, mode, submode, stationCallsign });

/** What tells it from others of the same callsign. */
export const contactInWords = ({ startedAt, band, mode, submode, stationCallsign }: NamedContact): string =>
  [momentOf(startedAt), band, submode ?? mode, stationCallsign].filter(Boolean).join(" · ");
