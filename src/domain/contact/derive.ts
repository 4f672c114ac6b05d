import type { Confirmed } from "../origins/origin.ts";
import { SERVICES, type Service } from "../jobs/source.ts";
import type { Fields } from "./adif-record.ts";
import { awardKeys } from "../awards/award-keys.ts";
import type { CallFacts } from "../radio/call-facts.ts";
import { fieldOf, fieldsThat, type FieldsThat } from "./fields.ts";
import { gridOf } from "../radio/grid-squares.ts";
import type { Layers } from "./layers.ts";
import { layersWithinLengths } from "./lengths.ts";
import { effectiveMode } from "../radio/mode.ts";
import { endOf, modeOf, startOf, tuningOf } from "../radio/on-air.ts";
import { ownPlaceOf } from "../radio/own-place.ts";
import { placeOf } from "../radio/place.ts";
import { CALL_THERE } from "../origins/first.ts";
import { confirmationsOf, idsIn } from "../origins/origins.ts";
import { withBrought } from "../origins/services.ts";
import type { Derived } from "./qso.ts";
import { stateIn } from "../radio/us-states.ts";
import { ask, say, voicesOf, type Voices } from "./voices.ts";
import { code } from "../../kernel/text.ts";

/** Increase it when the rules below change their results, so that stored rows are derived again. */
export const RULES_VERSION = 4;

/**
 * Derives the columns of a contact from its layers. Priority: typed, file, the more exact of the two services, the
 * first service, the second. Returns null if no origin gives callsign and time.
 */
export const derive = (said: Layers, facts: CallFacts): Derived | null => {
  const layers = withBrought(layersWithinLengths(said));
  const voices = voicesOf(layers);
  const { all } = voices;
  const call = callOf(all, "CALL", facts);
  const start = startOf(voices);
  if (call === null || start === null) return null;
  const { at } = start;
  const isMobile = facts.isMobile(call);
  const plain = heardIn(all);
  const { satName } = plain;
  const state = ask(all, stateIn);
  const place = placeOf(voices, facts, { call, at, isMobile, state });
  const mode = modeOf(voices);
  const confirmations = confirmationsOf(layers);
  const stationCallsign = callOf(all, "STATION_CALLSIGN", facts) ?? callOf(all, CALL_THERE, facts);
  // The largest part comes first, because the engine copies it as a whole.
  return {
    ...plain,
    call,
    startedAt: at,
    endedAt: endOf(voices, at),
    ...tuningOf(voices),
    mode: mode && (mode.mode ?? effectiveMode(mode)),
    submode: mode?.submode ?? null,
    modeGroup: mode?.group ?? null,
    stationCallsign,
    operator: callOf(all, "OPERATOR", facts),
    state,
    ...place,
    ...ownPlaceOf(voices, facts, { stationCallsign, at }),
    prefix: prefixOf(voices, call, facts),
    gridsquare: gridOf(voices),
    propMode: say(all, "PROP_MODE", code) ?? (satName && "SAT"),
    year: new Date(at).getUTCFullYear(),
    ...idsIn(layers),
    ...confirmedByServices(confirmations),
    cardConfirmed: confirmations.card.confirmed,
    ...awardKeys(layers, voices, { at, isMobile, state, dxcc: place.dxcc, cqZone: place.cqZone }),
  };
};

type ConfirmedByServices = Pick<Derived, `${Service}Confirmed` | `${Service}ConfirmedAt`>;

const confirmedByServices = (confirmations: Record<Service, Confirmed>): ConfirmedByServices => {
  const fields: Record<string, unknown> = {};
  for (const service of SERVICES) {
    const { confirmed, confirmedAt } = confirmations[service];
    fields[`${service}Confirmed`] = confirmed;
    fields[`${service}ConfirmedAt`] = confirmedAt;
  }
  return fields as unknown as ConfirmedByServices;
};

type Heard = Pick<Derived, FieldsThat<"heard">>;

const HEARD = fieldsThat("heard").map((name) => {
  const { adif = [], heard } = fieldOf(name);
  return { name, adif: adif[0]!, read: heard! };
});

const NOTHING_HEARD = Object.fromEntries(HEARD.map(({ name }) => [name, null])) as unknown as Heard;

/** Fields for which the first readable value wins. */
const heardIn = (voices: readonly Fields[]): Heard => {
  const heard: Record<string, unknown> = { ...NOTHING_HEARD };
  for (let at = 0; at < HEARD.length; at++) {
    const { name, adif, read } = HEARD[at]!;
    heard[name] = say(voices, adif, read);
  }
  return heard as unknown as Heard;
};

const callOf = (voices: readonly Fields[], name: string, facts: CallFacts): string | null => {
  const call = say(voices, name, code);
  return call && facts.normalise(call);
};

/** What the first service says about this call is more reliable than a prefix derived from the text. */
const prefixOf = ({ typed, services }: Voices, call: string, facts: CallFacts): string | null =>
  code(typed?.PFX) ??
  ask(services, ({ CALL, PFX }) => (PFX && CALL && facts.normalise(CALL) === call ? code(PFX) : null)) ??
  facts.prefix(call);
