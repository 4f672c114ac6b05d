import type { AdifRecord, Fields } from "../domain/adif-record.ts";
import { resolveBand } from "../domain/band.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import { firstIdOf, secondIdOf } from "../domain/derive.ts";
import { parseInstant } from "../domain/instant.ts";
import { fileSlot, type FileRecord, type Part } from "../domain/layers.ts";
import { withinLengths } from "../domain/lengths.ts";
import { canonicalMode, type Mode } from "../domain/mode.ts";
import type { Source } from "../domain/source.ts";
import { told, word } from "../domain/words.ts";

/** What two records of one contact have in common, in comparable form. */
export interface ContactKey {
  call: string;
  at: number;
  /** Whether the time has its seconds. */
  exact: boolean;
  band: string | null;
  mode: Mode | null;
  stationCallsign: string | null;
  satellite: boolean;
  satName: string | null;
}

/** A record on its way into a log. */
export interface Incoming {
  source: Source;
  part: Part;
  record: FileRecord;
  firstId: string | null;
  secondId: string | null;
  key: ContactKey;
  /** The leftover of an earlier job that this record was kept as. */
  leftoverId?: number;
}

/** What a service calls the record. */
export const idOf = ({ firstId, secondId }: Pick<Incoming, "firstId" | "secondId">): string | null =>
  firstId ?? secondId;

export interface Unreadable {
  reason: string;
  record: AdifRecord;
  part: Part;
}

/** Reads what a record says of its contact, or says why no contact can be made of it. */
export const readIncoming = (
  record: FileRecord,
  source: Source,
  part: Part,
  facts: Pick<CallFacts, "normalise">,
): Incoming | Unreadable => {
  const key = keyOf(record.fields, facts);
  if (typeof key === "string") return { reason: key, record, part };
  const known = { fields: withinLengths(record.fields) };
  const fromFirst = source === "first" || (source === "file" && fileSlot(record) === "report");
  return {
    source,
    part,
    record,
    firstId: fromFirst ? firstIdOf(known) : null,
    secondId: source === "first" ? null : secondIdOf(known),
    key,
  };
};

/** The key of a record, or what is missing for one. */
export const keyOf = (said: Fields, facts: Pick<CallFacts, "normalise">): ContactKey | string => {
  const fields = withinLengths(said);
  const call = told(fields.CALL);
  if (call === null) return "no callsign";
  const start = parseInstant(fields.QSO_DATE, fields.TIME_ON ?? fields.TIME_OFF);
  if (start === null)
    return `no valid date and time (${fields.QSO_DATE ?? "no date"} ${fields.TIME_ON ?? fields.TIME_OFF ?? "no time"})`;
  const station = told(fields.STATION_CALLSIGN) ?? told(fields.APP_LOTW_OWNCALL);
  const satName = word(fields.SAT_NAME);
  return {
    call: facts.normalise(call),
    at: start.at,
    exact: start.exact,
    band: resolveBand(fields.BAND, fields.FREQ).band,
    mode: canonicalMode(told(fields.MODE) ?? told(fields.APP_LOTW_MODE) ?? fields.APP_LOTW_MODEGROUP, fields.SUBMODE),
    stationCallsign: station === null ? null : facts.normalise(station),
    satellite: word(fields.PROP_MODE) === "SAT" || satName !== "",
    satName: satName === "" ? null : satName,
  };
};
