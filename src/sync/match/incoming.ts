import type { AdifRecord, Fields } from "../../domain/contact/adif-record.ts";
import { resolveBand } from "../../domain/radio/band.ts";
import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { parseInstant } from "../../kernel/instant.ts";
import type { FileRecord, Part } from "../../domain/contact/layers.ts";
import { applyEdits, removeRecordsField } from "../../domain/contact/exported-records.ts";
import { findLongField, fitFields, MAX_VALUE_LENGTH } from "../../domain/contact/record-size.ts";
import { limitLengths } from "../../domain/contact/lengths.ts";
import { normaliseMode, type Mode } from "../../domain/radio/mode.ts";
import { CALL_THERE, GROUP_THERE, MODE_THERE } from "../../domain/origins/first.ts";
import { parseWideMode } from "../../domain/radio/on-air.ts";
import { readIds } from "../../domain/origins/origins.ts";
import type { Ids } from "../../domain/origins/services.ts";
import { SERVICES, type Source } from "../../domain/jobs/source.ts";
import { textOrNull, toUpperCased } from "../../kernel/text.ts";

/** The values by which two records of one contact are compared. */
export interface ContactKey {
  call: string;
  at: number;
  /** Whether the time includes seconds. */
  exact: boolean;
  band: string | null;
  mode: Mode | null;
  stationCallsign: string | null;
  satellite: boolean;
  satName: string | null;
}

/** A record that is being matched. */
export interface Incoming {
  source: Source;
  part: Part;
  record: FileRecord;
  ids: Ids;
  key: ContactKey;
  /** The leftover of an earlier job that holds this record. */
  leftoverId?: number;
  /** The program names this contact for the first time, so it is not one that was deleted. */
  isNew?: true;
}

/** The id that a service gave the record. */
export const getServiceId = ({ ids }: Pick<Incoming, "ids">): string | null => {
  for (const service of SERVICES) if (ids[service] !== null) return ids[service];
  return null;
};

/**
 * Records with the same key here get the same contact: two answers of a service about one contact, or repetitions in a
 * file.
 */
export const getBundleKey = (incoming: Incoming): string => getServiceId(incoming) ?? JSON.stringify(incoming.key);

export interface Unreadable {
  reason: string;
  record: AdifRecord;
  part: Part;
}

/** Reads the key of a record, or says why it makes no contact. */
export const readIncoming = (
  given: FileRecord,
  source: Source,
  part: Part,
  facts: CallFacts,
): Incoming | Unreadable => {
  const record = given.brought ? applyEdits(given, facts) : removeCarried(given);
  const long = findLongField(record.fields);
  if (long !== null) {
    const reason = `${long} has more than ${MAX_VALUE_LENGTH} characters`;
    return { reason, record: { fields: fitFields(record.fields) }, part };
  }
  const key = parseKey(record.fields, facts);
  if (typeof key === "string") return { reason: key, record, part };
  const known = { ...record, fields: limitLengths(record.fields) };
  return { source, part, record, ids: readIds(source, known), key };
};

/** The carried records of an export are not fields of a contact. */
const removeCarried = (record: FileRecord): FileRecord => {
  const fields = removeRecordsField(record.fields);
  return fields === record.fields ? record : { ...record, fields };
};

/** Returns the key of a record, or what is missing. */
export const parseKey = (said: Fields, facts: Pick<CallFacts, "normalise">): ContactKey | string => {
  const fields = limitLengths(said);
  const call = textOrNull(fields.CALL);
  if (call === null) return "no callsign";
  const start = parseInstant(fields.QSO_DATE, fields.TIME_ON ?? fields.TIME_OFF);
  if (start === null)
    return `no valid date and time (${fields.QSO_DATE ?? "no date"} ${fields.TIME_ON ?? fields.TIME_OFF ?? "no time"})`;
  const station = textOrNull(fields.STATION_CALLSIGN) ?? textOrNull(fields[CALL_THERE]);
  const satName = toUpperCased(fields.SAT_NAME);
  return {
    call: facts.normalise(call),
    at: start.at,
    exact: start.exact,
    band: resolveBand(fields.BAND, fields.FREQ).band,
    mode:
      parseWideMode(fields) ??
      normaliseMode(textOrNull(fields.MODE) ?? textOrNull(fields[MODE_THERE]) ?? fields[GROUP_THERE], fields.SUBMODE),
    stationCallsign: station === null ? null : facts.normalise(station),
    satellite: toUpperCased(fields.PROP_MODE) === "SAT" || satName !== "",
    satName: satName === "" ? null : satName,
  };
};
