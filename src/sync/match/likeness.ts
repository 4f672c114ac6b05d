import type { Fields } from "../../domain/contact/adif-record.ts";
import { getMinute } from "../../kernel/clock.ts";
import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { listContradictions, isDetail, namesOtherPlace } from "../../domain/contact/details.ts";
import { parseInstant } from "../../kernel/instant.ts";
import type { Mode } from "../../domain/radio/mode.ts";
import { getFileSlot, isJoined, isRedundant } from "../../domain/origins/owner.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import { isService } from "../../domain/jobs/source.ts";
import { parseKey, type ContactKey, type Incoming } from "./incoming.ts";

type Facts = Pick<CallFacts, "normalise">;

/**
 * How a log's record compares with what files said about a contact. `same`: nothing contradicts it. `looser`: place,
 * seconds or sideband differ, as between two programs. `unclear`: the exchange or the mode differs.
 */
export interface Likeness {
  kind: "same" | "looser" | "unclear";
  /** Whether both look as if the same program wrote them. */
  sameProgram: boolean;
  /** The fields that differ. */
  names: readonly string[];
}

/** Returns null if the record cannot mean the contact. */
export const findLikeness = (incoming: Incoming, { own }: Pick<Qso, "own">, facts: Facts): Likeness | null => {
  if (!own?.file || !isOfLog(incoming)) return null;
  const isOfSeveral = isJoined(own.file);
  const asFiled = compareKeys(incoming, own.file.fields, isOfSeveral, facts);
  if (asFiled?.kind === "same" || !own.typed) return asFiled;
  const asTyped = compareKeys(incoming, { ...own.file.fields, ...own.typed }, isOfSeveral, facts);
  return asTyped?.kind === "same" ? asTyped : asFiled;
};

/** A report of the first service is matched by the id of that service instead. */
export const isOfLog = ({ source, record }: Incoming): boolean => !isService(source) && getFileSlot(record) === "file";

/** Whether the contact already has every value of the record. */
export const isContainedIn = ({ record }: Incoming, { own }: Pick<Qso, "own">): boolean =>
  own?.file !== undefined && isRedundant(own.file, record);

/** Whether the program that logged this contact now sends another one: only the location differs. */
export const isAnotherContact = ({ record }: Incoming, { own }: Pick<Qso, "own">): boolean =>
  own?.file !== undefined &&
  !isJoined(own.file) &&
  namesOtherPlace(record.fields, own.file.fields) &&
  isSameHand(record.fields, own.file.fields);

const compareKeys = ({ key, record }: Incoming, known: Fields, isOfSeveral: boolean, facts: Facts): Likeness | null => {
  const start = parseInstant(known.QSO_DATE, known.TIME_ON ?? known.TIME_OFF);
  if (start === null || getMinute(start.at) !== getMinute(key.at)) return null;
  const said = parseKey(known, facts);
  if (typeof said === "string" || !areOne(key, said)) return null;
  const differences = listContradictions(record.fields, known);
  if (differences.some(({ weight }) => weight === "reference")) return null;
  const modes = findModeDifference(key.mode, said.mode);
  const seconds = key.exact && said.exact && key.at !== said.at;
  const names = [
    ...(modes === null ? [] : ["MODE"]),
    ...(seconds ? ["TIME_ON"] : []),
    ...differences.map(({ name }) => name),
  ];
  const isUnclear = modes === "mode" || differences.some(({ weight }) => weight === "exchange");
  const kind = names.length === 0 ? "same" : isUnclear ? "unclear" : "looser";
  return { kind, sameProgram: kind !== "same" && !isOfSeveral && isSameHand(record.fields, known), names };
};

/** A missing value does not contradict anything. */
const areOne = (a: ContactKey, b: ContactKey): boolean =>
  a.call === b.call &&
  agree(a.stationCallsign, b.stationCallsign) &&
  agree(a.band, b.band) &&
  agree(a.mode?.group ?? null, b.mode?.group ?? null) &&
  a.satellite === b.satellite &&
  agree(a.satName, b.satName);

const agree = (a: string | null, b: string | null): boolean => a === null || b === null || a === b;

/** Programs infer the sideband from the frequency, so it can differ. Other submodes are separate modes. */
const findModeDifference = (a: Mode | null, b: Mode | null): "mode" | "sideband" | null => {
  if (!agree(a?.mode ?? null, b?.mode ?? null)) return "mode";
  if (agree(a?.submode ?? null, b?.submode ?? null)) return null;
  return a?.mode === "SSB" ? "sideband" : "mode";
};

/** Fields that differ between contacts even if the same program wrote them. */
const VARYING = /^(TIME_ON|TIME_OFF|QSO_DATE_OFF|FREQ|FREQ_RX|MODE|RST_.*|COMMENT|NOTES|.*_INTL|APP_.*)$/;

const isSameHand = (record: Fields, known: Fields): boolean =>
  record.TIME_ON?.length === known.TIME_ON?.length &&
  Object.entries(record).every(
    ([name, value]) =>
      name === "SUBMODE" ||
      (known[name] !== undefined && (known[name] === value || VARYING.test(name) || isDetail(name))),
  );
