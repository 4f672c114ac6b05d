import type { Fields } from "../../domain/contact/adif-record.ts";
import { minuteOf } from "../../kernel/clock.ts";
import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { differencesOf, isDetail, namesOtherPlace } from "../../domain/contact/details.ts";
import { parseInstant } from "../../kernel/instant.ts";
import type { Mode } from "../../domain/radio/mode.ts";
import { fileSlot, isJoined, tellsNothingNew } from "../../domain/origins/owner.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import { isService } from "../../domain/jobs/source.ts";
import { keyOf, type ContactKey, type Incoming } from "./incoming.ts";

type Facts = Pick<CallFacts, "normalise">;

/**
 * What a record of a log and what files said of a contact come to. `same`: nothing speaks against it. `looser`: places,
 * seconds or sidebands differ, as between programs. `unclear`: the exchange or the mode differs.
 */
export interface Likeness {
  kind: "same" | "looser" | "unclear";
  /** Whether it reads as if the same program wrote both. */
  sameHand: boolean;
  /** The fields that differ. */
  names: readonly string[];
}

/** Null where the record cannot mean the contact. */
export const likenessOf = (incoming: Incoming, { own }: Pick<Qso, "own">, facts: Facts): Likeness | null => {
  if (!own?.file || !isOfLog(incoming)) return null;
  const isOfSeveral = isJoined(own.file);
  const asFiled = likenessTo(incoming, own.file.fields, isOfSeveral, facts);
  if (asFiled?.kind === "same" || !own.typed) return asFiled;
  const asTyped = likenessTo(incoming, { ...own.file.fields, ...own.typed }, isOfSeveral, facts);
  return asTyped?.kind === "same" ? asTyped : asFiled;
};

/** A report of the first service is known by the service's id. */
export const isOfLog = ({ source, record }: Incoming): boolean => !isService(source) && fileSlot(record) === "file";

/** Whether the contact has every word of the record. */
export const isToldIn = ({ record }: Incoming, { own }: Pick<Qso, "own">): boolean =>
  own?.file !== undefined && tellsNothingNew(own.file, record);

/** Whether a program that told of the contact tells of another one: it calls the place otherwise, and else says the same. */
export const tellsOfAnother = ({ record }: Incoming, { own }: Pick<Qso, "own">): boolean =>
  own?.file !== undefined &&
  !isJoined(own.file) &&
  namesOtherPlace(record.fields, own.file.fields) &&
  isSameHand(record.fields, own.file.fields);

const likenessTo = ({ key, record }: Incoming, known: Fields, isOfSeveral: boolean, facts: Facts): Likeness | null => {
  const start = parseInstant(known.QSO_DATE, known.TIME_ON ?? known.TIME_OFF);
  if (start === null || minuteOf(start.at) !== minuteOf(key.at)) return null;
  const said = keyOf(known, facts);
  if (typeof said === "string" || !areOne(key, said)) return null;
  const differences = differencesOf(record.fields, known);
  if (differences.some(({ weight }) => weight === "reference")) return null;
  const modes = modesDiffer(key.mode, said.mode);
  const seconds = key.exact && said.exact && key.at !== said.at;
  const names = [
    ...(modes === null ? [] : ["MODE"]),
    ...(seconds ? ["TIME_ON"] : []),
    ...differences.map(({ name }) => name),
  ];
  const isUnclear = modes === "mode" || differences.some(({ weight }) => weight === "exchange");
  const kind = names.length === 0 ? "same" : isUnclear ? "unclear" : "looser";
  return { kind, sameHand: kind !== "same" && !isOfSeveral && isSameHand(record.fields, known), names };
};

/** What one of them does not say speaks against nothing. */
const areOne = (a: ContactKey, b: ContactKey): boolean =>
  a.call === b.call &&
  agree(a.stationCallsign, b.stationCallsign) &&
  agree(a.band, b.band) &&
  agree(a.mode?.group ?? null, b.mode?.group ?? null) &&
  a.satellite === b.satellite &&
  agree(a.satName, b.satName);

const agree = (a: string | null, b: string | null): boolean => a === null || b === null || a === b;

/** Programs infer the sideband from the frequency; other submodes are modes of their own. */
const modesDiffer = (a: Mode | null, b: Mode | null): "mode" | "sideband" | null => {
  if (!agree(a?.mode ?? null, b?.mode ?? null)) return "mode";
  if (agree(a?.submode ?? null, b?.submode ?? null)) return null;
  return a?.mode === "SSB" ? "sideband" : "mode";
};

/** These differ from contact to contact even where one program writes them. */
const VARYING = /^(TIME_ON|TIME_OFF|QSO_DATE_OFF|FREQ|FREQ_RX|MODE|RST_.*|COMMENT|NOTES|.*_INTL|APP_.*)$/;

const isSameHand = (record: Fields, known: Fields): boolean =>
  record.TIME_ON?.length === known.TIME_ON?.length &&
  Object.entries(record).every(
    ([name, value]) =>
      name === "SUBMODE" ||
      (known[name] !== undefined && (known[name] === value || VARYING.test(name) || isDetail(name))),
  );
