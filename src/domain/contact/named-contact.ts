import { formatTypedMoment } from "../../kernel/time-text.ts";
import type { Qso } from "./qso.ts";

/** The fields that identify a contact to a reader. */
export type NamedContact = Pick<Qso, "id" | "call" | "startedAt" | "band" | "mode" | "submode" | "stationCallsign">;

export const toNamedContact = ({
  id,
  call,
  startedAt,
  band,
  mode,
  submode,
  stationCallsign,
}: NamedContact): NamedContact => ({ id, call, startedAt, band, mode, submode, stationCallsign });

/** What distinguishes it from other contacts with the same callsign. */
export const describeContact = ({ startedAt, band, mode, submode, stationCallsign }: NamedContact): string =>
  [formatTypedMoment(startedAt), band, submode ?? mode, stationCallsign].filter(Boolean).join(" · ");
