import type { Fields } from "./adif-record.ts";
import { awardKeys } from "./award-keys.ts";
import type { CallFacts } from "./call-facts.ts";
import { gridOf } from "./grid-squares.ts";
import type { Layers } from "./layers.ts";
import { effectiveMode } from "./mode.ts";
import { endOf, modeOf, startOf, tuningOf } from "./on-air.ts";
import { placeOf } from "./place.ts";
import { CALL_THERE } from "./origins/first.ts";
import { confirmationsOf, idsIn } from "./origins/origins.ts";
import type { Derived } from "./qso.ts";
import { ask, say, voicesOf, type Voices } from "./voices.ts";
import { code, word } from "./words.ts";

/** Raised whenever the rules below change what they give, so that kept rows are derived again. */
export const RULES_VERSION = 1;

/**
 * The columns of a contact from what each origin said: typed, then file, then the more exact of the two services, then
 * the first, then the second. Null where no origin says call and time.
 */
export const derive = (layers: Layers, facts: CallFacts): Derived | null => {
  const voices = voicesOf(layers);
  const { all } = voices;
  const call = callOf(all, "CALL", facts);
  const start = startOf(voices);
  if (call === null || start === null) return null;
  const { at } = start;
  const isMobile = facts.isMobile(call);
  const state = say(all, "STATE", code);
  const place = placeOf(voices, facts, { call, at, isMobile, state });
  const mode = modeOf(voices);
  const satName = say(all, "SAT_NAME", code);
  const { first, second, card } = confirmationsOf(layers);
  return {
    call,
    startedAt: at,
    endedAt: endOf(voices, at),
    ...tuningOf(voices),
    mode: mode && (mode.mode ?? effectiveMode(mode)),
    submode: mode?.submode ?? null,
    modeGroup: mode?.group ?? null,
    stationCallsign: callOf(all, "STATION_CALLSIGN", facts) ?? callOf(all, CALL_THERE, facts),
    operator: callOf(all, "OPERATOR", facts),
    rstSent: say(all, "RST_SENT"),
    rstRcvd: say(all, "RST_RCVD"),
    ...place,
    prefix: prefixOf(voices, call, facts),
    state,
    county: say(all, "CNTY"),
    gridsquare: gridOf(voices),
    iota: say(all, "IOTA", iota),
    name: say(all, "NAME"),
    qth: say(all, "QTH"),
    comment: say(all, "COMMENT"),
    propMode: say(all, "PROP_MODE", code) ?? (satName && "SAT"),
    satName,
    txPower: say(all, "TX_PWR", watts),
    year: new Date(at).getUTCFullYear(),
    ...idsIn(layers),
    firstConfirmed: first.confirmed,
    firstConfirmedAt: first.confirmedAt,
    secondConfirmed: second.confirmed,
    secondConfirmedAt: second.confirmedAt,
    cardConfirmed: card.confirmed,
    ...awardKeys(layers, voices, { at, isMobile, state, dxcc: place.dxcc, cqZone: place.cqZone }),
  };
};

const callOf = (voices: readonly Fields[], name: string, facts: CallFacts): string | null => {
  const call = say(voices, name, code);
  return call && facts.normalise(call);
};

/** What the first service says of this very call is surer than what the call looks like. */
const prefixOf = ({ typed, services }: Voices, call: string, facts: CallFacts): string | null =>
  code(typed?.PFX) ??
  ask(services, ({ CALL, PFX }) => (PFX && CALL && facts.normalise(CALL) === call ? code(PFX) : null)) ??
  facts.prefix(call);

const IOTA = /^(AF|AN|AS|EU|NA|OC|SA)-?(?!000)(\d{3})$/;

const iota = (text: string | undefined): string | null => {
  const parts = text === undefined ? null : IOTA.exec(word(text));
  return parts && `${parts[1]}-${parts[2]}`;
};

const WATTS = /^(\d{1,9}(?:[.,]\d{1,9})?)\s*W?$/;

const watts = (text: string | undefined): number | null => {
  const number = text === undefined ? null : WATTS.exec(word(text));
  return number && Number(number[1]!.replace(",", "."));
};
